/* SPDX-License-Identifier: Apache-2.0 */
/* Files for ParaView and OpenFOAM: cells, numbers in every encoding, decoded by an independent
 * decoder, error messages, and failing allocations. */
#include "formats/graph_fixture.h"
#include "formats/openfoam.h"
#include "formats/vtk.h"

static cleave_error err;

/* The whole file, zero behind it; the caller frees it. */
static char *whole(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        abort();
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*count + 1, 1);
    CHECK_EQ(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

/* ---- Cells ------------------------------------------------------------------------------ */

static cleave_status write_mesh(const char *mesh, const char *coords, const char *which,
                                const char *to)
{
    cleave_graph *g = NULL;
    cleave_read_options in;
    cleave_write_options out;
    cleave_read_options_init(&in, sizeof in);
    cleave_write_options_init(&out, sizeof out);
    in.mesh = out.mesh = which;
    in.coords = "";
    out.mesh_file = test_file("elements.mesh", mesh);
    out.mesh_coords = coords ? test_file("nodes.coords", coords) : NULL;
    CHECK_OK(cleave_graph_read(&g, out.mesh_file, &in, &err));
    cleave_status status = cleave_graph_write(g, fixture_path(to), &out, &err);
    cleave_graph_free(g);
    return status;
}

/* The types of the cells of an ASCII file, one after the other. */
static const char *types_of(const char *path)
{
    static char types[256];
    size_t count, used = 0;
    char *text = whole(path, &count), *line = strstr(text, "CELL_TYPES");
    if (!line)
        return "none";
    for (line = strchr(line, '\n') + 1; *line >= '0' && *line <= '9';) {
        char *end = strchr(line, '\n');
        used += (size_t)snprintf(types + used, sizeof types - used, "%s%.*s", used ? " " : "",
                                 (int)(end - line), line);
        line = end + 1;
    }
    free(text);
    return types;
}

static void test_cells(void)
{
    static const char mesh[] = "9\n1\n1 2\n1 2 3\n1 2 3 4\n1 2 3 4 5\n1 2 3 4 5 6\n"
                               "1 2 3 4 5 6 7\n1 2 3 4 5 6 7 8\n\n";
    static const char flat[] = "0 0\n1 0\n1 1\n0 1\n0 2\n1 2\n2 2\n2 0\n";
    static const char solid[] = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n";
    REQUIRE_OK(write_mesh(mesh, flat, "dual", "flat.vtk"));
    CHECK_STR(types_of(fixture_path("flat.vtk")), "1 3 5 9 7 7 7 7 0");
    REQUIRE_OK(write_mesh(mesh, solid, "nodal", "solid.vtk"));
    CHECK_STR(types_of(fixture_path("solid.vtk")), "1 3 5 10 14 13 41 12 0");
    CHECK_EQ(write_mesh(mesh, NULL, "dual", "none.vtk"), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err), "elements.mesh: there are no coordinates of its nodes, "
                                     "and a picture needs them");
    CHECK_EQ(write_mesh(mesh, "0 0\n", "dual", "none.vtk"), CLEAVE_EPARSE);
    REQUIRE_OK(write_mesh("0\n", "", "dual", "empty.vtu"));
}

static void test_complaints(void)
{
    fixture_kind kind = {CLEAVE_UNDIRECTED, 3, 3, .ncon = 1, .ndim = 2};
    clv_graph *g = fixture_graph(&kind, 1);
    clv_vtk_contents c = {0};
    clv_vtk_picture picture = {.g = g, .mesh_file = test_file("one.mesh", "1\n1 2\n")};
    CHECK_EQ(clv_vtk_collect(&c, &picture, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err), "one.mesh: has 1 elements, but the graph has 3 vertices");
    picture.mesh_nodal = true;
    CHECK_EQ(clv_vtk_collect(&c, &picture, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err), "one.mesh: has 2 nodes, but the graph has 3 vertices");
    picture.mesh_file = fixture_path("missing.mesh");
    CHECK_EQ(clv_vtk_collect(&c, &picture, &err), CLEAVE_EIO);
    clv_arena_free(&c.arena);
    clv_graph_free(g);
}

/* ---- Encodings -------------------------------------------------------------------------- */

static int digit(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Decodes so many digits of base64 or up to the first that is none; returns the number of
 * bytes. */
static size_t decode(const char *text, size_t digits, unsigned char *bytes)
{
    size_t used = 0;
    unsigned bits = 0;
    int have = 0;
    for (; digits-- > 0 && digit(*text) >= 0; text++) {
        bits = bits << 6 | (unsigned)digit(*text);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes[used++] = (unsigned char)(bits >> have);
        }
    }
    return used;
}

static uint64_t little(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

/* Bits of number i of an array, by the rules of C instead of shifts. */
static uint64_t bits_at(const clv_vtk_array *array, int64_t i)
{
    size_t size = clv_vtk_size(array->type);
    uint64_t value = 0;
    uint32_t half = 0;
    const char *at = (const char *)array->data + (size_t)i * size;
    if (size == 4) {
        memcpy(&half, at, 4);
        return half;
    }
    if (size == 1)
        return *(const unsigned char *)at;
    memcpy(&value, at, 8);
    return value;
}

static void check_block(const char *text, const clv_vtk_array *array, bool base64)
{
    int64_t numbers = array->tuples * array->components;
    size_t size = clv_vtk_size(array->type), bytes = (size_t)numbers * size;
    unsigned char *block = calloc(bytes + 16, 1);
    if (base64)
        CHECK_EQ(decode(text, (bytes + 8 + 2) / 3 * 4, block), bytes + 8);
    else
        memcpy(block, text, bytes + 8);
    CHECK_EQ(little(block, 8), bytes);
    int wrong = 0;
    for (int64_t i = 0; i < numbers; i++)
        wrong += little(block + 8 + (size_t)i * size, size) != bits_at(array, i);
    CHECK_EQ(wrong, 0);
    free(block);
}

/* The offset of the block of the k-th array is that of its element. */
static void check_file(const char *path, const clv_vtk_contents *c, bool base64)
{
    size_t count;
    char *text = whole(path, &count), *element = text;
    char *data = strstr(text, "<AppendedData");
    REQUIRE(data != NULL);
    data = strchr(data, '_') + 1;
    const clv_vtk_array *arrays[32] = {&c->points, &c->connectivity, &c->offsets, &c->types};
    int narray = 4;
    for (int i = 0; i < c->point_data.count; i++)
        arrays[narray++] = &c->point_data.array[i];
    for (int i = 0; i < c->cell_data.count; i++)
        arrays[narray++] = &c->cell_data.array[i];
    for (int i = 0; i < narray; i++) {
        char name[64];
        snprintf(name, sizeof name, " Name=\"%s\"", arrays[i]->name);
        element = strstr(element + 1, "<DataArray");
        REQUIRE(element != NULL && element < data);
        CHECK(strncmp(strstr(element, " Name="), name, strlen(name)) == 0);
        check_block(data + atoll(strstr(element, "offset=\"") + 8), arrays[i], base64);
    }
    free(text);
}

static void test_encodings(void)
{
    for (int n = 0; n < 40; n += n < 4 ? 1 : 9 * TEST_STRIDE) {
        fixture_kind kind = {n % 2 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                             n,
                             2 * n,
                             .ewgt = true,
                             .vwgt = true,
                             .vsize = true,
                             .ncon = 1 + n % 3,
                             .ndim = 2 + n % 2};
        clv_graph *g = fixture_graph(&kind, (uint64_t)n + 1);
        int32_t part[64], place[64];
        for (int v = 0; v < n; v++) {
            part[v] = v % 3;
            place[v] = n - 1 - v;
        }
        cleave_write_options opt;
        cleave_write_options_init(&opt, sizeof opt);
        opt.part = part;
        opt.place = place;
        clv_vtk_contents c = {0};
        clv_vtk_picture picture = {.g = g, .part = part, .place = place};
        REQUIRE_OK(clv_vtk_collect(&c, &picture, &err));
        REQUIRE_OK(cleave_graph_write(g, fixture_path("base64.vtu"), &opt, &err));
        check_file(fixture_path("base64.vtu"), &c, true);
        opt.encoding = "raw";
        REQUIRE_OK(cleave_graph_write(g, fixture_path("raw.vtu"), &opt, &err));
        check_file(fixture_path("raw.vtu"), &c, false);
        REQUIRE_OK(cleave_graph_write(g, fixture_path("raw.vtk"), &opt, &err));
        clv_arena_free(&c.arena);
        clv_graph_free(g);
    }
}

/* Lines, cut and weights against the rows of the graph; the arrays in sight. */
static void test_edges(void)
{
    fixture_kind kind = {CLEAVE_UNDIRECTED, 25, 30, .ewgt = true, .ncon = 1, .ndim = 3};
    clv_graph *g = fixture_graph(&kind, 7);
    int32_t part[25];
    for (int v = 0; v < 25; v++)
        part[v] = v / 9;
    clv_vtk_contents c = {0};
    clv_vtk_picture picture = {.g = g, .part = part};
    REQUIRE_OK(clv_vtk_collect(&c, &picture, &err));
    const int32_t *point = c.connectivity.data, *cut = c.cell_data.array[0].data;
    const int32_t *weight = c.cell_data.array[1].data;
    const int64_t *end = c.offsets.data;
    int64_t lines = 0, vertices = 0, seen = 0;
    for (int64_t i = 0, at = 0; i < c.ncell; at = end[i++]) {
        if (end[i] - at == 1) {
            vertices++;
            CHECK(g->xadj[point[at]] == g->xadj[point[at] + 1]);
            continue;
        }
        lines++;
        int32_t v = point[at], u = point[at + 1];
        CHECK_EQ(cut[i], part[v] != part[u]);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            seen += g->adj[a] == u && g->ewgt[a] == weight[i];
    }
    CHECK_EQ(lines, g->narc / 2);
    CHECK_EQ(seen, lines);
    CHECK(vertices > 0);
    CHECK(c.points.data == g->coords); /* three numbers need no copy */
    clv_arena_free(&c.arena);
    clv_graph_free(g);
}

/* ---- OpenFOAM --------------------------------------------------------------------------- */

static void test_openfoam(void)
{
    static const int32_t part[] = {1, 0, 1};
    cleave_mapping *m = NULL;
    size_t count;
    CHECK(clv_path_is_openfoam("cellDecomposition"));
    CHECK(clv_path_is_openfoam("constant/cellDecomposition.gz"));
    CHECK(!clv_path_is_openfoam("cellDecomposition/part"));
    CHECK(!clv_path_is_openfoam("mycellDecomposition"));
    REQUIRE_OK(cleave_mapping_create(&m, 3, 2, part, &err));
    REQUIRE_OK(cleave_mapping_write(m, fixture_path("cellDecomposition"), &err));
    char *text = whole(fixture_path("cellDecomposition"), &count);
    CHECK(strstr(text, "    class       labelList;\n") != NULL);
    CHECK_STR(strchr(text, '}'), "}\n\n3\n(\n1\n0\n1\n)\n");
    free(text);
    CHECK_EQ(cleave_mapping_write(m, fixture_path("parts.vtu"), &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "a mapping alone is not a picture: write the graph with its parts");
    cleave_mapping_free(m);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static void test_memory(void)
{
    for (int64_t n = 1; n < 10000; n++) {
        int64_t live = test_alloc_live();
        cleave_graph *g = NULL;
        cleave_read_options in;
        cleave_write_options out;
        cleave_read_options_init(&in, sizeof in);
        cleave_write_options_init(&out, sizeof out);
        out.mesh_file = test_file("memory.mesh", "2 1\n7 1 2 3\n8 2 3 4\n");
        test_file("memory.coords", "0 0\n1 0\n0 1\n1 1\n");
        in.coords = "";
        REQUIRE_OK(cleave_graph_read(&g, out.mesh_file, &in, &err));
        test_alloc_fail_at(n);
        cleave_status status = cleave_graph_write(g, fixture_path("memory.vtu"), &out, &err);
        test_alloc_fail_at(0);
        cleave_graph_free(g);
        CHECK_EQ(test_alloc_live(), live);
        if (status == CLEAVE_OK) {
            CHECK(n > 10);
            return;
        }
        CHECK_EQ(status, CLEAVE_ENOMEM);
    }
    CHECK(false);
}

int main(void)
{
    RUN(test_cells);
    RUN(test_complaints);
    RUN(test_encodings);
    RUN(test_edges);
    RUN(test_openfoam);
    RUN(test_memory);
    return test_end();
}
