; Of an array whose size the launch gives there is a shadow if the request says
; how many bytes it has, and if what is differentiated does not see them.
; RUN: split-file %s %t
; RUN: not %retro-opt %t/unsaid.ll 2>&1 | FileCheck %s --check-prefix=CHECK-UNSAID
; RUN: not %retro-opt %t/twice.ll 2>&1 | FileCheck %s --check-prefix=CHECK-TWICE
; RUN: not %retro-opt %t/twice-amd.ll 2>&1 | FileCheck %s --check-prefix=CHECK-TWICE
; RUN: not %retro-opt %t/host.ll 2>&1 | FileCheck %s --check-prefix=CHECK-HOST
; RUN: not %retro-opt %t/operands.ll 2>&1 | FileCheck %s --check-prefix=CHECK-OPERANDS
; RUN: not %retro-opt %t/wrong.ll 2>&1 | FileCheck %s --check-prefix=CHECK-WRONG

; CHECK-UNSAID: error: dynamic.cu:5:7: there is no place for a shadow of the shared array 'Dyn', whose size the launch gives: the request does not say how many bytes of it there are [retro-dynamic-shared]; to fix it: launch with twice the bytes and say how many of them the primal takes, enzyme_shared_bytes, n

;--- unsaid.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@Dyn = external addrspace(3) global [0 x double], align 8
declare double @__enzyme_autodiff(...)
define double @f(ptr %x, i64 %i, i64 %j) !dbg !5 {
  %v = load double, ptr %x
  %p = getelementptr double, ptr addrspacecast (ptr addrspace(3) @Dyn to ptr), i64 %i
  store double %v, ptr %p, !dbg !6
  %q = getelementptr double, ptr addrspacecast (ptr addrspace(3) @Dyn to ptr), i64 %j
  %w = load double, ptr %q
  %r = fmul double %w, %v
  ret double %r
}
define ptx_kernel void @k(ptr %x, ptr %dx, i64 %i, i64 %j) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %i, i64 %j)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "dynamic.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 5, column: 7, scope: !5)

; What a derivative has done is differentiated again.
; CHECK-TWICE: error: {{.*}}there is no place for a shadow of the shared array 'Dyn', whose size the launch gives: the differentiated code itself asks for its size, as a derivative does [retro-dynamic-shared]
;--- twice.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@Dyn = external addrspace(3) global [0 x double], align 8
@enzyme_shared_bytes = external global i32
declare double @__enzyme_autodiff(...)
define double @f(double %v, i64 %i, i64 %j) {
  %p = getelementptr double, ptr addrspace(3) @Dyn, i64 %i
  store double %v, ptr addrspace(3) %p
  %q = getelementptr double, ptr addrspace(3) @Dyn, i64 %j
  %w = load double, ptr addrspace(3) %q
  %r = fmul double %w, %v
  ret double %r
}
define double @g(double %v, i64 %i, i64 %j) {
  %m = load i32, ptr @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, i64 64, double %v, i64 %i, i64 %j)
  ret double %d
}
define ptx_kernel void @k(ptr %dx, double %v, i64 %i, i64 %j) {
  %m = load i32, ptr @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @g, i32 %m, i64 128, double %v, i64 %i, i64 %j)
  store double %d, ptr %dx
  ret void
}

;--- twice-amd.ll
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
@Dyn = external addrspace(3) global [0 x double], align 8
@enzyme_shared_bytes = external addrspace(1) global i32
declare double @__enzyme_autodiff(...)
define double @f(double %v, i64 %i, i64 %j) {
  %p = getelementptr double, ptr addrspace(3) @Dyn, i64 %i
  store double %v, ptr addrspace(3) %p
  %q = getelementptr double, ptr addrspace(3) @Dyn, i64 %j
  %w = load double, ptr addrspace(3) %q
  %r = fmul double %w, %v
  ret double %r
}
define double @g(double %v, i64 %i, i64 %j) {
  %m = load i32, ptr addrspace(1) @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, i64 64, double %v, i64 %i, i64 %j)
  ret double %d
}
define amdgpu_kernel void @k(ptr addrspace(1) %dx, double %v, i64 %i, i64 %j) {
  %m = load i32, ptr addrspace(1) @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @g, i32 %m, i64 128, double %v, i64 %i, i64 %j)
  store double %d, ptr addrspace(1) %dx
  ret void
}

; CHECK-HOST: error: {{.*}}enzyme_shared_bytes other than in device code is not supported yet [retro-unsupported-mode]
;--- host.ll
declare double @__enzyme_autodiff(...)
@enzyme_shared_bytes = external global i32
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @d(double %x) {
  %m = load i32, ptr @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, i64 8, double %x)
  ret double %d
}

; CHECK-OPERANDS: error: {{.*}}the bytes of shared memory follow enzyme_shared_bytes
;--- operands.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
@enzyme_shared_bytes = external global i32
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define ptx_kernel void @none(double %x) {
  %m = load i32, ptr @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m)
  ret void
}

; CHECK-WRONG: error: {{.*}}of enzyme_shared_bytes
;--- wrong.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
@enzyme_shared_bytes = external global i32
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define ptx_kernel void @wrong(double %x) {
  %m = load i32, ptr @enzyme_shared_bytes
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, double %x, double %x)
  ret void
}
