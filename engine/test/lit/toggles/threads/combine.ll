; combine: a called function whose forward pass has no effect runs when the
; reverse pass comes to it, with no tape between; without it, there is one.
; RUN: %retro-opt %s -retro-inline=0 -retro-loop-order=0 -disable-output -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-inline=0 -retro-loop-order=0 -disable-output -retro-print-plan -retro-print-counters -retro-combine=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %retro-opt %s -retro-inline=0 -retro-loop-order=0 -retro-post-opt=0 | FileCheck --check-prefix=CODE %s
declare void @__enzyme_autodiff(...)
declare double @sin(double)
declare void @note()
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32
@enzyme_const = external global i32

; The recursion and what calls it: nothing of either is cached, and nothing is
; called in the forward pass.
; ON-LABEL: plan for recursion (root)
; ON-NOT: cache
; ON-LABEL: plan for product (combined)
; ON-NOT: give
; ON: cache value %w : double in slot
; ON-NOT: frame
; ON-LABEL: plan for readTooLate (root)
; OFF-LABEL: plan for recursion (root)
; OFF: cache tape
; OFF-LABEL: plan for product
; OFF: cache value %w : double in frame
; CODE-LABEL: define internal {} @combined_product(
; CODE: call double @sin
; CODE: call {} @combined_product(
; CODE-LABEL: define internal {} @gradient_recursion(
; CODE-NOT: @augmented_
; CODE: call {} @combined_product(
; CODE: ret {}
define void @recursion(ptr noalias %x, ptr noalias %c, i64 %n) {
  call void @product(ptr %x, ptr %c, i64 %n)
  ret void
}
define internal void @product(ptr noalias %x, ptr noalias %c, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %out, label %more
more:
  %v = load double, ptr %c
  %w = call double @sin(double %v)
  %old = load double, ptr %x
  %new = fmul double %old, %w
  store double %new, ptr %x
  %less = sub i64 %n, 1
  call void @product(ptr %x, ptr %c, i64 %less)
  br label %out
out:
  ret void
}

; What it reads is changed before the reverse pass.
; ON-NEXT: cache
; ON-LABEL: plan for addSine
; ON-NOT: (combined)
; ON-LABEL: plan for seen (root)
define void @readTooLate(ptr noalias %x, ptr noalias %c) {
  call void @addSine(ptr %x, ptr %c)
  store double 1.0, ptr %c
  ret void
}
define internal void @addSine(ptr noalias %x, ptr noalias %c) {
  %v = load double, ptr %c
  %s = call double @sin(double %v)
  %old = load double, ptr %x
  %new = fadd double %old, %s
  store double %new, ptr %x
  ret void
}

; An unknown function is called: once, and at its time.
; ON-LABEL: plan for double
; ON-NOT: (combined)
; ON-LABEL: plan for shared (root)
define void @seen(ptr noalias %x, ptr noalias %c) {
  call void @double(ptr %x)
  ret void
}
define internal void @double(ptr noalias %x) {
  call void @note()
  %old = load double, ptr %x
  %new = fmul double %old, 2.0
  store double %new, ptr %x
  ret void
}

; One caller has its forward pass for itself, and its callee with it: the
; place of the second result is read.
; ON: cache tape
; ON-LABEL: plan for squareBoth
; ON-NOT: (combined)
; ON-LABEL: plan for scale
; ON-NOT: (combined)
define void @shared(ptr noalias %x, ptr noalias %y, ptr noalias %z) {
  call void @squareBoth(ptr %x, ptr %y)
  %v = load double, ptr %y
  store double %v, ptr %z
  ret void
}
define internal void @squareBoth(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %y
  %w = fmul double %v, %v
  store double %w, ptr %y
  call void @scale(ptr %x)
  ret void
}
define internal void @scale(ptr noalias %x) {
  %old = load double, ptr %x
  %new = fmul double %old, 3.0
  store double %new, ptr %x
  ret void
}

; What a call has put on the tape is free again when it returns, if its chunk
; is still that of the beginning.
; ON-LABEL: plan for logistic (combined)
; ON-NEXT: give the tape back
; ON: cache value %w : double in indexed of loop %loop
; CODE-LABEL: define internal {} @combined_logistic(
; CODE: [[TOP:%.+]] = load ptr, ptr
; CODE: [[BACK:%.+]] = select i1 {{%.+}}, ptr [[TOP]], ptr {{%.+}}
; CODE-NEXT: store ptr [[BACK]], ptr
; CODE-NEXT: ret {}
define void @steps(ptr noalias %x, ptr noalias %c, i64 %n) {
  call void @logistic(ptr %x, ptr %c, i64 %n)
  ret void
}
define internal void @logistic(ptr noalias %x, ptr noalias %c, i64 %n) {
entry:
  %first = load double, ptr %c
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = phi double [ %first, %entry ], [ %new, %loop ]
  %rest = fsub double 1.0, %w
  %new = fmul double %w, %rest
  %p = getelementptr double, ptr %x, i64 %i
  %old = load double, ptr %p
  %product = fmul double %old, %w
  store double %product, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %out, label %loop
out:
  ret void
}
; ON: retro-counter combine 2
; OFF: retro-counter combine 0

define void @user(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr %f, i64 %n) {
  %noneed = load i32, ptr @enzyme_dupnoneed
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @recursion, i32 %noneed, ptr %a, ptr %b, i32 %const, ptr %c, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @readTooLate, i32 %noneed, ptr %a, ptr %b, i32 %dup, ptr %c, ptr %d)
  call void (...) @__enzyme_autodiff(ptr @seen, i32 %noneed, ptr %a, ptr %b, i32 %dup, ptr %c, ptr %d)
  call void (...) @__enzyme_autodiff(ptr @shared, i32 %noneed, ptr %a, ptr %b, i32 %dup, ptr %c, ptr %d, i32 %dup, ptr %e, ptr %f)
  call void (...) @__enzyme_autodiff(ptr @steps, i32 %noneed, ptr %a, ptr %b, i32 %const, ptr %c, i64 %n)
  ret void
}
