/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_common.h - the common part of all fuzz targets.
 *
 * A target is a file fuzz_NAME.c with FUZZ_TARGET(NAME) { ... } and a line in
 * CMakeLists.txt.  The same function runs under libFuzzer, over the files of
 * corpus/NAME (fuzz_replay.c) and over mutations of them (fuzz_mutate.c).
 *
 * An input is a line of three characters that choose options ('0' each: the first of
 * all), and behind it the file for the reader.  A failed check aborts.  The library's memory
 * is checked in every run (fuzz_alloc.c): a small input must not allocate hundreds of
 * megabytes, and nothing may leak. */
#ifndef CLV_TESTS_FUZZ_COMMON_H
#define CLV_TESTS_FUZZ_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cleave/cleave.h"

enum { FUZZ_CHOICES = 3, FUZZ_OPTION_BYTES = FUZZ_CHOICES + 1, FUZZ_LONGEST = 1 << 20 };

typedef struct fuzz_input {
    int choice[FUZZ_CHOICES];
    const uint8_t *bytes; /* the file */
    size_t size;
} fuzz_input;

typedef int (*fuzz_target)(const uint8_t *data, size_t size);

/* libFuzzer calls every target by one name; the other programs link all of them. */
#ifdef FUZZ_LIBFUZZER
#define FUZZ_ENTRY(name)                                                                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                             \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                              \
    {                                                                                         \
        return fuzz_##name(data, size);                                                       \
    }
#else
#define FUZZ_ENTRY(name)
#endif
#define FUZZ_TARGET(name)                                                                     \
    static void run_target(fuzz_input *in);                                                   \
    int fuzz_##name(const uint8_t *data, size_t size);                                        \
    int fuzz_##name(const uint8_t *data, size_t size)                                         \
    {                                                                                         \
        return fuzz_run(run_target, data, size);                                              \
    }                                                                                         \
    FUZZ_ENTRY(name)                                                                          \
    static void run_target(fuzz_input *in)

/* Runs a target on one input, with its memory watched; always 0. */
int fuzz_run(void (*run)(fuzz_input *in), const uint8_t *data, size_t size);

/* One of 0..count-1 from the given option character; further calls use what is left. */
int fuzz_choose(fuzz_input *in, int which, int count);

#define FUZZ_CHECK(condition)                                                                 \
    do {                                                                                      \
        if (!(condition))                                                                     \
            fuzz_fail(__FILE__, __LINE__, #condition);                                        \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *what);
/* NULL, or prints to standard error what was being run when a check failed. */
extern void (*fuzz_describe)(void);
/* The call must succeed. */
#define FUZZ_CHECK_OK(call, err)                                                              \
    do {                                                                                      \
        if ((call) != CLEAVE_OK)                                                              \
            fuzz_fail(__FILE__, __LINE__, (err).message);                                     \
    } while (0)
/* A reader said no to `path`: with a status that blames the input, and a sentence. */
void fuzz_check_refusal(cleave_status status, const cleave_error *err, const void *out,
                        const char *path);

/* A readable message: it ends, and has no control characters. */
void fuzz_check_sentence(cleave_status status, const cleave_error *err);

/* ---- Calls under test ---------------------------------------------------------------- */

/* The value of `expression`, a status.  Counts the call by name and status, and is where an
 * allocation fails if the campaign requests it: see fuzz_alloc_deny. */
#define FUZZ_CALL(name, expression) fuzz_call_ends(#name, (fuzz_call_begins(), (expression)))
void fuzz_call_begins(void);
cleave_status fuzz_call_ends(const char *name, cleave_status status);

/* Is it CLEAVE_ENOMEM?  Then an allocation was made to fail, and there is a sentence. */
bool fuzz_lacks_memory(cleave_status status, const cleave_error *err);

/* How often each function returned each status. */
enum { FUZZ_FUNCTIONS = 64, FUZZ_STATUSES = 9 }; /* status -s is counted at s */
typedef struct fuzz_tally {
    char name[FUZZ_FUNCTIONS][48];
    int64_t calls[FUZZ_FUNCTIONS][FUZZ_STATUSES];
} fuzz_tally;
extern fuzz_tally *fuzz_counts; /* NULL, as usual: nothing is counted */

/* Should a result be falsified in this way before it is checked?  Proves that the checks can
 * fail: campaign_instances --spoil WHAT. */
bool fuzz_spoils(const char *what);
extern const char *fuzz_spoiled; /* NULL, as usual: nothing */

/* ---- Files ------------------------------------------------------------------------- */

/* The path of this name in a folder of our own; static, eight deep. */
const char *fuzz_path(const char *name);
/* Makes a new file there, so that an old one of this name may still be mapped. */
const char *fuzz_file(const char *name, const void *bytes, size_t size);

/* ---- Graphs (fuzz_graph.c) --------------------------------------------------------- */

/* Options from characters 0 and 1; *trust: the reader checks bounds only. */
void fuzz_read_options(fuzz_input *in, cleave_read_options *opt, bool *trust);
/* Reads in->bytes under this name in this format (NULL: detect) with options from the
 * input, checks what comes out, writes it in a format that character 2 chooses, and reads
 * that back. */
void fuzz_graph_file(fuzz_input *in, const char *name, const char *format);
/* Readers have a fast way for lines as programs write them: the same file with blanks in
 * unusual places must give the same graph, or the same complaint. */
void fuzz_check_blanks(const fuzz_input *in, const char *name, const char *format);
/* Proves everything that graph/graph.h promises. */
void fuzz_check_graph(const cleave_graph *g);
/* Writes g in the given one of the formats that can be written and reads it back. */
void fuzz_check_round_trip(const cleave_graph *g, int which);
/* Equal in all that a caller can see. */
bool fuzz_same_graph(const cleave_graph *a, const cleave_graph *b);

/* ---- Other files (fuzz_same.c) ------------------------------------------------------- */

/* Each writes a file of this name, whose end chooses the form, and reads it back as it was. */
void fuzz_check_mapping_file(const cleave_mapping *m, const char *name);
void fuzz_check_coords_file(const cleave_graph *g, const char *name);
void fuzz_check_order_file(const cleave_order *o, const char *name);
void fuzz_check_schedule_file(const cleave_schedule *s, const char *name);
void fuzz_check_costs_file(const cleave_schedule_costs *costs, const char *name);
void fuzz_check_target_file(const cleave_target *t, const char *name);
void fuzz_check_matrix_file(const cleave_matrix *a, const char *name);
/* At most 64 numbers. */
void fuzz_check_vectors_file(const double *values, int32_t rows, int32_t columns,
                             const char *name);

/* ---- Memory (fuzz_alloc.c) --------------------------------------------------------- */
void fuzz_alloc_limit(int64_t bytes); /* more than that at once is a failure; 0: any */
int64_t fuzz_alloc_live(void);        /* bytes in use */
int64_t fuzz_alloc_peak(void);        /* most of them since fuzz_alloc_limit */
/* Of every call under test the nth allocation fails; 0, as usual: none. */
void fuzz_alloc_deny(int64_t nth);
void fuzz_alloc_watch(bool under_test); /* such a call begins, or has ended */
int64_t fuzz_alloc_calls(void);         /* most of a call under test since fuzz_alloc_deny */
bool fuzz_alloc_denied(void);           /* has one of the last call under test failed? */

#endif
