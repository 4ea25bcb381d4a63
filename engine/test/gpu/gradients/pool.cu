// Requests whose tapes lie in memory that the caller provides, of the size that
// a kernel of the same form measures.
//
// The argument chooses a pool that is too small:
// FAULT cuda 1: the pool is too small for the tape: a thread needs at least
// FAULT hip 1: trap
#include "../dual.h"
#include "../requests.h"
#include <cstdlib>

extern "C" __device__ int enzyme_pool;
template <typename... T>
__device__ unsigned long long __enzyme_poolsize(void *, T...);

#define HOLDS(Condition) NEAR((Condition) ? 1 : 0, 1, 0)
typedef unsigned long long Bytes;

__device__ void spiral(const double *__restrict__ X,
                       const int *__restrict__ Count, double *__restrict__ Y,
                       int I) {
  double V = X[I];
  for (int K = 0, Times = Count[I]; K < Times; ++K)
    V = sin(V) + 0.5 * V * X[I];
  Y[I] = V;
}
__global__ void spiralSize(const double *X, const int *Count, double *Y, int N,
                           Bytes *Most) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    atomicMax(Most,
              __enzyme_poolsize((void *)spiral, enzyme_dup, X, X, enzyme_const,
                                Count, enzyme_dup, Y, Y, enzyme_const, I));
}
__global__ void spiralGradient(const double *X, double *DX, const int *Count,
                               double *Y, double *DY, int N, void *Pool,
                               Bytes Each) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    __enzyme_autodiff_kernel((void *)spiral, enzyme_pool, Pool, Each,
                             enzyme_dup, X, DX, enzyme_const, Count, enzyme_dup,
                             Y, DY, enzyme_const, I);
}

/// Records, in a function that is called from a loop of known length, with a
/// block of three dimensions; float, and which way it went.
__device__ __noinline__ float settle(float V, float Limit) {
  while (V < Limit)
    V = V > 2 ? V * 1.5f + sinf(V) : V * V * 0.25f + V + 0.5f;
  return V;
}
__device__ void mixed(const float *__restrict__ X, float *__restrict__ Y, int N,
                      int I) {
  float S = 0;
  for (int K = 0; K < N + I % 3; ++K)
    S += settle(X[I] * (K + 1), 6.0f + 3 * K) * S * 0.01f + expf(-S) * X[I];
  Y[I] = S;
}
__device__ int threadIn3d() {
  int B = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int T = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return B * int(blockDim.x * blockDim.y * blockDim.z) + T;
}
__global__ void mixedSize(const float *X, float *Y, int N, Bytes *Most) {
  int I = threadIn3d();
  atomicMax(Most, __enzyme_poolsize((void *)mixed, enzyme_dup, X, X, enzyme_dup,
                                    Y, Y, enzyme_const, N, enzyme_const, I));
}
__global__ void mixedGradient(const float *X, float *DX, float *Y, float *DY,
                              int N, void *Pool, Bytes Each) {
  int I = threadIn3d();
  __enzyme_autodiff_kernel((void *)mixed, enzyme_pool, Pool, Each, enzyme_dup,
                           X, DX, enzyme_dup, Y, DY, enzyme_const, N,
                           enzyme_const, I);
}

/// Values of more than a word: of two, and of one and a half.
typedef double Two __attribute__((ext_vector_type(2)));
typedef float Three __attribute__((ext_vector_type(3)));
__device__ void wide(const double *__restrict__ X, double *__restrict__ Y,
                     int N, int I) {
  Two V = {X[I], X[I] + 0.5};
  Three W = {float(X[I]), 0.5f, 2.0f};
  for (int K = 0; K < N + I % 3; ++K) {
    V = V * V.yx * 0.5 + X[I];
    W = W.zxy * W * 0.25f + float(X[I]);
  }
  Y[I] = V.x * V.y + W.x * W.y * W.z;
}
__global__ void wideSize(const double *X, double *Y, int N, Bytes *Most) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(Most, __enzyme_poolsize((void *)wide, enzyme_dup, X, X, enzyme_dup,
                                    Y, Y, enzyme_const, N, enzyme_const, I));
}
__global__ void wideGradient(const double *X, double *DX, double *Y, double *DY,
                             int N, void *Pool, Bytes Each) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)wide, enzyme_pool, Pool, Each, enzyme_dup, X,
                           DX, enzyme_dup, Y, DY, enzyme_const, N, enzyme_const,
                           I);
}

Dual spiralOf(double At, int Times) {
  Dual X{At, 1}, V = X;
  for (int K = 0; K < Times; ++K)
    V = sine(V) + 0.5 * V * X;
  return V;
}
Dual wideOf(double At, int Times) {
  Dual X{At, 1}, V[2] = {X, X + Dual{0.5, 0}}, W[3] = {X, {0.5, 0}, {2, 0}};
  for (int K = 0; K < Times; ++K) {
    Dual P = V[0] * V[1];
    V[0] = V[1] = 0.5 * P + X;
    Dual A = 0.25 * W[2] * W[0] + X, B = 0.25 * W[0] * W[1] + X,
         C = 0.25 * W[1] * W[2] + X;
    W[0] = A, W[1] = B, W[2] = C;
  }
  return V[0] * V[1] + W[0] * W[1] * W[2];
}
Dual mixedOf(Dual X, int Times) {
  Dual S{0, 0};
  for (int K = 0; K < Times; ++K) {
    Dual V = (K + 1) * X;
    while (V.V < 6.0 + 3 * K)
      V = V.V > 2 ? 1.5 * V + sine(V) : 0.25 * V * V + V + Dual{0.5, 0};
    S = S + 0.01 * V * S + expo(-1 * S) * X;
  }
  return S;
}

int main(int Args, char **Arg) {
  const int N = 90;
  std::vector<double> X = values(N), Zero(N, 0), One(N, 1);
  std::vector<int> Count(N);
  int Longest = 0;
  for (int I = 0; I < N; ++I)
    Longest = std::max(Longest, Count[I] = I % 7 == 3 ? 0 : (I * 5) % 11 + 200);
  const double Before = 0.5; // is added to
  OnDevice<double> In(X), DX(std::vector<double>(N, Before)), Y(Zero), DY(One);
  OnDevice<int> C(Count);
  OnDevice<Bytes> Most(std::vector<Bytes>(1, 0));
  spiralSize<<<3, 32>>>(In, C, Y, N, Most);
  Bytes Each = Most.get()[0];
#ifdef NO_POOL
  HOLDS(Each == 0);
#else
  HOLDS(Each >= Longest * 8u && Each <= Longest * 24u + 64);
#endif
  if (Args > 1 && std::atoi(Arg[1]) == 1)
    Each -= 8;
  const double Guard = -12345;
  OnDevice<double> Pool(std::vector<double>(Each / 8 * 96 + 1, Guard));
  spiralGradient<<<3, 32>>>(In, DX, C, Y, DY, N, Pool, Each);
  HOLDS(Pool.get().back() == Guard);
  for (int I = 0; I < N; ++I) {
    Dual W = spiralOf(X[I], Count[I]);
    NEAR(DX.get()[I], Before + W.D, 1e-11);
    NEAR(Y.get()[I], W.V, 1e-13);
    NEAR(DY.get()[I], 0, 0); // consumed
  }
#ifndef NO_POOL
  // Word by word of all threads: the value before each step.
  std::vector<double> Words = Pool.get();
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < 3; ++K)
      NEAR(Words[K * 96 + I], Count[I] ? spiralOf(X[I], K).V : Guard, 1e-13);
  HOLDS(Words[95] == Guard); // of a thread with nothing to do
#endif

  const int M = 3 * 2 * 2 * 4 * 3 * 2;
  std::vector<float> XF(M), ZeroF(M, 0), OneF(M, 1);
  std::vector<double> XD = values(M, 5);
  for (int I = 0; I < M; ++I)
    XD[I] = XF[I] = float(XD[I]);
  OnDevice<Bytes> MostF(std::vector<Bytes>(1, 0));
  OnDevice<float> InF(XF), YF(ZeroF);
  dim3 Grid(3, 2, 2), Block(4, 3, 2);
  mixedSize<<<Grid, Block>>>(InF, YF, 4, MostF);
  Each = MostF.get()[0];
  OnDevice<double> PoolF(std::vector<double>(Each / 8 * M + 1, Guard));
  // Some threads do nothing the second time.
  for (int Times : {4, 0}) {
    OnDevice<float> DXF(std::vector<float>(M, float(Before))), DYF(OneF);
    mixedGradient<<<Grid, Block>>>(InF, DXF, YF, DYF, Times, PoolF, Each);
    HOLDS(PoolF.get().back() == Guard);
    for (int I = 0; I < M; ++I) {
      Dual W = mixedOf({XD[I], 1}, Times + I % 3);
      NEAR(YF.get()[I], W.V, 1e-5);
      NEAR(DXF.get()[I], Before + W.D, 1e-4);
      NEAR(DYF.get()[I], 0, 0);
    }
  }

  std::vector<double> Small(64), Zeros(64, 0), Ones(64, 1);
  for (int I = 0; I < 64; ++I)
    Small[I] = 0.1 + 0.005 * I;
  OnDevice<double> InW(Small), DXW(std::vector<double>(64, Before)), YW(Zeros),
      DYW(Ones);
  OnDevice<Bytes> MostW(std::vector<Bytes>(1, 0));
  wideSize<<<4, 16>>>(InW, YW, 5, MostW);
  Each = MostW.get()[0];
  OnDevice<double> PoolW(std::vector<double>(Each / 8 * 64 + 1, Guard));
  wideGradient<<<4, 16>>>(InW, DXW, YW, DYW, 5, PoolW, Each);
  HOLDS(PoolW.get().back() == Guard);
  for (int I = 0; I < 64; ++I) {
    Dual W = wideOf(Small[I], 5 + I % 3);
    NEAR(YW.get()[I], W.V, 1e-6);
    NEAR(DXW.get()[I], Before + W.D, 1e-5);
    NEAR(DYW.get()[I], 0, 0);
  }
  return finish();
}
