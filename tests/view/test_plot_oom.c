/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of a chart fails once: CLEAVE_ENOMEM, no file, nothing leaked. */
#include <unistd.h>

#include "support/test.h"
#include "view/plot.h"

static double x[200], y[200];
static const char *labels[200];

static cleave_status write_plot(const char *path, cleave_error *err)
{
    cleave_series s[3];
    cleave_plot_options opt;
    cleave_plot_options_init(&opt, sizeof opt);
    opt.title = "title";
    opt.subtitle = "two\nlines";
    for (int i = 0; i < 3; i++) {
        cleave_series_init(&s[i], sizeof s[i]);
        s[i].name = "name";
        s[i].count = 200;
        s[i].x = x;
        s[i].y = y;
        s[i].labels = labels;
        s[i].line = (cleave_line)i;
    }
    return cleave_plot_write(path, 3, s, &opt, err);
}

static cleave_status write_profile(const char *path, cleave_error *err)
{
    static const char *const names[] = {"a", "b"};
    return cleave_plot_write_profile(path, 2, names, 100, x, NULL, err);
}

static void try_all(cleave_status (*call)(const char *, cleave_error *))
{
    char path[600];
    cleave_error err;
    int64_t live = test_alloc_live(), failures = 0;
    snprintf(path, sizeof path, "%s/oom.svg", test_scratch());
    remove(path);
    for (int64_t nth = 1;; nth++) {
        test_alloc_fail_at(nth);
        cleave_status status = call(path, &err);
        bool reached = test_alloc_calls() >= nth;
        test_alloc_fail_at(0);
        CHECK_EQ(test_alloc_live(), live);
        if (!reached) {
            CHECK_EQ(status, CLEAVE_OK);
            CHECK_EQ(access(path, F_OK), 0);
            break;
        }
        CHECK_EQ(status, CLEAVE_ENOMEM);
        CHECK(access(path, F_OK) != 0);
        failures++;
    }
    CHECK(failures >= 5);
}

static void test_plot(void)
{
    try_all(write_plot);
}

static void test_profile(void)
{
    try_all(write_profile);
}

int main(void)
{
    for (int i = 0; i < 200; i++) {
        x[i] = 1 + i % 17;
        y[i] = i;
        labels[i] = i % 5 ? NULL : "label";
    }
    RUN(test_plot);
    RUN(test_profile);
    return test_end();
}
