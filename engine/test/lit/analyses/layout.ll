; Where a kept value lies: a variable outside loops, a field of the frame in a
; called function, an array where all trips are known before the nest, a chain
; of records where they are not.
; RUN: %retro-opt %s -retro-inline=0 -retro-combine=0 -retro-preaccumulate=0 -retro-loop-checkpoints=0 -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.exp.f64(double)

; CHECK-LABEL: plan for slot (root)
; CHECK-NEXT: cache value %y : double in slot
define double @slot(double %x) {
  %y = call double @llvm.exp.f64(double %x)
  ret double %y
}
; CHECK-LABEL: plan for framed (root)
; CHECK-NEXT: cache tape %y : ptr in slot
; CHECK-LABEL: plan for slot{{$}}
; CHECK-NEXT: cache value %y : double in frame
define double @framed(double %x) {
  %y = call double @slot(double %x)
  ret double %y
}
; The outer loop's trips are known, the inner one's are another number in each
; row: the inner array is allocated a row, its address kept in the outer one.
; CHECK-LABEL: plan for rows (root)
; CHECK-DAG: cache value %s : double in indexed of loop %inner
; CHECK-DAG: cache base %inner : ptr in indexed of loop %outer
; CHECK-DAG: cache base %outer : ptr in slot
; CHECK: reverse %inner: header %outer %inner
define double @rows(ptr %a, i64 %n, ptr %lengths) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.outer = phi double [ 1.0, %entry ], [ %t, %latch ]
  %l = getelementptr inbounds i64, ptr %lengths, i64 %i
  %m = load i64, ptr %l
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi double [ %s.outer, %outer ], [ %t, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %m
  br i1 %j.done, label %latch, label %inner
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %end, label %outer
end:
  ret double %t
}
; The trips are found out by running the loop: their number is kept too.
; CHECK-LABEL: plan for searching (root)
; CHECK-DAG: cache value %s : double in record of loop %loop
; CHECK-DAG: cache head %loop : ptr in slot
; CHECK-DAG: cache value %iv.last : i64 in slot
; CHECK: reverse %loop: header %entry %loop
define double @searching(double %x) {
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = fmul double %s, %s
  %more = fcmp olt double %t, 100.0
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
; An indexed nest inside a loop of records: its address in each record.
; CHECK-LABEL: plan for mixed (root)
; CHECK-DAG: cache value %s : double in indexed of loop %inner
; CHECK-DAG: cache base %inner : ptr in record of loop %outer
; CHECK-DAG: cache head %outer : ptr in slot
; CHECK: reverse
define double @mixed(ptr %a, i64 %n) {
entry:
  br label %outer
outer:
  %s.outer = phi double [ 1.0, %entry ], [ %t, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi double [ %s.outer, %outer ], [ %t, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %latch, label %inner
latch:
  %more = fcmp olt double %t, 100.0
  br i1 %more, label %outer, label %end
end:
  ret double %t
}

; Calls that end the recursion keep nothing: they have no frame. The others'
; lies behind those of the calls that they make.
; CHECK-LABEL: plan for halves{{$}}
; CHECK-DAG: cache tape %l : ptr in frame
; CHECK-DAG: cache value %e : double in frame
; CHECK: frame made after %l{{$}}
define double @halves(double %x, i64 %n) {
entry:
  %c = icmp ult i64 %n, 2
  br i1 %c, label %end, label %more
more:
  %h = lshr i64 %n, 1
  %l = call double @halves(double %x, i64 %h)
  %e = call double @llvm.exp.f64(double %l)
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %e, %more ]
  ret double %y
}

; Of two calls the last one counts; what is kept before it waits.
; CHECK-LABEL: plan for pairs{{$}}
; CHECK-DAG: cache tape %l : ptr in frame
; CHECK-DAG: cache tape %r : ptr in frame
; CHECK-DAG: cache value %d : double in frame
; CHECK: frame made after %r{{$}}
define double @pairs(double %x, i64 %n) {
entry:
  %c = icmp ult i64 %n, 2
  br i1 %c, label %end, label %more
more:
  %h = lshr i64 %n, 1
  %l = call double @pairs(double %x, i64 %h)
  %d = call double @llvm.exp.f64(double %l)
  %r = call double @pairs(double %d, i64 %h)
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %r, %more ]
  ret double %y
}

; A call that is not made in each case cannot make it; the value before it is
; kept all the same.
; CHECK-LABEL: plan for perhaps{{$}}
; CHECK-DAG: cache tape %l : ptr in frame
; CHECK-DAG: cache value %d : double in frame
; CHECK: frame made at %more
define double @perhaps(double %x, i64 %n) {
entry:
  %c = icmp ult i64 %n, 2
  br i1 %c, label %end, label %more
more:
  %d = call double @llvm.exp.f64(double %x)
  %odd = trunc i64 %n to i1
  br i1 %odd, label %again, label %end
again:
  %h = lshr i64 %n, 1
  %l = call double @perhaps(double %d, i64 %h)
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %d, %more ], [ %l, %again ]
  ret double %y
}

define void @g(ptr %a, ptr %da, double %x, i64 %n, ptr %lengths) {
  call void (...) @__enzyme_autodiff(ptr @slot, double %x)
  call void (...) @__enzyme_autodiff(ptr @framed, double %x)
  call void (...) @__enzyme_autodiff(ptr @rows, ptr %a, ptr %da, i64 %n, ptr @enzyme_const, ptr %lengths)
  call void (...) @__enzyme_autodiff(ptr @searching, double %x)
  call void (...) @__enzyme_autodiff(ptr @mixed, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @halves, double %x, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @pairs, double %x, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @perhaps, double %x, i64 %n)
  ret void
}
@enzyme_const = external global i32
