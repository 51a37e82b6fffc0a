/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed input: members, padding, and every way to damage it. */
#include "formats/input_fixture.h"

static void test_gzip(void)
{
    const size_t sizes[] = {0, 1, 100, 65535, 65536, 131072, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *text = pattern_text(sizes[i]);
        gz.size = 0;
        pack_member(text, sizes[i], 0);
        CHECK(holds(packed_file(), text, sizes[i]));
    }
    gz.size = 0;
    pack_member("12\n", 3, WITH_EXTRA | WITH_NAME | WITH_COMMENT);
    CHECK(holds(packed_file(), "12\n", 3));
    /* Known by its first bytes, not by its name. */
    CHECK(holds(test_file_bytes("a.graph", gz.bytes, gz.size), "12\n", 3));
    CHECK(holds(test_file("b.graph.gz", "plain"), "plain", 5));
    CHECK(holds(test_file_bytes("tiny", "\x1f", 1), "\x1f", 1));
    CHECK(holds(test_file("empty.gz", ""), "", 0));
}

static void test_gzip_members(void)
{
    const char *text = pattern_text(200000);
    gz.size = 0;
    pack_member(text, 100, 0);
    pack_member(text + 100, 0, WITH_NAME);
    pack_member(text + 100, 150000, 0);
    pack_member(text + 150100, 49900, WITH_EXTRA);
    CHECK(holds(packed_file(), text, 200000));
    /* Padding zeros behind it, and even between members. */
    const size_t zeros[] = {1, 511, 150000};
    for (int i = 0; i < 3; i++) {
        gz.size = 0;
        pack_member("ab", 2, 0);
        memset(gz.bytes + gz.size, 0, zeros[i]);
        gz.size += zeros[i];
        CHECK(holds(packed_file(), "ab", 2));
        pack_member("cd", 2, 0);
        CHECK(holds(packed_file(), "abcd", 4));
    }
    gz.size = 0;
    pack_member("ab", 2, 0);
    pack_byte('x');
    CHECK_STR(failure(packed_file()), "EPARSE @: the gzip file is cut short");
    pack_byte('y');
    CHECK_STR(failure(packed_file()), "EPARSE @: the gzip file is damaged");
    gz.size -= 2;
    pack_byte(0);
    pack_byte(0x1f);
    CHECK_STR(failure(packed_file()), "EPARSE @: the gzip file is cut short");
    pack_byte(0x8c);
    CHECK_STR(failure(packed_file()), "EPARSE @: the gzip file is damaged");
}

/* Every beginning of a file is refused, and so is every flipped bit that matters. */
static void test_gzip_damage(void)
{
    const char *text = "3 2\n2\n1 3\n2\n";
    size_t length = strlen(text);
    gz.size = 0;
    pack_member(text, 4, WITH_NAME);
    size_t border = gz.size;
    pack_member(text + 4, length - 4, 0);
    const size_t size = gz.size;
    for (gz.size = 2; gz.size < size; gz.size++)
        if (gz.size != border)
            CHECK_STR(failure(packed_file()), "EPARSE @: the gzip file is cut short");
    int refused = 0;
    gz.size = size;
    for (size_t bit = 16; bit < 8 * size; bit++) {
        gz.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        size_t count;
        char *bytes = read_all(packed_file(), 1000, &count, NULL, NULL);
        bool same = bytes && count == length && memcmp(bytes, text, length) == 0;
        CHECK(same || (!bytes && err.status == CLEAVE_EPARSE));
        refused += !bytes;
        free(bytes);
        gz.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK(refused > (int)(8 * length));
    /* The same through a reader: no graph comes out of half a file. */
    gz.size = size - 1;
    cleave_graph *g;
    CHECK_EQ(cleave_graph_read(&g, packed_file(), NULL, &err), CLEAVE_EPARSE);
    CHECK(g == NULL);
    CHECK_STR(fixture_message(&err), "a.graph.gz: the gzip file is cut short");
}

/* Damage beyond the bytes that detect the format. */
static void test_gzip_late_damage(void)
{
    static char text[300000];
    size_t used = (size_t)sprintf(text, "100000 0\n");
    memset(text + used, '\n', 100000);
    used += 100000;
    gz.size = 0;
    pack_member(text, used, 0);
    gz.bytes[gz.size - 8] ^= 1; /* the checksum */
    cleave_graph *g;
    CHECK_EQ(cleave_graph_read(&g, packed_file(), NULL, &err), CLEAVE_EPARSE);
    CHECK_STR(fixture_message(&err), "a.graph.gz: the gzip file is damaged");
    gz.bytes[gz.size - 8] ^= 1;
    CHECK_OK(cleave_graph_read(&g, packed_file(), NULL, &err));
    CHECK_EQ(cleave_graph_vertices(g), 100000);
    cleave_graph_free(g);
}

int main(void)
{
    if (!has_zlib())
        return TEST_SKIP;
    RUN(test_gzip);
    RUN(test_gzip_members);
    RUN(test_gzip_damage);
    RUN(test_gzip_late_damage);
    return test_end();
}
