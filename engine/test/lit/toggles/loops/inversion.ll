; inversion: what a loop carries is found again backwards from its last value
; where undoing the step is exact; without it, it is on the tape. Steps that
; lose something are never undone.
; RUN: %retro-opt %s -retro-loop-checkpoints=0 -disable-output -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-loop-checkpoints=0 -disable-output -retro-print-plan -retro-print-counters -retro-inversion=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %retro-opt %s -retro-loop-checkpoints=0 -S -retro-post-opt=0 2>&1 | FileCheck --check-prefix=CODE %s
; ON-LABEL: plan for exact (root)
; ON-NOT: cache {{value|shadow}} %{{[abps]}} :
; ON: cache last %b : i64 in slot
; ON: cache last %a : i64 in slot
; ON: cache last %s : i64 in slot
; ON-NOT: cache {{value|shadow}} %{{[abps]}} :
; ON: backwards: value %a from %b
; ON-NEXT: backwards: value %b from %a less xor
; ON-NEXT: backwards: value %s from %s less add less mul
; OFF-LABEL: plan for exact (root)
; OFF: cache shadow %p : ptr in indexed of loop %loop
; OFF-NOT: backwards

; What loses something: an even factor, a rounded sum, bits shifted out, a
; number that the iteration itself decides, one that is added to itself.
; ON-LABEL: plan for even (root)
; ON: cache value %s : i64 in indexed of loop %loop
; ON-NOT: backwards
; ON-LABEL: plan for rounded (root)
; ON: cache value %s : double in indexed of loop %loop
; ON-NOT: backwards
; ON-LABEL: plan for shifted (root)
; ON: cache value %s : i64 in indexed of loop %loop
; ON-NOT: backwards
; ON-LABEL: plan for folded (root)
; ON: cache value %s : i64 in indexed of loop %loop
; ON-NOT: backwards
; ON-LABEL: plan for doubled (root)
; ON: cache value %s : i64 in indexed of loop %loop
; ON-NOT: backwards
; ON: retro-counter inversion 3
; OFF: retro-counter inversion 0

; The inverse of 6364136223846793005 modulo 2^64.
; CODE-LABEL: define internal {} @gradient_exact(
; CODE: rev.loop:
; CODE: [[LESS:%.+]] = sub i64 %{{.+}}, 1442695040888963407
; CODE: mul i64 [[LESS]], -4568919932995229531
; CODE: ret {}
declare void @__enzyme_autodiff(...)
declare double @sin(double)

define double @exact(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 42, %entry ], [ %more, %loop ]
  %a = phi i64 [ 1, %entry ], [ %turned, %loop ]
  %b = phi i64 [ 2, %entry ], [ %a, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %top = lshr i64 %s, 60
  %sum = add i64 %top, %a
  %p = getelementptr inbounds double, ptr %x, i64 %sum
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %z = call double @sin(double %w)
  %times = mul i64 %s, 6364136223846793005
  %more = add i64 %times, 1442695040888963407
  %turned = xor i64 %b, 5
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define double @even(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 3, %entry ], [ %t, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %s
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %z = call double @sin(double %w)
  %t = mul i64 %s, 6
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define double @rounded(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %u = fmul double %w, %s
  %z = call double @sin(double %u)
  %t = fadd double %s, 0.1
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define double @shifted(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 3, %entry ], [ %t, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %s
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %z = call double @sin(double %w)
  %t = lshr i64 %s, 1
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define double @folded(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 123456789, %entry ], [ %t, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %s
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %z = call double @sin(double %w)
  %f = lshr i64 %s, 7
  %t = xor i64 %s, %f
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define double @doubled(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 3, %entry ], [ %t, %loop ]
  %y = phi double [ 0.5, %entry ], [ %z, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %s
  %v = load double, ptr %p
  %w = fmul double %v, %y
  %z = call double @sin(double %w)
  %t = add i64 %s, %s
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %z
}

define void @request(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @exact, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @even, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @rounded, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @shifted, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @folded, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @doubled, ptr %x, ptr %dx, i64 %n)
  ret void
}
