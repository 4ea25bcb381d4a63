"""Tests of the project as a whole: see CMakeLists.txt."""
