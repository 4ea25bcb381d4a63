// Static pointers may lead into one memory, which other code has made: what is
// stored through the one is read through the other. Not where the allocator's
// blocks are all that the module ever stores there.
// RUN: %retro-clang -O1 -c -mllvm -retro-print-shape -mllvm -retro-print-plan %s -o /dev/null 2> %t
// RUN: FileCheck %s < %t
void *malloc(unsigned long);
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double *first, *last;
static double *block, *other_block;
static double beside[2];

// What is read from the end varies, and what is stored at the begin is useful.
// CHECK: class [[A:[0-9]+]] {{.*}}shadowed in images
// CHECK-NEXT: +0 number of 8 declared float varied useful
// CHECK: class {{.*}}shadowed in images
// CHECK-NEXT: +-8 number of 8 declared float varied useful
static double ends(const double *x) {
  first[0] = x[0] * x[1];
  beside[x[0] > 1] = last[-1];
  return beside[0] * x[0];
}

// CHECK: plan for ends
// CHECK: images in class [[A]]: of @beside, which end the program
// CHECK: end the program if it has an image: what argument 0 leads to
// What is read from one block does not vary with what is written to the other.
// CHECK: +8 number of 8 declared float useful{{$}}
// CHECK: +0 number of 8 declared float varied useful
// CHECK: plan for blocks
static double blocks(const double *x) {
  const double s = block[1];
  other_block[0] = x[0] * s;
  return other_block[x[1] > 0] * x[1];
}

void set(double *p, int n) {
  first = p;
  last = p + n;
  block = malloc(8ul * n);
  other_block = malloc(8ul * n);
}

double requests(double *x, double *d) {
  return __enzyme_autodiff((void *)ends, enzyme_dup, x, d) +
         __enzyme_autodiff((void *)blocks, enzyme_dup, x, d);
}
