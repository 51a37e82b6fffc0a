/* SPDX-License-Identifier: Apache-2.0 */
/* spec, seed, checksum: rows of test_generate.c. */
/* clang-format off */
    {"grid2d:90x80:9", 1, 0x44aa05adf44e322d},
    {"grid3d:20x19x18:27:periodic", 1, 0x2cc021f9a1d74d8a},
    {"mesh2d:100x90", 1, 0x34b567c53c5e5fd2},
    {"mesh3d:20x21x22", 7, 0xd0f099d4caccceaf},
    {"spiral", 1, 0xdd8e2b5b7e48e3e3},
    {"rgg:9000:8", 1, 0x6a8a6eb8c2e648f2},
    {"rgg:9000:8:3", 7, 0xe4c938de62021f39},
    {"rmat:15:9", 1, 0x8adfff8ff1fd95b8},
    {"rmat:13:9:0.25:0.25:0.25", 7, 0x4c44471cbeb2aeb7},
    {"gnp:9000:0.001", 1, 0xc0e5840f602c0b17},
    {"tree:9000:random", 1, 0x0475a2752e02fe8a},
    {"layered:30:300:5", 1, 0x8e29cce25f02a6a5},
    {"stencil:20x20:20", 1, 0x1fb8cd3db54fccaa},
