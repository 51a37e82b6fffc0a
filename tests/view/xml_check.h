/* SPDX-License-Identifier: Apache-2.0 */
/* A small, independent reader of the XML of pictures. */
#ifndef CLV_TESTS_VIEW_XML_CHECK_H
#define CLV_TESTS_VIEW_XML_CHECK_H

/* NULL when text is well formed (elements nest, attributes are quoted and unique, only known
 * entities, no control characters, valid UTF-8); else what is wrong. */
const char *xml_check(const char *text);
/* How often `word` occurs in text. */
int count_of(const char *text, const char *word);

#endif
