; Halves of a word that are chosen, each by itself, and put together: the word may
; be a number, or a pointer to one, whose halves have neither derivative nor
; shadow. Two floats at the same place do not make them numbers by themselves.
; RUN: sed 's/@request/@number/' %s | not %retro-opt -retro-preopt=0 -disable-output 2>&1 | FileCheck --check-prefix=NUMBER %s
; RUN: sed 's/@request/@pointer/' %s | not %retro-opt -retro-preopt=0 -disable-output 2>&1 | FileCheck --check-prefix=POINTER %s
; NUMBER: in function 'number': integer arithmetic on the bits of an active floating-point value ('or')
; POINTER: in function 'pointer': the shadow of this memory is not known (its address is taken apart)
declare double @__enzyme_autodiff(...)
define double @number(double %x, i1 %c, i64 %i) {
entry:
  %m = alloca [2 x i64]
  %a = getelementptr i8, ptr %m, i64 8
  store double %x, ptr %m
  store double 1.0, ptr %a
  br i1 %c, label %one, label %two
one:
  %low1 = load i32, ptr %m
  %q1 = getelementptr i8, ptr %m, i64 4
  %high1 = load i32, ptr %q1
  br label %end
two:
  %low2 = load i32, ptr %a
  %q2 = getelementptr i8, ptr %a, i64 4
  %high2 = load i32, ptr %q2
  br label %end
end:
  %low = phi i32 [ %low1, %one ], [ %low2, %two ]
  %high = phi i32 [ %high1, %one ], [ %high2, %two ]
  %at = getelementptr [2 x i64], ptr %m, i64 0, i64 %i
  %f = load float, ptr %at
  %q = getelementptr i8, ptr %at, i64 4
  %g = load float, ptr %q
  %h = zext i32 %high to i64
  %s = shl i64 %h, 32
  %l = zext i32 %low to i64
  %word = or disjoint i64 %s, %l
  %n = bitcast i64 %word to double
  %fg = fmul float %f, %g
  %e = fpext float %fg to double
  %r = fadd double %n, %e
  ret double %r
}
define double @pointer(double %x, i1 %c, i64 %i) {
entry:
  %m = alloca [2 x ptr]
  %y = alloca double
  %z = alloca double
  %a = getelementptr i8, ptr %m, i64 8
  store double %x, ptr %y
  store double 1.0, ptr %z
  store ptr %y, ptr %m
  store ptr %z, ptr %a
  br i1 %c, label %one, label %two
one:
  %low1 = load i32, ptr %m
  %q1 = getelementptr i8, ptr %m, i64 4
  %high1 = load i32, ptr %q1
  br label %end
two:
  %low2 = load i32, ptr %a
  %q2 = getelementptr i8, ptr %a, i64 4
  %high2 = load i32, ptr %q2
  br label %end
end:
  %low = phi i32 [ %low1, %one ], [ %low2, %two ]
  %high = phi i32 [ %high1, %one ], [ %high2, %two ]
  %h = zext i32 %high to i64
  %s = shl i64 %h, 32
  %l = zext i32 %low to i64
  %word = or disjoint i64 %s, %l
  %p = inttoptr i64 %word to ptr
  %n = load double, ptr %p
  ret double %n
}
define double @test(double %x, i1 %c, i64 %i) {
  %r = call double (...) @__enzyme_autodiff(ptr @request, double %x, i1 %c, i64 %i)
  ret double %r
}
