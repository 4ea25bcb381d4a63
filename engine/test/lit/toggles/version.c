// RUN: %retro-clang -mllvm -retro-version -c %s -o /dev/null | FileCheck %s
// CHECK: retrograde {{[0-9]+\.[0-9]+\.[0-9]+}}, for LLVM 22.
int x;
