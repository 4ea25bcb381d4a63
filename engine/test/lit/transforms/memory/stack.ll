; Stack memory: its shadow is cleared where the memory begins. What a called
; function's reverse pass reads lies on the tape instead.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 | FileCheck %s
declare void @__enzyme_autodiff(...)

; CHECK-LABEL: define internal { double, ptr } @augmented_callee(
; CHECK: %tape.mem = phi ptr
; CHECK: [[SHADOW:%tape.mem[0-9]+]] = phi ptr
; CHECK: store ptr [[SHADOW]], ptr {{.*}}, !alias.scope
; CHECK: call void @llvm.memset.p0.i64({{.*}}[[SHADOW]], i8 0, i64 16, i1 false)
; CHECK: [[MEMORY:%tape.mem[0-9]+]] = phi ptr
; CHECK-NOT: alloca [2 x double]
; CHECK: getelementptr double, ptr [[MEMORY]], i64 %1
define double @callee(double %x, i64 %n) {
  %a = alloca [2 x double]
  store double %x, ptr %a
  %p = getelementptr double, ptr %a, i64 %n
  %y = fmul double %x, %x
  store double %y, ptr %p
  %z = load double, ptr %a
  %w = fmul double %z, %z
  ret double %w
}

; CHECK-LABEL: define internal { double } @gradient_f(
; CHECK: %a = alloca [2 x double]
; CHECK: %a.shadow = alloca [2 x double]
; CHECK: call void @llvm.memset.p0.i64({{.*}}%a.shadow, i8 0, i64 16, i1 false)
define double @f(double %x, i64 %n) {
  %a = alloca [2 x double]
  %c = call double @callee(double %x, i64 %n)
  store double %c, ptr %a
  %p = getelementptr double, ptr %a, i64 %n
  %z = load double, ptr %p
  %w = fmul double %z, %x
  ret double %w
}
define void @g(double %x, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret void
}
