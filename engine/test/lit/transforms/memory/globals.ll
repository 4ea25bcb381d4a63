; Active globals have shadows, zero at the start of each gradient; a table of
; their addresses has the table of the shadows' addresses.
; RUN: %retro-opt %s | FileCheck %s
declare void @__enzyme_autodiff(...)
@state = global [4 x double] zeroinitializer
@scale = constant double 3.0
@table = global [2 x ptr] [ptr @state, ptr getelementptr (double, ptr @state, i64 2)]
@count = global i64 0

; CHECK-NOT: @__retro_shadow_scale
; CHECK-NOT: @__retro_shadow_count
; CHECK: @__retro_shadow_state = internal global [4 x double] zeroinitializer
; CHECK: @__retro_shadow_table = internal global [2 x ptr] [ptr @__retro_shadow_state, ptr getelementptr (double, ptr @__retro_shadow_state, i64 2)]
; What an earlier derivative has left there is not taken.
; CHECK: @__retro_shadow_table.initial = internal constant [2 x ptr]{{.*}}
; CHECK-NOT: @__retro_shadow

; CHECK-LABEL: define internal { double } @gradient_f(double %0, i64 %1)
; CHECK: call void @llvm.memset.p0.i64({{.*}} @__retro_shadow_state, i8 0, i64 32
; CHECK: store i64 %c1, ptr @count
; CHECK: [[LOADED:%.+]] = load ptr, ptr getelementptr inbounds nuw (i8, ptr @__retro_shadow_table, i64 8)
; What other code has stored there has no shadow.
; CHECK: [[NONE:%.+]] = icmp eq ptr [[LOADED]], null
; CHECK: [[P:%.+]] = select i1 [[NONE]], ptr %q, ptr [[LOADED]]
; CHECK: call void @__retro_end_if(i32
; CHECK-NOT: load ptr, ptr getelementptr inbounds nuw (i8, ptr @__retro_shadow_table
; CHECK: [[OLD:%.+]] = load double, ptr [[P]]
; CHECK: [[NEW:%.+]] = fadd double [[OLD]], 1.000000e+00
; CHECK: store double [[NEW]], ptr [[P]]
; CHECK: [[Q:%.+]] = getelementptr double, ptr @__retro_shadow_state, i64 %1
; CHECK: [[G:%.+]] = load double, ptr [[Q]]
; CHECK: store double 0.000000e+00, ptr [[Q]]
; CHECK: [[D:%.+]] = fmul double [[G]], 3.000000e+00
; CHECK: insertvalue { double } poison, double [[D]], 0
define double @f(double %x, i64 %n) {
  %c = load i64, ptr @count
  %c1 = add i64 %c, 1
  store i64 %c1, ptr @count
  %k = load double, ptr @scale
  %p = getelementptr [4 x double], ptr @state, i64 0, i64 %n
  %y = fmul double %x, %k
  store double %y, ptr %p
  %q = load ptr, ptr getelementptr (ptr, ptr @table, i64 1)
  %z = load double, ptr %q
  ret double %z
}
define void @g(double %x, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret void
}
