; The order of memory accesses on a GPU, in functions that have code of a
; derivative. send-adds: what a thread adds to global memory is left to the
; memory. early-loads: loads stand in front of stores and additions to other
; memory.
; RUN: %retro-opt -retro-print-counters %s 2>&1 | FileCheck %s
; RUN: %retro-opt -retro-send-adds=0 -retro-early-loads=0 %s | FileCheck %s --check-prefix=OFF
; RUN: sed 's/nvptx64-nvidia-cuda/amdgcn-amd-amdhsa/; s/ptx_kernel/amdgpu_kernel/; /%own/d; s/byval({ i64, ptr })//' %s | %retro-opt | FileCheck %s --check-prefix=OFF
; RUN: sed 's/"retro-derived"/"retro-derived" "target-cpu"="sm_90"/' %s | %retro-opt | FileCheck %s --check-prefix=RED
; RUN: sed 's/"retro-derived"/"retro-derived" "target-cpu"="sm_90"/' %s | %retro-opt -retro-send-adds=0 | FileCheck %s --check-prefix=ATOM
; RUN: sed 's/"retro-derived"/"retro-derived" "target-cpu"="sm_50"/' %s | %retro-opt | FileCheck %s --check-prefix=ATOM

target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@shared = internal addrspace(3) global [8 x double] undef

; CHECK: retro-counter send-adds 3
; CHECK: retro-counter early-loads 5

; Nothing is waited for: both additions are the memory's.
; CHECK-LABEL: @two_places(
; CHECK-NOT: load
; CHECK: atomicrmw fadd ptr %x, double %v monotonic, align 8
; CHECK: atomicrmw fadd ptr %y, double %v monotonic, align 8
; CHECK-NOT: store
; CHECK: ret void
; OFF-LABEL: @two_places(
; OFF-NOT: atomicrmw
; OFF: ret void
define ptx_kernel void @two_places(ptr noalias %x, ptr noalias %y, double %v) #0 {
  %a = load double, ptr %x, align 8
  %b = fadd double %a, %v
  store double %b, ptr %x, align 8
  %c = load double, ptr %y, align 8
  %d = fadd double %v, %c
  store double %d, ptr %y, align 8
  ret void
}

; A thread's own memory, a block's, and what another function's caller means are
; not known to be global; a sum that is read is not only sent.
; CHECK-LABEL: @elsewhere(
; CHECK-NOT: atomicrmw
; CHECK: ret double
define double @elsewhere(ptr %p, double %v) #0 {
  %own = alloca double, align 8
  %own.a = load double, ptr %own, align 8
  %own.b = fadd double %own.a, %v
  store double %own.b, ptr %own, align 8
  %c = load double, ptr %p, align 8
  %d = fadd double %c, %v
  store double %d, ptr %p, align 8
  %e = load double, ptr addrspace(3) @shared, align 8
  %f = fadd double %e, %v
  store double %f, ptr addrspace(3) @shared, align 8
  ret double %d
}

; CHECK-LABEL: @read_again(
; CHECK-NOT: atomicrmw
; CHECK: ret void
define ptx_kernel void @read_again(ptr noalias %x, ptr noalias %y, double %v) #0 {
  %a = load double, ptr %x, align 8
  %b = fadd double %a, %v
  store double %b, ptr %x, align 8
  store double %b, ptr %y, align 8
  ret void
}

; What is used behind the stores is loaded in front of them, with its address.
; CHECK-LABEL: @loaded_early(
; CHECK: %b = load double, ptr %at
; CHECK: %c = load double, ptr %z
; CHECK: store double %v, ptr %x
; CHECK: store double %b, ptr %x8
; CHECK: ret void
; OFF-LABEL: @loaded_early(
; OFF: store double %v, ptr %x
; OFF: %b = load double, ptr %at
define ptx_kernel void @loaded_early(ptr noalias %x, ptr noalias %y, ptr noalias %z, i64 %n, double %v) #0 {
  store double %v, ptr %x, align 8
  %at = getelementptr double, ptr %y, i64 %n
  %b = load double, ptr %at, align 8
  %x8 = getelementptr i8, ptr %x, i64 8
  store double %b, ptr %x8, align 8
  %c = load double, ptr %z, align 8
  %x16 = getelementptr i8, ptr %x, i64 16
  store double %c, ptr %x16, align 8
  ret void
}

; The atomic addition to another place is passed, the one to this place is not;
; nor is a store that may be to this place, a barrier, or a volatile access.
; CHECK-LABEL: @behind_additions(
; CHECK: %b = load double, ptr %y
; CHECK: atomicrmw fadd ptr %x
; CHECK: atomicrmw fadd ptr %z
; CHECK: %c = load double, ptr %z
; CHECK: ret void
define ptx_kernel void @behind_additions(ptr noalias %x, ptr noalias %y, ptr noalias %z, double %v) #0 {
  %o = atomicrmw fadd ptr %x, double %v monotonic, align 8
  %b = load double, ptr %y, align 8
  %p = atomicrmw fadd ptr %z, double %b monotonic, align 8
  %c = load double, ptr %z, align 8
  store double %c, ptr %x, align 8
  ret void
}
; CHECK-LABEL: @not_passed(
; CHECK: store double %v, ptr %x
; CHECK: %b = load double, ptr %y
; CHECK: call void @llvm.nvvm.barrier
; CHECK: %c = load double, ptr %z
; CHECK: store volatile
; CHECK: %d = load double, ptr %z8
define ptx_kernel void @not_passed(ptr %x, ptr %y, ptr noalias %z, double %v) #0 {
  store double %v, ptr %x, align 8
  %b = load double, ptr %y, align 8
  store double %b, ptr %x, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = load double, ptr %z, align 8
  store volatile double %c, ptr %x, align 8
  %z8 = getelementptr i8, ptr %z, i64 8
  %d = load double, ptr %z8, align 8
  store double %d, ptr %y, align 8
  ret void
}

; What near-use loads again from a restricted pointer of the kernel is loaded as
; what is only read: the back end knows no atomic load of it.
; CHECK-LABEL: @reloads(
; CHECK: %a = load double, ptr %x
; CHECK: %b = load atomic double, ptr %y
define ptx_kernel void @reloads(ptr noalias readonly %x, ptr %y, ptr %z) #0 {
  %a = load atomic double, ptr %x syncscope("block") monotonic, align 8
  %b = load atomic double, ptr %y syncscope("block") monotonic, align 8
  %s = fadd double %a, %b
  store double %s, ptr %z, align 8
  ret void
}

; Additions that nobody reads are written as the device's instruction, where the
; memory is global for certain: what a kernel is given, by itself or in a struct.
; RED-LABEL: @written(
; RED: call void asm sideeffect "red.global.add.f64 [$0], $1;", "l,d,~{memory}"(ptr addrspace(1) %{{.*}}, double %v)
; RED: call void asm sideeffect "red.global.add.f32 [$0], $1;", "l,f,~{memory}"(ptr addrspace(1) %{{.*}}, float %w)
; RED: call void asm sideeffect "red.global.add.f64
; RED: %read = atomicrmw fadd ptr %x
; RED: ret void
; ATOM-LABEL: @written(
; ATOM: atomicrmw fadd ptr %x, double %v
; ATOM: ret void
define ptx_kernel void @written(ptr %x, ptr readonly byval({ i64, ptr }) %s, double %v, float %w) #0 {
  %1 = atomicrmw fadd ptr %x, double %v monotonic, align 8
  %f = getelementptr i8, ptr %x, i64 64
  %2 = atomicrmw fadd ptr %f, float %w monotonic, align 4
  %at = getelementptr i8, ptr %s, i64 8
  %y = load ptr, ptr %at, align 8
  %3 = atomicrmw fadd ptr %y, double %v monotonic, align 8
  %read = atomicrmw fadd ptr %x, double %v monotonic, align 8
  store double %read, ptr %f, align 8
  ret void
}
; A struct that the kernel writes to may hold a pointer to memory of the block.
; RED-LABEL: @overwritten(
; RED: atomicrmw fadd ptr %y
define ptx_kernel void @overwritten(ptr byval({ i64, ptr }) %s, double %v, i1 %c) #0 {
  %at = getelementptr i8, ptr %s, i64 8
  br i1 %c, label %block, label %add
block:
  store ptr addrspacecast (ptr addrspace(3) @shared to ptr), ptr %at, align 8
  br label %add
add:
  %y = load ptr, ptr %at, align 8
  %1 = atomicrmw fadd ptr %y, double %v monotonic, align 8
  ret void
}
; RED-LABEL: @of_a_caller(
; RED: atomicrmw fadd ptr %x
; RED: atomicrmw fadd ptr addrspace(3) @shared
define void @of_a_caller(ptr %x, double %v) #0 {
  %1 = atomicrmw fadd ptr %x, double %v monotonic, align 8
  %2 = atomicrmw fadd ptr addrspace(3) @shared, double %v monotonic, align 8
  ret void
}

; Kernels of the program's own stay as they are.
; CHECK-LABEL: @primal(
; CHECK: store double %v
; CHECK: load double
define ptx_kernel void @primal(ptr noalias %x, ptr noalias %y, double %v) {
  store double %v, ptr %x, align 8
  %b = load double, ptr %y, align 8
  %x8 = getelementptr i8, ptr %x, i64 8
  store double %b, ptr %x8, align 8
  ret void
}
attributes #0 = { "retro-derived" }
