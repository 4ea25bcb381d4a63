// The kernels of the program, for it and for the driver that runs them.
#pragma once
#include <cuda_runtime.h>

__constant__ double Factor[2];

__global__ void scale(const double *X, double *Y, int N, double A) {
  int I = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (I < N)
    Y[I] = A * X[I] * Factor[1];
}

__global__ void sum(const double *X, double *Out) {
  extern __shared__ double Of[];
  unsigned T = threadIdx.x;
  Of[T] = X[T];
  for (unsigned Half = blockDim.x / 2; Half; Half /= 2) {
    __syncthreads();
    if (T < Half)
      Of[T] += Of[T + Half];
  }
  if (!T)
    *Out = Of[0];
}

__global__ void missing(int) {}
