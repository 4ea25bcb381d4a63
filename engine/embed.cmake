# cmake -DFROM=<file> -DTO=<file> -P embed.cmake: the bytes of a file as C++
# source, to be included between braces.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE "${TO}" "${bytes}\n")
