# How the build and the tests run Python: Debian's, whose packages the scripts use.
# A script that needs no other of this project is run as it stands: "${RETRO_PYTHON}" -B FILE. The rest are modules, named from the project's root
# and found from there: ${RETRO_MODULE} tests.users.check ARGUMENTS. By hand, in the root: python3 -m tests.users.check ARGUMENTS.
find_program(RETRO_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH RETRO_ROOT)
set(RETRO_MODULE "${CMAKE_COMMAND}" -E env --modify "PYTHONPATH=path_list_prepend:${RETRO_ROOT}" "${RETRO_PYTHON}" -B -P -m)
