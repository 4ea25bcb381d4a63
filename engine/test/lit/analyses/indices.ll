; Indices are followed through the arithmetic that computes them, so that the
; fields of an array of structs stay apart: here a pointer, at 0 of 24 bytes,
; and numbers behind it. (The strides of the classes are those of the structs.)
; RUN: %retro-opt -retro-print-shape %s 2>&1 | FileCheck %s
; CHECK: class {{[0-9]+}} stride 24 origins 8 shadowed
; CHECK-NEXT: by {{.*}}getelementptr
; CHECK-NEXT: +8 number of 8 declared float varied useful
; CHECK-NOT: stride {{1|2|4|8}} origins
declare double @__enzyme_autodiff(...)
; Backward, by a factor below zero and a start; by the distance between two
; elements, one of which is chosen as an integer; and by a product of integers.
define double @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %k = mul i64 %i, -24
  %j = add i64 %k, 240
  %p = getelementptr i8, ptr %x, i64 %j
  %v = getelementptr i8, ptr %p, i64 8
  %a = load double, ptr %v, align 8
  %to = ptrtoint ptr %p to i64
  %from = ptrtoint ptr %x to i64
  %d = sub i64 %to, %from
  %twin = getelementptr i8, ptr %x, i64 %d
  %w = getelementptr i8, ptr %twin, i64 8
  %b = load double, ptr %w, align 8
  %even = trunc i64 %i to i1
  %other = ptrtoint ptr %twin to i64
  %end = select i1 %even, i64 %other, i64 %from
  %far = sub i64 %end, %to
  %third = getelementptr i8, ptr %p, i64 %far
  %u = getelementptr i8, ptr %third, i64 8
  %c = load double, ptr %u, align 8
  %wide = mul i64 %n, 24
  %row = mul i64 %i, %wide
  %fourth = getelementptr i8, ptr %x, i64 %row
  %t = getelementptr i8, ptr %fourth, i64 8
  %e = load double, ptr %t, align 8
  %ac = fmul double %a, %c
  %be = fmul double %b, %e
  %m = fmul double %ac, %be
  %sum = fadd double %s, %m
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum
}
define double @g(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 10)
  ret double %r
}
