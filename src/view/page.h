/* SPDX-License-Identifier: Apache-2.0 */
/* view/page.h - one HTML file with figures and tables that works from disk, offline.
 *
 * Begin, add what should stand on it from top to bottom, end.  Figures are drawn by the
 * page's own script (view/page.js) from compact binary data: zoom, move, turn, identify,
 * switch layers.  Nothing is loaded from anywhere.  Failures stick as in view/buffer.h. */
#ifndef CLV_VIEW_PAGE_H
#define CLV_VIEW_PAGE_H

#include "view/figure.h"

typedef struct clv_page {
    clv_buffer out;
    int figures, tables;
    int64_t budget; /* bytes that optional layers may bring the page to */
    cleave_status status;
} clv_page;

/* A row of a table of metrics: what it is, its value as text; key is the name of the member
 * that `cleave evaluate --json` gives it, or NULL. */
typedef struct clv_metric {
    const char *label, *key;
    char value[64];
} clv_metric;

void clv_page_open(clv_page *page, const char *title, const char *subtitle);
/* Figures that say `beside` share a row with the one before them. */
void clv_page_figure(clv_page *page, const clv_figure *f, bool beside);
void clv_page_metrics(clv_page *page, const char *title, int count, const clv_metric *metric);
/* Results of any length; of a key such as "max_link_load" the words are the label. */
void clv_page_results(clv_page *page, const char *title, int count, const char *const *key,
                      const char *const *value);
/* A table: header cells, then nrows * ncolumns cells.  Those that are numbers stand right. */
void clv_page_table(clv_page *page, const char *title, int ncolumns, const char *const *header,
                    int64_t nrows, const char *const *cell);
/* A chart that is an SVG document already (view/plot.h), closed, as an image. */
void clv_page_svg(clv_page *page, const char *title, const clv_svg *svg);
void clv_page_paragraph(clv_page *page, const char *text);
/* Ends the document: page->out holds it until clv_page_free. */
cleave_status clv_page_close(clv_page *page, cleave_error *err);
void clv_page_free(clv_page *page);

/* A metric from a number; reals are rounded for people (clv_print_rounded). */
clv_metric clv_metric_int(const char *label, const char *key, int64_t value);
clv_metric clv_metric_real(const char *label, const char *key, double value);
clv_metric clv_metric_text(const char *label, const char *key, const char *value);

/* The figure as the script reads it: JSON and binary data in base64 (view/page_data.c). */
void clv_page_data(clv_page *page, const clv_figure *f);

/* Made from view/page.js and view/page.css when the build is configured. */
extern const unsigned char clv_page_script[], clv_page_looks[];

#endif
