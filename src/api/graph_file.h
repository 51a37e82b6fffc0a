/* SPDX-License-Identifier: Apache-2.0 */
/* api/graph_file.h - what reading and writing a graph file begins with, for those who go on in
 * another way. */
#ifndef CLV_API_GRAPH_FILE_H
#define CLV_API_GRAPH_FILE_H

#include "formats/formats.h"

/* Sets all of known but repairs; CLEAVE_EINVAL says which option makes no sense. */
cleave_status clv_graph_file_options(clv_read_options *known, const cleave_read_options *opt,
                                     cleave_error *err);
/* The format of an input, by name or, if that is NULL, by what the input begins with. */
cleave_status clv_graph_file_input(const clv_format **format, clv_input *in, const char *name,
                                   cleave_error *err);
/* The format in which a file is written, by name or, if that is NULL, by the path. */
cleave_status clv_graph_file_output(const clv_format **format, const char *path,
                                    const char *name, cleave_error *err);
/* As cleave_graph_write, of a graph without weights but with sums in their place;
 * CLEAVE_ERANGE where the format has no room for them. */
cleave_status clv_graph_file_write_sums(const clv_graph *g, const clv_sums *sums,
                                        const char *path, const cleave_write_options *opt,
                                        cleave_error *err);

#endif
