// The code of a derivative stands at the lines of the primal, inlined into the
// derivative; the primal's variables are none of its own. It is the same code
// as without line numbers.
// RUN: %retro-clang -O1 -g -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %retro-clang -O1 -gline-tables-only -c %s -o %t.o
// RUN: llvm-dwarfdump-22 --verify %t.o | FileCheck %s --check-prefix=VALID
// RUN: %retro-clang -O1 -c %s -o %t.none.o
// RUN: llvm-objdump-22 -d --no-show-raw-insn %t.o | tail -n +4 > %t.lines
// RUN: llvm-objdump-22 -d --no-show-raw-insn %t.none.o | tail -n +4 > %t.none
// RUN: diff %t.lines %t.none
// VALID: No errors
double __enzyme_autodiff(void *, ...);
double sin(double), cos(double);

static double wave(const double *x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += sin(x[i]) * s;
  return s;
}

// CHECK: define internal {{.*}}@gradient_wave({{.*}} !dbg ![[OWN:[0-9]+]]
// CHECK-NOT: #dbg_value
// CHECK: call double @sin({{.*}} !dbg ![[SIN:[0-9]+]]
// CHECK: call double @llvm.cos.f64({{.*}} !dbg ![[COS:[0-9]+]]
// CHECK: {{^}$}}
// CHECK-DAG: ![[OWN]] = distinct !DISubprogram(name: "gradient_wave", {{.*}}flags: DIFlagArtificial
// CHECK-DAG: ![[AT:[0-9]+]] = distinct !DILocation(line: 16, {{.*}}scope: ![[OWN]])
// CHECK-DAG: ![[SIN]] = !DILocation(line: 19, {{.*}}inlinedAt: ![[AT]])
// CHECK-DAG: ![[COS]] = !DILocation(line: 19, {{.*}}inlinedAt: ![[BACK:[0-9]+]])
// CHECK-DAG: ![[BACK]] = distinct !DILocation(line: 16, {{.*}}scope: ![[OWN]])
void gradient(const double *x, double *dx, long n) {
  __enzyme_autodiff((void *)wave, x, dx, n);
}
