/* SPDX-License-Identifier: Apache-2.0 */
/* view/page.c - the HTML around figures and tables.
 *
 * Titles, metrics and tables are text, readable without the script.  The script adds the
 * controls, which need it. */
#include "view/page.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static void put(clv_page *page, const char *text)
{
    clv_buffer_text(&page->out, text);
}

static void put_escaped(clv_page *page, const char *text)
{
    clv_buffer_escaped(&page->out, text);
}

void clv_page_open(clv_page *page, const char *title, const char *subtitle)
{
    *page = (clv_page){.budget = 14 << 20};
    put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"generator\" content=\"cleave " CLEAVE_VERSION "\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n<title>");
    put_escaped(page, title);
    put(page, "</title>\n<style>\n");
    put(page, (const char *)clv_page_looks);
    put(page, "</style>\n</head>\n<body>\n<header>\n<div>\n<h1>");
    put_escaped(page, title);
    put(page, "</h1>\n");
    if (subtitle) {
        put(page, "<p class=\"subtitle\">");
        put_escaped(page, subtitle);
        put(page, "</p>\n");
    }
    put(page, "</div>\n<button type=\"button\" id=\"theme\">Light / dark</button>\n"
              "</header>\n<main>\n");
}

/* ---- Figures --------------------------------------------------------------------------- */

static void put_caption(clv_page *page, const clv_figure *f, int number)
{
    put(page, "<figcaption>\n<h2 id=\"figure-");
    clv_buffer_int(&page->out, number);
    put(page, "\">");
    put_escaped(page, f->title ? f->title : "");
    put(page, "</h2>\n");
    if (f->caption) {
        put(page, "<p>");
        put_escaped(page, f->caption);
        put(page, "</p>\n");
    }
    put(page, "</figcaption>\n");
}

void clv_page_figure(clv_page *page, const clv_figure *f, bool beside)
{
    int number = page->figures++;
    put(page, "<figure class=\"view");
    put(page, beside ? " beside" : "");
    put(page, f->stretch ? " stretch" : "");
    put(page, "\" aria-labelledby=\"figure-");
    clv_buffer_int(&page->out, number);
    put(page, "\">\n");
    put_caption(page, f, number);
    put(page, "<div class=\"frame\">\n<div class=\"stage\">\n<div class=\"tools\"></div>\n"
              "<div class=\"sheet\">\n<canvas tabindex=\"0\" role=\"application\" "
              "aria-labelledby=\"figure-");
    clv_buffer_int(&page->out, number);
    put(page, "\" aria-describedby=\"keys-");
    clv_buffer_int(&page->out, number);
    put(page, "\"></canvas>\n<div class=\"mark\" hidden></div>\n"
              "<div class=\"tip\" role=\"tooltip\" hidden></div>\n</div>\n"
              "<div class=\"layers\" role=\"group\" aria-label=\"Layers\"></div>\n</div>\n"
              "<div class=\"legend\"></div>\n</div>\n"
              "<p class=\"status\" role=\"status\" id=\"keys-");
    clv_buffer_int(&page->out, number);
    put(page, "\">");
    put(page, f->ndim == 3 ? "Drag to turn, Shift and drag to move, wheel to zoom; keys: "
                             "arrows, Shift and arrows, + \xe2\x88\x92 0, [ ] from one to the "
                             "next."
                           : "Drag to move, wheel to zoom; keys: arrows, + \xe2\x88\x92 0, "
                             "[ ] from one to the next.");
    put(page, "</p>\n<script type=\"application/json\">");
    clv_page_data(page, f);
    put(page, "</script>\n</figure>\n");
}

void clv_page_svg(clv_page *page, const char *title, const clv_svg *svg)
{
    put(page, "<section class=\"chart\">\n");
    if (title) {
        put(page, "<h2>");
        put_escaped(page, title);
        put(page, "</h2>\n");
    }
    /* As an image: it has its own styles and follows the theme of the page. */
    put(page, "<img alt=\"");
    put_escaped(page, title ? title : "chart");
    put(page, "\" src=\"data:image/svg+xml;base64,");
    clv_buffer_base64(&page->out, svg->text, svg->used);
    put(page, "\">\n</section>\n");
}

void clv_page_paragraph(clv_page *page, const char *text)
{
    put(page, "<p>");
    put_escaped(page, text);
    put(page, "</p>\n");
}

/* ---- Tables ----------------------------------------------------------------------------- */

static void open_table(clv_page *page, const char *kind, const char *title)
{
    int number = page->tables++;
    put(page, "<section class=\"table ");
    put(page, kind);
    put(page, "\" tabindex=\"0\" aria-labelledby=\"table-");
    clv_buffer_int(&page->out, number);
    put(page, "\">\n<h2 id=\"table-");
    clv_buffer_int(&page->out, number);
    put(page, "\">");
    put_escaped(page, title);
    put(page, "</h2>\n<table>\n");
}

void clv_page_metrics(clv_page *page, const char *title, int count, const clv_metric *metric)
{
    open_table(page, "metrics", title);
    for (int i = 0; i < count; i++) {
        put(page, "<tr><th scope=\"row\">");
        put_escaped(page, metric[i].label);
        put(page, "</th><td");
        if (metric[i].key) {
            put(page, " data-key=\"");
            put_escaped(page, metric[i].key);
            put(page, "\"");
        }
        put(page, ">");
        put_escaped(page, metric[i].value);
        put(page, "</td></tr>\n");
    }
    put(page, "</table>\n</section>\n");
}

/* "max_link_load" as "Max link load". */
static void put_words(clv_page *page, const char *key)
{
    for (const char *p = key; *p; p++) {
        char letter[2] = {*p == '_' ? ' ' : *p, '\0'};
        if (p == key && *p >= 'a' && *p <= 'z')
            letter[0] = (char)(*p - 'a' + 'A');
        put_escaped(page, letter);
    }
}

void clv_page_results(clv_page *page, const char *title, int count, const char *const *key,
                      const char *const *value)
{
    open_table(page, "metrics results", title);
    for (int i = 0; i < count; i++) {
        put(page, "<tr><th scope=\"row\">");
        put_words(page, key[i]);
        put(page, "</th><td data-key=\"");
        put_escaped(page, key[i]);
        put(page, "\">");
        put_escaped(page, value[i]);
        put(page, "</td></tr>\n");
    }
    put(page, "</table>\n</section>\n");
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789.-+e% ") == strlen(text);
}

static void put_cell(clv_page *page, const char *tag, const char *text, bool number)
{
    put(page, "<");
    put(page, tag);
    put(page, number ? " class=\"number\">" : ">");
    put_escaped(page, text);
    put(page, "</");
    put(page, tag);
    put(page, ">");
}

void clv_page_table(clv_page *page, const char *title, int ncolumns, const char *const *header,
                    int64_t nrows, const char *const *cell)
{
    open_table(page, nrows > 12 ? "tall" : "short", title);
    put(page, "<thead><tr>");
    for (int c = 0; c < ncolumns; c++)
        put_cell(page, "th", header[c], nrows > 0 && is_number(cell[c]));
    put(page, "</tr></thead>\n<tbody>\n");
    for (int64_t r = 0; r < nrows; r++) {
        put(page, "<tr>");
        for (int c = 0; c < ncolumns; c++) {
            const char *text = cell[r * ncolumns + c];
            put_cell(page, "td", text, is_number(text));
        }
        put(page, "</tr>\n");
    }
    put(page, "</tbody>\n</table>\n</section>\n");
}

clv_metric clv_metric_text(const char *label, const char *key, const char *value)
{
    clv_metric m = {.label = label, .key = key};
    snprintf(m.value, sizeof m.value, "%s", value);
    return m;
}

clv_metric clv_metric_int(const char *label, const char *key, int64_t value)
{
    clv_metric m = {.label = label, .key = key};
    *clv_print_i64(m.value, value) = '\0';
    return m;
}

clv_metric clv_metric_real(const char *label, const char *key, double value)
{
    clv_metric m = {.label = label, .key = key};
    *clv_print_rounded(m.value, value) = '\0';
    return m;
}

/* ---- The end ---------------------------------------------------------------------------- */

cleave_status clv_page_close(clv_page *page, cleave_error *err)
{
    put(page, "</main>\n<script>\n");
    put(page, (const char *)clv_page_script);
    put(page, "</script>\n</body>\n</html>\n");
    return page->out.failed ? clv_fail_memory(err) : CLEAVE_OK;
}

void clv_page_free(clv_page *page)
{
    clv_buffer_free(&page->out);
}
