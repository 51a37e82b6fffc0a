/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_view.h - what pictures refuse; returns the number of failures. */
#ifndef CLV_TESTS_NULL_VIEW_H
#define CLV_TESTS_NULL_VIEW_H

int null_view_graph(void);
int null_view_target(void);
int null_view_schedule(void);
int null_view_remap(void);

#endif
