; What clang makes of a kernel, and of a function that launches it, on the host.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@name = private unnamed_addr constant [6 x i8] c"scale\00"
@enzyme_dup = external global i32
@enzyme_const = external global i32

define void @__device_stub__scale(ptr %x, double %a, i32 %n) {
  %px = alloca ptr
  %pa = alloca double
  %pn = alloca i32
  store ptr %x, ptr %px
  store double %a, ptr %pa
  store i32 %n, ptr %pn
  %args = alloca ptr, i64 3
  store ptr %px, ptr %args
  %args1 = getelementptr ptr, ptr %args, i32 1
  store ptr %pa, ptr %args1
  %args2 = getelementptr ptr, ptr %args, i32 2
  store ptr %pn, ptr %args2
  %c = call i32 @cudaLaunchKernel(ptr @__device_stub__scale, i64 1, i32 1, i64 1, i32 1, ptr %args, i64 0, ptr null)
  ret void
}

define void @host(ptr %x, double %a, i32 %n) {
  %c = call i32 @__cudaPushCallConfiguration(i64 4294967298, i32 1, i64 4294967328, i32 1, i64 0, ptr null)
  %failed = icmp ne i32 %c, 0
  br i1 %failed, label %done, label %launch
launch:
  call void @__device_stub__scale(ptr %x, double %a, i32 %n)
  br label %done
done:
  ret void
}

define double @gradient(ptr %x, ptr %dx, double %a, i32 %n) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  %g = call double (...) @__enzyme_autodiff(ptr @host, i32 %dup, ptr %x, ptr %dx, double %a, i32 %const, i32 %n)
  ret double %g
}

define internal void @__cuda_register_globals(ptr %binary) {
  %c = call i32 @__cudaRegisterFunction(ptr %binary, ptr @__device_stub__scale, ptr @name, ptr @name, i32 -1, ptr null, ptr null, ptr null, ptr null, ptr null)
  ret void
}

declare double @__enzyme_autodiff(...)
declare i32 @__cudaRegisterFunction(ptr, ptr, ptr, ptr, i32, ptr, ptr, ptr, ptr, ptr)
declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
