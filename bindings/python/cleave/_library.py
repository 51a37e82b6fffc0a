# SPDX-License-Identifier: Apache-2.0
"""Finds libcleave, declares its functions and converts failures to exceptions.

ctypes releases the interpreter lock during every call, so other Python threads can run while
the library computes.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint, c_uint64, c_void_p
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar

from . import _structs as structs
from ._errors import BY_STATUS, Error
from ._version import __version__

SONAME = "libcleave.so.0"


def _candidates() -> List[str]:
    chosen = os.environ.get("CLEAVE_LIBRARY")
    if chosen:
        return [chosen]
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, name) for name in (SONAME, "libcleave.so")]
    return [path for path in beside if os.path.exists(path)] + [SONAME]


def _load() -> Tuple[ctypes.CDLL, str]:
    problems = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            problems.append(str(error))
    raise ImportError(
        "the C library of cleave was not found (" + "; ".join(problems) + "); install it, or "
        "set the environment variable CLEAVE_LIBRARY to the path of " + SONAME
    )


def _check_version(library: ctypes.CDLL, path: str) -> str:
    try:
        function = library.cleave_version
    except AttributeError:
        raise ImportError(path + " is not the C library of cleave") from None
    function.restype = c_char_p
    version: str = function().decode()
    if version.split(".")[:2] != __version__.split(".")[:2]:
        raise ImportError(
            f"{path} is version {version} of the C library, this package needs "
            f"{'.'.join(__version__.split('.')[:2])}.x; install both from the same release"
        )
    return version


lib, library_path = _load()
library_version = _check_version(lib, library_path)

_out = POINTER(c_void_p)
_err = POINTER(structs.ErrorStruct)


def _p(kind: Type[structs.Struct]) -> Any:
    return POINTER(kind)


#: name: (result, arguments).  A cleave_status is "status"; handles and arrays are c_void_p.
PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "cleave_status_name": (c_char_p, [c_int]),
    "cleave_status_text": (c_char_p, [c_int]),
    "cleave_version": (c_char_p, []),
    "cleave_features": (c_char_p, []),
    # graphs
    "cleave_graph_create": ("status", [_out, _p(structs.Csr), c_uint, _err]),
    "cleave_graph_free": (None, [c_void_p]),
    "cleave_builder_create": ("status", [_out, c_int, _err]),
    "cleave_builder_add": ("status", [c_void_p, c_int64, c_void_p, c_void_p, c_void_p, _err]),
    "cleave_builder_symmetrise": ("status", [c_void_p, c_char_p, _err]),
    "cleave_builder_finish": ("status", [_out, c_void_p, c_int32, _p(structs.Csr), _err]),
    "cleave_builder_free": (None, [c_void_p]),
    "cleave_graph_kind": (c_int, [c_void_p]),
    "cleave_graph_vertices": (c_int32, [c_void_p]),
    "cleave_graph_edges": (c_int64, [c_void_p]),
    "cleave_graph_view": (None, [c_void_p, _p(structs.Csr)]),
    "cleave_graph_view_predecessors": (None, [c_void_p, _p(structs.Csr)]),
    "cleave_graph_name": (c_char_p, [c_void_p, c_int32]),
    "cleave_graph_source": (None, [c_void_p, _p(structs.Source)]),
    "cleave_graph_topological_order": ("status", [c_void_p, c_void_p, _err]),
    "cleave_graph_levels": ("status", [c_void_p, c_int, c_void_p, POINTER(c_int32), _err]),
    "cleave_graph_components": ("status", [c_void_p, c_void_p, POINTER(c_int32), _err]),
    "cleave_graph_transpose": ("status", [_out, c_void_p, _err]),
    "cleave_graph_subgraph": ("status", [_out, c_void_p, c_int32, c_void_p, _err]),
    "cleave_graph_read": ("status", [_out, c_char_p, _p(structs.ReadOptions), _err]),
    "cleave_graph_write": ("status", [c_void_p, c_char_p, _p(structs.WriteOptions), _err]),
    "cleave_graph_write_coords": ("status", [c_void_p, c_char_p, _err]),
    "cleave_format_name": (c_char_p, [c_int, POINTER(c_char_p), POINTER(c_int)]),
    "cleave_format_holds": (ctypes.c_uint, [c_char_p]),
    "cleave_format_of_path": (c_char_p, [c_char_p]),
    "cleave_graph_generate": ("status", [_out, c_char_p, _p(structs.GenerateOptions), _err]),
    "cleave_generator_name": (c_char_p, [c_int, POINTER(c_char_p), POINTER(c_char_p)]),
    "cleave_graph_factor": ("status", [_out, c_void_p, c_char_p, c_void_p, _err]),
    # matrices
    "cleave_matrix_read": ("status", [_out, c_char_p, _p(structs.ReadOptions), _err]),
    "cleave_matrix_create": ("status", [_out, _p(structs.MatrixCsr), _err]),
    "cleave_matrix_view": (None, [c_void_p, _p(structs.MatrixCsr)]),
    "cleave_matrix_write": ("status", [c_void_p, c_char_p, _err]),
    "cleave_matrix_free": (None, [c_void_p]),
    "cleave_matrix_factor": ("status", [_out, c_void_p, c_char_p, c_void_p, c_uint64, _err]),
    "cleave_matrix_ic0": ("status", [_out, c_void_p, POINTER(c_double), _err]),
    "cleave_matrix_ilu0": ("status", [_out, c_void_p, _err]),
    "cleave_matrix_cholesky": ("status", [_out, c_void_p, c_void_p, c_char_p, _err]),
    # mappings
    "cleave_mapping_create": ("status", [_out, c_int32, c_int32, c_void_p, _err]),
    "cleave_mapping_read": ("status", [_out, c_char_p, c_int32, c_int32, _err]),
    "cleave_mapping_read_for": ("status", [_out, c_char_p, c_void_p, c_int32, _err]),
    "cleave_mapping_write": ("status", [c_void_p, c_char_p, _err]),
    "cleave_mapping_vertices": (c_int32, [c_void_p]),
    "cleave_mapping_nparts": (c_int32, [c_void_p]),
    "cleave_mapping_parts": (c_void_p, [c_void_p]),
    "cleave_mapping_free": (None, [c_void_p]),
    "cleave_quotient_create": ("status", [_out, c_void_p, c_void_p, _err]),
    "cleave_quotient_view": (None, [c_void_p, _p(structs.QuotientCsr)]),
    "cleave_quotient_write": ("status", [c_void_p, c_char_p, _p(structs.WriteOptions), _err]),
    "cleave_quotient_free": (None, [c_void_p]),
    "cleave_graph_quotient": ("status", [_out, c_void_p, c_void_p, _err]),
    "cleave_mapping_part_order": ("status", [c_void_p, c_void_p, c_void_p, _err]),
    # targets
    "cleave_target_parse": ("status", [_out, c_char_p, _err]),
    "cleave_target_create": ("status", [_out, c_int32, c_void_p, _err]),
    "cleave_target_pes": (c_int32, [c_void_p]),
    "cleave_target_speed": (c_double, [c_void_p, c_int32]),
    "cleave_target_distance": (c_int32, [c_void_p, c_int32, c_int32]),
    "cleave_target_name": (c_char_p, [c_void_p, c_int32]),
    "cleave_target_levels": (c_int32, [c_void_p]),
    "cleave_target_level": (c_int32, [c_void_p, c_int32, c_int32]),
    "cleave_target_links": (c_int64, [c_void_p]),
    "cleave_target_form": (c_char_p, [c_int, POINTER(c_char_p)]),
    "cleave_target_shape": (c_char_p, [c_void_p]),
    "cleave_target_describe": (None, [c_void_p, c_char_p, ctypes.c_size_t]),
    "cleave_target_write": ("status", [c_void_p, c_char_p, _err]),
    "cleave_target_free": (None, [c_void_p]),
    # mapping
    "cleave_map": ("status", [_out, c_void_p, c_void_p, _p(structs.Options), _err]),
    "cleave_launch_write": (
        "status",
        [c_char_p, c_char_p, c_void_p, c_void_p, c_char_p, _err],
    ),
    "cleave_evaluate": (
        "status",
        [_p(structs.Metrics), c_void_p, c_void_p, _p(structs.EvaluateOptions), _err],
    ),
    "cleave_evaluate_parts": (
        "status",
        [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, _err],
    ),
    "cleave_evaluate_cycle": (
        "status",
        [c_void_p, c_void_p, c_void_p, POINTER(c_int32), _err],
    ),
    "cleave_evaluate_target": (
        "status",
        [_p(structs.TargetMetrics), c_void_p, c_void_p, c_void_p, _err],
    ),
    # orders
    "cleave_order_build": ("status", [_out, c_void_p, _p(structs.OrderOptions), _err]),
    "cleave_order_create": ("status", [_out, c_int32, c_void_p, c_void_p, _err]),
    "cleave_order_free": (None, [c_void_p]),
    "cleave_order_vertices": (c_int32, [c_void_p]),
    "cleave_order_view": (c_void_p, [c_void_p]),
    "cleave_order_method": (c_char_p, [c_void_p]),
    "cleave_order_weight_before": (c_void_p, [c_void_p]),
    "cleave_order_average_crossing": (c_double, [c_void_p]),
    "cleave_order_residual": (c_double, [c_void_p]),
    "cleave_order_converged": (c_int32, [c_void_p]),
    "cleave_order_check": ("status", [c_void_p, c_void_p, _err]),
    "cleave_order_complete": ("status", [c_void_p, c_void_p, _err]),
    "cleave_order_read": ("status", [_out, c_char_p, _err]),
    "cleave_order_open": ("status", [_out, c_char_p, c_uint, _err]),
    "cleave_order_write": ("status", [c_void_p, c_char_p, _err]),
    "cleave_order_split": (
        "status",
        [c_void_p, c_void_p, c_void_p, c_void_p, _p(structs.SplitOptions), _err],
    ),
    "cleave_order_mapping": (
        "status",
        [_out, c_void_p, c_int32, c_void_p, c_void_p, _err],
    ),
    "cleave_order_split_refine": (
        "status",
        [_out, c_void_p, c_void_p, c_void_p, _p(structs.Options), _err],
    ),
    "cleave_evaluate_order": ("status", [_p(structs.OrderMetrics), c_void_p, c_void_p, _err]),
    "cleave_separator": (
        "status",
        [_out, c_void_p, _p(structs.SeparatorOptions), c_void_p, _err],
    ),
    "cleave_remap": (
        "status",
        [_out, c_void_p, c_void_p, c_void_p, _p(structs.RemapOptions), _err],
    ),
    # schedules
    "cleave_schedule_costs_read": ("status", [_p(structs.ScheduleCosts), c_char_p, _err]),
    "cleave_schedule_costs_write": ("status", [_p(structs.ScheduleCosts), c_char_p, _err]),
    "cleave_schedule_costs_measure": (
        "status",
        [_p(structs.ScheduleCosts), POINTER(c_double), c_int, _err],
    ),
    "cleave_schedule_build": ("status", [_out, c_void_p, _p(structs.ScheduleOptions), _err]),
    "cleave_schedule_create": ("status", [_out, c_int32, c_void_p, c_void_p, _err]),
    "cleave_schedule_free": (None, [c_void_p]),
    "cleave_schedule_tasks": (c_int32, [c_void_p]),
    "cleave_schedule_rows": (c_int32, [c_void_p]),
    "cleave_schedule_layers": (c_int32, [c_void_p]),
    "cleave_schedule_threads": (c_int32, [c_void_p]),
    "cleave_schedule_method": (c_char_p, [c_void_p]),
    "cleave_schedule_layer": (c_void_p, [c_void_p]),
    "cleave_schedule_thread": (c_void_p, [c_void_p]),
    "cleave_schedule_order": (c_void_p, [c_void_p]),
    "cleave_schedule_blocks": (c_void_p, [c_void_p]),
    "cleave_schedule_row": (c_void_p, [c_void_p]),
    "cleave_schedule_share": (c_void_p, [c_void_p]),
    "cleave_schedule_check": ("status", [c_void_p, c_void_p, _err]),
    "cleave_schedule_read": ("status", [_out, c_char_p, _err]),
    "cleave_schedule_write": ("status", [c_void_p, c_char_p, _err]),
    "cleave_evaluate_schedule": (
        "status",
        [
            _p(structs.ScheduleMetrics),
            c_void_p,
            c_void_p,
            _p(structs.ScheduleCosts),
            _err,
        ],
    ),
    "cleave_evaluate_schedule_work": ("status", [c_void_p, c_void_p, c_void_p, _err]),
    # solves
    "cleave_team_create": ("status", [_out, c_int, _err]),
    "cleave_team_free": (None, [c_void_p]),
    "cleave_team_size": (c_int, [c_void_p]),
    "cleave_trsv_create": (
        "status",
        [_out, _p(structs.Triangle), _p(structs.RunOptions), _err],
    ),
    "cleave_trsv_create_from": (
        "status",
        [_out, c_void_p, _p(structs.Triangle), POINTER(c_int), _err],
    ),
    "cleave_trsv_free": (None, [c_void_p]),
    "cleave_trsv_solve": ("status", [c_void_p, c_void_p, c_void_p, _err]),
    "cleave_trsv_solve_f": ("status", [c_void_p, c_void_p, c_void_p, _err]),
    "cleave_trsv_solve_many": (
        "status",
        [c_void_p, c_int32, c_void_p, c_int64, c_void_p, c_int64, _err],
    ),
    "cleave_trsv_solve_many_f": (
        "status",
        [c_void_p, c_int32, c_void_p, c_int64, c_void_p, c_int64, _err],
    ),
    "cleave_trsv_update_values": ("status", [c_void_p, c_void_p, _err]),
    "cleave_trsv_update_values_f": ("status", [c_void_p, c_void_p, _err]),
    "cleave_trsv_order": (c_void_p, [c_void_p]),
    "cleave_trsv_solve_ordered": ("status", [c_void_p, c_void_p, _err]),
    "cleave_trsv_info": (None, [c_void_p, _p(structs.RunInfo)]),
    # circuits
    "cleave_circuit_read": ("status", [_out, c_char_p, _err]),
    "cleave_circuit_free": (None, [c_void_p]),
    "cleave_circuit_variables": (c_int32, [c_void_p]),
    "cleave_circuit_nodes": (c_int32, [c_void_p]),
    "cleave_circuit_elements": (c_int64, [c_void_p]),
    "cleave_circuit_graph": ("status", [_out, c_void_p, _err]),
    "cleave_evidence_read": ("status", [_out, c_char_p, c_int32, _err]),
    "cleave_evidence_free": (None, [c_void_p]),
    "cleave_evidence_count": (c_int64, [c_void_p]),
    "cleave_evidence_view": (c_void_p, [c_void_p]),
    "cleave_circuit_plan_create": (
        "status",
        [_out, c_void_p, _p(structs.RunOptions), _err],
    ),
    "cleave_circuit_plan_free": (None, [c_void_p]),
    "cleave_circuit_plan_info": (None, [c_void_p, _p(structs.RunInfo)]),
    "cleave_circuit_evaluate": (
        "status",
        [c_void_p, _p(structs.CircuitOptions), c_int64, c_void_p, c_void_p, _err],
    ),
    "cleave_circuit_conditional": (
        "status",
        [c_void_p, _p(structs.CircuitOptions), c_int64, c_void_p, c_void_p, c_void_p, _err],
    ),
    "cleave_circuit_most_probable": (
        "status",
        [c_void_p, c_int64, c_void_p, c_void_p, c_void_p, _err],
    ),
}

#: Public functions that are not available in Python, and the reasons.
LEFT_OUT: Dict[str, str] = {
    "cleave_strong_components": "scipy.sparse.csgraph and networkx have it",
    "cleave_fixed_read": "numpy.loadtxt reads such files",
    "cleave_groups_read": "numpy.loadtxt reads such files",
    "cleave_bounds_read": "numpy.loadtxt reads such files",
    "cleave_shares_read": "numpy.loadtxt reads such files",
    "cleave_schedule_graph": "an inner graph of split rows",
    "cleave_two_way_answer": "for those who run MiniZinc",
    "cleave_task_schedule_build": "task graphs are for C and the program so far",
    "cleave_task_schedule_create": "task graphs are for C and the program so far",
    "cleave_task_schedule_free": "task graphs are for C and the program so far",
    "cleave_task_schedule_tasks": "task graphs are for C and the program so far",
    "cleave_task_schedule_method": "task graphs are for C and the program so far",
    "cleave_task_schedule_pe": "task graphs are for C and the program so far",
    "cleave_task_schedule_start": "task graphs are for C and the program so far",
    "cleave_task_schedule_read": "task graphs are for C and the program so far",
    "cleave_task_schedule_write": "task graphs are for C and the program so far",
    "cleave_evaluate_task_schedule": "task graphs are for C and the program so far",
    "cleave_vectors_read": "scipy.io.mmread and numpy.loadtxt read such files",
    "cleave_vectors_write": "scipy.io.mmwrite writes such files",
    "cleave_results_write": "numpy.savetxt writes such files",
    "cleave_bandwidth_measure": "the program's business",
    "cleave_triangle_of_matrix": "Trsv takes scipy's matrices",
    "cleave_triangle_of_graph": "Trsv takes scipy's matrices, and Graph.to_scipy makes them",
    "cleave_trsv_solve_member": "for callers with threads of their own in C",
    "cleave_view_graph": "the program draws: cleave view",
    "cleave_view_remap": "the program draws: cleave view",
    "cleave_view_schedule": "the program draws: cleave view",
    "cleave_view_target": "the program draws: cleave view",
    "cleave_view_trace": "the program draws: cleave view",
    "cleave_view_format_of_path": "the program draws: cleave view",
    "cleave_trsv_trace": "the program shows it: cleave run solve --trace",
    "cleave_trace_count": "the program shows it: cleave run solve --trace",
    "cleave_trace_free": "the program shows it: cleave run solve --trace",
    "cleave_trace_layers": "the program shows it: cleave run solve --trace",
    "cleave_trace_seconds": "the program shows it: cleave run solve --trace",
    "cleave_trace_span": "the program shows it: cleave run solve --trace",
    "cleave_trace_threads": "the program shows it: cleave run solve --trace",
    "cleave_plot_write": "matplotlib draws",
    "cleave_plot_write_profile": "matplotlib draws",
}


def _declare() -> None:
    for name, (result, arguments) in PROTOTYPES.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise ImportError(f"{library_path} lacks {name}; it is of another version") from None
        function.restype = c_int if result == "status" else result
        function.argtypes = arguments
    for kind in structs.STRUCTS.values():
        try:
            init = getattr(lib, kind.c_name + "_init")
        except AttributeError:
            continue  # cleave_error and cleave_progress are filled by the library
        init.restype = None
        init.argtypes = [POINTER(kind), ctypes.c_size_t]


_declare()

S = TypeVar("S", bound=structs.Struct)


_templates: Dict[Type[structs.Struct], bytes] = {}


def defaults(kind: Type[S]) -> S:
    """A struct initialised by its _init function."""
    template = _templates.get(kind)
    if template is None:
        made = kind()
        getattr(lib, kind.c_name + "_init")(ctypes.byref(made), ctypes.sizeof(made))
        template = _templates[kind] = bytes(made)
    return kind.from_buffer_copy(template)


def failure(status: int, err: structs.ErrorStruct, result: Any = None) -> Error:
    """The exception for a status and its message."""
    message = err.message.decode("utf-8", "replace")
    kind = BY_STATUS.get(status, Error)
    return kind(message or lib.cleave_status_text(status).decode(), result)


def call(name: str, *arguments: Any) -> None:
    """Calls a function whose last argument is the error; raises an exception on failure."""
    err = structs.ErrorStruct()
    status = getattr(lib, name)(*arguments, ctypes.byref(err))
    if status != 0:
        raise failure(status, err)


class Handle:
    """Owns one object of the library and frees it when it is no longer needed.

    ``needs`` are handles that must outlive this one.  Garbage collection finalises the members
    of a cycle in any order, so each handle counts its users: one token for each user beyond the
    first.  Removing a token from a list is atomic; a user that finds none frees the object.
    """

    __slots__ = ("_as_parameter_", "keep", "_free", "_needs", "_tokens", "__weakref__")

    def __init__(self, pointer: int, free: str, needs: Tuple["Handle", ...] = ()) -> None:
        # ctypes passes this; passing the handle itself keeps the object alive during the call.
        self._as_parameter_ = pointer
        #: Arrays that the object borrows.
        self.keep: Any = None
        self._free = getattr(lib, free)
        self._tokens: List[None] = []
        self._needs = needs
        for other in needs:
            other._tokens.append(None)

    @property
    def pointer(self) -> int:
        """The address, for a field of a struct; its user must keep the handle."""
        return self._as_parameter_

    def _release(self) -> None:
        try:
            self._tokens.pop()
        except IndexError:
            self._free(self._as_parameter_)
            for other in self._needs:
                other._release()

    def __del__(self) -> None:
        self._release()

    def __reduce__(self) -> Any:
        kind = self._free.__name__[len("cleave_") : -len("_free")].replace("_", " ")
        raise TypeError(
            f"the {kind} is in the library and cannot be pickled or copied deeply; what has a "
            "write method can go by way of a file"
        )


def make(name: str, free: str, *arguments: Any, needs: Tuple[Handle, ...] = ()) -> Handle:
    """Calls a function that returns an object through its first argument."""
    out = c_void_p()
    call(name, ctypes.byref(out), *arguments)
    assert out.value is not None
    return Handle(out.value, free, needs)


def text(value: Optional[bytes]) -> Optional[str]:
    """Converts a string from the library."""
    return None if value is None else value.decode("utf-8", "replace")


def encode(value: Optional[str], what: str) -> Optional[bytes]:
    """Converts a string for the library."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{what} is a {type(value).__name__}, not a string")
    return _no_nul(value.encode(), what)


def path_bytes(path: Any) -> bytes:
    """Converts a file name for the library."""
    return _no_nul(os.fsencode(path), "a file name")


def _no_nul(value: bytes, what: str) -> bytes:
    if b"\0" in value:
        raise BY_STATUS[-1](f"{what} has a NUL byte in it")
    return value
