// What no-alias parameters of an inlined function promise, in each iteration of
// the loop around the call, holds for the passes of the derivative: in each of
// their iterations. In the reverse pass it holds where the primal stores; two
// arrays that are only read may be one, and so may their shadows.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt -retro-post-opt=0 %t.ll | FileCheck %s
// RUN: %retro-opt -retro-post-opt=0 -retro-alias-scopes=0 %t.ll | FileCheck --check-prefix=OFF %s
void __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define internal {} @gradient_twice(
// CHECK: for.body:
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata [[Y:![0-9]+]])
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata [[Z:![0-9]+]])
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata [[X:![0-9]+]])
// CHECK: for.body.i:
// CHECK: load double, {{.*}}!alias.scope [[X]], !noalias [[NOTX:![0-9]+]]
// CHECK: load double, {{.*}}!alias.scope [[Z]], !noalias
// CHECK: store double {{.*}}!alias.scope [[Y]], !noalias
// CHECK: rev.product.exit:
// CHECK-COUNT-6: call void @llvm.experimental.noalias.scope.decl
// CHECK: rev.for.body.i:
// CHECK: load double, ptr [[AT:%.+]], align 8, !tbaa [[DOUBLE:![0-9]+]], !alias.scope [[DY:![0-9]+]], !noalias [[NOTDY:![0-9]+]]
// CHECK-NEXT: store double 0.000000e+00, ptr [[AT]], align 8, !tbaa [[DOUBLE]], !alias.scope [[DY]], !noalias [[NOTDY]]
// CHECK: load double, ptr [[AT:%.+]], align 8, !tbaa [[DOUBLE]], !alias.scope [[DZ:![0-9]+]], !noalias [[NOTDZ:![0-9]+]]
// CHECK: store double {{%.+}}, ptr [[AT]], align 8, !tbaa [[DOUBLE]], !alias.scope [[DZ]], !noalias [[NOTDZ]]
// CHECK: load double, ptr {{%.+}}, align 8, !tbaa [[DOUBLE]], !alias.scope [[DX:![0-9]+]], !noalias [[NOTDX:![0-9]+]]
// CHECK-DAG: [[DY]] = !{[[YWRITTEN:![0-9]+]], [[SHADOW:![0-9]+]]}
// CHECK-DAG: [[DZ]] = !{[[ZREAD:![0-9]+]], [[SHADOW]]}
// CHECK-DAG: [[DX]] = !{[[XREAD:![0-9]+]], [[SHADOW]]}
// CHECK-DAG: [[NOTDZ]] = !{[[XWRITTEN:![0-9]+]], [[YWRITTEN]], [[TAPE:![0-9]+]]}
// CHECK-DAG: [[NOTDX]] = !{[[ZWRITTEN:![0-9]+]], [[YWRITTEN]], [[TAPE]]}
// CHECK-DAG: [[YWRITTEN]] = distinct !{[[YWRITTEN]], [[DOMAIN:![0-9]+]], !"written"}
// CHECK-DAG: [[XWRITTEN]] = distinct !{[[XWRITTEN]], [[DOMAIN]], !"written"}
// CHECK-DAG: [[ZREAD]] = distinct !{[[ZREAD]], [[DOMAIN]], !"read"}
// CHECK-DAG: [[XREAD]] = distinct !{[[XREAD]], [[DOMAIN]], !"read"}
// CHECK-DAG: [[NOTDY]] = !{[[XWRITTEN]], [[XREAD]], [[ZWRITTEN]], [[ZREAD]], [[TAPE]]}
// OFF-LABEL: define internal {} @gradient_twice(
// OFF-NOT: !alias.scope
// OFF-NOT: !noalias
// OFF: ret {}
static void product(long n, const double *restrict x, const double *restrict z,
                    double *restrict y) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * z[i];
}

static void twice(long n, const double *x, const double *z, double *y) {
  for (long r = 0; r < 2; ++r)
    product(n, x + r, z + r, y + r);
}

void gradients(long n, double *x, double *dx, double *z, double *dz, double *y,
               double *dy) {
  __enzyme_autodiff((void *)twice, n, x, dx, z, dz, y, dy);
}
