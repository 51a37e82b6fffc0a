/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/all_ranks.c - see mpi/program/all_ranks.h. */
#include "mpi/program/all_ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"

static int rank, count;
static char heard[1024]; /* the first error message of a rank other than 0; "": none */
static bool said;        /* rank 0 has printed an error */

/* ---- Messages -------------------------------------------------------------------------- */

static void keep_message(const char *sentence)
{
    if (!heard[0] && strncmp(sentence, "warning: ", 9) != 0)
        snprintf(heard, sizeof heard, "%s", sentence);
}

/* Rank 0 prints as usual. */
static void print_message(const char *sentence)
{
    said = said || strncmp(sentence, "warning: ", 9) != 0;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", cli_program, sentence);
}

static void silence_output(void)
{
    if (!freopen("/dev/null", "w", stdout))
        fclose(stdout);
}

/* ---- Startup and shutdown -------------------------------------------------------------- */

static void remove_unfinished(void);

void ranks_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    cli_listen(rank == 0 ? print_message : keep_message);
    if (rank != 0)
        silence_output();
    /* After MPI_Init, which may install handlers of its own. */
    cli_signals_init(rank == 0);
    cli_signals_hurry(remove_unfinished);
}

int ranks_end(int status)
{
    int highest;
    MPI_Allreduce(&status, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    /* Launchers kill the other ranks when one exits with a nonzero status; all messages are
     * printed and all ranks are about to exit. */
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    MPI_Finalize();
    return highest;
}

int ranks_count(void)
{
    return count;
}

bool ranks_first(void)
{
    return rank == 0;
}

/* ---- Agreement ------------------------------------------------------------------------- */

static int lowest_of(bool failed)
{
    int mine = failed ? rank : count, lowest;
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return lowest;
}

int ranks_agree(int status)
{
    int lowest = lowest_of(status != CLI_GO_ON);
    if (lowest == count)
        return CLI_GO_ON;
    MPI_Bcast(&status, 1, MPI_INT, lowest, MPI_COMM_WORLD);
    MPI_Bcast(heard, sizeof heard, MPI_CHAR, lowest, MPI_COMM_WORLD);
    if (rank == 0 && lowest != 0 && !said && heard[0])
        cli_complain("%s", heard);
    return status;
}

cleave_status ranks_agree_on(cleave_status status, cleave_error *err)
{
    int lowest = lowest_of(status != CLEAVE_OK);
    if (lowest == count)
        return CLEAVE_OK;
    err->status = status;
    MPI_Bcast(err, sizeof *err, MPI_BYTE, lowest, MPI_COMM_WORLD);
    return err->status;
}

void *ranks_alloc(int64_t items, size_t each, cleave_error *err)
{
    void *block = calloc(items > 0 ? (size_t)items : 1, each);
    cleave_status status = block ? CLEAVE_OK : CLEAVE_ENOMEM;
    if (!block)
        snprintf(err->message, sizeof err->message, "%s", cleave_status_text(status));
    if (ranks_agree_on(status, err) == CLEAVE_OK)
        return block;
    free(block);
    return NULL;
}

static int64_t reduce(int64_t mine, MPI_Op op)
{
    int64_t all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, op, MPI_COMM_WORLD);
    return all;
}

int64_t ranks_sum(int64_t mine)
{
    return reduce(mine, MPI_SUM);
}

int64_t ranks_max(int64_t mine)
{
    return reduce(mine, MPI_MAX);
}

bool ranks_interrupted(void)
{
    return ranks_max(cli_interrupted()) != 0;
}

void ranks_share(void *bytes, int64_t size)
{
    enum { piece = 1 << 28 };
    for (int64_t at = 0; at < size; at += piece)
        MPI_Bcast((char *)bytes + at, (int)(size - at < piece ? size - at : piece), MPI_BYTE,
                  0, MPI_COMM_WORLD);
}

/* ---- Targets --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Compares PEs, speeds, and distances in the order of numbers: what differs between
 * machines. */
static uint64_t fingerprint(const cleave_target *t)
{
    char text[256];
    uint64_t hash = 1, bits;
    cleave_target_describe(t, text, sizeof text);
    for (const char *c = text; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    for (int32_t pe = 0; pe < cleave_target_pes(t); pe++) {
        double speed = cleave_target_speed(t, pe);
        memcpy(&bits, &speed, sizeof bits);
        hash = mix(hash, bits);
        hash = mix(hash, (uint64_t)cleave_target_distance(t, 0, pe));
        hash = mix(hash, (uint64_t)cleave_target_distance(t, pe > 0 ? pe - 1 : 0, pe));
    }
    return hash;
}

int ranks_same_target(const char *verb, const char *text, const cleave_target *t)
{
    uint64_t mine = t ? fingerprint(t) : 0, first = mine;
    ranks_share(&first, sizeof first);
    if (ranks_max(first != mine) == 0)
        return CLI_GO_ON;
    return cli_usage_error(verb,
                           "'%s' is not the same machine on all ranks: describe it by a file "
                           "that they share, such as hwloc:FILE.xml",
                           text);
}

/* ---- Output files ---------------------------------------------------------------------- */

/* The library writes to OUTPUT.PID-N.tmp on rank 0 and renames it at the end.  The ranks that
 * are still alive remove it; this also works when rank 0 has been killed. */
enum { most_names = 4 };
static char unfinished[most_names][4200];
static volatile sig_atomic_t writing;

static void remove_unfinished(void)
{
    for (int i = 0; writing && i < most_names; i++)
        unlink(unfinished[i]);
}

void ranks_write_begin(const char *path)
{
    long pid = (long)getpid();
    char *real = realpath(path, NULL); /* a symbolic link is resolved to its target */
    ranks_share(&pid, sizeof pid);
    for (int i = 0; i < most_names; i++)
        snprintf(unfinished[i], sizeof unfinished[i], "%s.%ld-%d.tmp", real ? real : path, pid,
                 i);
    free(real);
    writing = strcmp(path, "-") != 0;
}

void ranks_write_end(void)
{
    writing = 0;
}
