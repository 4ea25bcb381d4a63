// Without the simplification a vector variable is split by itself, after
// inlining has changed the blocks.
// RUN: %retro-clang -O0 -mllvm -retro-preopt=0 %s -o %t -lm && %t | FileCheck %s
// CHECK: 20 checks, 0 failed
#include "../../programs/vector_variable.c"
