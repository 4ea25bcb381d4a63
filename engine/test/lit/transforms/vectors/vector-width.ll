; A function that is taken in says how wide its vectors are, and so does what is
; made of it: an operation of the processor on eight numbers cannot be cut apart.
; RUN: %retro-opt %s | FileCheck %s
; RUN: %retro-opt %s | llc -O2 -o /dev/null

; CHECK: define {{.*}}@gradient_f({{.*}} #[[A:[0-9]+]]
; CHECK: attributes #[[A]] = {{.*}}"min-legal-vector-width"="512"
target triple = "x86_64-pc-linux-gnu"

declare double @__enzyme_autodiff(ptr, ...)
declare <8 x i32> @llvm.x86.avx512.mask.cvtpd2dq.512(<8 x double>, <8 x i32>, i8, i32)

define double @f(ptr %x) #0 {
  %v = load <8 x double>, ptr %x, align 8
  %s = call fast double @squares(<8 x double> %v)
  ret double %s
}

define internal double @squares(<8 x double> %v) #1 {
  %r = call <8 x i32> @llvm.x86.avx512.mask.cvtpd2dq.512(<8 x double> %v, <8 x i32> zeroinitializer, i8 -1, i32 4)
  %k = sitofp <8 x i32> %r to <8 x double>
  %d = fsub <8 x double> %v, %k
  %q = fmul <8 x double> %d, %d
  %s = call fast double @llvm.vector.reduce.fadd.v8f64(double 0.0, <8 x double> %q)
  ret double %s
}

define void @main(ptr %x, ptr %d) #0 {
  call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %d)
  ret void
}

attributes #0 = { "min-legal-vector-width"="0" "prefer-vector-width"="256" "target-cpu"="skylake-avx512" }
attributes #1 = { "min-legal-vector-width"="512" "prefer-vector-width"="256" "target-cpu"="skylake-avx512" }
