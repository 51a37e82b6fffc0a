/* SPDX-License-Identifier: Apache-2.0 */
/* formats/graph_file.h - reads and writes graph files of any format. */
#ifndef CLV_FORMATS_GRAPH_FILE_H
#define CLV_FORMATS_GRAPH_FILE_H

#include "formats/formats.h"

/* Sets all fields of known but repairs; CLEAVE_EINVAL: an option is out of range. */
cleave_status clv_graph_file_options(clv_read_options *known, const cleave_read_options *opt,
                                     cleave_error *err);
/* The format of an input: by name; name NULL: from its first bytes. */
cleave_status clv_graph_file_input(const clv_format **format, clv_input *in, const char *name,
                                   cleave_error *err);
/* The format of an output: by name; name NULL: from the path. */
cleave_status clv_graph_file_output(const clv_format **format, const char *path,
                                    const char *name, cleave_error *err);

/* As cleave_graph_read; known: opt as checked by clv_graph_file_options.  *g is NULL at the
 * call; on failure the caller frees it. */
cleave_status clv_graph_file_read(clv_graph **g, const char *path,
                                  const cleave_read_options *opt, clv_read_options *known,
                                  cleave_error *err);
/* As cleave_graph_write. sums: NULL, or the weights of g, which then has none itself;
 * CLEAVE_ERANGE if the format cannot hold them. */
cleave_status clv_graph_file_write(const clv_graph *g, const clv_sums *sums, const char *path,
                                   const cleave_write_options *opt, cleave_error *err);

#endif
