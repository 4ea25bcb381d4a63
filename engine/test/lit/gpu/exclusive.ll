; Which threads add to which shadow memory. The primal has no race, so @element
; stores to places of its own: there it may add without atomic operations, too.
; That the rows of @rows are apart takes the kernel's condition, and a solver.
; What @ends reads two threads read.
; RUN: rm -rf %t && %retro-opt %s -retro-print-plan -retro-write-proofs=%t -pass-remarks=retro -pass-remarks-missed=retro -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=IR %s < %t.ll
; RUN: FileCheck --check-prefix=PROOF %s < %t/rows_1.smt2
; RUN: %retro-opt %s -retro-print-plan -retro-race-proofs=0 -o /dev/null 2>&1 | FileCheck --check-prefix=OFF %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: remark: {{.*}}the adjoint of what 'element' reads here is added plainly: threads that store to different places add to different ones
; CHECK: plan for element
; CHECK: add to shadow of %xp: exclusive: affine
; OFF: plan for element
; OFF: add to shadow of %xp: atomic
; IR-LABEL: define internal void @gradient_element(
; IR-NOT: atomicrmw
define void @element(ptr %x, ptr %y, i64 %i) {
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %s = fmul double %v, %v
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  store double %s, ptr %yp
  ret void
}

define ptx_kernel void @elements(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  call void (...) @__enzyme_autodiff(ptr @element, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i)
  ret void
}

; CHECK: plan for rows
; CHECK: add to shadow of %ap: exclusive: solved
; CHECK: add to shadow of %bp: exclusive: solved
; PROOF: The answer was: unsat
; PROOF: What holds where the derivative is requested.
; PROOF: The primal has no race
; PROOF: (check-sat)
define void @rows(ptr %x, ptr %y, i64 %i, i64 %n) {
  %ap = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %ap
  %j = add nsw i64 %i, %n
  %bp = getelementptr inbounds double, ptr %x, i64 %j
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  store double %s, ptr %yp
  ret void
}

define ptx_kernel void @allRows(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %in = icmp slt i64 %i, %n
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @rows, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i, i64 %n)
  br label %no
no:
  ret void
}

; CHECK: remark: {{.*}}the adjoint of what 'ends' reads here is added atomically: for all that is known two threads may add to one place
; CHECK: plan for ends
; CHECK: add to shadow of %ap: atomic
; CHECK: add to shadow of %bp: atomic
; IR-LABEL: define internal void @gradient_ends(
; IR-COUNT-2: atomicrmw fadd
define void @ends(ptr %x, ptr %y, i64 %i) {
  %ap = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %ap
  %bp = getelementptr inbounds i8, ptr %ap, i64 8
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  store double %s, ptr %yp
  ret void
}

define ptx_kernel void @allEnds(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  call void (...) @__enzyme_autodiff(ptr @ends, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i)
  ret void
}

; A store that not every thread executes says nothing of the others.
; CHECK: plan for few
; CHECK: add to shadow of %xp: atomic
define void @few(ptr %x, ptr %y, ptr %z, i64 %i, i1 %c) {
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %old = atomicrmw fadd ptr %z, double %v monotonic
  %s = fmul double %v, %v
  br i1 %c, label %yes, label %no
yes:
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  store double %s, ptr %yp
  br label %no
no:
  ret void
}

define ptx_kernel void @allFew(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %c = icmp eq i32 %t, 0
  call void (...) @__enzyme_autodiff(ptr @few, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz, i64 %i, i1 %c)
  ret void
}

; Where the shadow begins depends on the thread.
; CHECK: plan for one
; CHECK: add to shadow of %x: exclusive: affine
define void @one(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  ret void
}

define ptx_kernel void @eachOne(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %dxp = getelementptr inbounds double, ptr %dx, i64 %i
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  %dyp = getelementptr inbounds double, ptr %dy, i64 %i
  call void (...) @__enzyme_autodiff(ptr @one, ptr %xp, ptr %dxp, ptr %yp, ptr %dyp)
  ret void
}

; And it is the shadow's beginning that counts.
; CHECK: plan for one
; CHECK: add to shadow of %x: reduced
define ptx_kernel void @allInOne(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  %dyp = getelementptr inbounds double, ptr %dy, i64 %i
  call void (...) @__enzyme_autodiff(ptr @one, ptr %xp, ptr %dx, ptr %yp, ptr %dyp)
  ret void
}

; A loop that runs until another thread lets it is an order of its own.
; CHECK: plan for waits
; CHECK: add to shadow of %x: atomic
define void @waits(ptr %x, ptr %y, ptr %flag) {
  %go = load volatile i32, ptr %flag
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  ret void
}

define ptx_kernel void @allWait(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %flag) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %dxp = getelementptr inbounds double, ptr %dx, i64 %i
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  %dyp = getelementptr inbounds double, ptr %dy, i64 %i
  call void (...) @__enzyme_autodiff(ptr @waits, ptr %xp, ptr %dxp, ptr %yp, ptr %dyp, ptr @enzyme_const, ptr %flag)
  ret void
}
