// Every kind of memory: constant, global variables, extern shared, local
// arrays, structures by value, the device's heap, 16-bit floats, printf.
#include "../vendor.h"
#ifdef __HIP__
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
using bfloat = __hip_bfloat16;
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
using bfloat = __nv_bfloat16;
#endif
#include <cassert>
#include <memory> // says __attribute__((__noinline__))

__constant__ double Weight[4];
__device__ double Total;
__device__ int Table[3] = {5, 7, 11};

struct Options {
  double Scale;
  int Shift;
  double4 Row;
  bool Negate;
};

__device__ double pick(const double *From, int I) { return From[I]; }

__global__ void spaces(const double *X, double *Out, Options O, bool Add,
                       char Small) {
  extern __shared__ double First[];
  double *Second = First + blockDim.x;
  unsigned T = threadIdx.x;
  double Local[5];
  for (int K = 0; K < 5; ++K)
    Local[K] = K * X[T];
  First[T] = pick(Local, (T + O.Shift) % 5) * Weight[T % 4];
  Second[T] = __ldg(X + T) + Table[T % 3];
  __syncthreads();
  double R = First[blockDim.x - 1 - T] + O.Scale * Second[T ^ 1];
  R += O.Row.x + O.Row.w + Small;
  auto *Heap = (double *)malloc(2 * sizeof(double));
  Heap[1] = R;
  Out[T] = (O.Negate ? -1 : 1) * (Add ? Heap[1] : 0);
  free(Heap);
  atomicAdd(&Total, Out[T]);
  assert(T < blockDim.x);
  if (T == 3)
    printf("thread %d of %u: %.3f %s %c%%\n", T, blockDim.x, 1.5, "says", 'x');
}

// What a thread gives back another one gets.
__device__ __noinline__ double *filled(double V, int N) {
  auto *Heap = (double *)malloc(N * sizeof(double));
  for (int K = 0; K < N; ++K)
    Heap[K] = V + K;
  return Heap;
}
__device__ __noinline__ double give(double *Heap, int At) {
  double Value = Heap[At];
  free(Heap);
  return Value;
}
__global__ void heaps(const double *X, double *Out) {
  Out[threadIdx.x] = give(filled(X[threadIdx.x], 1000 - 50 * threadIdx.x), 7);
}

__global__ void narrow(const __half *H, const bfloat *B, float *Out) {
  __half P = H[0] * H[1] + H[2];
  bfloat Q = B[0] * B[1] + B[2];
  Out[0] = __half2float(P);
  Out[1] = __bfloat162float(Q);
}

__global__ void vectors(const double2 *A, double4 *B, float4 *F) {
  double2 V = A[threadIdx.x];
  B[threadIdx.x] = make_double4(V.x, V.y, V.x * V.y, 1);
  F[threadIdx.x] = make_float4((float)V.x, 2, 3, 4);
}

int main() {
  const int N = 16;
  std::vector<double> X = values(N);
  const double W[4] = {1, -2, 0.5, 3};
  double Zero = 0;
  NEAR(cudaMemcpyToSymbol(Weight, W, sizeof W), cudaSuccess, 0);
  NEAR(cudaMemcpyToSymbol(Total, &Zero, sizeof Zero), cudaSuccess, 0);
  OnDevice<double> In(X), Out(std::vector<double>(N, 0));
  Options O = {1.5, 2, {1, 2, 3, 4}, true};
  spaces<<<1, N, 2 * N * sizeof(double)>>>(In, Out, O, true, 3);
  const int Table[3] = {5, 7, 11};
  double Sum = 0;
  for (int T = 0; T < N; ++T) {
    int M = N - 1 - T;
    double Want = -((M + 2) % 5 * X[M] * W[M % 4] +
                    1.5 * (X[T ^ 1] + Table[(T ^ 1) % 3]) + 5 + 3);
    NEAR(Out.get()[T], Want, 1e-14);
    Sum += Want;
  }
  double Got = 0;
  (void)cudaMemcpyFromSymbol(&Got, Total, sizeof Got);
  NEAR(Got, Sum, 1e-13);
  void *Address = nullptr;
  (void)cudaGetSymbolAddress(&Address, Total);
  (void)cudaMemcpy(&Got, Address, sizeof Got, cudaMemcpyDeviceToHost);
  NEAR(Got, Sum, 1e-13);

  OnDevice<double> Sums(std::vector<double>(N, 0));
  heaps<<<1, N>>>(In, Sums);
  for (int T = 0; T < N; ++T)
    NEAR(Sums.get()[T], X[T] + 7, 1e-15);

  // 0.1 rounds to 819/8192 of half, and to 205/2048 of bfloat16.
  OnDevice<__half> H(std::vector<__half>{0.1f, 3.0f, 1.0f});
  OnDevice<bfloat> B(std::vector<bfloat>{0.1f, 3.0f, 1.0f});
  OnDevice<float> F(std::vector<float>(2, 0));
  narrow<<<1, 1>>>(H, B, F);
  NEAR(F.get()[0], 1.2998046875, 0);
  NEAR(F.get()[1], 1.296875, 0);

  OnDevice<double2> A(std::vector<double2>{{1, 2}, {3, 4}});
  OnDevice<double4> D(std::vector<double4>(2));
  OnDevice<float4> E(std::vector<float4>(2));
  vectors<<<1, 2>>>(A, D, E);
  NEAR(D.get()[1].z, 12, 0);
  NEAR(E.get()[1].x + E.get()[1].w, 7, 0);
  return finish();
}
