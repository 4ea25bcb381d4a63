// A virtual call is of the functions in its place of a table: nothing is
// planned for slow, which has the same type, or for a function whose address the
// program takes. A method that is called by a pointer may be either.
// RUN: %retro-clang++ -O1 -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O1 -DTAKEN -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAKEN %s
// CHECK: plan for _ZL1fdP4Base (root)
// CHECK-NOT: plan for {{.*}}slow
// CHECK: plan for _ZNK5Other4fastEd
// CHECK-NOT: plan for {{.*}}slow
// RUN: %retro-clang++ -O0 -DTAKEN -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAKEN %s
// RUN: %retro-clang++ -O1 -DTAKEN -DMETHOD -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=METHOD %s
// TAKEN: plan for _ZL1fdP4Base (root)
// TAKEN-NOT: plan for {{.*}}elsewhere
// TAKEN: plan for _ZNK5Other4fastEd
// TAKEN-NOT: plan for {{.*}}elsewhere
// METHOD-DAG: plan for _ZNK5Other4fastEd
// METHOD-DAG: plan for _ZNK5Other4slowEd
// METHOD-DAG: plan for _ZL9elsewherePK4Based
extern int enzyme_out, enzyme_const;
double __enzyme_autodiff(void *, ...);
struct Base {
  virtual double slow(double x) const { return x; }
  virtual double fast(double x) const { return 2 * x; }
};
struct Other : Base {
  double slow(double x) const override { return x * x * x; }
  double fast(double x) const override { return x * x; }
};
Base base;
Other other;
#ifdef TAKEN
static double elsewhere(const Base *, double x) { return x * x * x * x; }
double (*taken)(const Base *, double) = elsewhere;
#endif
#ifdef METHOD
double (Base::*volatile method)(double) const = &Base::fast;
static double f(double x, Base *b) { return (b->*method)(x); }
#else
static double f(double x, Base *b) { return b->fast(x); }
#endif
double g(double x, int kind) {
  return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const,
                           kind ? &base : (Base *)&other);
}
