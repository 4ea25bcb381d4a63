// Numbers that are written to a file and read from it.
// RUN: %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <stdio.h>
#include <unistd.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

static double byFile(double x, FILE *file) {
  double y = x * x, z;
  fwrite(&y, sizeof y, 1, file);
  rewind(file);
  // CHECK: read-back.c:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[retro-number-read-back]
  return fread(&z, sizeof z, 1, file) == 1 ? z * x : 0;
}

static double byPipe(double x, const int *ends) {
  double y[2] = {x, 1}, z[2];
  if (write(ends[1], y, sizeof y) != sizeof y)
    return 0;
  // CHECK: read-back.c:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[retro-number-read-back]
  return read(ends[0], z, sizeof z) == sizeof z ? z[0] * x : 0;
}

static double asText(double x, FILE *file) {
  double z = 0;
  fprintf(file, "%a\n", x);
  rewind(file);
  // CHECK: read-back.c:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[retro-number-read-back]
  fscanf(file, "%lf", &z);
  return z * x;
}

// What goes to the terminal is not read again, nor what is constant; and what
// no result depends on has no derivative.
// CHECK-NOT: warning:
static double parameter(double x, FILE *file) {
  double k = 2;
  fprintf(stderr, "%g\n", x);
  printf("%g\n", x);
  fwrite(&k, sizeof k, 1, file);
  fscanf(file, "%lf", &k);
  return k * x;
}
static double unused(double x, FILE *file) {
  double z;
  fwrite(&x, sizeof x, 1, file);
  fread(&z, sizeof z, 1, file);
  printf("%g\n", z);
  return x;
}

double request(double x, FILE *file, int *ends) {
  return __enzyme_autodiff((void *)byFile, x, enzyme_const, file) +
         __enzyme_autodiff((void *)byPipe, x, enzyme_const, ends) +
         __enzyme_autodiff((void *)asText, x, enzyme_const, file) +
         __enzyme_autodiff((void *)parameter, x, enzyme_const, file) +
         __enzyme_autodiff((void *)unused, x, enzyme_const, file);
}
