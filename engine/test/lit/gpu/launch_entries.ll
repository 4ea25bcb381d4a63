; Where kernels are known to the linker by entries of a table, the derived ones
; have entries too.
; RUN: sed '/^define internal void @__cuda_register_globals/,/^}/d' %S/../Inputs/launch.ll > %t.ll
; RUN: cat %s >> %t.ll
; RUN: %retro-opt -retro-kernels=scale %t.ll | FileCheck %s

@.offloading.entry.scale = weak constant { i64, i16, i16, i32, ptr, ptr, i64, i64, ptr } { i64 0, i16 1, i16 2, i32 0, ptr @__device_stub__scale, ptr @name, i64 0, i64 0, ptr null }, section "llvm_offload_entries", align 8

; CHECK-DAG: [[NAME:@.*]] = private {{.*}} c"__retro_reverse_scale\00"
; CHECK-DAG: @.offloading.entry.scale = weak constant {{.*}} ptr @__device_stub__scale, ptr @name,
; CHECK-DAG: @.offloading.entry.scale.__retro_augmented_scale = weak constant {{.*}} ptr @__retro_augmented_of_scale, {{.*}} section "llvm_offload_entries", align 8
; CHECK-DAG: @.offloading.entry.scale.__retro_reverse_scale = weak constant {{.*}} { i64 0, i16 1, i16 2, i32 0, ptr @__retro_reverse_of_scale, ptr [[NAME]], i64 0, i64 0, ptr null }, section "llvm_offload_entries", align 8
; CHECK-DAG: @.offloading.entry.scale.__retro_describe_scale = weak constant
