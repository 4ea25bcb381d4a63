; A call that is not inlined: an augmented function runs the primal and keeps
; what its reverse function reads.
; RUN: %retro-opt %s -retro-inline=0 | FileCheck %s
; RUN: %retro-opt %s -retro-inline=0 -disable-output -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
declare void @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare double @llvm.sin.f64(double)
declare i32 @puts(ptr)
@enzyme_const = external global i32

; PLAN-LABEL: plan for f (root)
; PLAN: cache tape %z : ptr in slot
; PLAN: cache tape %y : ptr in slot
; PLAN-LABEL: plan for wave
; PLAN-NEXT: cache value %x : double in frame
; PLAN-NEXT: reverse
; PLAN-LABEL: plan for report
; PLAN-NEXT: no reverse pass

; CHECK-LABEL: define internal { double, ptr } @augmented_wave(ptr %0, double %1, ptr %2, ptr %3)
; CHECK: %x = load double, ptr %0
; CHECK: store double %x, ptr %tape.mem
; CHECK: %s = tail call double @llvm.sin.f64(double %p)
; CHECK: store double %s, ptr %0
; CHECK: insertvalue { double, ptr } poison, double %s, 0
; CHECK: insertvalue { double, ptr } %{{.+}}, ptr %tape.mem, 1

; The reverse function: primal and shadow arguments, adjoint of the result,
; tape; it returns the adjoint of k.
; CHECK-LABEL: define internal { double } @reverse_wave(ptr %0, double %1, ptr %2, double %3, ptr %4)
; CHECK: [[OLD:%.+]] = load double, ptr %2
; CHECK-NEXT: fadd reassoc nsz double [[OLD]], %3
; CHECK: [[X:%.+]] = load double, ptr %4
; CHECK: [[P:%.+]] = fmul double %1, [[X]]
; CHECK: call double @llvm.cos.f64(double [[P]])
; CHECK: store double {{%.+}}, ptr %2
; CHECK: ret { double }
define double @wave(ptr %a, double %k) {
  %x = load double, ptr %a
  %p = fmul double %x, %k
  %s = call double @llvm.sin.f64(double %p)
  store double %s, ptr %a
  ret double %s
}

; What has nothing to derive is called as it is, and both calls of a function
; enter the same derivative.
; CHECK-LABEL: define internal { double } @gradient_f(
; CHECK: [[FIRST:%.+]] = call { double, ptr } @augmented_wave(ptr %0, double %1, ptr %{{.+}}, ptr nonnull %tape)
; CHECK: [[Y:%.+]] = extractvalue { double, ptr } [[FIRST]], 0
; CHECK: [[TAPE1:%.+]] = extractvalue { double, ptr } [[FIRST]], 1
; CHECK: call void @report(ptr %2)
; CHECK: [[SECOND:%.+]] = call { double, ptr } @augmented_wave(ptr %0, double [[Y]],
; CHECK: [[TAPE2:%.+]] = extractvalue { double, ptr } [[SECOND]], 1
; CHECK: call { double } @reverse_wave(ptr {{.*}}, double [[Y]], ptr %{{.+}}, double 1.000000e+00, ptr [[TAPE2]])
; CHECK: [[G:%.+]] = extractvalue
; CHECK: call { double } @reverse_wave(ptr {{.*}}, double %1, ptr %{{.+}}, double [[G]], ptr [[TAPE1]])
; CHECK: call void @__retro_tape_release
define double @f(ptr %a, double %k, ptr %text) {
  %y = call double @wave(ptr %a, double %k)
  call void @report(ptr %text)
  %z = call double @wave(ptr %a, double %y)
  ret double %z
}
define void @report(ptr %text) {
  %n = call i32 @puts(ptr %text)
  ret void
}

; Forward mode: one function, the tangent of each result beside it.
; CHECK-LABEL: define internal { double, double } @tangent_wave(
; CHECK-SAME: ptr %0, double %1, ptr %2, double %3)
; CHECK-LABEL: define internal { double } @tangent_of_f(
; CHECK: [[R:%.+]] = tail call { double, double } @tangent_wave(ptr %0, double %1, ptr %3, double %4)
; CHECK-DAG: extractvalue { double, double } [[R]], 0
; CHECK-DAG: extractvalue { double, double } [[R]], 1

define void @g(ptr %a, ptr %da, double %x, ptr %text) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, double %x, ptr @enzyme_const, ptr %text)
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %a, ptr %da, double %x, double 1.0, ptr @enzyme_const, ptr %text)
  ret void
}
