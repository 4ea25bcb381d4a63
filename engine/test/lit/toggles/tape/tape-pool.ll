; A tape in a pool: word by word of all threads, and a function that tells how
; long it will be. Off, or where no pool is given, it comes from malloc.
; RUN: %retro-opt -retro-print-plan -retro-print-counters %s 2>&1 | FileCheck %s
; RUN: %retro-opt -retro-tape-pool=0 -retro-print-plan -retro-print-counters %s 2>&1 | FileCheck %s --check-prefix=OFF
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)
declare i64 @__enzyme_poolsize(...)
declare double @__nv_exp(double)
declare float @__nv_expf(float)
@enzyme_pool = external global i32
@enzyme_const = external global i32

; CHECK: tape: in the pool; its bytes can be measured
; CHECK: retro-counter tape-pool 2
; OFF: tape: from malloc: -retro-tape-pool=0
; OFF: retro-counter tape-pool 0

; The words of the tape are as far apart as there are threads.
; CHECK-LABEL: define internal {{.*}}@gradient_f(
; CHECK-SAME: ptr [[MEMORY:%[0-9]+]], i64 [[BYTES:%[0-9]+]], i64 [[THREAD:%[0-9]+]], i64 [[THREADS:%[0-9]+]])
; CHECK: [[MINE:%.*]] = shl nuw i64 [[THREAD]], 3
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr [[MEMORY]], i64 [[MINE]]
; CHECK: [[STRIDE:%.*]] = shl nuw i64 [[THREADS]], 3
; CHECK: call i32 @vprintf(
; CHECK: call void @__assertfail(
; Numbers of four bytes: two of them in a word.
; CHECK: [[BYTE:%.*]] = and i64 {{.*}}, 4
; CHECK: [[WORD:%.*]] = lshr i64 %iv, 1
; CHECK: [[STEPS:%.*]] = mul nuw i64 [[WORD]], [[STRIDE]]
; CHECK: [[WORDAT:%.*]] = getelementptr i8, ptr [[FIRST]], i64 [[STEPS]]
; CHECK: [[HALF:%.*]] = getelementptr i8, ptr [[WORDAT]], i64 [[BYTE]]
; CHECK: store float %p, ptr [[HALF]], align 4
; CHECK: [[STEP:%.*]] = mul nuw i64 %iv, [[STRIDE]]
; CHECK: [[AT:%.*]] = getelementptr i8, ptr {{.*}}, i64 [[STEP]]
; CHECK: store double %v, ptr [[AT]], align 8
; CHECK-NOT: @malloc
; OFF-LABEL: define ptx_kernel void @size(
; OFF: store i64 0, ptr %bytes
; OFF-LABEL: define internal {{.*}}@gradient_f(
; OFF: __retro_tape_grow

; Only what the number of iterations depends on is left.
; CHECK-LABEL: define internal {{.*}}@measure_f(
; CHECK-NOT: store
; CHECK-NOT: exp
; CHECK: load i32, ptr
; CHECK-NOT: store
; CHECK-NOT: br
; CHECK: ret i64
define void @f(ptr noalias %x, ptr noalias %count, ptr noalias %y) {
entry:
  %a = load double, ptr %x
  %b = fptrunc double %a to float
  %c = load i32, ptr %count
  %n = zext i32 %c to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %a, %entry ], [ %w, %loop ]
  %p = phi float [ %b, %entry ], [ %q, %loop ]
  %e = call double @__nv_exp(double %v)
  %w = fmul double %e, %v
  %r = call float @__nv_expf(float %p)
  %q = fmul float %r, %p
  %next = add nuw i64 %i, 1
  %go = icmp ult i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  %s = fpext float %q to double
  %t = fadd double %s, %w
  store double %t, ptr %y
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %count, ptr %y, ptr %dy, ptr %pool, i64 %bytes) {
  %m = load i32, ptr @enzyme_pool
  %c = load i32, ptr @enzyme_const
  call double (...) @__enzyme_autodiff(ptr @f, i32 %m, ptr %pool, i64 %bytes, ptr %x, ptr %dx, i32 %c, ptr %count, ptr %y, ptr %dy)
  ret void
}

define ptx_kernel void @size(ptr %x, ptr %dx, ptr %count, ptr %y, ptr %dy, ptr %bytes) {
  %c = load i32, ptr @enzyme_const
  %b = call i64 (...) @__enzyme_poolsize(ptr @f, ptr %x, ptr %dx, i32 %c, ptr %count, ptr %y, ptr %dy)
  store i64 %b, ptr %bytes
  ret void
}
