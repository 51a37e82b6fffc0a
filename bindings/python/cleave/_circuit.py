# SPDX-License-Identifier: Apache-2.0
"""Probabilistic circuits: probabilities of evidence for many instances, with threads."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _structs as structs
from ._arrays import address, view
from ._errors import InvalidArgument
from ._graph import Graph
from ._library import call, defaults, encode, lib, make, path_bytes
from ._schedule import CostsLike
from ._target import Path
from ._trsv import RunInfo, Team, run_options

Int8Array = npt.NDArray[np.int8]


class Circuit:
    """A probabilistic circuit from a .psdd file, and a plan to evaluate it many times.

    Evidence is an array (instances, variables) of 0, 1 and -1 (unknown), or one instance.
    Options as for :class:`Trsv`.  Results are bitwise equal for any number of threads.
    """

    __slots__ = ("_handle", "_plan", "__weakref__")

    def __init__(
        self,
        path: Path,
        *,
        method: Optional[str] = None,
        params: Optional[str] = None,
        costs: CostsLike = None,
        threads: int = 0,
        team: Optional[Team] = None,
        sync: Optional[str] = None,
        expected_calls: int = 0,
        seed: int = 1,
    ) -> None:
        self._handle = make("cleave_circuit_read", "cleave_circuit_free", path_bytes(path))
        options = run_options(
            method, params, costs, threads, team, sync, expected_calls, -1, False, seed
        )
        self._plan = make(
            "cleave_circuit_plan_create",
            "cleave_circuit_plan_free",
            self._handle,
            ctypes.byref(options),
            needs=() if team is None else (team._handle,),
        )

    @property
    def variables(self) -> int:
        """The largest variable number."""
        return int(lib.cleave_circuit_variables(self._handle))

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(lib.cleave_circuit_nodes(self._handle))

    @property
    def elements(self) -> int:
        """The number of elements."""
        return int(lib.cleave_circuit_elements(self._handle))

    @property
    def info(self) -> RunInfo:
        """Properties of the plan."""
        found = defaults(structs.RunInfo)
        lib.cleave_circuit_plan_info(self._plan, ctypes.byref(found))
        return RunInfo.of(found)

    def graph(self) -> Graph:
        """The DAG of the circuit."""
        handle = self._handle
        return Graph._wrap(make("cleave_circuit_graph", "cleave_graph_free", handle))

    def _evidence(self, evidence: Any, what: str = "evidence") -> Tuple[Int8Array, bool]:
        given = np.asarray(evidence)
        single = given.ndim == 1
        rows = given.reshape(1, -1) if single else given
        if rows.ndim != 2 or rows.shape[1] != self.variables:
            raise InvalidArgument(
                f"{what} has the shape {given.shape}, not (instances, {self.variables})"
            )
        if rows.dtype.kind not in "iub":
            raise TypeError(f"{what} has dtype {given.dtype}, not one of whole numbers")
        if rows.size and (rows.min() < -1 or rows.max() > 1):
            raise InvalidArgument(f"{what} has entries other than 0, 1 and -1")
        return np.ascontiguousarray(rows, np.int8), single

    def read_evidence(self, path: Path) -> Int8Array:
        """Reads instances, one per line, with values 0, 1 and ? (or *, or -1)."""
        made = make(
            "cleave_evidence_read", "cleave_evidence_free", path_bytes(path), self.variables
        )
        count = lib.cleave_evidence_count(made)
        place = lib.cleave_evidence_view(made)
        return np.array(view(place, (count, self.variables), np.int8, made))

    @staticmethod
    def _options(space: str, query: str) -> structs.CircuitOptions:
        options = defaults(structs.CircuitOptions)
        options.space, options.query = encode(space, "space"), encode(query, "query")
        return options

    def evaluate(self, evidence: Any, *, space: str = "log", query: str = "sum") -> Any:
        """The natural logarithm of the probability of each instance.

        space: "log", or "linear", which is several times faster.  query: "sum", or "max" for
        the most probable complete assignment.
        """
        rows, single = self._evidence(evidence)
        result = np.empty(len(rows))
        call(
            "cleave_circuit_evaluate",
            self._plan,
            ctypes.byref(self._options(space, query)),
            len(rows),
            address(rows),
            address(result),
        )
        return float(result[0]) if single else result

    def conditional(
        self, asked: Any, given: Any, *, space: str = "log", query: str = "sum"
    ) -> Any:
        """log P(asked | given) for each instance."""
        question, single = self._evidence(asked, "asked")
        known, _ = self._evidence(given, "given")
        if question.shape != known.shape:
            raise InvalidArgument("asked and given have different numbers of instances")
        result = np.empty(len(question))
        call(
            "cleave_circuit_conditional",
            self._plan,
            ctypes.byref(self._options(space, query)),
            len(question),
            address(question),
            address(known),
            address(result),
        )
        return float(result[0]) if single else result

    def most_probable(self, evidence: Any) -> Tuple[Int8Array, Any]:
        """The most probable complete assignment of each instance, and its logarithm."""
        rows, single = self._evidence(evidence)
        assignment, value = np.empty_like(rows), np.empty(len(rows))
        call(
            "cleave_circuit_most_probable",
            self._plan,
            len(rows),
            address(rows),
            address(assignment),
            address(value),
        )
        return (assignment[0], float(value[0])) if single else (assignment, value)

    def __repr__(self) -> str:
        return f"<cleave.Circuit of {self.variables} variables, {self.nodes} nodes>"
