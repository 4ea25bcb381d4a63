; A launch becomes a call of the runtime in each pass, and the kernels that it
; launches are registered beside the primal's.
; RUN: %retro-opt -retro-kernels=scale %S/../Inputs/launch.ll | FileCheck %s

; CHECK-DAG: [[DESCRIBE:@.*]] = private {{.*}} c"__retro_describe_scale\00"
; CHECK-DAG: [[AUGMENTED:@.*]] = private {{.*}} c"__retro_augmented_scale\00"
; CHECK-DAG: [[REVERSE:@.*]] = private {{.*}} c"__retro_reverse_scale\00"
; CHECK-DAG: @__retro_launched_scale = internal global {{.*}} ptr @__device_stub__scale, ptr @__retro_describe_of_scale, ptr @__retro_measure_of_scale, ptr @__retro_augmented_of_scale, ptr @__retro_reverse_of_scale, ptr @__retro_tangent_of_scale, ptr null }

; The primal launches what it did.
; CHECK-LABEL: define void @host(
; CHECK: call i32 @__cudaPushCallConfiguration(i64 4294967298, i32 1, i64 4294967328, i32 1, i64 0, ptr null)
; CHECK: call void @__device_stub__scale(ptr %x, double %a, i32 %n)

; CHECK-LABEL: define internal void @__cuda_register_globals(
; CHECK-DAG: call i32 @__cudaRegisterFunction(ptr %binary, ptr @__device_stub__scale, ptr @name, ptr @name,
; CHECK-DAG: call i32 @__cudaRegisterFunction(ptr %binary, ptr @__retro_describe_of_scale, ptr [[DESCRIBE]], ptr [[DESCRIBE]],
; CHECK-DAG: call i32 @__cudaRegisterFunction(ptr %binary, ptr @__retro_augmented_of_scale, ptr [[AUGMENTED]], ptr [[AUGMENTED]],
; CHECK-DAG: call i32 @__cudaRegisterFunction(ptr %binary, ptr @__retro_reverse_of_scale, ptr [[REVERSE]], ptr [[REVERSE]],

; CHECK-LABEL: define internal { double } @gradient_host(
; CHECK: [[TAPE:%.*]] = call ptr @__retro_cuda_launch_forward(i64 4294967298, i32 1, i64 4294967328, i32 1, i64 0, ptr null, ptr nonnull @__retro_launched_scale,
; CHECK: call void @__retro_cuda_launch_reverse(ptr [[TAPE]],
; Nothing is left of what stood for the launch.
; CHECK-NOT: define {{.*}}@__retro_launch_

