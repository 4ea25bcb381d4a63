// The numbers that the runtime has of the driver's interface are those of the
// SDK's header, and so are the types of the functions it calls.
#include "../../runtime/gpu_driver/driver.h"
#include <cuda.h>

using namespace retro::gpu;

#define SAME(Ours, Theirs) static_assert(int(Ours) == int(Theirs))
SAME(MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(MaxBlockDimX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(MaxBlockDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(MaxGridDimX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(MaxGridDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(MaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(TotalConstantMemory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
SAME(WarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(MaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
SAME(ClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(MultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(MemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME(ComputeMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(ComputeMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(MaxSharedPerMultiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(FunctionShared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(FunctionLocal, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(FunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(FunctionPtx, CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME(FunctionBinary, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(JitErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME(JitErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(DriverNoDevice, CUDA_ERROR_NO_DEVICE);
SAME(DriverNotFound, CUDA_ERROR_NOT_FOUND);
SAME(ErrorInvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME(ErrorMemoryAllocation, CUDA_ERROR_OUT_OF_MEMORY);
SAME(2, CU_LIMIT_MALLOC_HEAP_SIZE);
SAME(1, CU_MEM_ATTACH_GLOBAL);
static_assert(sizeof(Address) == sizeof(CUdeviceptr));
static_assert(sizeof(int) == sizeof(CUdevice));

/// As many parameters, each of the same size.
template <class... A, class... B>
constexpr bool alike(int (*)(A...), CUresult (*)(B...)) {
  if constexpr (sizeof...(A) == sizeof...(B))
    return ((sizeof(A) == sizeof(B)) && ...);
  return false;
}
#define DRIVER(Field, Symbol, Parameters)                                      \
  static_assert(alike(static_cast<int(*) Parameters>(nullptr), &Symbol));
#include "../../runtime/gpu_driver/driver.def"
#undef DRIVER
