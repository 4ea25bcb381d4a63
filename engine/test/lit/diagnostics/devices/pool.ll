; What does not tell the size of its tape before it runs; a pool where there are
; no threads. What cannot lie in a pool comes from malloc, and a remark says so.
; RUN: split-file %s %t
; RUN: %retro-opt -retro-inline=0 -pass-remarks-missed=retro -disable-output %t/arrays.ll 2>&1 | FileCheck %s --check-prefix=CHECK-ARRAYS
; RUN: not %retro-opt %t/size.ll 2>&1 | FileCheck %s --check-prefix=CHECK-SIZE
; RUN: not %retro-opt %t/host.ll 2>&1 | FileCheck %s --check-prefix=CHECK-HOST
; RUN: not %retro-opt %t/operands.ll 2>&1 | FileCheck %s --check-prefix=CHECK-OPERANDS
; RUN: %retro-opt %t/own.ll 2>&1 | FileCheck %s --check-prefix=CHECK-OWN

; CHECK-ARRAYS: remark: {{.*}}the tape of 'f' comes from the device's malloc: 'inner', which is called, has arrays of its own
;--- arrays.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
@enzyme_pool = external global i32
define internal double @inner(double %x, i32 %i, i32 %j) noinline {
  %a = alloca [4 x double]
  %p = getelementptr double, ptr %a, i32 %i
  store double %x, ptr %p
  %q = getelementptr double, ptr %a, i32 %j
  %v = load double, ptr %q
  %w = fmul double %v, %x
  store double %w, ptr %p
  %u = load double, ptr %q
  ret double %u
}
define double @f(double %x, i32 %i, i32 %j) {
  %r = call double @inner(double %x, i32 %i, i32 %j)
  %s = fmul double %r, %r
  ret double %s
}
define ptx_kernel void @k(ptr %dx, double %x, i32 %i, i32 %j, ptr %pool, i64 %bytes) {
  %m = load i32, ptr @enzyme_pool
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, ptr %pool, i64 %bytes, double %x, i32 %i, i32 %j)
  store double %d, ptr %dx
  ret void
}

; CHECK-SIZE: error: {{.*}}how long the tape of 'f' will be is not known before it runs: it depends on memory that threads of the kernel may write [retro-pool-size]
;--- size.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i64 @__enzyme_poolsize(...)
declare double @__nv_exp(double)
@enzyme_const = external global i32
define void @f(ptr noalias %x, ptr noalias %count) {
entry:
  %n = load i32, ptr %count
  store i32 0, ptr %count
  %a = load double, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %a, %entry ], [ %e, %loop ]
  %e = call double @__nv_exp(double %v)
  %next = add nuw i32 %i, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %e, ptr %x
  ret void
}
define ptx_kernel void @size(ptr %x, ptr %dx, ptr %count, ptr %bytes) {
  %c = load i32, ptr @enzyme_const
  %b = call i64 (...) @__enzyme_poolsize(ptr @f, ptr %x, ptr %dx, i32 %c, ptr %count)
  store i64 %b, ptr %bytes
  ret void
}

; CHECK-HOST: error: {{.*}}enzyme_pool other than in __enzyme_autodiff in device code is not supported yet [retro-unsupported-mode]
;--- host.ll
declare double @__enzyme_autodiff(...)
@enzyme_pool = external global i32
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @k(double %x, ptr %pool, i64 %bytes) {
  %m = load i32, ptr @enzyme_pool
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, ptr %pool, i64 %bytes, double %x)
  ret double %d
}

; CHECK-OPERANDS: error: {{.*}}argument of enzyme_pool given for 'f' does not have the parameter's type [retro-bad-argument-type]
;--- operands.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
@enzyme_pool = external global i32
define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define ptx_kernel void @k(ptr %dx, double %x, ptr %pool) {
  %m = load i32, ptr @enzyme_pool
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %m, ptr %pool, double %x)
  store double %d, ptr %dx
  ret void
}

; Who asks for the size of a tape has no shadows yet, and nothing is written.
; CHECK-OWN-NOT: warning
; CHECK-OWN: define {{.*}}@sizes
;--- own.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i64 @__enzyme_poolsize(...)
declare double @__nv_exp(double)
@enzyme_dup = external global i32
define void @g(ptr %x) {
  %a = load double, ptr %x
  %b = call double @__nv_exp(double %a)
  store double %b, ptr %x
  ret void
}
define i64 @sizes(ptr %x) {
  %d = load i32, ptr @enzyme_dup
  %n = call i64 (...) @__enzyme_poolsize(ptr @g, i32 %d, ptr %x, ptr %x)
  ret i64 %n
}
