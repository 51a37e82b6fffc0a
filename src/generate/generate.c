/* SPDX-License-Identifier: Apache-2.0 */
/* generate/generate.c - the table of kinds, and parsing of the kind. */
#include "generate/generate.h"

#include <string.h>

#include "generate/polybench.h"

static cleave_status make_polybench(clv_graph **out, clv_spec *spec, const clv_making *how,
                                    cleave_error *err)
{
    enum { most_sizes = 8 };
    (void)how;
    char name[32];
    size_t length = spec->rest ? strcspn(spec->rest, ":") : 0;
    if (length == 0 || length >= sizeof name)
        return clv_spec_fail(spec, "the name of a kernel is missing", err);
    memcpy(name, spec->rest, length);
    name[length] = '\0';
    clv_spec_option(spec, name);
    int64_t size[most_sizes];
    int sizes[most_sizes], count = 0;
    if (clv_spec_more(spec))
        CLV_TRY(clv_spec_sizes(spec, "a list of sizes", 1, most_sizes, size, &count, err));
    CLV_TRY(clv_spec_end(spec, err));
    for (int i = 0; i < count; i++)
        sizes[i] = (int)size[i];
    return clv_generate_polybench(out, name, count ? sizes : NULL, count, err);
}

const clv_generator clv_generators[] = {
    {"grid2d", "grid2d:WxH[:5|9][:periodic]", "grid, 5- or 9-point, with coordinates",
     clv_generate_grid2d},
    {"grid3d", "grid3d:XxYxZ[:7|27][:periodic]", "grid, 7- or 27-point, with coordinates",
     clv_generate_grid3d},
    {"mesh2d", "mesh2d:WxH", "triangles between jittered points, with coordinates",
     clv_generate_mesh2d},
    {"mesh3d", "mesh3d:XxYxZ", "tetrahedra between jittered points, with coordinates",
     clv_generate_mesh3d},
    {"spiral", "spiral[:WxL]", "strip of triangles, 6 x 200, wound up, with coordinates",
     clv_generate_spiral},
    {"rgg", "rgg:N:MEAN_DEGREE[:2|3]", "random points, near ones joined, with coordinates",
     clv_generate_geometric},
    {"rmat", "rmat:SCALE:EDGES_PER_VERTEX[:A:B:C]", "power-law graph on 2^SCALE vertices",
     clv_generate_rmat},
    {"gnp", "gnp:N:P", "each pair of N vertices joined with probability P", clv_generate_gnp},
    {"tree", "tree:N[:ARITY|:random]", "complete tree (ARITY 2), or a random one",
     clv_generate_tree},
    {"layered", "layered:LAYERS:WIDTH:DEGREE",
     "DAG; DEGREE random predecessors in the layer before", clv_generate_layered},
    {"stencil", "stencil:W[xH[xD]]:STEPS",
     "DAG; a grid over time, each point from its neighbours", clv_generate_stencil},
    {"polybench", "polybench:NAME[:AxBx...]", "DAG; trace of a PolyBench kernel",
     make_polybench},
    {NULL, NULL, NULL, NULL},
};

const clv_generator *clv_generator_find(const char *text, size_t *length)
{
    *length = strcspn(text, ":");
    for (const clv_generator *kind = clv_generators; kind->name; kind++)
        if (strlen(kind->name) == *length && strncmp(kind->name, text, *length) == 0)
            return kind;
    return NULL;
}

static cleave_status fail_unknown(const char *text, size_t length, cleave_error *err)
{
    char list[200] = "";
    for (const clv_generator *kind = clv_generators; kind->name; kind++) {
        strncat(list, list[0] ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, kind->name, sizeof list - strlen(list) - 1);
    }
    return clv_fail(err, CLEAVE_EINVAL, "'%.*s' is not a kind of graph; known are %s",
                    length < 30 ? (int)length : 30, text, list);
}

cleave_status clv_generate(clv_graph **out, const char *text, const clv_making *how,
                           cleave_error *err)
{
    *out = NULL;
    size_t length;
    const clv_generator *kind = clv_generator_find(text, &length);
    if (!kind)
        return fail_unknown(text, length, err);
    clv_spec spec = clv_spec_start(text, length, kind->form);
    clv_graph *g = NULL;
    cleave_status status = kind->make(&g, &spec, how, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    *out = g;
    return CLEAVE_OK;
}
