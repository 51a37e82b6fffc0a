/* SPDX-License-Identifier: Apache-2.0 */
/* cleave - map a mesh, a matrix or a DAG onto a machine.
 *
 * Errors     Functions that can fail return cleave_status: 0, or a negative code with a
 *            message in `err` (always the last argument, may be NULL).  On failure *out is
 *            NULL; EBALANCE and ECANCEL return the best result found where a function's
 *            comment states it.  Functions without a status cannot fail: for NULL they
 *            return 0 or NULL, or describe an empty object.
 * Ownership  Free objects returned through `out` with cleave_X_free; it accepts NULL.
 *            A returned `const T *` belongs to the object it came from.  Input arrays
 *            are never written, and are copied unless CLEAVE_BORROW is set.
 * Threads    No global state.  Graphs, mappings and matrices are immutable once created:
 *            threads can share them; free them once.  Options can be shared, too: of the
 *            objects a const struct points to, only `report`, `repairs` and `components`
 *            are written, and concurrent calls must not share these.
 * Silence    Never prints, exits, raises signals, or reads environment or locale.
 * Results    Same version, input, options and seed give the same result, on any
 *            machine and any number of threads.
 * Structs    Every struct except cleave_error, which is frozen, starts with `size`; its
 *            _init function sets it and all defaults.  Structs grow at their end; for this
 *            reason no struct contains another.  Widths are fixed: vertices int32_t,
 *            offsets and sums int64_t, single weights up to 2^31-1.
 * Versions   CLEAVE_VERSION is that of the headers, cleave_version() that of the library.
 *            Structs of older headers work with a newer library: it reads and writes no more
 *            than their `size`.
 * Paths      "-" is standard input or output; ".gz" files are read and written
 *            compressed.  Output files are written atomically: a file is synced before it
 *            is renamed to its name, so that it is complete or absent even after a system
 *            crash.
 * Headers    This one includes all others, a header for each noun.  Each can be included
 *            alone, by C99 and C++ programs, and begins with an example.
 *
 *              status.h    status codes and messages, versions, progress
 *              graph.h     graphs from arrays, edges and files; levels, components
 *              mapping.h   vertex -> part; quotient graphs
 *              target.h    machines
 *              map.h       partitioning and mapping; constraints; files for launchers
 *              evaluate.h  metrics of mappings, orders and schedules
 *              generate.h  generated graphs
 *              order.h     linear orders and their splits; vertex separators
 *              remap.h     remapping onto a changed machine
 *              schedule.h  schedules of a DAG in super layers
 *              tasks.h     schedules of task graphs, with a makespan
 *              matrix.h    sparse matrices with values, factors, vectors
 *              solve.h     triangular solves on threads
 *              circuit.h   probabilistic circuits on threads
 *              view.h      pictures and plots
 *              team.h      teams of threads; options of solves and circuits */
#ifndef CLEAVE_CLEAVE_H
#define CLEAVE_CLEAVE_H

#include "cleave/circuit.h"
#include "cleave/evaluate.h"
#include "cleave/generate.h"
#include "cleave/graph.h"
#include "cleave/map.h"
#include "cleave/mapping.h"
#include "cleave/matrix.h"
#include "cleave/order.h"
#include "cleave/remap.h"
#include "cleave/schedule.h"
#include "cleave/solve.h"
#include "cleave/status.h"
#include "cleave/target.h"
#include "cleave/tasks.h"
#include "cleave/team.h"
#include "cleave/view.h"

#endif
