; flang's names are shown as they are written: modules, hosts and procedures.
; Where there is no line, the message says how to get one.
; RUN: sed 's/@request/@_QQmain/;s/@target/@_QMwave_modPmisfit/g' %s > %t.ll
; RUN: not %retro-opt %t.ll -disable-output 2>&1 | FileCheck -DIN='the main program' -DOF=wave_mod::misfit %s
; RUN: sed 's/@request/@_QMsolverSpartFrunPinner/;s/@target/@_QFPown/g' %s > %t.ll
; RUN: not %retro-opt %t.ll -disable-output 2>&1 | FileCheck -DIN=solver::part::run::inner -DOF=own %s
; A variable's name is of another kind, and stays.
; RUN: sed 's/@request/@_QPplain/;s/@target/@_QMwaveEfield/g' %s > %t.ll
; RUN: not %retro-opt %t.ll -disable-output 2>&1 | FileCheck -DIN=plain -DOF=_QMwaveEfield %s
; CHECK: in function '[[IN]]': too few arguments to differentiate '[[OF]]': {{.*}} (compile with -g for the line)
declare void @__enzyme_autodiff(...)

define double @target(ptr %x, i32 %n) {
  %v = load double, ptr %x
  ret double %v
}
define void @request(ptr %x, ptr %d) {
  call void (...) @__enzyme_autodiff(ptr @target, ptr %x, ptr %d)
  ret void
}
