// A plan of FFTW from outside: where its arrays are is not known, unless the
// program names them.
// RUN: not %retro-clang %s -O2 -S -emit-llvm -o - 2>&1 | FileCheck %s
// RUN: %retro-clang %s -O2 -DNAMED -S -emit-llvm -o - | FileCheck %s --check-prefix=NAMED
struct fftw_plan_s;
void fftw_execute(const struct fftw_plan_s *p);
void fftw_execute_dft(const struct fftw_plan_s *p, double (*in)[2],
                      double (*out)[2]);
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

// CHECK: error: 'fftw_execute' runs a plan that may be made outside
// CHECK-SAME: [retro-plan-of-others]
// NAMED: call ptr @__retro_fftw_arrays_forward
void f(double (*in)[2], double (*out)[2], struct fftw_plan_s *p) {
#ifdef NAMED
  fftw_execute_dft(p, in, out);
#else
  fftw_execute(p);
#endif
}
void df(double (*in)[2], double (*din)[2], double (*out)[2], double (*dout)[2],
        struct fftw_plan_s *p) {
  __enzyme_autodiff((void *)f, enzyme_dup, in, din, enzyme_dup, out, dout,
                    enzyme_const, p);
}
