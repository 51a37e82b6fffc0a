/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of node names. */
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "target/node_list.h"

FUZZ_TARGET(nodes)
{
    cleave_error err = {.status = CLEAVE_OK};
    clv_arena arena = {0};
    char **names = NULL;
    int32_t count = 0;
    const char *text = (const char *)in->bytes;
    cleave_status status = clv_node_list_expand(text, in->size, &names, &count, &arena, &err);
    if (status != CLEAVE_OK) {
        FUZZ_CHECK(status == CLEAVE_EINVAL || status == CLEAVE_ERANGE);
        FUZZ_CHECK(err.status == status && err.message[0] != '\0');
    } else {
        FUZZ_CHECK(count >= 1 && count <= clv_most_node_names);
    }
    for (int32_t i = 0; status == CLEAVE_OK && i < count; i++) {
        size_t length = strlen(names[i]);
        FUZZ_CHECK(length > 0 && length < 256);
        FUZZ_CHECK(strcspn(names[i], " ,[]\n\t\"'=#") == length);
    }
    clv_arena_free(&arena);
}
