// Shadows to which threads add without atomic operations, since no two of them
// add to one place, and such as look alike but where two do. Which is which is
// counted in the emitted code by the test beside this one; here plain additions
// that meet are races, and give wrong sums.
#include "../requests.h"

constexpr int Fields = 5;

/// One element a thread: what it stores nobody else does.
__device__ void element(const double *X, double *Y, int I) {
  Y[I] = X[I] * X[I];
}
/// Both passes of each element in turn, in steps of the whole launch.
__global__ void elements(const double *X, double *DX, double *Y, double *DY,
                         int N) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += blockDim.x * gridDim.x)
    __enzyme_autodiff_kernel((void *)element, enzyme_dup, X, DX, enzyme_dup, Y,
                             DY, enzyme_const, I);
}

/// All fields of a cell, in a loop.
__device__ void cell(const double *X, double *Y, int I) {
  double Sum = 0;
#pragma unroll 1
  for (int F = 0; F < Fields; ++F)
    Sum += X[I * Fields + F] * X[I * Fields + F] * (F + 1);
  Y[I] = Sum;
}
__global__ void cells(const double *X, double *DX, double *Y, double *DY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)cell, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                           enzyme_const, I);
}

/// A field after the other: fields are apart since indices are in [0, Volume).
struct Size {
  long Volume;
  int Row;
};
__device__ void column(const Size *S, const double *X, double *Y, long I) {
  double Sum = 0;
#pragma unroll
  for (int F = 0; F < Fields; ++F)
    Sum += X[F * S->Volume + I] * X[F * S->Volume + I] * (F + 1);
  Y[I] = Sum;
}
__global__ void columns(Size S, const double *X, double *DX, double *Y,
                        double *DY) {
  int T = threadIdx.x;
  long I = T + int(blockIdx.x) * S.Row;
  if (T < S.Row && I >= 0 && I < S.Volume)
    __enzyme_autodiff_kernel((void *)column, enzyme_const, &S, enzyme_dup, X,
                             DX, enzyme_dup, Y, DY, enzyme_const, I);
}

/// Blocks in two dimensions, and barriers between.
__device__ void node(const double *X, double *Y) {
  __shared__ double S[16];
  int T = threadIdx.x + 4 * threadIdx.y;
  long I = blockIdx.x * 16l + T;
  S[T] = sin(X[I]);
  __syncthreads();
  Y[I] = S[15 - T] * X[I];
}
__global__ void nodes(const double *X, double *DX, double *Y, double *DY) {
  __enzyme_autodiff_kernel((void *)node, enzyme_dup, X, DX, enzyme_dup, Y, DY);
}

/// Neighbours share what they read.
__device__ void difference(const double *X, double *Y, int I) {
  Y[I] = (X[I + 1] - X[I]) * X[I];
}
__global__ void differences(const double *X, double *DX, double *Y,
                            double *DY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)difference, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY, enzyme_const, I);
}

/// Two shadows that are one.
__device__ void product(const double *A, const double *B, double *Y, int I) {
  Y[I] = A[I] * B[I + 1];
}
__global__ void products(const double *A, double *DA, const double *B,
                         double *DB, double *Y, double *DY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)product, enzyme_dup, A, DA, enzyme_dup, B,
                           DB, enzyme_dup, Y, DY, enzyme_const, I);
}

/// Requests that add to one shadow side by side.
__device__ void next(const double *X, double *Y, int I) {
  Y[I] = exp(X[I + 1]);
}
__global__ void both(const double *X, double *DX, double *Y, double *DY,
                     double *Z, double *DZ) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)element, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY, enzyme_const, I);
  __enzyme_autodiff_kernel((void *)next, enzyme_dup, X, DX, enzyme_dup, Z, DZ,
                           enzyme_const, I);
}

/// Only some threads store; all load.
__device__ void some(const double *X, double *Y, int I, int N) {
  double V = X[I % N];
  if (I < N)
    Y[I] = V * V;
  atomicAdd(&Y[N], V);
}
__global__ void someOf(const double *X, double *DX, double *Y, double *DY,
                       int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)some, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                           enzyme_const, I, enzyme_const, N);
}

/// Indices that wrap around in 8 bits: several threads have one.
__device__ void wrapped(const double *X, double *Y, long I) {
  atomicAdd(Y, X[(unsigned char)I] * (I + 1));
}
__global__ void wraps(const double *X, double *DX, double *Y, double *DY) {
  long I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)wrapped, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY, enzyme_const, I * 64);
}

int main() {
  const int N = 64;
  std::vector<double> X = values(N + 1), Seed = values(N, 2), Zero(N + 1, 0);
  OnDevice<double> In(X), Y(Zero), Z(Zero);
  {
    OnDevice<double> DX(Zero), DY(Seed);
    elements<<<2, 8>>>(In, DX, Y, DY, N);
    for (int I = 0; I < N; ++I)
      NEAR(DX.get()[I], 2 * X[I] * Seed[I], 1e-14);
  }
  std::vector<double> F = values(Fields * N, 3), None(Fields * N, 0);
  OnDevice<double> InF(F);
  {
    OnDevice<double> DX(None), DY(Seed);
    cells<<<4, N / 4>>>(InF, DX, Y, DY);
    for (int I = 0; I < Fields * N; ++I)
      NEAR(DX.get()[I], 2 * F[I] * Seed[I / Fields] * (I % Fields + 1), 1e-14);
  }
  {
    OnDevice<double> DX(None), DY(Seed);
    columns<<<4, 32>>>(Size{N, N / 4}, InF, DX, Y, DY);
    for (int I = 0; I < Fields * N; ++I)
      NEAR(DX.get()[I], 2 * F[I] * Seed[I % N] * (I / N + 1), 1e-14);
  }
  {
    OnDevice<double> DX(Zero), DY(Seed);
    nodes<<<N / 16, dim3(4, 4)>>>(In, DX, Y, DY);
    for (int I = 0; I < N; ++I) {
      int J = I / 16 * 16 + 15 - I % 16;
      NEAR(DX.get()[I], Seed[I] * sin(X[J]) + Seed[J] * cos(X[I]) * X[J],
           1e-14);
    }
  }
  {
    OnDevice<double> DX(Zero), DY(Seed);
    differences<<<4, N / 4>>>(In, DX, Y, DY);
    for (int I = 0; I < N; ++I)
      NEAR(DX.get()[I],
           Seed[I] * (X[I + 1] - 2 * X[I]) + (I ? Seed[I - 1] * X[I - 1] : 0.0),
           1e-13);
  }
  {
    OnDevice<double> DX(Zero), DY(Seed);
    products<<<4, N / 4>>>(In, DX, In, DX, Y, DY);
    for (int I = 1; I < N; ++I)
      NEAR(DX.get()[I], Seed[I] * X[I + 1] + Seed[I - 1] * X[I - 1], 1e-13);
  }
  {
    OnDevice<double> DX(Zero), DY(Seed), DZ(Seed);
    both<<<4, N / 4>>>(In, DX, Y, DY, Z, DZ);
    for (int I = 1; I < N; ++I)
      NEAR(DX.get()[I], Seed[I] * 2 * X[I] + Seed[I - 1] * exp(X[I]), 1e-13);
  }
  {
    const int Half = N / 2;
    OnDevice<double> DX(Zero), DY(Seed);
    someOf<<<4, N / 4>>>(In, DX, Y, DY, Half);
    for (int I = 0; I < Half; ++I)
      NEAR(DX.get()[I], Seed[I] * 2 * X[I] + 2 * Seed[Half], 1e-13);
  }
  {
    std::vector<double> V = values(256, 5), VZero(256, 0);
    OnDevice<double> InV(V), DX(VZero), DY(Seed);
    wraps<<<1, 8>>>(InV, DX, Y, DY);
    for (int K = 0; K < 4; ++K)
      NEAR(DX.get()[64 * K], Seed[0] * (64 * K + 1 + 64 * (K + 4) + 1), 1e-13);
  }
  return finish();
}
