; Arithmetic of NVIDIA's processors has the rule of the operation, whatever its
; rounding; the bits of a number are the number's; what has no row is an error.
; RUN: split-file %s %t
; RUN: %retro-opt %t/known.ll | FileCheck %s
; RUN: not %retro-opt %t/permute.ll 2>&1 | FileCheck --check-prefix=BITS %s
; RUN: not %retro-opt %t/unknown.ll 2>&1 | FileCheck --check-prefix=UNKNOWN %s
; RUN: not %retro-opt %t/largest.ll 2>&1 | FileCheck --check-prefix=LARGEST %s
; RUN: not %retro-opt %t/narrow.ll 2>&1 | FileCheck --check-prefix=NARROW %s

; x * x, rounded up: 2 x
; CHECK-LABEL: define internal { double } @gradient_product
; CHECK: fmul {{.*}}double %0, 2.000000e+00
; CHECK: ret
; 8 x through the two words of x
; CHECK-LABEL: define internal { double } @gradient_words
; CHECK: ret { double } { double 8.000000e+00 }
; 4 x between 0 and 1: the slope is 4 there and 0 elsewhere
; CHECK-LABEL: define internal { float } @gradient_saturated
; CHECK: select i1 {{.*}}, float 4.000000e+00, float 0.000000e+00
; CHECK: ret
; 2 x and an integer, which is flat
; CHECK-LABEL: define internal { double } @gradient_flat
; CHECK: ret { double } { double 2.000000e+00 }

; BITS: error: {{.*}}[retro-bit-arithmetic]
; UNKNOWN: error: {{.*}}no derivative is known for the function 'llvm.nvvm.fmin.xorsign.abs.f'
; LARGEST: error: {{.*}}no derivative is known for the function 'llvm.nvvm.redux.sync.fmax'
; NARROW: error: {{.*}}no derivative is known for the function 'llvm.nvvm.d2f.rz'

;--- known.ll
target triple = "nvptx64-nvidia-cuda"
define double @product(double %x) {
  %y = call double @llvm.nvvm.mul.rp.d(double %x, double %x)
  ret double %y
}
define double @gradient_product(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @product, double %x)
  ret double %d
}
define double @words(double %x) {
  %h = call i32 @llvm.nvvm.d2i.hi(double %x)
  %l = call i32 @llvm.nvvm.d2i.lo(double %x)
  %z = call double @llvm.nvvm.lohi.i2d(i32 %l, i32 %h)
  %y = fmul double %z, 8.0
  ret double %y
}
define double @gradient_words(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @words, double %x)
  ret double %d
}
define float @saturated(float %x) {
  %y = call float @llvm.nvvm.fma.rn.sat.f(float %x, float 4.0, float 0.0)
  ret float %y
}
define float @gradient_saturated(float %x) {
  %d = call float (...) @__enzyme_autodiff_f(ptr @saturated, float %x)
  ret float %d
}
define double @flat(double %x) {
  %i = call i32 @llvm.nvvm.d2i.rz(double %x)
  %z = call double @llvm.nvvm.i2d.rn(i32 %i)
  %w = fmul double %x, 2.0
  %y = fadd double %z, %w
  ret double %y
}
define double @gradient_flat(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @flat, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(...)
declare float @__enzyme_autodiff_f(...)
declare double @llvm.nvvm.mul.rp.d(double, double)
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare float @llvm.nvvm.fma.rn.sat.f(float, float, float)
declare i32 @llvm.nvvm.d2i.rz(double)
declare double @llvm.nvvm.i2d.rn(i32)
;--- permute.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(float %x) {
  %b = bitcast float %x to i32
  %p = call i32 @llvm.nvvm.prmt(i32 %b, i32 0, i32 12816)
  %y = bitcast i32 %p to float
  ret float %y
}
define float @gradient(float %x) {
  %d = call float (...) @__enzyme_autodiff(ptr @f, float %x)
  ret float %d
}
declare float @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
;--- unknown.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(float %x) {
  %y = call float @llvm.nvvm.fmin.xorsign.abs.f(float %x, float 1.0)
  ret float %y
}
define float @gradient(float %x) {
  %d = call float (...) @__enzyme_autodiff(ptr @f, float %x)
  ret float %d
}
declare float @__enzyme_autodiff(...)
declare float @llvm.nvvm.fmin.xorsign.abs.f(float, float)
;--- largest.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(float %x) {
  %y = call float @llvm.nvvm.redux.sync.fmax(float %x, i32 -1)
  ret float %y
}
define float @gradient(float %x) {
  %d = call float (...) @__enzyme_autodiff(ptr @f, float %x)
  ret float %d
}
declare float @__enzyme_autodiff(...)
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
;--- narrow.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(double %x) {
  %y = call float @llvm.nvvm.d2f.rz(double %x)
  ret float %y
}
define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(...)
declare float @llvm.nvvm.d2f.rz(double)
