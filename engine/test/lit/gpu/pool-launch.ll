; The tape of a whole launch: where its length depends on what the kernel only
; reads, a kernel measures it. Else it comes from malloc, and a remark says why.
; RUN: %retro-opt -retro-kernels=all -retro-print-plan -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %retro-opt -retro-kernels=all -pass-remarks=retro -pass-remarks-missed=retro -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: %retro-opt -retro-kernels=all %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__nv_exp(double)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@staged = internal addrspace(3) global [64 x i32] poison, align 4

; PLAN: plan for __retro_kernel_fixed
; PLAN: tape: in the pool; its bytes can be measured
; PLAN: plan for __retro_kernel_read
; PLAN: tape: in the pool; its bytes can be measured
; PLAN: plan for __retro_kernel_written
; PLAN: tape: from malloc: its bytes are not known before: it depends on memory that threads of the kernel may write
; PLAN: plan for __retro_kernel_shared
; PLAN: tape: from malloc: its bytes are not known before: it depends on memory that threads of the kernel may write
; REMARK: the tape of '__retro_kernel_read' lies in a pool
; REMARK: the tape of '__retro_kernel_written' comes from the device's malloc: its bytes are not known before

; Of 37 iterations a value each: that is known at once.
; CHECK-LABEL: define ptx_kernel void @__retro_describe_fixed(
; CHECK: store i64 296, ptr %0
define ptx_kernel void @fixed(ptr noalias %x, i32 %n) {
entry:
  %v0 = load double, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %v0, %entry ], [ %e, %loop ]
  %e = call double @__nv_exp(double %v)
  %next = add nuw i32 %i, 1
  %go = icmp ult i32 %next, 37
  br i1 %go, label %loop, label %done
done:
  store double %e, ptr %x
  ret void
}

; CHECK-LABEL: define ptx_kernel void @__retro_describe_read(
; CHECK: store i64 -1, ptr %0
; CHECK-LABEL: define ptx_kernel void @__retro_measure_read(ptr %0, ptr %1, ptr %2)
; CHECK: [[OWN:%.*]] = call i64 @measure___retro_kernel_read(ptr %0, ptr %1)
; CHECK: [[MOST:%.*]] = load atomic i64, ptr %2 monotonic
; CHECK: icmp ugt i64 [[OWN]], [[MOST]]
; CHECK: atomicrmw umax ptr %2, i64 [[OWN]] monotonic
define ptx_kernel void @read(ptr noalias %x, ptr noalias %count) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %count, i32 %i
  %n = load i32, ptr %at
  %v0 = load double, ptr %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %v0, %entry ], [ %e, %loop ]
  %e = call double @__nv_exp(double %v)
  %next = add nuw i32 %k, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %e, ptr %x
  ret void
}

; A header and a frame for each thread, in one piece.
; CHECK-LABEL: define ptx_kernel void @__retro_describe_written(
; CHECK: store i64 {{[0-9]+}}, ptr %0
; CHECK-LABEL: define ptx_kernel void @__retro_measure_written(
; CHECK-NOT: call i64 @measure_
; CHECK-LABEL: define ptx_kernel void @__retro_augmented_written(
; CHECK: [[PART:%.*]] = mul i64 %{{.*}}, %10
; CHECK-NEXT: [[TAPE:%.*]] = getelementptr i8, ptr %9, i64 [[PART]]
; CHECK-NEXT: call {{.*}}@augmented_of___retro_kernel_written({{.*}}, ptr [[TAPE]])
define ptx_kernel void @written(ptr noalias %x, ptr noalias %count) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %count, i32 %i
  %n = load i32, ptr %at
  %other = sub i32 63, %i
  %there = getelementptr i32, ptr %count, i32 %other
  store i32 7, ptr %there
  %v0 = load double, ptr %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %v0, %entry ], [ %e, %loop ]
  %e = call double @__nv_exp(double %v)
  %next = add nuw i32 %k, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %e, ptr %x
  ret void
}

define ptx_kernel void @shared(ptr noalias %x, ptr noalias %count) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %count, i32 %i
  %c = load i32, ptr %at
  %mine = getelementptr i32, ptr addrspace(3) @staged, i32 %i
  store i32 %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %n = load i32, ptr addrspace(3) @staged
  %v0 = load double, ptr %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %v0, %entry ], [ %e, %loop ]
  %e = call double @__nv_exp(double %v)
  %next = add nuw i32 %k, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %e, ptr %x
  ret void
}
