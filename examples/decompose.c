/* SPDX-License-Identifier: Apache-2.0 */
/* decompose MESH PARTS [OUT] - divide a mesh into parts: docs/guide/mesh.md.
 *
 * MESH is a METIS mesh (its elements are then what is divided) or a graph in any format that
 * cleave reads.  OUT is a partition file, one part per line, unless its name says something
 * else: cellDecomposition for OpenFOAM, .map for Scotch, .vtu or .vtk for ParaView. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "decompose: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

static int is_mesh(const char *path)
{
    const char *format = cleave_format_of_path(path);
    return format && strcmp(format, "mesh") == 0;
}

/* Elements are neighbours when they share a face, which of triangles has two nodes. */
static cleave_status read_mesh(cleave_graph **out, const char *path, cleave_error *err)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    if (is_mesh(path)) {
        opt.mesh = "dual";
        opt.common = 2;
        opt.coords = ""; /* those beside it are of its nodes */
    }
    return cleave_graph_read(out, path, &opt, err);
}

static cleave_status divide(cleave_mapping **out, const cleave_graph *g, int32_t parts,
                            cleave_map_report *report, cleave_error *err)
{
    cleave_target *t = NULL;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(report, sizeof *report);
    opt.report = report;
    cleave_status status = cleave_target_create(&t, parts, NULL, err);
    if (status == CLEAVE_OK)
        status = cleave_map(out, g, t, &opt, err);
    cleave_target_free(t);
    return status;
}

/* A picture shows the graph, or the elements of the mesh; anything else holds parts alone. */
static cleave_status save(const cleave_graph *g, const cleave_mapping *m, const char *mesh,
                          const char *path, cleave_error *err)
{
    const char *format = cleave_format_of_path(path);
    if (!format || (strcmp(format, "vtu") != 0 && strcmp(format, "vtk") != 0))
        return cleave_mapping_write(m, path, err);
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.part = cleave_mapping_parts(m);
    if (is_mesh(mesh))
        opt.mesh_file = mesh;
    return cleave_graph_write(g, path, &opt, err);
}

int main(int argc, char **argv)
{
    int32_t parts = argc >= 3 ? (int32_t)atoi(argv[2]) : 0;
    if (parts < 1 || argc > 4) {
        fprintf(stderr, "usage: decompose MESH PARTS [OUT]\n");
        return EXIT_FAILURE;
    }
    cleave_error err = {CLEAVE_OK, ""};
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    cleave_map_report report;
    int result = EXIT_SUCCESS;
    if (read_mesh(&g, argv[1], &err) != CLEAVE_OK) {
        result = fail("reading", &err);
    } else if (divide(&m, g, parts, &report, &err) != CLEAVE_OK) {
        result = fail("dividing", &err); /* also when parts are not balanced */
    } else if (argc == 4 && save(g, m, argv[1], argv[3], &err) != CLEAVE_OK) {
        result = fail("writing", &err);
    } else {
        printf("vertices %ld, parts %ld, cut %lld, volume %lld, imbalance %.3f\n",
               (long)cleave_graph_vertices(g), (long)parts, (long long)report.cut,
               (long long)report.volume, report.imbalance);
    }
    cleave_mapping_free(m);
    cleave_graph_free(g);
    return result;
}
