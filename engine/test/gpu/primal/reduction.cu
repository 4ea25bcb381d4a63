// Sums of blocks by halving in shared memory. With NO_BARRIER the barrier
// between two halvings is gone, and some order of threads must show it.
#include "../vendor.h"

__global__ void sums(const double *X, double *Sum, int N) {
  __shared__ double Part[128];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Part[threadIdx.x] = I < N ? X[I] : 0;
  __syncthreads();
  for (int Half = blockDim.x / 2; Half > 0; Half /= 2) {
    if ((int)threadIdx.x < Half)
      Part[threadIdx.x] += Part[threadIdx.x + Half];
#ifndef NO_BARRIER
    __syncthreads();
#endif
  }
  if (threadIdx.x == 0)
    Sum[blockIdx.x] = Part[0];
}

int main() {
  const int N = 1000, Blocks = 8;
  std::vector<double> X = values(N);
  OnDevice<double> In(X), Out(std::vector<double>(Blocks, 0));
  sums<<<Blocks, 128>>>(In, Out, N);
  std::vector<double> Sum = Out.get();
  for (int B = 0; B < Blocks; ++B) {
    double Want = 0;
    for (int I = B * 128; I < N && I < (B + 1) * 128; ++I)
      Want += X[I];
    NEAR(Sum[B], Want, 1e-13);
  }
  return finish();
}
