# SPDX-License-Identifier: Apache-2.0
"""Triangular solves with schedules, and factorizations of matrices."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _structs as structs
from ._arrays import Int32Array, Record, address, int32, int64, view
from ._convert import check_compressed, is_scipy
from ._errors import InvalidArgument
from ._graph import GraphLike, as_graph
from ._library import Handle, call, defaults, encode, lib, make, path_bytes
from ._options import INT32_MAX, choice, whole
from ._schedule import CostsLike, as_costs
from ._target import Path


@dataclasses.dataclass(frozen=True)
class RunInfo(Record):
    """Properties of a plan."""

    #: "grow", "serial", ...
    method: str
    #: "p2p", ...
    sync: str
    layers: int
    #: threads that have work
    threads: int
    #: multiply-adds and divisions of a solve; for a circuit its work
    nonzeros: int
    #: lower bound on the bytes that a solve reads and writes
    bytes: int
    #: number of waits for another thread, over all threads and layers
    waits: int
    seconds_analysis: float
    #: number of rows that are split into several tasks
    split_rows: int


class Team:
    """A team of threads, which several plans may share.

    >>> import cleave
    >>> cleave.Team(2).size
    2
    """

    __slots__ = ("_handle", "__weakref__")

    def __init__(self, threads: int = 0) -> None:
        self._handle = make(
            "cleave_team_create", "cleave_team_free", whole(threads, "threads")
        )

    @property
    def size(self) -> int:
        """The number of threads."""
        return int(lib.cleave_team_size(self._handle))

    def __repr__(self) -> str:
        return f"<cleave.Team of {self.size} threads>"


def run_options(
    method: Optional[str],
    params: Optional[str],
    costs: CostsLike,
    threads: int,
    team: Optional[Team],
    sync: Optional[str],
    expected_calls: int,
    split_rows: int,
    pair: bool,
    seed: int,
) -> structs.RunOptions:
    """The options of plans."""
    options = defaults(structs.RunOptions)
    options.method = encode(method, "method")
    options.params = encode(params, "params")
    price = as_costs(costs)
    if price is not None:
        options.costs = ctypes.pointer(price)
    options.threads = whole(threads, "threads")
    if team is not None:
        if not isinstance(team, Team):
            raise TypeError(f"team is a {type(team).__name__}, not a Team")
        options.team = team._handle.pointer
    options.sync = encode(sync, "sync")
    options.expected_calls = whole(expected_calls, "expected_calls", 0, 2**63 - 1)
    options.split_rows = whole(int(split_rows), "split_rows", -1, 1)
    options.pair = bool(pair)
    options.seed = whole(seed, "seed", 0, 2**64 - 1)
    return options


class Trsv:
    """A plan for many solves with a sparse triangular matrix, with threads.

    ``matrix`` is a sparse matrix of scipy (CSR or CSC; other formats are converted to CSR).
    lower: which triangle it is.  unit_diagonal: the diagonal is 1, stored values are ignored.
    transpose: solve with the transpose of the triangle.  part: entries outside the triangle
    are ignored instead of refused, such as those of the other factor of an ILU pair.  A float32
    matrix gives a plan for float32 vectors, any other matrix for float64.

    method, params, costs: as for :func:`schedule`.  threads: 0: those of the ``team``, or all
    available; "auto": as many as pay.  sync: None, "barrier", "p2p", "stale".  expected_calls:
    0: many.  split_rows: -1 if it pays, 0 never, 1 if the schedule does.  pair: the schedule
    is for both triangles of the matrix.

    Solutions are bitwise equal for any number of threads.  Several Python threads may use one
    plan; their solves are serialised.

    >>> import cleave, numpy, scipy.sparse
    >>> L = scipy.sparse.csr_array([[2.0, 0, 0], [1, 1, 0], [0, 3, 4]])
    >>> plan = cleave.Trsv(L)
    >>> plan.solve([2, 3, 10])
    array([1., 2., 1.])
    >>> plan.solve([2, 3, 10], trans="T")
    array([ 3.25, -4.5 ,  2.5 ])
    """

    __slots__ = (
        "_handle",
        "_matrix",
        "_flags",
        "_transposed",
        "_solve",
        "shape",
        "dtype",
        "reused",
        "__weakref__",
    )

    _handle: Handle

    def __init__(
        self,
        matrix: Any,
        *,
        lower: bool = True,
        unit_diagonal: bool = False,
        transpose: bool = False,
        part: bool = False,
        method: Optional[str] = None,
        params: Optional[str] = None,
        costs: CostsLike = None,
        threads: int = 0,
        team: Optional[Team] = None,
        sync: Optional[str] = None,
        expected_calls: int = 0,
        split_rows: int = -1,
        pair: bool = False,
        seed: int = 1,
        like: Optional["Trsv"] = None,
    ) -> None:
        rows = _compressed(matrix)
        #: Could the schedule of ``like`` (another plan) be used?  None without ``like``.
        self.reused: Optional[bool] = None
        self._begin(rows, (bool(lower), bool(unit_diagonal), bool(transpose), bool(part)))
        triangle, keep = self._triangle()
        if like is not None:
            fitted = ctypes.c_int()
            self._handle = make(
                "cleave_trsv_create_from",
                "cleave_trsv_free",
                like._handle,
                ctypes.byref(triangle),
                ctypes.byref(fitted),
                needs=(like._handle,),
            )
            self.reused = bool(fitted.value)
        else:
            options = run_options(
                method,
                params,
                costs,
                threads,
                team,
                sync,
                expected_calls,
                split_rows,
                pair,
                seed,
            )
            self._handle = make(
                "cleave_trsv_create",
                "cleave_trsv_free",
                ctypes.byref(triangle),
                ctypes.byref(options),
                needs=() if team is None else (team._handle,),
            )
        del keep

    def _begin(self, rows: Any, flags: Tuple[bool, bool, bool, bool]) -> None:
        self._matrix = rows
        self._flags = flags
        self._transposed: Optional[Trsv] = None
        #: (rows, rows), required by scipy.sparse.linalg.aslinearoperator.
        self.shape: Tuple[int, int] = rows.shape
        #: Type of the vectors: float64 or float32.
        self.dtype: np.dtype[Any] = rows.data.dtype
        single = self.dtype == np.float32
        self._solve = lib.cleave_trsv_solve_f if single else lib.cleave_trsv_solve

    def _triangle(self) -> Tuple[structs.Triangle, Any]:
        rows, (lower, unit, transpose, part) = self._matrix, self._flags
        triangle = defaults(structs.Triangle)
        xadj, idx = int64(rows.indptr, "indptr"), int32(rows.indices, "indices")
        values = np.ascontiguousarray(rows.data)
        triangle.n = rows.shape[0]
        triangle.xadj, triangle.idx = address(xadj), address(idx)
        if self.dtype == np.float32:
            triangle.val32 = address(values)
        else:
            triangle.val = address(values)
        triangle.by_columns = rows.format == "csc"
        triangle.upper = not lower
        triangle.unit = unit
        triangle.transpose = transpose
        triangle.part = part
        return triangle, (xadj, idx, values)

    @property
    def T(self) -> "Trsv":
        """A plan for the transpose, with the same schedule reversed if possible."""
        if self._transposed is None:
            made = object.__new__(Trsv)
            lower, unit, transpose, part = self._flags
            made._begin(self._matrix, (lower, unit, not transpose, part))
            triangle, keep = made._triangle()
            fitted = ctypes.c_int()
            made._handle = make(
                "cleave_trsv_create_from",
                "cleave_trsv_free",
                self._handle,
                ctypes.byref(triangle),
                ctypes.byref(fitted),
                needs=(self._handle,),
            )
            del keep
            made.reused = bool(fitted.value)
            self._transposed = made
        return self._transposed

    @property
    def info(self) -> RunInfo:
        """Properties of the plan: layers, threads, time of the analysis, ..."""
        found = defaults(structs.RunInfo)
        lib.cleave_trsv_info(self._handle, ctypes.byref(found))
        return RunInfo.of(found)

    @property
    def order(self) -> Int32Array:
        """The row at each position of the plan's numbering, for :meth:`solve_ordered`."""
        place = lib.cleave_trsv_order(self._handle)
        return view(place, self.shape[0], np.int32, self._handle)

    def solve(self, b: Any, trans: str = "N", out: Optional[npt.NDArray[Any]] = None) -> Any:
        """The solution x of op(A) x = b; b has the shape (n,) or (n, columns).

        trans: "N", or "T" or "H" for the transpose.  out: array for x with the shape and dtype
        of the solution, contiguous by columns; may be b itself.  A vector of the plan's dtype,
        and a matrix of that dtype that is contiguous by columns (order="F"), are not copied;
        others are converted.
        """
        if trans != "N":
            choice(trans, ("N", "T", "H"), "trans")
            return self.T.solve(b, "N", out)
        right = b if isinstance(b, np.ndarray) else np.asarray(b)
        if right.dtype.kind not in "fiub":
            raise TypeError(f"b has dtype {right.dtype}, which is not one of real numbers")
        n = self.shape[0]
        if right.ndim not in (1, 2) or right.shape[0] != n:
            raise InvalidArgument(
                f"b has the shape {right.shape}, not ({n},) or ({n}, columns)"
            )
        if right.dtype != self.dtype or not right.flags.f_contiguous or not right.flags.aligned:
            right = np.asfortranarray(right, dtype=self.dtype)
        if out is None:
            out = np.empty_like(right, order="F", subok=False)
        else:
            self._check_out(out, right)
        err = structs.ErrorStruct()
        if right.ndim == 1:
            status = self._solve(
                self._handle,
                out.__array_interface__["data"][0],
                right.__array_interface__["data"][0],
                ctypes.byref(err),
            )
            if status != 0:
                from ._library import failure

                raise failure(status, err)
        else:
            self._solve_many(out, right)
        return out

    def _check_out(self, out: Any, right: npt.NDArray[Any]) -> None:
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out is a {type(out).__name__}, not an array")
        if out.dtype != self.dtype or out.shape != right.shape:
            raise InvalidArgument(
                f"out is {out.dtype}{list(out.shape)}, not {self.dtype}{list(right.shape)}"
            )
        if not (out.flags.f_contiguous and out.flags.aligned and out.flags.writeable):
            raise InvalidArgument("out is not writeable or not contiguous column by column")
        if np.may_share_memory(out, right) and address(out) != address(right):
            raise InvalidArgument("out and b overlap without being the same")

    def _solve_many(self, out: npt.NDArray[Any], right: npt.NDArray[Any]) -> None:
        n, columns = right.shape
        if columns > INT32_MAX:
            raise InvalidArgument(f"b has {columns} columns, more than 2^31 - 1")
        name = "cleave_trsv_solve_many" + ("_f" if self.dtype == np.float32 else "")
        if columns:
            call(
                name,
                self._handle,
                columns,
                address(out),
                max(n, 1),
                address(right),
                max(n, 1),
            )

    def solve_ordered(self, x: npt.NDArray[np.float64]) -> None:
        """Solves in place, with b and x in the plan's numbering: nothing is permuted."""
        if self.dtype != np.float64:
            raise TypeError("only plans of float64 solve in their own numbering")
        self._check_out(x, np.empty(self.shape[0]))
        call("cleave_trsv_solve_ordered", self._handle, address(x))

    def matvec(self, b: Any) -> Any:
        """solve(b), for scipy.sparse.linalg.aslinearoperator."""
        right = np.asarray(b)
        return self.solve(right.reshape(-1)).reshape(right.shape)

    def rmatvec(self, b: Any) -> Any:
        """solve(b, "T"), for scipy.sparse.linalg.aslinearoperator."""
        right = np.asarray(b)
        return self.solve(right.reshape(-1), "T").reshape(right.shape)

    def update_values(self, values: Any) -> None:
        """Sets new values for the same pattern: a matrix with this pattern, or its ``data``.

        No solves may run with the plan at the same time.
        """
        rows = self._matrix
        if is_scipy(values):
            other = values if values.format == rows.format else values.asformat(rows.format)
            same = other.shape == rows.shape and np.array_equal(other.indptr, rows.indptr)
            if not same or not np.array_equal(other.indices, rows.indices):
                raise InvalidArgument("the matrix has another pattern than that of the plan")
            values = other.data
        data = np.asarray(values)
        if data.dtype.kind not in "fiub":
            raise TypeError(f"values has dtype {data.dtype}, which is not one of real numbers")
        if data.shape != rows.data.shape:
            raise InvalidArgument(f"values has the shape {data.shape}, not {rows.data.shape}")
        data = np.ascontiguousarray(data, dtype=self.dtype)
        name = "cleave_trsv_update_values" + ("_f" if self.dtype == np.float32 else "")
        call(name, self._handle, address(data))
        self._matrix = type(rows)((data.copy(), rows.indices, rows.indptr), shape=rows.shape)
        if self._transposed is not None:
            call(name, self._transposed._handle, address(data))
            self._transposed._matrix = self._matrix

    def __repr__(self) -> str:
        lower, _, transpose, _ = self._flags
        word = ("lower" if lower else "upper") + (", transposed" if transpose else "")
        found = self.info
        return (
            f"<cleave.Trsv {word}, {self.shape[0]} rows, {found.nonzeros} non-zeros, "
            f"{found.method} on {found.threads} threads>"
        )


def _compressed(matrix: Any) -> Any:
    if not is_scipy(matrix):
        raise TypeError(f"a {type(matrix).__name__} is no sparse matrix of scipy")
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidArgument(f"the matrix has the shape {matrix.shape}, which is not square")
    if matrix.shape[0] >= INT32_MAX:
        raise InvalidArgument(f"the matrix has {matrix.shape[0]} rows, more than 2^31 - 2")
    if matrix.dtype.kind not in "fiub":
        raise TypeError(f"the matrix has dtype {matrix.dtype}, which is not one of real numbers")
    rows = matrix if matrix.format in ("csr", "csc") else matrix.tocsr()
    check_compressed(rows, True)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    # Stored for the transpose, which is made on first use: the caller's matrix may change.
    return rows.copy() if rows is matrix else rows


# ---- Factors --------------------------------------------------------------------------------


def _give(matrix: Any) -> Handle:
    """Copies a matrix of scipy to a matrix of the library."""
    if not is_scipy(matrix):
        raise TypeError(f"a {type(matrix).__name__} is no sparse matrix of scipy")
    if matrix.dtype.kind not in "fiub":
        raise TypeError(f"the matrix has dtype {matrix.dtype}, which is not one of real numbers")
    check_compressed(matrix, True)
    rows = matrix.tocsr()
    if max(rows.shape) >= INT32_MAX:
        raise InvalidArgument(f"the matrix has the shape {rows.shape}, more than 2^31 - 2 rows")
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    csr = defaults(structs.MatrixCsr)
    xadj, col = int64(rows.indptr, "indptr"), int32(rows.indices, "indices")
    values = np.ascontiguousarray(rows.data, np.float64)
    csr.nrow, csr.ncol = rows.shape
    csr.xadj, csr.col, csr.val = address(xadj), address(col), address(values)
    return make("cleave_matrix_create", "cleave_matrix_free", ctypes.byref(csr))


def _take(handle: Handle) -> Any:
    """A CSR array of scipy in the memory of a matrix of the library, which it keeps alive."""
    from scipy.sparse import csr_array  # type: ignore[import]

    csr = defaults(structs.MatrixCsr)
    lib.cleave_matrix_view(handle, ctypes.byref(csr))
    xadj = view(csr.xadj, csr.nrow + 1, np.int64, handle)
    count = int(xadj[-1]) if csr.nrow else 0
    wide = count > INT32_MAX
    indptr = np.array(xadj if csr.nrow else [0], np.int64 if wide else np.int32)
    col = np.array(view(csr.col, count, np.int32, handle))
    values = np.array(view(csr.val, count, np.float64, handle))
    return csr_array((values, col, indptr), shape=(csr.nrow, csr.ncol))


def read_matrix(path: Path) -> Any:
    """Reads a Matrix Market file (also .gz) into a CSR array of scipy."""
    return _take(make("cleave_matrix_read", "cleave_matrix_free", path_bytes(path), None))


def write_matrix(matrix: Any, path: Path) -> None:
    """Writes a Matrix Market file, as "symmetric" if pattern and values are."""
    call("cleave_matrix_write", _give(matrix), path_bytes(path))


def ic0(matrix: Any, *, shift: bool = False) -> Any:
    """Incomplete Cholesky factor without fill, lower triangular.

    shift: if a pivot is not positive, add multiples of the diagonal until all are; without
    shift, such a pivot is an error.

    >>> import cleave, scipy.sparse
    >>> A = scipy.sparse.csr_array([[4.0, -2, 0], [-2, 5, -4], [0, -4, 5]])
    >>> cleave.ic0(A).toarray().tolist()
    [[2.0, 0.0, 0.0], [-1.0, 2.0, 0.0], [0.0, -2.0, 1.0]]
    """
    used = ctypes.c_double()
    return _take(
        make(
            "cleave_matrix_ic0",
            "cleave_matrix_free",
            _give(matrix),
            ctypes.byref(used) if shift else None,
        )
    )


def ilu0(matrix: Any) -> Any:
    """Incomplete LU factors without fill in one matrix: L below the diagonal, U on and above it.

    Solve with ``Trsv(F, unit_diagonal=True, part=True)`` and
    ``Trsv(F, lower=False, part=True)``.
    """
    return _take(make("cleave_matrix_ilu0", "cleave_matrix_free", _give(matrix)))


def cholesky(matrix: Any, order: Optional[str] = None) -> Tuple[Any, Int32Array]:
    """The Cholesky factor L and the permutation p with L L^T = A[p][:, p].

    order: "mindeg" (None) or "natural".
    """
    given = _give(matrix)
    permutation = np.empty(matrix.shape[0], np.int32)
    made = make(
        "cleave_matrix_cholesky",
        "cleave_matrix_free",
        address(permutation),
        given,
        encode(order, "order"),
    )
    return _take(made), permutation


def random_factor(graph: GraphLike, order: Any = "natural", *, seed: int = 1) -> Any:
    """A lower triangular matrix with the pattern of the graph's factor and random values."""
    known = as_graph(graph)
    name = encode(order, "order") if isinstance(order, str) else None
    places = None if isinstance(order, str) else int32(order, "order", known.vertices)
    made = make(
        "cleave_matrix_factor",
        "cleave_matrix_free",
        known._handle,
        name,
        address(places),
        whole(seed, "seed", 0, 2**64 - 1),
    )
    return _take(made)
