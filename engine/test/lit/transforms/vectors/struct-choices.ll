; A tag and a word that come from one of several places in one register: the
; word is a number for one of them, and a pointer for another. Each member is
; chosen by itself, also where a struct is in a struct, where a choice is
; between structs of which one is changed in a loop, and where an invoke
; returns one. (Nothing here says what the words are, so the request is refused
; in the end.)
; RUN: not %retro-opt %s -retro-preopt=0 -retro-inline=0 -retro-print-after=struct-choices -disable-output 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(...)
declare i32 @__gxx_personality_v0(...)

define double @value(i8 %tag, i64 %word) {
  %is = icmp eq i8 %tag, 0
  br i1 %is, label %number, label %place
number:
  %x = bitcast i64 %word to double
  ret double %x
place:
  %p = inttoptr i64 %word to ptr
  %y = load double, ptr %p
  %yy = fmul double %y, %y
  ret double %yy
}

; CHECK-LABEL: define {{.*}}@by_phi
; CHECK-NOT: phi { i8, i64 }
; CHECK: phi i64 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK-NOT: extractvalue { i8, i64 }
; CHECK: ret double
define double @by_phi(ptr %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %n = load i64, ptr %x
  %first = insertvalue { i8, i64 } { i8 0, i64 poison }, i64 %n, 1
  br label %out
b:
  %q = getelementptr double, ptr %x, i64 1
  %w = ptrtoint ptr %q to i64
  %second = insertvalue { i8, i64 } { i8 1, i64 poison }, i64 %w, 1
  br label %out
out:
  %v = phi { i8, i64 } [ %first, %a ], [ %second, %b ]
  %tag = extractvalue { i8, i64 } %v, 0
  %word = extractvalue { i8, i64 } %v, 1
  %r = call double @value(i8 %tag, i64 %word)
  ret double %r
}

; CHECK-LABEL: define {{.*}}@by_invoke
; CHECK: extractvalue { i8, i64 } %{{.*}}, 1
; CHECK-NOT: phi { i8, i64 }
; CHECK: phi i64
; CHECK: ret double
define { i8, i64 } @made(ptr %x) noinline {
  %n = load i64, ptr %x
  %v = insertvalue { i8, i64 } { i8 0, i64 poison }, i64 %n, 1
  ret { i8, i64 } %v
}
define double @by_invoke(ptr %x, i1 %c) personality ptr @__gxx_personality_v0 {
  %w = ptrtoint ptr %x to i64
  %place = insertvalue { i8, i64 } { i8 1, i64 poison }, i64 %w, 1
  br i1 %c, label %a, label %out
a:
  %m = invoke { i8, i64 } @made(ptr %x) to label %out unwind label %pad
out:
  %v = phi { i8, i64 } [ %place, %0 ], [ %m, %a ]
  %tag = extractvalue { i8, i64 } %v, 0
  %word = extractvalue { i8, i64 } %v, 1
  %r = call double @value(i8 %tag, i64 %word)
  ret double %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; CHECK-LABEL: define {{.*}}@in_loop
; CHECK-NOT: phi { { i8, i64 }, i32 }
; CHECK: phi i64
; CHECK: ret double
define double @in_loop(ptr %x, i32 %n) {
  %w0 = ptrtoint ptr %x to i64
  %s0 = insertvalue { { i8, i64 }, i32 } { { i8, i64 } { i8 1, i64 poison }, i32 0 }, i64 %w0, 0, 1
  br label %loop
loop:
  %s = phi { { i8, i64 }, i32 } [ %s0, %0 ], [ %next, %more ]
  %i = extractvalue { { i8, i64 }, i32 } %s, 1
  %done = icmp sge i32 %i, %n
  br i1 %done, label %out, label %more
more:
  %p = getelementptr double, ptr %x, i32 %i
  %word = load i64, ptr %p
  %t0 = insertvalue { { i8, i64 }, i32 } %s, i8 0, 0, 0
  %t1 = insertvalue { { i8, i64 }, i32 } %t0, i64 %word, 0, 1
  %i1 = add i32 %i, 1
  %next = insertvalue { { i8, i64 }, i32 } %t1, i32 %i1, 1
  br label %loop
out:
  %tag = extractvalue { { i8, i64 }, i32 } %s, 0, 0
  %last = extractvalue { { i8, i64 }, i32 } %s, 0, 1
  %r = call double @value(i8 %tag, i64 %last)
  ret double %r
}

define double @all(ptr %x, i1 %c, i32 %n) {
  %u = call double @by_phi(ptr %x, i1 %c)
  %v = call double @by_invoke(ptr %x, i1 %c)
  %w = call double @in_loop(ptr %x, i32 %n)
  %uv = fmul double %u, %v
  %uvw = fmul double %uv, %w
  ret double %uvw
}

define void @request(ptr %x, ptr %dx, i1 %c, i32 %n) {
  call double (...) @__enzyme_autodiff(ptr @all, ptr %x, ptr %dx, i1 %c, i32 %n)
  ret void
}
