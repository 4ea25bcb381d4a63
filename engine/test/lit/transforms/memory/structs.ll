; Fields of structs and arrays: the shadow has the same layout, and a pointer
; in it is the shadow of the pointer.
; RUN: %retro-opt %s -retro-inline=0 | FileCheck %s
declare void @__enzyme_autodiff(...)
%body = type { i64, [2 x double], ptr, float }

; CHECK-LABEL: define internal {} @gradient_fields(ptr %0, ptr %1)
; CHECK: %count = load i64, ptr %0
; CHECK: [[F:%.+]] = getelementptr i8, ptr %1, i64 32
; CHECK: [[DW:%.+]] = load float, ptr [[F]]
; CHECK: store float {{%.+}}, ptr [[F]]
; CHECK: [[X:%.+]] = getelementptr i8, ptr %1, i64 16
; CHECK: [[DV:%.+]] = load double, ptr [[X]]
; CHECK: store double {{%.+}}, ptr [[X]]
; CHECK-NOT: store
; CHECK: ret {} poison
define double @fields(ptr %s) {
  %count = load i64, ptr %s
  %x = getelementptr %body, ptr %s, i64 0, i32 1, i64 1
  %v = load double, ptr %x
  %f = getelementptr %body, ptr %s, i64 0, i32 3
  %w = load float, ptr %f
  %wd = fpext float %w to double
  %p = fmul double %v, %wd
  %k = sitofp i64 %count to double
  %q = fmul double %p, %k
  ret double %q
}

; CHECK-LABEL: define internal {} @gradient_pointed(ptr %0, ptr %1)
; CHECK: %field.shadow = getelementptr i8, ptr %1, i64 24
; CHECK: [[TO:%.+]] = load ptr, ptr %field.shadow
; CHECK: [[OLD:%.+]] = load double, ptr [[TO]]
; CHECK: store double {{%.+}}, ptr [[TO]]
define double @pointed(ptr %s) {
  %field = getelementptr %body, ptr %s, i64 0, i32 2
  %to = load ptr, ptr %field
  %v = load double, ptr %to
  %w = fmul double %v, %v
  ret double %w
}

; A pointer that is stored: its shadow is stored in the shadow.
; CHECK-LABEL: define internal {} @gradient_linked(ptr %0, ptr %1, ptr %2, ptr %3)
; CHECK-DAG: store ptr %1, ptr %0
; CHECK-DAG: store ptr %3, ptr %2
define void @linked(ptr %s, ptr %a) {
  store ptr %a, ptr %s
  %v = load double, ptr %a
  %w = fmul double %v, %v
  store double %w, ptr %a
  ret void
}

; Aggregates as values: the reverse function takes and returns their adjoints.
; CHECK-LABEL: define internal { double, double } @reverse_pair(
; CHECK-SAME: { double, double } [[G:%.+]], ptr
; CHECK: ret { double, double } [[G]]
; CHECK-LABEL: define internal { double, double } @gradient_values(double %0, double %1)
; CHECK: [[PAIR:%.+]] = extractvalue { { double, double }, ptr } {{.*}}, 0
; CHECK-DAG: [[A:%.+]] = extractvalue { double, double } [[PAIR]], 0
; CHECK-DAG: [[B:%.+]] = extractvalue { double, double } [[PAIR]], 1
; CHECK-DAG: [[DA:%.+]] = fmul double [[B]], [[B]]
; CHECK-DAG: [[R:%.+]] = fmul double [[A]], [[B]]
; CHECK-DAG: [[DB:%.+]] = fmul reassoc nsz double [[R]], 2.000000e+00
; CHECK: [[HALF:%.+]] = insertvalue { double, double } {{poison|zeroinitializer}}, double [[DA]], 0
; CHECK-NEXT: [[ADJ:%.+]] = insertvalue { double, double } [[HALF]], double [[DB]], 1
; CHECK: call { double, double } @reverse_pair({{.*}}{ double, double } [[ADJ]], ptr
define { double, double } @pair(double %x, double %y) {
  %a = insertvalue { double, double } poison, double %x, 0
  %b = insertvalue { double, double } %a, double %y, 1
  ret { double, double } %b
}
define double @values(double %x, double %y) {
  %p = call { double, double } @pair(double %x, double %y)
  %a = extractvalue { double, double } %p, 0
  %b = extractvalue { double, double } %p, 1
  %r = fmul double %a, %b
  %q = fmul double %r, %b
  ret double %q
}

define void @g(ptr %s, ptr %ds, ptr %a, ptr %da, double %x) {
  call void (...) @__enzyme_autodiff(ptr @fields, ptr %s, ptr %ds)
  call void (...) @__enzyme_autodiff(ptr @pointed, ptr %s, ptr %ds)
  call void (...) @__enzyme_autodiff(ptr @linked, ptr %s, ptr %ds, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @values, double %x, double %x)
  ret void
}
