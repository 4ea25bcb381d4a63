; Memory that is given back by one call for two objects is given back on each
; way: what the object holds that has an active number says nothing of the other
; one. Not where something is written before it.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 -retro-print-shape 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare ptr @malloc(i64)
declare void @free(ptr)
@enzyme_const = external global i32

; CHECK: class 1
; CHECK-NEXT: +0 number of 8
; CHECK-NEXT: class 2
; CHECK-NEXT: +0 word of 8{{ *$}}
; CHECK: %left of square
; CHECK: call void @free(ptr %numbers)
; CHECK: %right of square
; CHECK: call void @free(ptr %counts)

define double @square(ptr %x, i1 %which) {
entry:
  %numbers = call ptr @malloc(i64 8)
  %counts = call ptr @malloc(i64 8)
  %v = load double, ptr %x, align 8
  store double %v, ptr %numbers, align 8
  store i64 3, ptr %counts, align 8
  %w = load double, ptr %numbers, align 8
  %n = load i64, ptr %counts, align 8
  %f = sitofp i64 %n to double
  %s = fmul double %w, %w
  %r = fmul double %s, %f
  br i1 %which, label %left, label %right
left:
  br label %end
right:
  br label %end
end:
  %old = phi ptr [ %numbers, %left ], [ %counts, %right ]
  call void @free(ptr %old)
  ret double %r
}

define void @request(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @square, ptr %x, ptr %dx, ptr @enzyme_const, i1 true)
  ret void
}
