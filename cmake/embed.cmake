# SPDX-License-Identifier: Apache-2.0
# embed(OUT NAME FILE ...) writes the C source OUT with an array of bytes, zero at the end, per
# pair of NAME and FILE; at configure time, and again whenever a FILE changes.
function(embed out)
  set(text "/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by cmake/embed.cmake. */\n")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "extern const unsigned char ${name}[];\n"
      "const unsigned char ${name}[] = {\n${bytes}0};\n")
  endwhile()
  set(before "")
  if(EXISTS ${out})
    file(READ ${out} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${out} "${text}")
  endif()
endfunction()
