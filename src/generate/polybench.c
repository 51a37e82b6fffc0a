/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench.c - chooses a kernel, checks its sizes, traces it.
 *
 * Sizes are checked before anything is allocated, so that the loops of a kernel always end and
 * there is room for every vertex. */
#include "generate/polybench.h"

#include <stdio.h>
#include <string.h>

#include "generate/polybench_kernel.h"

static const clv_polybench_kernel *const families[] = {
    clv_polybench_products, clv_polybench_blas, clv_polybench_solvers, clv_polybench_stencils};
enum { nfamily = sizeof families / sizeof families[0] };

/* The i-th kernel of all families, or NULL. */
static const clv_polybench_kernel *kernel_at(int i)
{
    for (int f = 0; f < nfamily; f++)
        for (const clv_polybench_kernel *k = families[f]; k->name; k++)
            if (i-- == 0)
                return k;
    return NULL;
}

const char *clv_generate_polybench_name(int i)
{
    const clv_polybench_kernel *k = kernel_at(i);
    return k ? k->name : NULL;
}

const char *clv_generate_polybench_parameter(int i, int p, int *size)
{
    const clv_polybench_kernel *k = kernel_at(i);
    if (!k || p < 0 || p >= CLV_POLYBENCH_SIZES || !k->parameter[p])
        return NULL;
    if (size)
        *size = k->size[p];
    return k->parameter[p];
}

static cleave_status find_kernel(const clv_polybench_kernel **out, const char *name,
                                 cleave_error *err)
{
    char names[200] = "";
    size_t used = 0;
    for (int i = 0; (*out = kernel_at(i)) != NULL; i++) {
        if (strcmp((*out)->name, name) == 0)
            return CLEAVE_OK;
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", (*out)->name);
        if (used >= sizeof names)
            used = sizeof names - 1;
    }
    return clv_fail(err, CLEAVE_EINVAL, "unknown PolyBench kernel '%.20s'; known are%s", name,
                    names);
}

static int count_parameters(const clv_polybench_kernel *k)
{
    int count = 0;
    while (k->parameter[count])
        count++;
    return count;
}

/* "gemm takes 3 sizes, NI=60 NJ=70 NK=80 by default, not 2" */
static cleave_status fail_count(const clv_polybench_kernel *k, int nsizes, cleave_error *err)
{
    char list[120] = "";
    size_t used = 0;
    int count = count_parameters(k);
    for (int p = 0; p < count && used < sizeof list; p++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s=%d", k->parameter[p],
                                 k->size[p]);
    return clv_fail(err, CLEAVE_EINVAL, "%s takes %d size%s,%s by default, not %d", k->name,
                    count, count == 1 ? "" : "s", list, nsizes);
}

static cleave_status check_sizes(const clv_polybench_kernel *k, const int *sizes, int nsizes,
                                 cleave_error *err)
{
    if (nsizes != count_parameters(k))
        return fail_count(k, nsizes, err);
    for (int p = 0; p < nsizes; p++)
        if (sizes[p] < 1)
            return clv_fail(err, CLEAVE_EINVAL, "size %s of %s must be at least 1, not %d",
                            k->parameter[p], k->name, sizes[p]);
    if (k->vertices(sizes) > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "%s of this size has more than %ld vertices",
                        k->name, (long)INT32_MAX);
    return CLEAVE_OK;
}

cleave_status clv_generate_polybench(clv_graph **out, const char *name, const int *sizes,
                                     int nsizes, cleave_error *err)
{
    const clv_polybench_kernel *k;
    *out = NULL;
    CLV_TRY(find_kernel(&k, name, err));
    if (sizes)
        CLV_TRY(check_sizes(k, sizes, nsizes, err));
    else
        sizes = k->size;
    clv_trace t;
    clv_trace_init(&t, (int32_t)k->vertices(sizes));
    if (clv_trace_ready(&t))
        k->run(&t, sizes);
    cleave_status status = clv_trace_graph(out, &t, err);
    clv_trace_free(&t);
    return status;
}
