// One source for both vendors: the programs here are CUDA, and are compiled as
// HIP too.
#pragma once
#include "../programs/check.h"
#include <vector>

#ifdef __HIP__
#define cudaMalloc hipMalloc
#define cudaMallocManaged hipMallocManaged
#define cudaMallocHost hipMallocHost
#define cudaFreeHost hipFreeHost
#define cudaFree hipFree
#define cudaMemcpy hipMemcpy
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemset hipMemset
#define cudaMemcpyToSymbol hipMemcpyToSymbol
#define cudaMemcpyFromSymbol hipMemcpyFromSymbol
#define cudaGetSymbolAddress hipGetSymbolAddress
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaGetLastError hipGetLastError
#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaErrorInvalidConfiguration hipErrorInvalidConfiguration
#define cudaErrorInvalidValue hipErrorInvalidValue
#define cudaErrorInvalidDevicePointer hipErrorInvalidDevicePointer
#define cudaEvent_t hipEvent_t
#define cudaEventCreate hipEventCreate
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaEventDestroy hipEventDestroy
#define cudaStream_t hipStream_t
#define cudaStreamCreate hipStreamCreate
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamDestroy hipStreamDestroy
#define cudaLaunchKernel hipLaunchKernel
#define cudaFuncSetAttribute hipFuncSetAttribute
#define cudaFuncAttributeMaxDynamicSharedMemorySize                            \
  hipFuncAttributeMaxDynamicSharedMemorySize
#endif

/// A copy of V in the device's memory; freed with the object.
template <typename T> struct OnDevice {
  T *At = nullptr;
  size_t Count;
  explicit OnDevice(const std::vector<T> &V) : Count(V.size()) {
    (void)cudaMalloc(&At, Count * sizeof(T));
    (void)cudaMemcpy(At, V.data(), Count * sizeof(T), cudaMemcpyHostToDevice);
  }
  OnDevice(const OnDevice &) = delete;
  ~OnDevice() { (void)cudaFree(At); }
  operator T *() const { return At; }
  std::vector<T> get() const {
    std::vector<T> V(Count);
    (void)cudaMemcpy(V.data(), At, Count * sizeof(T), cudaMemcpyDeviceToHost);
    return V;
  }
};

/// Values of size 1 with no pattern.
inline std::vector<double> values(size_t Count, unsigned Seed = 1) {
  std::vector<double> V(Count);
  uint64_t State = Seed * 0x9e3779b97f4a7c15u + 1;
  for (double &X : V) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    X = double(State >> 11) / 9007199254740992.0 + 0.25;
  }
  return V;
}
