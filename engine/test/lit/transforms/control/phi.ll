; The reverse pass goes the way that the forward pass came: by the condition
; where a branch decides, and then the phi's adjoint to that way's value.
; RUN: %retro-opt %s -retro-post-opt=0 -retro-print-plan 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(...)
declare i32 @puts(ptr)
@enzyme_const = external global i32

define double @f(ptr %p, ptr %text, i1 %c) {
entry:
  %x = load double, ptr %p
  br i1 %c, label %then, label %else
then:
  %a = fmul double %x, 3.0
  %t = call i32 @puts(ptr %text)
  br label %end
else:
  %b = fmul double %x, 5.0
  br label %end
end:
  %r = phi double [ %a, %then ], [ %b, %else ]
  ret double %r
}
; CHECK-LABEL: plan for f (root)
; CHECK-NOT: cache branch
; CHECK: reverse %end: choose %else %then
; CHECK: reverse %then: single %entry
; CHECK: reverse %entry: end

; CHECK-LABEL: @gradient_f(
; CHECK: rev.end:
; CHECK: [[G:%.+]] = load double, ptr %r.adj
; CHECK: [[WAY:%.+]] = select i1 %2, i16 1, i16 0
; CHECK: [[IS:%.+]] = icmp eq i16 [[WAY]], 0
; CHECK: br i1 [[IS]], label %rev.else.edge, label %rev.then.edge
; CHECK: rev.else:
; CHECK: load double, ptr %b.adj
; CHECK: fmul double {{.*}}, 5.000000e+00
; CHECK: rev.then:
; CHECK: load double, ptr %a.adj
; CHECK: fmul double {{.*}}, 3.000000e+00
; CHECK: rev.else.edge:
; CHECK: [[B:%.+]] = load double, ptr %b.adj
; CHECK: fadd reassoc nsz double [[B]], [[G]]
; CHECK: rev.then.edge:
; CHECK: [[A:%.+]] = load double, ptr %a.adj
; CHECK: fadd reassoc nsz double [[A]], [[G]]
define void @g(ptr %p, ptr %dp, ptr %text, i1 %c) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, ptr @enzyme_const, ptr %text, i1 %c)
  ret void
}
