// The classes of memory see what the differentiated code stores, and not what
// other code does: a static pointer that it loads as other code has left it
// must not lead to an argument's memory, and the derivative looks when it
// begins. Not where only blocks of the allocator are stored there, where the
// function has stored another pointer before, and for an argument without a
// derivative that nobody writes.
// RUN: %retro-clang -O1 -S -emit-llvm -mllvm -retro-print-plan %s -o %t 2> %t.plan
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan
// RUN: FileCheck %s < %t
void *malloc(unsigned long);
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double *set_by_others, *table;
static double *kept, *set_here;
static struct {
  int n;
  double *values;
} in_struct;

// PLAN: plan for f
// PLAN: end the program if the same: what @set_by_others at 0 leads to and argument 0 leads to
// PLAN-NEXT: end the program if the same: what @set_by_others at 0 leads to and argument 1 leads to
// PLAN-NEXT: end the program if the same: what @in_struct{{.*}} leads to and argument 0 leads to
// PLAN-NEXT: end the program if the same: what @in_struct{{.*}} leads to and argument 1 leads to
// PLAN-NOT: end the program if the same
static double f(double *x, double *c) {
  if (!kept)
    kept = malloc(80);
  set_here = malloc(80);
  set_here[0] = kept[0] = x[0] * c[0];
  set_by_others[1] = x[1];
  return kept[0] * set_here[0] + in_struct.values[1] * x[0];
}

// PLAN: plan for reads
// PLAN: end the program if the same: what @table at 0 leads to and argument 0 leads to
// PLAN-NOT: end the program if the same
static double reads(const double *x, const double *c) {
  return x[0] * table[3] + c[0];
}

void set(double *p) {
  set_by_others = table = in_struct.values = set_here = p;
}

// CHECK-LABEL: define internal {{.*}} @gradient_reads
// CHECK: load ptr, ptr @table
// CHECK: call void @__retro_end_if
double requests(double *x, double *d, double *c) {
  return __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, c) +
         __enzyme_autodiff((void *)reads, enzyme_dup, x, d, enzyme_const, c);
}
