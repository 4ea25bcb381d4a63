; Adjoints of vector instructions, lane by lane.
; RUN: %retro-opt %s -retro-preopt=0 | FileCheck %s
declare void @__enzyme_autodiff_v(...)
declare double @__enzyme_autodiff_d(...)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)

; The inserted number's adjoint is its lane's, which the vector's then lacks.
; CHECK-LABEL: define internal { double } @gradient_insert(ptr %0, double %1, ptr %2)
; CHECK: [[LANE:%.+]] = getelementptr inbounds nuw i8, ptr %2, i64 16
; CHECK: [[X:%.+]] = load double, ptr [[LANE]]
; CHECK-NOT: store {{.*}} ptr %2,
; CHECK: store double 0.000000e+00, ptr [[LANE]]
; CHECK-NOT: store {{.*}} ptr %2,
; CHECK: insertvalue { double } poison, double [[X]], 0
define void @insert(ptr %a, double %x) {
  %v = load <4 x double>, ptr %a, align 8
  %w = insertelement <4 x double> %v, double %x, i64 2
  store <4 x double> %w, ptr %a, align 8
  ret void
}

; CHECK-LABEL: define internal {} @gradient_extract(ptr %0, i64 %1, ptr %2)
; CHECK: [[G:%.+]] = insertelement <4 x double> zeroinitializer, double 1.000000e+00, i64 %1
; CHECK: [[OLD:%.+]] = load <4 x double>, ptr %2
; CHECK: fadd <4 x double> [[G]], [[OLD]]
define double @extract(ptr %a, i64 %n) {
  %v = load <4 x double>, ptr %a, align 8
  %e = extractelement <4 x double> %v, i64 %n
  ret double %e
}

; Lane 3 of one vector and lane 0 of the other.
; CHECK-LABEL: define internal {} @gradient_shuffle(ptr %0, ptr %1, ptr %2, ptr %3)
; CHECK: [[LAST:%.+]] = getelementptr inbounds nuw i8, ptr %0, i64 24
; CHECK: [[X:%.+]] = load double, ptr [[LAST]]
; CHECK: [[Y:%.+]] = load double, ptr %1
; CHECK-DAG: [[DY:%.+]] = fadd double [[X]], 0.000000e+00
; CHECK-DAG: [[DX:%.+]] = fadd double [[Y]], 0.000000e+00
; CHECK-DAG: insertelement <4 x double> <double 0.000000e+00, double 0.000000e+00, double 0.000000e+00, double poison>, double [[DX]], i64 3
; CHECK-DAG: insertelement <4 x double> <double poison, double 0.000000e+00, double 0.000000e+00, double 0.000000e+00>, double [[DY]], i64 0
define double @shuffle(ptr %a, ptr %b) {
  %v = load <4 x double>, ptr %a, align 8
  %w = load <4 x double>, ptr %b, align 8
  %s = shufflevector <4 x double> %v, <4 x double> %w, <2 x i32> <i32 3, i32 4>
  %x = extractelement <2 x double> %s, i64 0
  %y = extractelement <2 x double> %s, i64 1
  %p = fmul double %x, %y
  ret double %p
}

; A lane that is used three times gets three adjoints.
; CHECK-LABEL: define internal {} @gradient_thrice(ptr %0, ptr %1)
; CHECK: fadd <2 x double> {{%.+}}, <double 3.000000e+00, double 1.000000e+00>
define double @thrice(ptr %a) {
  %v = load <2 x double>, ptr %a, align 8
  %s = shufflevector <2 x double> %v, <2 x double> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>
  %r = call double @llvm.vector.reduce.fadd.v4f64(double -0.0, <4 x double> %s)
  ret double %r
}

; CHECK-LABEL: define internal {} @gradient_product(ptr %0, ptr %1, ptr %2, ptr %3)
; CHECK: %v = load <4 x double>, ptr %0
; CHECK: %w = load <4 x double>, ptr %1
; CHECK: fadd <4 x double> %v,
; CHECK: store <4 x double> {{.*}}, ptr %3
; CHECK: fadd <4 x double> %w,
; CHECK: store <4 x double> {{.*}}, ptr %2
define double @product(ptr %a, ptr %b) {
  %v = load <4 x double>, ptr %a, align 8
  %w = load <4 x double>, ptr %b, align 8
  %m = fmul <4 x double> %v, %w
  %r = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %m)
  ret double %r
}

define void @g(ptr %a, ptr %da, ptr %b, ptr %db, double %x, i64 %n) {
  %1 = call double (...) @__enzyme_autodiff_d(ptr @insert, ptr %a, ptr %da, double %x)
  call void (...) @__enzyme_autodiff_v(ptr @extract, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff_v(ptr @shuffle, ptr %a, ptr %da, ptr %b, ptr %db)
  call void (...) @__enzyme_autodiff_v(ptr @thrice, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff_v(ptr @product, ptr %a, ptr %da, ptr %b, ptr %db)
  ret void
}
