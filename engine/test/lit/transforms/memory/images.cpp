// Memory that static variables lead to through memory has its shadow at its
// image: what a pointer leads to that is loaded from there, and what is
// allocated. Images begin and end with a derivative. A block that a variable
// alone leads to has none.
// RUN: %retro-clang -O1 -S -emit-llvm -mllvm -retro-print-shape %s -o %t 2> %t.shape
// RUN: FileCheck %s --check-prefix=SHAPE < %t.shape
// RUN: FileCheck %s < %t
extern "C" void *malloc(unsigned long);
extern "C" void free(void *);
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double **table;
static double *block;

// SHAPE: class {{.*}} shadowed in images
// SHAPE-NEXT: +0 pointer of 8
// SHAPE: class {{.*}} shadowed in images
// SHAPE-NEXT: +0 number of 8

// CHECK-LABEL: define internal {{.*}} @tangent_of_{{.*}}rows
// CHECK: call void @__retro_images_open(ptr {{.*}}, i32 1)
// CHECK-COUNT-4: call ptr @__retro_image(ptr {{.*}}, ptr null, i64 0, i32 0)
// CHECK: call void @__retro_images_close()
// CHECK-LABEL: define internal {{.*}} @gradient_{{.*}}rows
// CHECK: call void @__retro_images_open(ptr {{.*}}, i32 1)
// CHECK-COUNT-4: call ptr @__retro_image(ptr {{.*}}, ptr null, i64 0, i32 0)
// CHECK: call void @__retro_images_close()
static double rows(double *x, int n) {
  if (!table) {
    table = (double **)malloc(8ul * n);
    table[0] = (double *)malloc(8ul * n);
  }
  double *row = table[0];
  row[0] = x[0] * x[1];
  if (x[1] > 3) {
    free(row);
    table[0] = (double *)malloc(8ul * n);
  }
  return row[0] * x[1];
}

// CHECK-LABEL: define internal {{.*}} @gradient_{{.*}}kept
// CHECK-NOT: @__retro_image
// CHECK: ret
static double kept(double *x, int n) {
  if (!block)
    block = (double *)malloc(8ul * n);
  block[0] = x[0] * x[1];
  return block[0] * x[1];
}

double requests(double *x, double *dx, int n) {
  return __enzyme_fwddiff((void *)rows, enzyme_dup, x, dx, enzyme_const, n) +
         __enzyme_autodiff((void *)rows, enzyme_dup, x, dx, enzyme_const, n) +
         __enzyme_autodiff((void *)kept, enzyme_dup, x, dx, enzyme_const, n);
}
