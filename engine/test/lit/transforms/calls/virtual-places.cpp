// A virtual call is of the functions in its place of a table: nothing is
// planned for slow, which has the same type. A function whose address is taken
// elsewhere, too, may be called from anywhere.
// RUN: %retro-clang++ -O1 -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O1 -DTAKEN -mllvm -retro-inline=0 -mllvm -retro-print-plan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAKEN %s
// CHECK: plan for _ZL1fdP4Base (root)
// CHECK-NOT: plan for {{.*}}slow
// CHECK: plan for _ZNK5Other4fastEd
// CHECK-NOT: plan for {{.*}}slow
// TAKEN-DAG: plan for _ZNK5Other4fastEd
// TAKEN-DAG: plan for _ZL9elsewherePK4Based
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
static double f(double x, Base *b) { return b->fast(x); }
double g(double x, int kind) {
  return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const,
                           kind ? &base : (Base *)&other);
}
