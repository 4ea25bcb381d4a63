; Forward mode: tangents beside values, in phis, selects, memory and loops;
; there is no tape.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 | FileCheck %s
declare double @__enzyme_fwddiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-NOT: @__retro_tape
; CHECK-LABEL: define internal { double } @tangent_of_f(ptr %0, i64 %1, double %2, ptr %3, double %4)
; CHECK: loop:
; CHECK: %tan = phi double [ %4, %entry ], [ [[NEXT:%.+]], %loop ]
; CHECK: %s = phi double
; CHECK: %p.shadow = getelementptr inbounds double, ptr %3, i64 %i{{.*}}
; CHECK: %v = load double, ptr %p
; CHECK: [[P:%.+]] = getelementptr i8, ptr %p.shadow, i64 0
; CHECK: [[DV:%.+]] = load double, ptr [[P]]
; CHECK: %t = fmul double %s, %v
; CHECK: fmul double %tan, %v
; CHECK: fmul double [[DV]], %s
; CHECK: store double %t, ptr %p
; CHECK: store double [[NEXT]], ptr
define double @f(ptr %a, i64 %n, double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  store double %t, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}

; CHECK-LABEL: define internal { double } @tangent_of_copied(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}%0, ptr {{.*}}%1, i64 %n8, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}%3, ptr {{.*}}%4, i64 %n8, i1 false)
define double @copied(ptr %a, ptr %b, i64 %n) {
  %n8 = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n8, i1 false)
  %p = getelementptr double, ptr %a, i64 %n
  %v = load double, ptr %p
  ret double %v
}
define void @g(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n, double %x) {
  %1 = call double (...) @__enzyme_fwddiff(ptr @f, ptr %a, ptr %da, i64 %n, double %x, double 1.0)
  %2 = call double (...) @__enzyme_fwddiff(ptr @copied, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}
