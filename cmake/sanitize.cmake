# SPDX-License-Identifier: Apache-2.0
# CLEAVE_SANITIZE and CLEAVE_FUZZ: flags for everything that is compiled and linked.
# Included before the first target.

set(sanitizers "${CLEAVE_SANITIZE}")
if(CLEAVE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CLEAVE_FUZZ needs clang: cmake -DCMAKE_C_COMPILER=clang -DCLEAVE_FUZZ=ON")
  endif()
  if(NOT sanitizers)
    set(sanitizers "address,undefined")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(sanitizers)
  string(REPLACE ";" "," sanitizers "${sanitizers}")
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${sanitizers})
endif()
