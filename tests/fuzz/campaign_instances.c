/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/campaign_instances.c - random instances for fuzz targets, in one process per
 * target unless a check fails.
 *
 *     campaign_instances [OPTIONS] COUNT SEED TARGET...
 *
 *     --first N     begin with instance N (to see one again: --first N 1 SEED TARGET)
 *     --deny STEP   of each instance again with the nth allocation failing, every STEPth n
 *     --spoil WHAT falsify results before they are checked, which the checks must detect
 *
 * Instance i of a target is some hundred random bytes that follow from seed, target and i.
 * Lines on standard output: "instances TARGET COUNT", "denied TARGET COUNT", "calls FUNCTION
 * STATUS COUNT", "invalid TARGET COUNT"; an invalid one also "again: COMMAND".  A child
 * process does the work, so that one that dies or hangs is counted, and the rest still runs.
 * Exit status 1: there were invalid ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "fuzz/fuzz_programs.h"

enum { longest = 600, most_invalid = 20 };

typedef struct plan {
    int64_t first, count, step; /* step 0: no allocation fails */
    uint64_t seed;
    const char *program, *name;
    fuzz_target target;
} plan;

/* What parent and child share. */
typedef struct board {
    fuzz_tally tally;
    int64_t at; /* the instance that is being run */
    int64_t denied;
} board;

static uint64_t number_of(const char *name)
{
    uint64_t sum = 5381;
    while (*name)
        sum = sum * 33 + (uint8_t)*name++;
    return sum;
}

static size_t make_bytes(const plan *p, int64_t i, uint8_t *bytes)
{
    clv_rng rng = clv_rng_make(p->seed, number_of(p->name) & 0xffff, 0, (uint64_t)i);
    size_t size = 40 + clv_rng_below(&rng, longest - 40);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (uint8_t)clv_rng_below(&rng, 256);
    return size;
}

static void run_denied(const plan *p, board *b, const char *what, const uint8_t *bytes,
                       size_t size)
{
    int64_t most = fuzz_alloc_calls();
    for (int64_t nth = 1 + b->at % p->step; nth <= most; nth += p->step, b->denied++) {
        fuzz_alloc_deny(nth);
        fuzz_try(p->target, what, bytes, size);
    }
    fuzz_alloc_deny(0);
}

static void run_from(const plan *p, board *b)
{
    for (; b->at < p->first + p->count; b->at++) {
        uint8_t made[longest];
        char what[80];
        size_t size = make_bytes(p, b->at, made);
        uint8_t *bytes = malloc(size); /* its end known to AddressSanitizer */
        memcpy(bytes, made, size);
        snprintf(what, sizeof what, "instance %lld of %s", (long long)b->at, p->name);
        fuzz_alloc_deny(0);
        fuzz_try(p->target, what, bytes, size);
        if (p->step > 0)
            run_denied(p, b, what, bytes, size);
        free(bytes);
    }
}

static bool ended_well(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* Returns how many are invalid. */
static int run_target(const plan *p, board *b)
{
    int invalid = 0;
    b->at = p->first;
    while (b->at < p->first + p->count && invalid < most_invalid) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) {
            perror("fork");
            exit(EXIT_FAILURE);
        }
        if (child == 0) {
            fuzz_counts = &b->tally;
            run_from(p, b);
            _exit(0);
        }
        if (ended_well(child))
            break;
        invalid++;
        printf("again: %s --first %lld%s 1 %llu %s\n", p->program, (long long)b->at,
               p->step ? " --deny 1" : "", (unsigned long long)p->seed, p->name);
        b->at++;
    }
    printf("instances %s %lld\n", p->name, (long long)(b->at - p->first));
    if (p->step > 0)
        printf("denied %s %lld\n", p->name, (long long)b->denied);
    printf("invalid %s %d\n", p->name, invalid);
    return invalid;
}

static void print_calls(const fuzz_tally *tally)
{
    for (int f = 0; f < FUZZ_FUNCTIONS && tally->name[f][0]; f++)
        for (int s = 0; s < FUZZ_STATUSES; s++)
            if (tally->calls[f][s] > 0)
                printf("calls %s %s %lld\n", tally->name[f],
                       cleave_status_name((cleave_status)-s), (long long)tally->calls[f][s]);
}

static int complain(void)
{
    fprintf(stderr,
            "usage: campaign_instances [--first N] [--deny STEP] [--spoil WHAT] COUNT SEED "
            "TARGET...\nTARGET:%s\n",
            fuzz_names());
    return 2;
}

int main(int argc, char **argv)
{
    plan p = {.program = argv[0]};
    int i = 1, invalid = 0;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--first") == 0)
            p.first = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--deny") == 0)
            p.step = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--spoil") == 0)
            fuzz_spoiled = argv[i + 1];
        else
            return complain();
    }
    if (argc - i < 3 || (p.count = atoll(argv[i])) <= 0)
        return complain();
    p.seed = (uint64_t)atoll(argv[i + 1]);
    board *b =
        mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        return complain();
    fuzz_path("folder"); /* one for all children */
    for (i += 2; i < argc; i++) {
        p.name = argv[i];
        p.target = fuzz_find(argv[i]);
        if (!p.target)
            return complain();
        b->denied = 0;
        invalid += run_target(&p, b);
    }
    print_calls(&b->tally);
    return invalid > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
