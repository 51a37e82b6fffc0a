/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/metis_cases.c - compares two libraries of METIS 5.1 with 32-bit idx_t on calls
 * that users have reported as problems.
 *
 *   metis_cases ORIGINAL OURS
 *
 * Each case runs in its own process, which may crash.  Prints a table of Markdown; ORIGINAL
 * "-": without its column.  Exit status 1 when ours breaks its contract. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "metis.h"

typedef int (*part_graph)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                          idx_t *, real_t *, real_t *, idx_t *, idx_t *, idx_t *);
typedef int (*node_nd)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *);
typedef int (*set_options)(idx_t *);

static struct {
    part_graph kway, recursive;
    node_nd nodend;
    set_options defaults;
} metis;

enum { most = 4096, answer_size = 200 };
static idx_t n, xadj[most + 1], adj[4 * most], part[most], options[METIS_NOPTIONS];

static void grid(idx_t width, idx_t height)
{
    idx_t m = 0;
    n = width * height;
    for (idx_t v = 0; v < n; v++) {
        idx_t x = v % width, y = v / width;
        xadj[v] = m;
        if (y > 0)
            adj[m++] = v - width;
        if (x > 0)
            adj[m++] = v - 1;
        if (x < width - 1)
            adj[m++] = v + 1;
        if (y < height - 1)
            adj[m++] = v + width;
    }
    xadj[n] = m;
}

static int call(part_graph function, idx_t k, idx_t *vwgt, idx_t *to)
{
    idx_t ncon = 1, cut;
    return function(&n, &ncon, xadj, adj, vwgt, NULL, NULL, &k, NULL, NULL, options, &cut, to);
}

/* Empty parts; *over: is one above 3 %? */
static int empty_parts(idx_t k, int *over)
{
    int empty = 0, bound = (int)(1.03 * (double)((n + k - 1) / k));
    *over = 0;
    for (idx_t p = 0; p < k; p++) {
        int count = 0;
        for (idx_t v = 0; v < n; v++)
            count += part[v] == p;
        empty += count == 0;
        *over |= count > bound;
    }
    return empty;
}

static void say_parts(char *to, int status, idx_t k)
{
    int over;
    if (status != METIS_OK)
        snprintf(to, answer_size, "%d", status);
    else
        snprintf(to, answer_size, "OK, %d of %d parts empty", empty_parts(k, &over), (int)k);
}

/* ---- The cases ------------------------------------------------------------------- */

static void one_part(char *to)
{
    grid(6, 6);
    say_parts(to, call(metis.kway, 1, NULL, part), 1);
}

static void many_parts(char *to)
{
    grid(2, 2);
    say_parts(to, call(metis.kway, 9, NULL, part), 9);
}

static void zero_weights(char *to)
{
    static idx_t vwgt[most];
    grid(10, 10);
    say_parts(to, call(metis.kway, 4, vwgt, part), 4);
}

static void small_grids(char *to)
{
    int runs = 0, empty = 0, beyond = 0, failed = 0;
    for (idx_t w = 2; w <= 9; w++)
        for (idx_t h = w; h <= 9; h++)
            for (idx_t k = 2; k <= 15; k++) {
                int over;
                grid(w, h);
                if (k > n)
                    continue;
                runs++;
                failed += call(metis.kway, k, NULL, part) != METIS_OK;
                empty += empty_parts(k, &over) > 0;
                beyond += over;
            }
    snprintf(to, answer_size, "of %d, %d have an empty part, %d break the bound, %d fail",
             runs, empty, beyond, failed);
}

static void asymmetric(char *to)
{
    grid(6, 6);
    adj[0] = 20; /* from 0, but not back */
    int status = call(metis.kway, 3, NULL, part);
    snprintf(to, answer_size, status == METIS_OK ? "OK" : "%d", status);
}

static void *call_again(void *to)
{
    return call(metis.kway, 16, NULL, to) == METIS_OK ? to : NULL;
}

static void concurrent(char *to)
{
    enum { callers = 4, rounds = 10 };
    static idx_t parts[callers][most];
    pthread_t thread[callers];
    int differ = 0;
    grid(60, 60);
    call(metis.kway, 16, NULL, part);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < callers; i++)
            pthread_create(&thread[i], NULL, call_again, parts[i]);
        for (int i = 0; i < callers; i++) {
            pthread_join(thread[i], NULL);
            differ += memcmp(parts[i], part, (size_t)n * sizeof *part) != 0;
        }
    }
    snprintf(to, answer_size, differ ? "differ from the serial result" : "all the same");
}

static void negative_weights(char *to)
{
    static idx_t vwgt[most];
    grid(6, 6);
    for (idx_t v = 0; v < n; v++)
        vwgt[v] = v % 3 - 1;
    int status = call(metis.kway, 3, vwgt, part);
    snprintf(to, answer_size, status == METIS_OK ? "OK" : "%d", status);
}

static void empty_order(char *to)
{
    idx_t perm[1], iperm[1];
    grid(1, 1);
    n = 0;
    snprintf(to, answer_size, "%s",
             metis.nodend(&n, xadj, adj, NULL, options, perm, iperm) == METIS_OK ? "OK"
                                                                                 : "fails");
}

static void contiguous(char *to)
{
    grid(6, 1);
    for (idx_t v = 3; v <= n; v++) /* without the edge 2 - 3 */
        xadj[v] -= v == 3 ? 1 : 2;
    memmove(adj + xadj[3], adj + xadj[3] + 2, 5 * sizeof *adj);
    options[METIS_OPTION_CONTIG] = 1;
    say_parts(to, call(metis.kway, 2, NULL, part), 2);
}

/* METIS counts the caller's arrays down and up again. */
static void read_only(char *to)
{
    enum { bytes = 1 << 16 };
    grid(6, 6);
    idx_t *page =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    idx_t narc = xadj[n], ncon = 1, k = 3, cut;
    for (idx_t v = 0; v <= n; v++)
        page[v] = xadj[v] + 1;
    for (idx_t i = 0; i < narc; i++)
        page[n + 1 + i] = adj[i] + 1;
    mprotect(page, bytes, PROT_READ);
    options[METIS_OPTION_NUMBERING] = 1;
    int status = metis.kway(&n, &ncon, page, page + n + 1, NULL, NULL, NULL, &k, NULL, NULL,
                            options, &cut, part);
    snprintf(to, answer_size, status == METIS_OK ? "OK" : "%d", status);
}

static const struct {
    const char *name;
    void (*run)(char *to);
    const char *promise;
} cases[] = {
    {"k = 1, k-way", one_part, "OK, 0 of 1 parts empty"},
    {"4 vertices into 9 parts", many_parts, "OK, 5 of 9 parts empty"},
    {"all weights 0, k = 4", zero_weights, "OK, 0 of 4 parts empty"},
    {"grids of 2x2 .. 9x9, k = 2 .. 15", small_grids,
     "of 459, 0 have an empty part, 0 break the bound, 0 fail"},
    {"an edge stored one way", asymmetric, "-2"},
    {"4 calls at the same time", concurrent, "all the same"},
    {"negative weights", negative_weights, "-2"},
    {"METIS_NodeND of an empty graph", empty_order, "OK"},
    {"CONTIG, graph in two pieces", contiguous, "OK, 0 of 2 parts empty"},
    {"NUMBERING 1, arrays in read-only memory", read_only, "OK"},
};
enum { ncases = sizeof cases / sizeof *cases };

/* ---- Processes ------------------------------------------------------------------- */

static void load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "metis_cases: %s\n", dlerror());
        _exit(3);
    }
    *(void **)&metis.kway = dlsym(handle, "METIS_PartGraphKway");
    *(void **)&metis.recursive = dlsym(handle, "METIS_PartGraphRecursive");
    *(void **)&metis.nodend = dlsym(handle, "METIS_NodeND");
    *(void **)&metis.defaults = dlsym(handle, "METIS_SetDefaultOptions");
}

/* In the child: what the library prints goes to a file. */
static void run_case(int i, const char *library, int answer, int printed)
{
    char text[answer_size] = "";
    struct stat info;
    dup2(printed, STDOUT_FILENO);
    alarm(60);
    load(library);
    metis.defaults(options);
    cases[i].run(text);
    fflush(stdout);
    if (fstat(printed, &info) == 0 && info.st_size > 0)
        strncat(text, "; prints", sizeof text - strlen(text) - 1);
    if (write(answer, text, strlen(text)) < 0)
        _exit(3);
    _exit(0);
}

static void ask(int i, const char *library, char *text)
{
    int ends[2], status;
    FILE *printed = tmpfile();
    fflush(stdout);
    if (!printed || pipe(ends) != 0)
        exit(3);
    pid_t child = fork();
    if (child == 0)
        run_case(i, library, ends[1], fileno(printed));
    close(ends[1]);
    ssize_t got = read(ends[0], text, answer_size - 1);
    text[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    fclose(printed);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        snprintf(text, answer_size, "dies: %s", strsignal(WTERMSIG(status)));
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: metis_cases ORIGINAL|- OURS\n");
        return 2;
    }
    int original = strcmp(arguments[1], "-") != 0, status = 0;
    printf(original ? "| call | METIS 5.1.0 of Debian | cleave |\n|---|---|---|\n"
                    : "| call | cleave |\n|---|---|\n");
    for (int i = 0; i < ncases; i++) {
        char theirs[answer_size] = "", ours[answer_size];
        if (original)
            ask(i, arguments[1], theirs);
        ask(i, arguments[2], ours);
        printf("| %s | %s%s%s |\n", cases[i].name, theirs, original ? " | " : "", ours);
        if (strcmp(ours, cases[i].promise) != 0) {
            fprintf(stderr, "metis_cases: %s: \"%s\" was promised\n", cases[i].name,
                    cases[i].promise);
            status = 1;
        }
    }
    return status;
}
