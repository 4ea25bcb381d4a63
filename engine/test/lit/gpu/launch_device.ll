; Of a marked kernel the device's side makes one that describes it and one for
; each pass; of others nothing.
; RUN: %retro-opt %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@mark = private unnamed_addr constant [13 x i8] c"retro-kernel\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @scale, ptr @mark, ptr @mark, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @shares, ptr @mark, ptr @mark, i32 1, ptr null }], section "llvm.metadata"

define ptx_kernel void @scale(ptr %x, ptr %y, ptr %at, double %a, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ok = icmp slt i32 %i, %n
  br i1 %ok, label %work, label %done
work:
  %k = zext i32 %i to i64
  %px = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %px
  %w = fmul double %v, %a
  %pa = getelementptr i32, ptr %at, i64 %k
  %j = load i32, ptr %pa
  %jj = sext i32 %j to i64
  %py = getelementptr double, ptr %y, i64 %jj
  store double %w, ptr %py
  br label %done
done:
  ret void
}

@Dyn = external addrspace(3) global [0 x double], align 8
define ptx_kernel void @shares(ptr %x) {
  %v = load double, ptr %x
  store double %v, ptr addrspace(3) @Dyn
  %w = load double, ptr addrspace(3) @Dyn
  %p = fmul double %w, %v
  store double %p, ptr %x
  ret void
}

define ptx_kernel void @other(ptr %x) {
  store double 1.0, ptr %x
  ret void
}

; No dynamic shared memory; two pointers to doubles, one to no numbers, a double,
; four bytes. The other kernel names such memory.
; CHECK: @__retro_types_scale = internal constant [7 x i8] c"-DDNd4\00"
; CHECK: @__retro_types_shares = internal constant [3 x i8] c"SD\00"
; CHECK-NOT: @{{.*}}other{{.*}} =
; CHECK: define ptx_kernel void @__retro_describe_scale(ptr %0)
; CHECK: store i64 {{[0-9]+}}, ptr %0
; Nothing but its own size is asked: that is a constant.
; CHECK: define ptx_kernel void @__retro_measure_scale(ptr %0, ptr %1, ptr %2, double %3, i32 %4, ptr %5)
; CHECK: call i64 @measure_
; CHECK: atomicrmw umax ptr %5, i64
; CHECK: define ptx_kernel void @__retro_augmented_scale(ptr %0, ptr %1, ptr %2, double %3, i32 %4, ptr %5, ptr %6, ptr %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, ptr %13, i64 %14, i64 %15, i64 %16)
; Which thread it is, of how many.
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: [[THREAD:%.*]] = add i64
; CHECK-NEXT: call {{.*}}@augmented_of_{{.*}}(ptr %0, ptr %1, ptr %2, double %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %13, i64 %14, i64 [[THREAD]], i64 %15)
; CHECK: define ptx_kernel void @__retro_reverse_scale({{.*}}, ptr %17)
; CHECK: [[ADJOINT:%.*]] = extractvalue { double }
; CHECK: call void @__retro_warp_add_f64(ptr %{{.*}}, double [[ADJOINT]])
; CHECK: define ptx_kernel void @__retro_tangent_scale(ptr %0, ptr %1, ptr %2, double %3, i32 %4, ptr %5, ptr %6, ptr %7, double %8, i64 %9)
