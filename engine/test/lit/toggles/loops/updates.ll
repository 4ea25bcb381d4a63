; updates: where a block reads a place and then stores to it, the place's new
; adjoint is put there; without it that is set to zero, and added to. What may
; touch the place between the two is in the way.
; RUN: %retro-opt %s -S -retro-preopt=0 -retro-post-opt=0 -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefixes=ON,BOTH %s
; RUN: %retro-opt %s -S -retro-preopt=0 -retro-post-opt=0 -retro-print-plan -retro-print-counters -retro-updates=0 2>&1 | FileCheck --check-prefixes=OFF,BOTH %s
; ON-LABEL: plan for square (root)
; ON: update %a
; ON-LABEL: plan for next_to_it (root)
; ON: update %p
; ON-LABEL: plan for anywhere (root)
; ON-NOT: update
; ON-LABEL: plan for halves (root)
; ON-DAG: update %p, read early
; ON-DAG: update %q, read early
; ON-LABEL: plan for in_part (root)
; ON-NOT: update
; ON-LABEL: plan for afterwards (root)
; ON-DAG: update %a{{$}}
; ON-DAG: update %q{{$}}
; ON: retro-counter updates 6
; OFF-NOT: {{^ *}}update
; OFF: retro-counter updates 0

; BOTH-LABEL: define internal {} @gradient_square(ptr %0, ptr %1)
; BOTH: [[G:%.+]] = load double, ptr %1
; OFF-NEXT: store double 0.000000e+00, ptr %1
; ON-NOT: store double 0.000000e+00, ptr %1
; OFF: [[OLD:%.+]] = load double, ptr %1
; OFF: [[SUM:%.+]] = fadd double [[OLD]]
; OFF: store double [[SUM]], ptr %1
; ON-NOT: load double, ptr %1
; ON: store double %{{.+}}, ptr %1
; ON-NOT: ptr %1
; ON: ret
define void @square(ptr %a) {
  %x = load double, ptr %a, align 8
  %y = fmul double %x, %x
  store double %y, ptr %a, align 8
  ret void
}

; What is read between is another place.
define void @next_to_it(ptr %a, i64 %i) {
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %x = load double, ptr %p, align 8
  %z = load double, ptr %q, align 8
  %y = fmul double %x, %z
  store double %y, ptr %p, align 8
  ret void
}

; It may be the same.
define void @anywhere(ptr %a, i64 %i, i64 %j) {
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p, align 8
  %z = load double, ptr %q, align 8
  %y = fmul double %x, %z
  store double %y, ptr %p, align 8
  ret void
}

; The halves do not meet in as many iterations as a half has places. Both are
; read before either is written.
; ON-LABEL: define internal {} @gradient_halves(
; ON: rev.loop:
; ON-NOT: store
; ON: [[Q:%.+]] = getelementptr inbounds double, ptr %2
; ON-NEXT: load double, ptr [[Q]]
; ON: [[P:%.+]] = getelementptr inbounds double, ptr %2
; ON-NEXT: load double, ptr [[P]]
; ON: store double {{.+}}, ptr [[Q]]
; ON: store double {{.+}}, ptr [[P]]
define void @halves(ptr %a, i64 %n) {
entry:
  %long = icmp sgt i64 %n, 0
  br i1 %long, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = add nuw nsw i64 %i, %n
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p, align 8
  %z = load double, ptr %q, align 8
  %y = fmul double %x, %z
  store double %y, ptr %p, align 8
  %w = fadd double %z, %x
  store double %w, ptr %q, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The pair's other number is left as it is.
define void @in_part(ptr %a) {
  %x = load <2 x double>, ptr %a, align 8
  %u = extractelement <2 x double> %x, i64 0
  %v = extractelement <2 x double> %x, i64 1
  %y = fmul double %u, %v
  store double %y, ptr %a, align 8
  ret void
}

; What is read behind the stores may be one of the places: its adjoint comes
; first.
define void @afterwards(ptr %a, i64 %j, ptr noalias %b) {
  %q = getelementptr inbounds i8, ptr %a, i64 8
  %x = load double, ptr %a, align 8
  %z = load double, ptr %q, align 8
  %y = fmul double %x, %z
  store double %y, ptr %a, align 8
  %w = fadd double %z, %x
  store double %w, ptr %q, align 8
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %p, align 8
  store double %v, ptr %b, align 8
  ret void
}

declare void @__enzyme_autodiff(...)

define void @request(ptr %a, ptr %da, i64 %i, i64 %j, ptr %b, ptr %db) {
  call void (...) @__enzyme_autodiff(ptr @square, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @next_to_it, ptr %a, ptr %da, i64 %i)
  call void (...) @__enzyme_autodiff(ptr @anywhere, ptr %a, ptr %da, i64 %i, i64 %j)
  call void (...) @__enzyme_autodiff(ptr @halves, ptr %a, ptr %da, i64 %i)
  call void (...) @__enzyme_autodiff(ptr @in_part, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @afterwards, ptr %a, ptr %da, i64 %j, ptr %b, ptr %db)
  ret void
}
