# SPDX-License-Identifier: Apache-2.0
"""The structs of the public header, field by field; tests compare them with the header."""
from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from typing import Dict, Type

MOST_LEVELS = 16


class Struct(ctypes.Structure):
    """A struct; ``c_name`` is its name in the header."""

    c_name = ""


class ErrorStruct(Struct):
    c_name = "cleave_error"
    _fields_ = [("status", c_int), ("message", c_char * 252)]


class Progress(Struct):
    c_name = "cleave_progress"
    _fields_ = [
        ("size", c_size_t),
        ("phase", c_char_p),
        ("done", c_int64),
        ("total", c_int64),
        ("level", c_int32),
        ("cut", c_int64),
    ]


ProgressFunction = CFUNCTYPE(c_int, c_void_p, POINTER(Progress))
TwoWayFunction = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_int32, POINTER(c_int32))


class Csr(Struct):
    c_name = "cleave_csr"
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("nvtx", c_int32),
        ("xadj", c_void_p),
        ("adj", c_void_p),
        ("vwgt", c_void_p),
        ("ewgt", c_void_p),
        ("ncon", c_int32),
        ("ndim", c_int32),
        ("vsize", c_void_p),
        ("coords", c_void_p),
        ("names", POINTER(c_char_p)),
    ]


class Repairs(Struct):
    c_name = "cleave_repairs"
    _fields_ = [
        ("size", c_size_t),
        ("self_loops", c_int64),
        ("duplicates", c_int64),
        ("one_way", c_int64),
        ("unequal", c_int64),
        ("counts", c_int64),
    ]


class Source(Struct):
    c_name = "cleave_source"
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("entries", c_int64),
        ("unit", c_char_p),
        ("origin", c_char_p),
    ]


class ReadOptions(Struct):
    c_name = "cleave_read_options"
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("as", c_char_p),
        ("symmetrise", c_char_p),
        ("weights", c_char_p),
        ("scale", c_double),
        ("coords", c_char_p),
        ("mesh", c_char_p),
        ("common", c_int32),
        ("binarise", c_int),
        ("flags", c_uint),
        ("threads", c_int),
        ("repairs", POINTER(Repairs)),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
        ("condense", c_int),
        ("components", POINTER(c_void_p)),
    ]


class WriteOptions(Struct):
    c_name = "cleave_write_options"
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("part", c_void_p),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
        ("place", c_void_p),
        ("encoding", c_char_p),
        ("mesh_file", c_char_p),
        ("mesh", c_char_p),
        ("mesh_coords", c_char_p),
        ("no_sync", c_int),
    ]


class MatrixCsr(Struct):
    c_name = "cleave_matrix_csr"
    _fields_ = [
        ("size", c_size_t),
        ("nrow", c_int32),
        ("ncol", c_int32),
        ("xadj", c_void_p),
        ("col", c_void_p),
        ("val", c_void_p),
    ]


class QuotientCsr(Struct):
    c_name = "cleave_quotient_csr"
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("nparts", c_int32),
        ("ncon", c_int32),
        ("xadj", c_void_p),
        ("adj", c_void_p),
        ("weight", c_void_p),
        ("cut", c_void_p),
    ]


class Constraints(Struct):
    c_name = "cleave_constraints"
    _fields_ = [
        ("size", c_size_t),
        ("fixed", c_void_p),
        ("groups", c_void_p),
        ("shares", c_void_p),
        ("imbalance", c_void_p),
        ("min", c_void_p),
        ("max", c_void_p),
        ("connected", c_int),
        ("start", c_void_p),
    ]


class MapReport(Struct):
    c_name = "cleave_map_report"
    _fields_ = [
        ("size", c_size_t),
        ("cut", c_int64),
        ("volume", c_int64),
        ("imbalance", c_double),
        ("empty_parts", c_int32),
        ("balanced", c_int32),
        ("levels", c_int32),
        ("threads", c_int32),
        ("cycles", c_int32),
        ("timed_out", c_int32),
        ("seconds", c_double),
        ("seconds_coarsen", c_double),
        ("seconds_initial", c_double),
        ("seconds_refine", c_double),
        ("acyclic", c_int32),
        ("critical_path", c_int64),
        ("cost", c_int64),
        ("cost_identity", c_int64),
        ("residual", c_double),
        ("converged", c_int32),
    ]


class Options(Struct):
    c_name = "cleave_options"
    _fields_ = [
        ("size", c_size_t),
        ("imbalance", c_double),
        ("seed", c_uint64),
        ("effort", c_int),
        ("objective", c_int),
        ("threads", c_int),
        ("time_limit", c_double),
        ("constraints", POINTER(Constraints)),
        ("report", POINTER(MapReport)),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
        ("method", c_char_p),
        ("params", c_char_p),
        ("one_to_one", c_int),
    ]


class GenerateOptions(Struct):
    c_name = "cleave_generate_options"
    _fields_ = [("size", c_size_t), ("seed", c_uint64), ("threads", c_int)]


class EvaluateOptions(Struct):
    c_name = "cleave_evaluate_options"
    _fields_ = [
        ("size", c_size_t),
        ("shares", c_void_p),
        ("imbalance", c_double),
        ("cost_vertex", c_int64),
        ("cost_inside", c_int64),
        ("cost_cut", c_int64),
    ]


class Metrics(Struct):
    c_name = "cleave_metrics"
    _fields_ = [
        ("size", c_size_t),
        ("parts", c_int32),
        ("empty_parts", c_int32),
        ("cut", c_int64),
        ("volume", c_int64),
        ("max_volume", c_int64),
        ("imbalance", c_double),
        ("balanced", c_int32),
        ("pieces", c_int32),
        ("setups", c_int64),
        ("acyclic", c_int32),
        ("convex", c_int32),
        ("critical_path", c_int64),
        ("min_weight", c_int64),
        ("max_weight", c_int64),
    ]


class TargetMetrics(Struct):
    c_name = "cleave_target_metrics"
    _fields_ = [
        ("size", c_size_t),
        ("cost", c_int64),
        ("cost_identity", c_int64),
        ("cut", c_int64),
        ("average_dilation", c_double),
        ("max_link_load", c_int64),
        ("average_link_load", c_double),
        ("max_pe_traffic", c_int64),
        ("imbalance", c_double),
        ("levels", c_int32),
        ("cost_level", c_int64 * MOST_LEVELS),
        ("cost_level_identity", c_int64 * MOST_LEVELS),
    ]


class OrderOptions(Struct):
    c_name = "cleave_order_options"
    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("params", c_char_p),
        ("seed", c_uint64),
        ("effort", c_int),
        ("threads", c_int),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
        ("time_limit", c_double),
    ]


class SplitOptions(Struct):
    c_name = "cleave_split_options"
    _fields_ = [("size", c_size_t), ("imbalance", c_double), ("grouping", c_char_p)]


class OrderMetrics(Struct):
    c_name = "cleave_order_metrics"
    _fields_ = [
        ("size", c_size_t),
        ("fill", c_int64),
        ("operations", c_double),
        ("largest_column", c_int64),
        ("height", c_int32),
    ]


class SeparatorOptions(Struct):
    c_name = "cleave_separator_options"
    _fields_ = [
        ("size", c_size_t),
        ("imbalance", c_double),
        ("seed", c_uint64),
        ("effort", c_int),
        ("threads", c_int),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
        ("time_limit", c_double),
    ]


class RemapReport(Struct):
    c_name = "cleave_remap_report"
    _fields_ = [
        ("size", c_size_t),
        ("strategy", c_char * 16),
        ("cut", c_int64),
        ("cut_before", c_int64),
        ("migration", c_int64),
        ("migration_bound", c_int64),
    ]


class RemapOptions(Struct):
    c_name = "cleave_remap_options"
    _fields_ = [
        ("size", c_size_t),
        ("migration_price", c_double),
        ("strategy", c_char_p),
        ("from", c_void_p),
        ("order", c_void_p),
        ("options", POINTER(Options)),
        ("report", POINTER(RemapReport)),
    ]


class ScheduleCosts(Struct):
    c_name = "cleave_schedule_costs"
    _fields_ = [("size", c_size_t), ("sync", c_double), ("read", c_double)]


class ScheduleOptions(Struct):
    c_name = "cleave_schedule_options"
    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("params", c_char_p),
        ("threads", c_int32),
        ("costs", POINTER(ScheduleCosts)),
        ("split_rows", c_int),
        ("seed", c_uint64),
        ("time_limit", c_double),
        ("workers", c_int),
        ("solver", TwoWayFunction),
        ("solver_payload", c_void_p),
        ("progress", ProgressFunction),
        ("payload", c_void_p),
    ]


class ScheduleMetrics(Struct):
    c_name = "cleave_schedule_metrics"
    _fields_ = [
        ("size", c_size_t),
        ("levels", c_int32),
        ("layers", c_int32),
        ("threads_used", c_int32),
        ("work_total", c_int64),
        ("work_max", c_int64),
        ("crossing_edges", c_int64),
        ("cost", c_double),
        ("cost_serial", c_double),
        ("predicted_speedup", c_double),
        ("mean_parallelism", c_double),
    ]


class RunOptions(Struct):
    c_name = "cleave_run_options"
    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("params", c_char_p),
        ("costs", POINTER(ScheduleCosts)),
        ("threads", c_int),
        ("team", c_void_p),
        ("sync", c_char_p),
        ("expected_calls", c_int64),
        ("split_rows", c_int),
        ("pair", c_int),
        ("seed", c_uint64),
    ]


class RunInfo(Struct):
    c_name = "cleave_run_info"
    _fields_ = [
        ("size", c_size_t),
        ("method", c_char_p),
        ("sync", c_char_p),
        ("layers", c_int32),
        ("threads", c_int32),
        ("nonzeros", c_int64),
        ("bytes", c_int64),
        ("waits", c_int64),
        ("seconds_analysis", c_double),
        ("split_rows", c_int32),
    ]


class Triangle(Struct):
    c_name = "cleave_triangle"
    _fields_ = [
        ("size", c_size_t),
        ("n", c_int32),
        ("xadj", c_void_p),
        ("idx", c_void_p),
        ("val", c_void_p),
        ("val32", c_void_p),
        ("by_columns", c_int),
        ("upper", c_int),
        ("unit", c_int),
        ("transpose", c_int),
        ("part", c_int),
        ("diagonal_apart", c_int),
    ]


class CircuitOptions(Struct):
    c_name = "cleave_circuit_options"
    _fields_ = [("size", c_size_t), ("space", c_char_p), ("query", c_char_p)]


#: All structs by their names in C.
STRUCTS: Dict[str, Type[Struct]] = {
    kind.c_name: kind for kind in Struct.__subclasses__() if kind.c_name
}
