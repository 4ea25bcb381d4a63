// One source as CUDA and as HIP: NAME(x) is FACTOR x, computed by a kernel.
#include "vendor.h"

/// The same name in both objects: each has its own.
static __device__ double factor() { return FACTOR; }

__global__ void KERNEL(double *X) { X[threadIdx.x] *= factor(); }

double NAME(double X) {
  OnDevice<double> V(std::vector<double>{X});
  KERNEL<<<1, 1>>>(V);
  return V.get()[0];
}
