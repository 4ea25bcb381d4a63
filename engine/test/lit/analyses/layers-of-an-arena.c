// A part of an arena for each layer, with arrays of rows in it: what is read in
// a layer is not written any more, in that one or in later ones, if the
// products of arguments that say where a part lies do not overflow. Nothing is
// kept then for each of the products of a matrix.
// RUN: %retro-clang -O2 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck %s
// The next layer begins one number too early: it is written over what the
// layer's last row has read.
// RUN: %retro-clang -O2 -DLESS=1 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=LESS %s
// The rows that are read begin one number too early, in the sums.
// RUN: %retro-clang -O2 -DGAP=1 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=GAP %s
// One number more is cleared: the first that is read.
// RUN: %retro-clang -O2 -DCLEARED=1 -S -emit-llvm -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=LESS %s
#include "request.h"

#ifndef LESS
#define LESS 0
#endif
#ifndef GAP
#define GAP 0
#endif
#ifndef CLEARED
#define CLEARED 0
#endif

// CHECK: plan for layers (root)
// CHECK: copy array at %1 before loop
// CHECK: for arguments that are apart:
// CHECK-NEXT: plan for layers (root)
// CHECK-NEXT: cache value {{.*}} : i1 in indexed
// CHECK-NEXT: cache base {{.*}} in slot
// CHECK-NOT: cache
// CHECK-NOT: copy
// CHECK: reverse
// GAP: plan for layers (root)
// GAP: copy array at %1 before loop
// GAP-NOT: for arguments that are apart:
// LESS: for arguments that are apart:
// LESS-NEXT: plan for layers (root)
// LESS: copy array at %1 before loop
static double layers(const double *restrict x, double *restrict memory,
                     int count, int rows, int width) {
  const long part = (long)rows * width;
  for (int l = 0; l < count; ++l) {
    double *sum = memory + l * (2 * part + rows - LESS);
    double *out = sum + rows, *in = out + part - GAP;
    for (int r = 0; r < rows; ++r) {
      memset(out + r * width, 0, sizeof(double) * (width + CLEARED));
      for (int i = 0; i < width; ++i)
        for (int o = 0; o < width; ++o)
          out[r * width + o] +=
              in[r * width + i] * in[r * width + o] * x[i * width + o];
      sum[r] = out[r * width];
    }
  }
  return memory[count * (2 * part + rows)];
}
void gradient(const double *x, double *dx, double *memory, double *shadow,
              int count, int rows, int width) {
  __enzyme_autodiff_void((void *)layers, enzyme_dup, x, dx, enzyme_dup, memory,
                         shadow, enzyme_const, count, enzyme_const, rows,
                         enzyme_const, width);
}
