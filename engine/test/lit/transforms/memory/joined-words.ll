; Two halves of a word that are loaded side by side and put together: the word is
; loaded whole, as what it becomes. Not where memory changes between the two,
; where the second half lies elsewhere, or where they change places.
; RUN: %retro-opt -retro-preopt=0 -retro-print-after=joined-words -disable-output 2>&1 < %s | FileCheck %s
declare void @__enzyme_autodiff(...)

; CHECK-LABEL: @joined.primal
; CHECK-NOT: i32
; CHECK: [[I:%.*]] = load i64, ptr %p, align 8
; CHECK-NEXT: [[N:%.*]] = load double, ptr %p, align 8
; CHECK-NEXT: [[P:%.*]] = load ptr, ptr %p, align 8
; CHECK-NEXT: icmp eq i64 [[I]], 0
; CHECK-NOT: or disjoint
; CHECK: load double, ptr [[P]]
; CHECK: phi double
define double @joined(ptr %p, i1 %c, ptr %w) {
entry:
  %low = load i32, ptr %p, align 8
  %q = getelementptr i8, ptr %p, i64 4
  %high = load i32, ptr %q, align 4
  %h = zext i32 %high to i64
  %s = shl i64 %h, 32
  %l = zext i32 %low to i64
  %word = or disjoint i64 %s, %l
  %n = bitcast i64 %word to double
  %a = inttoptr i64 %word to ptr
  %null = icmp eq i64 %word, 0
  store i1 %null, ptr %w
  br i1 %c, label %deref, label %end
deref:
  %d = load double, ptr %a
  br label %end
end:
  %r = phi double [ %n, %entry ], [ %d, %deref ]
  ret double %r
}
; CHECK-LABEL: @apart.primal
; CHECK: %a = or disjoint
; CHECK: %b = or disjoint
; CHECK: %c = or disjoint
define i64 @apart(ptr %p, ptr %w) {
  %low = load i32, ptr %p, align 8
  store i32 1, ptr %w
  %q = getelementptr i8, ptr %p, i64 4
  %high = load i32, ptr %q, align 4
  %other = getelementptr i8, ptr %p, i64 8
  %third = load i32, ptr %other, align 8
  %h = zext i32 %high to i64
  %hs = shl i64 %h, 32
  %l = zext i32 %low to i64
  %ls = shl i64 %l, 32
  %t = zext i32 %third to i64
  %ts = shl i64 %t, 32
  %a = or disjoint i64 %hs, %l
  %b = or disjoint i64 %hs, %t
  %c = or disjoint i64 %ts, %l
  %ab = xor i64 %a, %b
  %r = xor i64 %ab, %c
  ret i64 %r
}
define double @both(ptr %p, i1 %c, ptr %w) {
  %r = call double @joined(ptr %p, i1 %c, ptr %w)
  %k = call i64 @apart(ptr %p, ptr %w)
  store i64 %k, ptr %w
  ret double %r
}
define void @request(ptr %p, ptr %dp, i1 %c, ptr %w) {
  call void (...) @__enzyme_autodiff(ptr @both, ptr %p, ptr %dp, i1 %c, ptr %w, ptr %w)
  ret void
}
