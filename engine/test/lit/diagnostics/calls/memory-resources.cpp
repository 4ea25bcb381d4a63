// In a gradient the memory of a resource of std::pmr is the heap's, which must
// not come to code that gives it back to the resource. Forward mode asks the
// resource.
// RUN: not %retro-clang++ -O2 -std=c++17 -DKIND=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -std=c++17 -DKIND=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -std=c++17 -DKIND=1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -std=c++17 -DKIND=2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -std=c++17 -DKIND=0 -DFORWARD -c %s -o %t.o
// RUN: %retro-clang++ -O2 -std=c++17 -DKIND=3 -c %s -o %t.o
// CHECK: error: the shadow of this memory is not known (it belongs to a memory resource, and code outside of the derivative reaches it)
#include <memory_resource>
#include <vector>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

#if KIND == 0 // the caller's container grows
static void f(const double *x, std::pmr::vector<double> *out) {
  out->push_back(*x * *x);
}
#elif KIND == 1 // a static one
static std::pmr::vector<int> steps;
static void f(const double *x, double *out) {
  steps.push_back(1);
  *out = *x * steps.back();
}
#elif KIND == 2 // what the caller's container has goes back to the resource
static void f(const double *x, std::pmr::vector<double> *out) {
  std::pmr::vector<double>().swap(*out);
}
#else // it is only read, and written to
static void f(const double *x, std::pmr::vector<double> *out) {
  (*out)[0] = *x * (*out)[1];
}
#endif

void request(const double *x, double *dx, void *out, void *dout) {
#ifdef FORWARD
  __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_dup, out, dout);
#else
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, out, dout);
#endif
}
