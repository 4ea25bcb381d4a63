// The values that applied stand in the module and in the program: of every
// switch of base/toggles.def.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - | FileCheck -D"ALL=%all-toggles" --check-prefix=DEFAULT %s
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-preopt=0 | FileCheck --check-prefix=PREOPT %s
// RUN: %retro-clang -O0 -S -emit-llvm %s -o - -mllvm -retro-min-cut=0 -mllvm -retro-alias-scopes=0 | FileCheck --check-prefix=TWO %s
// RUN: %retro-clang -O2 %s -o %t -mllvm -retro-tape-merge=0 -mllvm -retro-stencil=0 && %t | FileCheck --check-prefix=SAID %s
// DEFAULT: @__retro_applied_toggles = {{.*}}c"[[ALL]]\00"
// PREOPT: @__retro_applied_toggles = {{.*}}c"preopt=0{{( [a-z-]+=1)+}}\00"
// TWO: @__retro_applied_toggles = {{.*}}c"preopt=1{{( [a-z-]+=1)+}} min-cut=0{{( [a-z-]+=1)+}} alias-scopes=0\00"
// SAID: {{^}}preopt=1{{( [a-z-]+=1)+}} stencil=0{{( [a-z-]+=1)+}} tape-merge=0{{( [a-z-]+=1)+$}}
double __enzyme_autodiff(void *, ...);
int puts(const char *);
extern const char __retro_applied_toggles[];
static double square(double x) { return x * x; }
int main(void) {
  puts(__retro_applied_toggles);
  return __enzyme_autodiff((void *)square, 2.0) != 4;
}
