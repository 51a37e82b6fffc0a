/* SPDX-License-Identifier: Apache-2.0 */
/* view/page.h - one HTML file with figures and tables that works from disk, offline.
 *
 * Open the page, add its contents from top to bottom, close it.  The script of the page
 * (view/page.js) draws figures from compact binary data: zoom, move, rotate, identify, switch
 * layers.  Nothing is loaded from elsewhere.  Failures are kept as in view/buffer.h. */
#ifndef CLV_VIEW_PAGE_H
#define CLV_VIEW_PAGE_H

#include "view/figure.h"

typedef struct clv_page {
    clv_buffer out;
    int figures, tables;
    int64_t budget; /* page size in bytes up to which optional layers are included */
    cleave_status status;
} clv_page;

/* A row of a table of metrics: a label and a value as text; key is the name of the member in
 * `cleave evaluate --json`, or NULL. */
typedef struct clv_metric {
    const char *label, *key;
    char value[64];
} clv_metric;

void clv_page_open(clv_page *page, const char *title, const char *subtitle);
/* beside: in the same row as the figure before. */
void clv_page_figure(clv_page *page, const clv_figure *f, bool beside);
void clv_page_metrics(clv_page *page, const char *title, int count, const clv_metric *metric);
/* Any number of results; the label is made from the key: "max_link_load" becomes "Max link
 * load". */
void clv_page_results(clv_page *page, const char *title, int count, const char *const *key,
                      const char *const *value);
/* A table: header cells, then nrows * ncolumns cells.  Numbers are right-aligned. */
void clv_page_table(clv_page *page, const char *title, int ncolumns, const char *const *header,
                    int64_t nrows, const char *const *cell);
/* A chart that is a closed SVG document (view/plot.h), as an image. */
void clv_page_svg(clv_page *page, const char *title, const clv_svg *svg);
void clv_page_paragraph(clv_page *page, const char *text);
/* Closes the document: page->out holds it until clv_page_free. */
cleave_status clv_page_close(clv_page *page, cleave_error *err);
void clv_page_free(clv_page *page);

/* A metric from a number; reals are rounded for display (clv_print_rounded). */
clv_metric clv_metric_int(const char *label, const char *key, int64_t value);
clv_metric clv_metric_real(const char *label, const char *key, double value);
clv_metric clv_metric_text(const char *label, const char *key, const char *value);

/* The figure in the form that the script reads: JSON and binary data in base64
 * (view/page_data.c). */
void clv_page_data(clv_page *page, const clv_figure *f);

/* Made from view/page.js and view/page.css when the build is configured. */
extern const unsigned char clv_page_script[], clv_page_looks[];

#endif
