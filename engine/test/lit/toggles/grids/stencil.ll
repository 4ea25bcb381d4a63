; stencil: a loop is split where an index starts to clamp, and what iterations
; add to neighbours is carried in registers.
; RUN: %retro-opt %s -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-stencil=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %retro-opt %s -retro-print-counters -retro-preopt=0 2>&1 | FileCheck --check-prefix=RAW %s
; RUN: %retro-opt %s -retro-print-counters -retro-post-opt=0 2>&1 | FileCheck --check-prefix=EMITTED %s
; ON: retro-counter stencil 2
; OFF: retro-counter stencil 0
; One is split in the prepared primal, the other carried in the simplified gradient.
; RAW: retro-counter stencil 1
; EMITTED: retro-counter stencil 1
declare void @__enzyme_autodiff(...)
declare i64 @llvm.smin.i64(i64, i64)

; w[i] = (u[i - 1] + u[i + 1]) / 2 + u[i]: each place of du is read and written
; once, with the sum of three iterations. The two sums under way after the last
; iteration are added behind the loop.
; ON-LABEL: define internal {} @gradient_inside(
; ON: rev.loop:
; ON-DAG: [[TWO:%carried.*]] = phi double [ 0.000000e+00, %{{.+}} ], [ [[NEXT2:%.+]], %rev.loop ]
; ON-DAG: [[ONE:%carried.*]] = phi double [ 0.000000e+00, %{{.+}} ], [ [[NEXT1:%.+]], %rev.loop ]
; ON: [[SEED:%.+]] = load double, ptr
; ON-NEXT: store double 0.000000e+00, ptr
; ON-NOT: load
; ON: [[NEXT2]] = fadd reassoc nsz double [[ONE]],
; ON: [[SUM:%.+]] = fadd reassoc nsz double [[TWO]],
; ON: [[OLD:%.+]] = load double, ptr [[TO:%.+]], align
; ON-NEXT: [[NEW:%.+]] = fadd reassoc nsz double [[OLD]], [[SUM]]
; ON-NEXT: store double [[NEW]], ptr [[TO]]
; ON-NEXT: br i1 {{%.+}}, label %[[AFTER:.+]], label %rev.loop
; ON: [[AFTER]]:
; ON: fadd reassoc nsz double {{%.+}}, [[NEXT1]]
; ON-NEXT: store double
; ON: fadd reassoc nsz double {{%.+}}, [[NEXT2]]
; ON-NEXT: store double
; ON-NEXT: br
; OFF-LABEL: define internal {} @gradient_inside(
; OFF-NOT: carried
; OFF: rev.loop:
; OFF-COUNT-4: store double
; OFF: br i1
; OFF-NOT: carried
; OFF: ret
define void @inside(ptr noalias %u, ptr noalias %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %here = getelementptr inbounds double, ptr %u, i64 %i
  %left = getelementptr inbounds i8, ptr %here, i64 -8
  %right = getelementptr inbounds i8, ptr %here, i64 8
  %a = load double, ptr %left
  %b = load double, ptr %right
  %c = load double, ptr %here
  %s = fadd double %a, %b
  %t = fmul double %s, 0.5
  %v = fadd double %t, %c
  %to = getelementptr inbounds double, ptr %w, i64 %i
  store double %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The same where w may be u: nothing is carried.
; ON-LABEL: define internal {} @gradient_overlapping(
; ON-NOT: carried
; ON: ret {}
define void @overlapping(ptr %u, ptr %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %here = getelementptr inbounds double, ptr %u, i64 %i
  %left = getelementptr inbounds i8, ptr %here, i64 -8
  %right = getelementptr inbounds i8, ptr %here, i64 8
  %a = load double, ptr %left
  %b = load double, ptr %right
  %c = load double, ptr %here
  %s = fadd double %a, %b
  %t = fmul double %s, 0.5
  %v = fadd double %t, %c
  %to = getelementptr inbounds double, ptr %w, i64 %i
  store double %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; w[i] = u[min(i + 1, m)]^2: the loop runs up to the clamp, then the rest.
; ON-LABEL: define internal {} @gradient_clamped(
; ON: call i64 @llvm.umin.i64(
; ON: rev.loop.rest:
; ON: call {{.*}}i64 @llvm.smin.i64(
; ON: rev.loop:
; ON-NOT: smin
; ON: br i1
; OFF-LABEL: define internal {} @gradient_clamped(
; OFF-NOT: rest
; OFF: rev.loop:
; OFF: call {{.*}}i64 @llvm.smin.i64(
; OFF: br i1
; OFF-NOT: smin
; OFF: ret
define void @clamped(ptr noalias %u, ptr noalias %w, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %clamp = call i64 @llvm.smin.i64(i64 %next, i64 %m)
  %from = getelementptr inbounds double, ptr %u, i64 %clamp
  %x = load double, ptr %from
  %to = getelementptr inbounds double, ptr %w, i64 %i
  %y = fmul double %x, %x
  store double %y, ptr %to
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

define void @g(ptr %u, ptr %du, ptr %w, ptr %dw, i64 %n, i64 %m) {
  call void (...) @__enzyme_autodiff(ptr @inside, ptr %u, ptr %du, ptr %w, ptr %dw, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @overlapping, ptr %u, ptr %du, ptr %w, ptr %dw, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @clamped, ptr %u, ptr %du, ptr %w, ptr %dw, i64 %n, i64 %m)
  ret void
}
