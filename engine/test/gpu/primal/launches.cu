// Launches: grids of three dimensions, streams, events, errors, several blocks
// at a time, the interface of the emulated GPU.
#include "../vendor.h"
#include <retrograde/gpu/gpu_on_cpu.h>

__global__ void index(int *Out) {
  dim3 T = threadIdx, B = blockIdx;
  int I = T.x + blockDim.x * (T.y + blockDim.y * T.z);
  int J = B.x + gridDim.x * (B.y + gridDim.y * B.z);
  Out[J * blockDim.x * blockDim.y * blockDim.z + I] = 1000 * J + I;
}

__global__ void fill(double *X) {
  X[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

/// Which thread is first, and whether a block finds what another one left.
__global__ void first(int *Who, double *Left) {
  __shared__ double S[4];
  if (threadIdx.x == 0)
    Left[blockIdx.x] = S[1];
  if (atomicAdd(&Who[1], 1) == 0)
    Who[0] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 4)
    S[threadIdx.x] = 3;
}

int firstThread(double *Left) {
  OnDevice<int> Who(std::vector<int>{-1, 0});
  OnDevice<double> L(std::vector<double>(3, 0));
  first<<<3, 8>>>(Who, L);
  for (int B = 0; B < 3; ++B)
    Left[B] = L.get()[B];
  return Who.get()[0];
}

int main() {
  dim3 Block(3, 2, 2), Grid(2, 3, 2);
  OnDevice<int> Out(std::vector<int>(12 * 12, -1));
  index<<<Grid, Block>>>(Out);
  NEAR(cudaGetLastError(), cudaSuccess, 0);
  for (int I = 0; I < 144; ++I)
    NEAR(Out.get()[I], I / 12 * 1000 + I % 12, 0);

  index<<<1, 2000>>>(Out);
  NEAR(cudaGetLastError(), cudaErrorInvalidConfiguration, 0);
  NEAR(cudaGetLastError(), cudaSuccess, 0);
  // More dynamic shared memory than kernels get has to be asked for, on CUDA.
#ifdef __HIP__
  const int Most = 64 << 10, Asked = Most;
#else
  const int Most = 48 << 10, Asked = 60 << 10;
#endif
  index<<<Grid, Block, Most>>>(Out);
  NEAR(cudaGetLastError(), cudaSuccess, 0);
  index<<<Grid, Block, Most + 1>>>(Out);
  NEAR(cudaGetLastError(), cudaErrorInvalidValue, 0);
  NEAR(cudaFuncSetAttribute(index, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            Asked),
       cudaSuccess, 0);
  index<<<Grid, Block, Asked>>>(Out);
  NEAR(cudaGetLastError(), cudaSuccess, 0);
  index<<<Grid, Block, Asked + 1>>>(Out);
  NEAR(cudaGetLastError(), cudaErrorInvalidValue, 0);
  NEAR(cudaFuncSetAttribute(index, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            1 << 20),
       cudaErrorInvalidValue, 0);
  (void)cudaGetLastError();
  NEAR(cudaFree(Out.At + 1), cudaErrorInvalidDevicePointer, 0);
  int Host[4];
  NEAR(cudaMemcpy(Out.At + 143, Host, 8, cudaMemcpyHostToDevice),
       cudaErrorInvalidValue, 0);
  (void)cudaGetLastError();

  retro_gpu_set_workers(2);
  cudaStream_t Stream;
  cudaEvent_t From, To;
  (void)cudaStreamCreate(&Stream);
  (void)cudaEventCreate(&From);
  (void)cudaEventCreate(&To);
  uint64_t Before = retro_gpu_allocated();
  double *X;
  (void)cudaMalloc(&X, 4096 * sizeof(double));
  NEAR(retro_gpu_allocated() - Before, 4096 * sizeof(double), 0);
  (void)cudaEventRecord(From, Stream);
  fill<<<128, 32, 0, Stream>>>(X);
  (void)cudaEventRecord(To, Stream);
  (void)cudaEventSynchronize(To);
  float Milliseconds = -1;
  (void)cudaEventElapsedTime(&Milliseconds, From, To);
  NEAR(Milliseconds >= 0, 1, 0);
  std::vector<double> V(4096);
  (void)cudaMemcpyAsync(V.data(), X, 4096 * sizeof(double),
                        cudaMemcpyDeviceToHost, Stream);
  (void)cudaStreamSynchronize(Stream);
  double Sum = 0;
  for (double W : V)
    Sum += W;
  NEAR(Sum, 4096, 0);
  NEAR(cudaFree(X), cudaSuccess, 0);
  (void)cudaEventDestroy(From);
  (void)cudaEventDestroy(To);
  (void)cudaStreamDestroy(Stream);
  retro_gpu_set_workers(1);

  // Orders, and that no block sees another's shared memory.
  double Left[3];
  retro_gpu_set_order(RETRO_GPU_FORWARD, 0);
  NEAR(firstThread(Left), 0, 0);
  for (double L : Left)
    NEAR(isnan(L), 1, 0);
  retro_gpu_set_order(RETRO_GPU_REVERSE, 0);
  NEAR(firstThread(Left), 23, 0);
  int Distinct = 0;
  bool Seen[24] = {};
  for (int Seed = 0; Seed < 20; ++Seed) {
    retro_gpu_set_order(RETRO_GPU_RANDOM, Seed);
    int Who = firstThread(Left);
    Distinct += !Seen[Who];
    Seen[Who] = true;
    NEAR(firstThread(Left) >= 0, 1, 0);
  }
  NEAR(Distinct > 5, 1, 0);
  return finish();
}
