// HIP with no SDK: what device code and the host's launches need, for
//   clang++ -x hip -nogpulib -nogpuinc -include retrograde/gpu/retro_hip.h
// Device math is what clang's own headers make of it: calls of ocml.
#pragma once
#include <retrograde/gpu/qualifiers.h>
#include <retrograde/gpu/vector_types.h>

#define RETRO_GPU_NAME(Name) hip##Name
#define RETRO_GPU_PUSH __hipPushCallConfiguration
#include <retrograde/gpu/host_api.h>
using hipDeviceProp_t = retro::gpu::DeviceProp;
enum { hipFuncAttributeMaxDynamicSharedMemorySize = 8 };

#define __HIP_ENABLE_DEVICE_MALLOC__ 1
#include <__clang_hip_runtime_wrapper.h>

#include <retrograde/gpu/hip_device_functions.h>
