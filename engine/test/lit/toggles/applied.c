// The values that applied stand in the module and in the program.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=DEFAULT %s
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-preopt=0 | FileCheck --check-prefix=PREOPT %s
// RUN: %retro-clang -O0 -S -emit-llvm %s -o - -mllvm -retro-min-cut=0 -mllvm -retro-alias-scopes=0 | FileCheck --check-prefix=TWO %s
// RUN: %retro-clang -O2 %s -o %t -mllvm -retro-tape-merge=0 -mllvm -retro-stencil=0 && %t | FileCheck --check-prefix=SAID %s
// DEFAULT: @__retro_applied_toggles = {{.*}}c"preopt=1 inline=1 unroll=1 contract=1 gather=1 preaccumulate=1 loop-checkpoints=1 min-cut=1 recompute-cost=1 branch-choice=1 fusion=1 combine=1 inversion=1 loop-order=1 updates=1 late-stores=1 neighbours=1 stencil=1 argument-ranges=1 strips=1 strip-parts=1 strip-ranges=1 scatters=1 sparse=1 omp-hoist=1 race-proofs=1 race-smt=1 warp-sums=1 fast-atomics=1 omp-combine=1 tape-merge=1 tape-records=1 tape-stack=1 tape-reuse=1 tape-pool=1 tape-inline=1 cache-licm=1 post-opt=1 near-use=1 alias-scopes=1\00"
// PREOPT: @__retro_applied_toggles = {{.*}}c"preopt=0 inline=1 unroll=1 contract=1 gather=1 preaccumulate=1 loop-checkpoints=1 min-cut=1 recompute-cost=1 branch-choice=1 fusion=1 combine=1 inversion=1 loop-order=1 updates=1 late-stores=1 neighbours=1 stencil=1 argument-ranges=1 strips=1 strip-parts=1 strip-ranges=1 scatters=1 sparse=1 omp-hoist=1 race-proofs=1 race-smt=1 warp-sums=1 fast-atomics=1 omp-combine=1 tape-merge=1 tape-records=1 tape-stack=1 tape-reuse=1 tape-pool=1 tape-inline=1 cache-licm=1 post-opt=1 near-use=1 alias-scopes=1\00"
// TWO: @__retro_applied_toggles = {{.*}}c"preopt=1 inline=1 unroll=1 contract=1 gather=1 preaccumulate=1 loop-checkpoints=1 min-cut=0 recompute-cost=1 branch-choice=1 fusion=1 combine=1 inversion=1 loop-order=1 updates=1 late-stores=1 neighbours=1 stencil=1 argument-ranges=1 strips=1 strip-parts=1 strip-ranges=1 scatters=1 sparse=1 omp-hoist=1 race-proofs=1 race-smt=1 warp-sums=1 fast-atomics=1 omp-combine=1 tape-merge=1 tape-records=1 tape-stack=1 tape-reuse=1 tape-pool=1 tape-inline=1 cache-licm=1 post-opt=1 near-use=1 alias-scopes=0\00"
// SAID: preopt=1 inline=1 unroll=1 contract=1 gather=1 preaccumulate=1 loop-checkpoints=1 min-cut=1 recompute-cost=1 branch-choice=1 fusion=1 combine=1 inversion=1 loop-order=1 updates=1 late-stores=1 neighbours=1 stencil=0 argument-ranges=1 strips=1 strip-parts=1 strip-ranges=1 scatters=1 sparse=1 omp-hoist=1 race-proofs=1 race-smt=1 warp-sums=1 fast-atomics=1 omp-combine=1 tape-merge=0 tape-records=1 tape-stack=1 tape-reuse=1 tape-pool=1 tape-inline=1 cache-licm=1 post-opt=1 near-use=1 alias-scopes=1
double __enzyme_autodiff(void *, ...);
int puts(const char *);
extern const char __retro_applied_toggles[];
static double square(double x) { return x * x; }
int main(void) {
  puts(__retro_applied_toggles);
  return __enzyme_autodiff((void *)square, 2.0) != 4;
}
