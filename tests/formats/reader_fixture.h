/* SPDX-License-Identifier: Apache-2.0 */
/* tests/formats/reader_fixture.h - tables of texts and their expected graphs.
 *
 * Every text is read four times: from a file, from a gzip file, and through a socket in
 * packets of one and of three bytes, so that every number, line and comment is cut everywhere
 * by the end of the reader's window. */
#ifndef CLV_TESTS_FORMATS_READER_FIXTURE_H
#define CLV_TESTS_FORMATS_READER_FIXTURE_H

#include <pthread.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/graph_fixture.h"
#include "formats/text.h"

/* Most cases leave most options alone. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

typedef struct reader_case {
    const char *text;
    const char *expected; /* reader_show of the graph, or "EPARSE @:line: sentence" */
    const char *as, *symmetrise, *weights;
    double scale; /* 0: 1 */
    unsigned flags;
    size_t size; /* of the text; 0: up to its end */
} reader_case;

/* ---- Results as text ------------------------------------------------------------------ */

typedef struct reader_text {
    char text[8192];
    size_t used;
} reader_text;

static inline void reader_put(reader_text *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, args);
    va_end(args);
    if (n > 0 && to->used + (size_t)n < sizeof to->text)
        to->used += (size_t)n;
}

static inline void reader_put_row(reader_text *to, const clv_graph *g, int32_t v)
{
    reader_put(to, v ? " |" : "");
    if (g->names.offset)
        reader_put(to, " '%s'", clv_graph_name(g, v));
    if (g->vsize)
        reader_put(to, " {%d}", (int)g->vsize[v]);
    for (int32_t c = 0; g->vwgt && c < g->ncon; c++)
        reader_put(to, " (%d)", (int)g->vwgt[(int64_t)v * g->ncon + c]);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        reader_put(to, " %d", (int)g->adj[a]);
        if (g->ewgt)
            reader_put(to, "*%d", (int)g->ewgt[a]);
    }
}

/* Rows, 0-based: "3: 'name' {vsize} (weight) 1*5 2*7 | 0*5 | 0*7"; "dag 3: ..." . */
static inline void reader_show(reader_text *to, const clv_graph *g)
{
    reader_put(to, "%s%d:", g->kind == CLEAVE_DAG ? "dag " : "", (int)g->nvtx);
    for (int32_t v = 0; v < g->nvtx; v++)
        reader_put_row(to, g, v);
}

static inline void reader_show_repairs(reader_text *to, const cleave_repairs *r)
{
    const struct {
        const char *name;
        int64_t count;
    } fields[] = {{"loops", r->self_loops},
                  {"duplicates", r->duplicates},
                  {"one_way", r->one_way},
                  {"unequal", r->unequal},
                  {"counts", r->counts}};
    for (int i = 0; i < 5; i++)
        if (fields[i].count)
            reader_put(to, " %s=%lld", fields[i].name, (long long)fields[i].count);
}

/* "EPARSE @:3: ...", the path replaced by @. */
static inline void reader_show_error(reader_text *to, const cleave_error *e, const char *path)
{
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    size_t length = strlen(shown);
    const char *message = e->message;
    bool ours = strncmp(message, shown, length) == 0 && message[length] == ':';
    if (strncmp(message, "...", 3) == 0) { /* a long path loses its beginning */
        const char *colon = strchr(message, ':');
        ours = colon && length >= (size_t)(colon - message) - 3 &&
               strncmp(message + 3, shown + length - (colon - message - 3),
                       (size_t)(colon - message) - 3) == 0;
        length = colon ? (size_t)(colon - message) : 0;
    }
    reader_put(to, "%s %s%s", cleave_status_name(e->status) + strlen("CLEAVE_"),
               ours ? "@" : "", message + (ours ? length : 0));
}

/* ---- Ways to hand over bytes ---------------------------------------------------------- */

typedef struct reader_drip {
    int fd;
    const char *bytes;
    size_t count, packet;
} reader_drip;

static inline void *reader_drip_run(void *argument)
{
    reader_drip *drip = argument;
    for (size_t i = 0; i < drip->count; i += drip->packet) {
        size_t left = drip->count - i, now = left < drip->packet ? left : drip->packet;
        if (send(drip->fd, drip->bytes + i, now, MSG_NOSIGNAL) < 0)
            break; /* the reader has given up */
    }
    close(drip->fd);
    return NULL;
}

/* Standard input delivers the bytes in packets until reader_drip_end. */
typedef struct reader_drip_input {
    reader_drip drip;
    pthread_t thread;
    int saved;
} reader_drip_input;

static inline void reader_drip_begin(reader_drip_input *input, const char *bytes, size_t count,
                                     size_t packet)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
        abort();
    input->saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    input->drip = (reader_drip){ends[1], bytes, count, packet};
    if (pthread_create(&input->thread, NULL, reader_drip_run, &input->drip) != 0)
        abort();
}

static inline void reader_drip_end(reader_drip_input *input)
{
    if (input->saved >= 0) {
        dup2(input->saved, STDIN_FILENO);
        close(input->saved);
    } else {
        close(STDIN_FILENO);
    }
    pthread_join(input->thread, NULL);
}

/* Writes bytes with the library's own output; NULL when it was built without zlib. */
static inline const char *reader_gzip_file(const char *name, const char *bytes, size_t count)
{
    const char *path = fixture_path(name);
    clv_output *out;
    cleave_error e;
    if (clv_output_open(&out, path, NULL, NULL, &e) != CLEAVE_OK)
        return NULL;
    clv_put_bytes(out, bytes, count);
    return clv_output_commit(out, &e) == CLEAVE_OK ? path : NULL;
}

/* ---- Reading --------------------------------------------------------------------------- */

static inline const char *reader_result(const char *format, const char *path,
                                        const reader_case *c)
{
    static reader_text shown;
    shown.used = 0;
    cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = format;
    opt.as = c->as;
    opt.symmetrise = c->symmetrise;
    opt.weights = c->weights;
    opt.scale = c->scale > 0 ? c->scale : 1.0;
    opt.flags = c->flags;
    opt.repairs = &repairs;
    opt.coords = "";
    cleave_graph *g = NULL;
    cleave_error e = {.status = CLEAVE_OK};
    cleave_status status = cleave_graph_read(&g, path, &opt, &e);
    CHECK((status == CLEAVE_OK) == (g != NULL));
    if (g) {
        reader_show(&shown, g);
        cleave_source source = {.size = sizeof source};
        cleave_graph_source(g, &source);
        CHECK_STR(source.format, format);
    } else {
        CHECK_EQ(e.status, status);
        reader_show_error(&shown, &e, path);
    }
    if (g && c->flags & CLEAVE_REPAIR)
        reader_show_repairs(&shown, &repairs);
    cleave_graph_free(g);
    /* Without a place for the message the outcome is the same. */
    if (strcmp(path, "-") != 0) {
        CHECK_EQ(cleave_graph_read(&g, path, &opt, NULL), status);
        cleave_graph_free(g);
    }
    return shown.text;
}

static inline const char *reader_dripped(const char *format, const reader_case *c, size_t size,
                                         size_t packet)
{
    reader_drip_input input;
    reader_drip_begin(&input, c->text, size, packet);
    const char *result = reader_result(format, "-", c);
    reader_drip_end(&input);
    return result;
}

static inline void reader_check(const char *format, const char *extension,
                                const reader_case *c)
{
    size_t size = c->size ? c->size : strlen(c->text);
    char name[64];
    int64_t live = test_alloc_live();
    snprintf(name, sizeof name, "case.%s", extension);
    CHECK_STR(reader_result(format, test_file_bytes(name, c->text, size), c), c->expected);
    snprintf(name, sizeof name, "packed.%s.gz", extension);
    const char *packed = reader_gzip_file(name, c->text, size);
    if (packed)
        CHECK_STR(reader_result(format, packed, c), c->expected);
    CHECK_STR(reader_dripped(format, c, size, 1), c->expected);
    CHECK_STR(reader_dripped(format, c, size, 3), c->expected);
    CHECK_EQ(test_alloc_live(), live);
}

#define READER_CHECK_ALL(format, extension, cases)                                            \
    do {                                                                                      \
        for (size_t i_ = 0; i_ < sizeof(cases) / sizeof *(cases); i_++)                       \
            reader_check(format, extension, &(cases)[i_]);                                    \
    } while (0)

/* The body behind so much padding that each of its bytes in turn stands at `border`.
 * prefix + comment + body; the arguments give the start and the end of the comment. */
static inline void reader_check_border(const char *format, const char *extension,
                                       const char *prefix, const char *body, size_t border,
                                       const reader_case *options)
{
    size_t head = strlen(prefix), length = strlen(body), room = border + length + 1;
    char *text = malloc(room), name[64];
    snprintf(name, sizeof name, "border.%s", extension);
    for (size_t before = 0; before <= length; before++) { /* bytes of body before it */
        size_t start = border - before;
        memcpy(text, prefix, head);
        memset(text + head, '%', start - head);
        text[start - 1] = '\n';
        memcpy(text + start, body, length);
        const char *path = test_file_bytes(name, text, start + length);
        CHECK_STR(reader_result(format, path, options), options->expected);
    }
    free(text);
}

/* ---- Memory ---------------------------------------------------------------------------- */

/* Each allocation of reading the file fails in turn; nothing may leak, and a success must
 * give the graph. */
static inline void reader_check_memory(const char *format, const char *path,
                                       const reader_case *c)
{
    int64_t live = test_alloc_live(), calls = 0;
    for (int64_t n = 1; n < 10000; n++) {
        cleave_read_options opt;
        cleave_read_options_init(&opt, sizeof opt);
        opt.format = format;
        opt.as = c->as;
        opt.symmetrise = c->symmetrise;
        opt.weights = c->weights;
        opt.flags = c->flags;
        cleave_graph *g;
        cleave_error e = {.status = CLEAVE_OK};
        test_alloc_fail_at(n);
        cleave_status status = cleave_graph_read(&g, path, &opt, &e);
        calls = test_alloc_calls();
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK || status == CLEAVE_ENOMEM);
        if (status == CLEAVE_OK) { /* giving memory back may fail without harm */
            reader_text shown = {.used = 0};
            REQUIRE(g != NULL);
            reader_show(&shown, g);
            CHECK_STR(shown.text, c->expected);
        } else {
            CHECK(g == NULL);
            CHECK_STR(e.message, "out of memory");
        }
        cleave_graph_free(g);
        CHECK_EQ(test_alloc_live(), live);
        if (calls < n)
            break;
    }
    CHECK(calls > 3 && calls < 9999);
}

static inline void reader_check_write_memory(const clv_graph *g, const char *path)
{
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        cleave_error e = {.status = CLEAVE_OK};
        unlink(path);
        cleave_status status = TEST_OOM(&oom, cleave_graph_write(g, path, NULL, &e));
        CHECK_EQ(access(path, F_OK), status == CLEAVE_OK ? 0 : -1);
    }
    CHECK(oom.failures > 1);
}

/* ---- Absurd headers -------------------------------------------------------------------- */

/* Address space can be limited only where no tool claims most of it. */
static inline bool reader_may_limit(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    const char *preload = getenv("LD_PRELOAD");
    return !(preload && strstr(preload, "vgpreload"));
}

/* Reads the text in a process with 1 GiB of address space and ten seconds. */
static inline void reader_check_absurd(const char *format, const reader_case *c, bool piped)
{
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        struct rlimit limit = {1u << 30, 1u << 30};
        int before = test_failures_;
        if (reader_may_limit() && setrlimit(RLIMIT_AS, &limit) != 0)
            _exit(2);
        alarm(reader_may_limit() ? 10 : 100);
        size_t size = c->size ? c->size : strlen(c->text);
        const char *result = piped ? reader_dripped(format, c, size, 65536)
                                   : reader_result(format, test_file("absurd", c->text), c);
        CHECK_STR(result, c->expected);
        _exit(test_failures_ > before);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif
