// Of bytes with numbers at places that depend on the input, the reverse pass
// notes where it adds adjoints, and finds them there when it comes to a copy.
// It does so where they are copied to, and nowhere else. In forward mode the
// tangents are copied as bytes. Threads could note at one time, and the seeds
// of bytes that the caller has are noted by nobody: refused.
// RUN: %retro-clang -O1 -g -S -emit-llvm -o - -mllvm -retro-print-plan %s 2>&1 | FileCheck %s
// RUN: %retro-clang -O1 -g -S -emit-llvm -o - -DFORWARD %s | FileCheck --check-prefix=FORWARD %s
// RUN: not %retro-clang -O1 -g -S -o /dev/null -DTHREADS -fopenmp %s 2>&1 | FileCheck --check-prefix=THREADS %s
// RUN: not %retro-clang -O1 -g -S -o /dev/null -DOUT %s 2>&1 | FileCheck --check-prefix=OUT %s
#include "request.h"

#include <stdlib.h>
#include <string.h>

// CHECK: plan for f (root)
// CHECK-NEXT: notes of adjoints begin and end with the reverse pass
static double f(const double *x, int n, char *out) {
  double s = 0;
#ifdef THREADS
#pragma omp parallel for reduction(+ : s)
#endif
  for (int round = 0; round < 2; ++round) {
    char *a = malloc((size_t)n * 11), *b = malloc((size_t)n * 11);
    int end = 0;
    for (int i = 0; i < n; ++i) {
      a[end] = (char)i;
      end += 1 + i % 3;
      // CHECK-NOT: note where {{.*}}:[[@LINE+1]])
      memcpy(a + end, x + i, sizeof *x);
      end += (int)sizeof *x;
    }
    // THREADS: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
    memcpy(b, a, (size_t)end);
#ifdef OUT
    // OUT: numbers-among-bytes.c:[[@LINE+1]]:{{[0-9]+}}: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
    memcpy(out, a, (size_t)end);
#endif
    for (int at = 0; at < end; at += (int)sizeof *x) {
      double d;
      at += 1 + b[at] % 3;
      // CHECK: note where adjoints are added of {{.*}} ({{.*}}numbers-among-bytes.c:[[@LINE+1]])
      memcpy(&d, b + at, sizeof d);
      s += d * d;
    }
    free(a);
    free(b);
  }
  return s;
}

// CHECK-DAG: call void @__retro_places_open()
// CHECK-DAG: call void @__retro_places_note(
// CHECK-DAG: call void @__retro_places_add(
// CHECK-DAG: call void @__retro_places_close()
// FORWARD-NOT: __retro_places
double request(double *x, double *d, char *out, char *out_d, int n) {
#ifdef FORWARD
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, d, n, enzyme_dup, out,
                          out_d);
#else
  return __enzyme_autodiff((void *)f, enzyme_dup, x, d, n, enzyme_dup, out,
                           out_d);
#endif
}
