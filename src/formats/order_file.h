/* SPDX-License-Identifier: Apache-2.0 */
/* formats/order_file.h - order files: text, and a binary form for large orders. */
#ifndef CLV_FORMATS_ORDER_FILE_H
#define CLV_FORMATS_ORDER_FILE_H

#include "formats/input.h"
#include "formats/output.h"
#include "graph/order.h"

/* Reads either form; the first bytes identify it.  The path may be compressed, or "-". trust:
 * an uncompressed binary file is mapped, and only its header is checked. */
cleave_status clv_order_read(clv_order **out, const char *path, bool trust, cleave_error *err);
/* Binary when the path ends in ".clo" or ".clo.gz". */
cleave_status clv_order_write(const clv_order *o, const char *path, cleave_error *err);

/* The first line of the text form. */
void clv_order_put_title(clv_output *to, int64_t nvtx, const char *method);

/* The longest name of a method in bytes, and whether a name is valid. */
enum { clv_order_method_room = sizeof(((clv_order *)0)->method) - 1 };
bool clv_order_method_fits(const char *name, size_t length);

/* ---- formats/order_binary.c ------------------------------------------------------------- */

bool clv_order_looks_binary(const char *bytes, size_t count);
cleave_status clv_order_read_binary(clv_order **out, clv_input *in, bool trust,
                                    cleave_error *err);
void clv_order_put_binary(const clv_order *o, clv_output *to);

#endif
