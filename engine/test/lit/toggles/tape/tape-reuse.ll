; tape-reuse: a tape's memory comes from what earlier calls left, and goes back;
; without it, and on a device, from malloc.
; RUN: %retro-opt %s -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-tape-reuse=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: sed 's/^;TRIPLE //;s/TARGET/nvptx64-nvidia-cuda/' %s > %t.ll
; RUN: %retro-opt %t.ll 2>&1 | FileCheck --check-prefix=OFF %s
; ON: retro-counter tape-reuse {{[1-9]}}
; ON-LABEL: define {{.*}}ptr @__retro_tape_grow(
; ON-NOT: @malloc
; ON: call {{.*}}ptr @__retro_tape_take(i64
; ON-LABEL: define {{.*}}void @__retro_tape_release(
; ON-NOT: @free
; ON: call void @__retro_tape_give(ptr
; ON: define linkonce_odr {{.*}}@__retro_tape_take(

; OFF-LABEL: define {{.*}}ptr @__retro_tape_grow(
; OFF: call {{.*}}ptr @malloc(i64
; OFF-LABEL: define {{.*}}void @__retro_tape_release(
; OFF: call void @free(ptr
; OFF-NOT: @__retro_tape_take
;TRIPLE target triple = "TARGET"
declare void @__enzyme_autodiff(...)

define double @long(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @long, ptr %a, ptr %da, i64 %n)
  ret void
}
