; Threads of a block of 5 take parts of an array by block: the ranges of their
; numbers keep them apart, without a solver.
; RUN: %retro-opt %s -retro-print-plan -retro-race-smt=0 -pass-remarks=retro -pass-remarks-missed=retro -disable-output 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; 12 numbers a block, of which the first 10 are read.
; CHECK: remark: {{.*}}the adjoint of what 'parts' reads here is added plainly: within the ranges of the threads' numbers no two of them add to one place
; CHECK: plan for parts
; CHECK: add to shadow of %ap: exclusive: affine
; CHECK: add to shadow of %bp: exclusive: affine
define void @parts(ptr noalias %x, ptr noalias %y, i64 %block, i64 %i) {
  %from = mul nsw i64 %block, 12
  %at = add nsw i64 %from, %i
  %ap = getelementptr inbounds double, ptr %x, i64 %at
  %a = load double, ptr %ap
  %next = add nsw i64 %at, 5
  %bp = getelementptr inbounds double, ptr %x, i64 %next
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %out = mul nsw i64 %block, 5
  %to = add nsw i64 %out, %i
  %yp = getelementptr inbounds double, ptr %y, i64 %to
  store double %s, ptr %yp
  ret void
}

; The last thread's second number is the first one of the next block.
; CHECK: plan for overlap
; CHECK: add to shadow of %ap: atomic
; CHECK: add to shadow of %bp: atomic
define void @overlap(ptr noalias %x, ptr noalias %y, i64 %block, i64 %i) {
  %from = mul nsw i64 %block, 12
  %at = add nsw i64 %from, %i
  %ap = getelementptr inbounds double, ptr %x, i64 %at
  %a = load double, ptr %ap
  %next = add nsw i64 %at, 8
  %bp = getelementptr inbounds double, ptr %x, i64 %next
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %out = mul nsw i64 %block, 5
  %to = add nsw i64 %out, %i
  %yp = getelementptr inbounds double, ptr %y, i64 %to
  store double %s, ptr %yp
  ret void
}

; A thread's two numbers are its neighbour's, too.
; CHECK: plan for neighbours
; CHECK: add to shadow of %ap: atomic
define void @neighbours(ptr noalias %x, ptr noalias %y, i64 %block, i64 %i) {
  %from = mul nsw i64 %block, 12
  %at = add nsw i64 %from, %i
  %ap = getelementptr inbounds double, ptr %x, i64 %at
  %a = load double, ptr %ap
  %next = add nsw i64 %at, 1
  %bp = getelementptr inbounds double, ptr %x, i64 %next
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %out = mul nsw i64 %block, 5
  %to = add nsw i64 %out, %i
  %yp = getelementptr inbounds double, ptr %y, i64 %to
  store double %s, ptr %yp
  ret void
}

; Nothing that is stored tells the blocks apart.
; CHECK: plan for nobody
; CHECK: add to shadow of %ap: atomic
define void @nobody(ptr noalias %x, ptr noalias %y, i64 %block, i64 %i) {
  %from = mul nsw i64 %block, 12
  %at = add nsw i64 %from, %i
  %ap = getelementptr inbounds double, ptr %x, i64 %at
  %a = load double, ptr %ap
  %s = fmul double %a, %a
  %old = atomicrmw fadd ptr %y, double %s monotonic
  ret void
}

define ptx_kernel void @all(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %block = zext nneg i32 %c to i64
  %in = icmp ult i32 %t, 5
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @parts, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %block, i64 %i)
  br label %no
no:
  ret void
}
define ptx_kernel void @allOverlap(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %block = zext nneg i32 %c to i64
  %in = icmp ult i32 %t, 5
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @overlap, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %block, i64 %i)
  br label %no
no:
  ret void
}
define ptx_kernel void @allNeighbours(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %block = zext nneg i32 %c to i64
  %in = icmp ult i32 %t, 5
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @neighbours, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %block, i64 %i)
  br label %no
no:
  ret void
}
define ptx_kernel void @allNobody(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %block = zext nneg i32 %c to i64
  %in = icmp ult i32 %t, 5
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @nobody, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %block, i64 %i)
  br label %no
no:
  ret void
}
; The same where nothing bounds the threads of a block.
; CHECK: plan for parts
; CHECK: add to shadow of %ap: atomic
define ptx_kernel void @large(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %block = zext nneg i32 %c to i64
  call void (...) @__enzyme_autodiff(ptr @parts, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %block, i64 %i)
  ret void
}
