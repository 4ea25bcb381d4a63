// Shared memory of a size that the launch gives, which the differentiated
// function names itself: launches give twice the bytes, and the request says
// how many the primal takes.
//
// FAULT cuda 1: with it a block needs 256 bytes
// FAULT hip 1: trap
#include "../requests.h"

extern "C" __device__ int enzyme_shared_bytes, enzyme_width;
template <typename... T> __device__ void __enzyme_fwddiff_kernel(void *, T...);

/// The halvings of a sum, of as many numbers as the block has threads.
__device__ void sum(const double *X, double *Y) {
  extern __shared__ double S[];
  int T = threadIdx.x;
  S[T] = X[blockIdx.x * blockDim.x + T] * X[blockIdx.x * blockDim.x + T];
  __syncthreads();
  for (int Half = blockDim.x / 2; Half > 0; Half /= 2) {
    if (T < Half)
      S[T] += S[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Y[blockIdx.x] = exp(0.1 * S[0]);
}
__global__ void sumGradient(const double *X, double *DX, double *Y,
                            double *DY) {
  __enzyme_autodiff_kernel((void *)sum, enzyme_shared_bytes,
                           int(blockDim.x * sizeof(double)), enzyme_dup, X, DX,
                           enzyme_dup, Y, DY);
}
__global__ void sumTangent(const double *X, const double *TX, double *Y,
                           double *TY) {
  __enzyme_fwddiff_kernel((void *)sum, enzyme_shared_bytes,
                          blockDim.x * sizeof(double), enzyme_dup, X, TX,
                          enzyme_dup, Y, TY);
}
/// Two lanes: three parts.
__global__ void sumLanes(const double *X, double *D1, double *D2, double *Y,
                         double *DY1, double *DY2) {
  __enzyme_autodiff_kernel((void *)sum, enzyme_shared_bytes,
                           blockDim.x * sizeof(double), enzyme_width, 2,
                           enzyme_dup, X, D1, D2, enzyme_dup, Y, DY1, DY2);
}

/// A tile with a halo, and a second array behind it that has another name;
/// one of the two is filled by a function that is called. Twice, as the first
/// request leaves what the second has to clear.
__device__ __noinline__ void fill(const float *X, int N, int First) {
  extern __shared__ float Tile[];
  for (int I = threadIdx.x; I < int(blockDim.x) + 2; I += blockDim.x)
    Tile[I] = X[(First + I + N - 1) % N];
}
__device__ void stencil(const float *X, float *Y, int N) {
  extern __shared__ float All[];
  float *Squares = &All[blockDim.x + 2];
  int T = threadIdx.x, First = blockIdx.x * blockDim.x;
  fill(X, N, First);
  __syncthreads();
  Squares[T] = All[T + 1] * All[T + 1] + All[T] * All[T + 2];
  __syncthreads();
  Y[First + T] = Squares[T] * Squares[T ^ 1];
}
__global__ void stencilGradient(const float *X, float *DX, float *Y, float *DY,
                                int N) {
#pragma unroll 1
  for (int K = 0; K < 2; ++K)
    __enzyme_autodiff_kernel((void *)stencil, enzyme_shared_bytes,
                             (2 * blockDim.x + 2) * sizeof(float), enzyme_dup,
                             X, DX, enzyme_dup, Y, DY, enzyme_const, N);
}

/// Beside memory of the block whose size is known, and integers.
__device__ void mixed(const double *X, double *Y) {
  __shared__ double Own[32];
  extern __shared__ double Given[];
  int *From = (int *)&Given[blockDim.x];
  int T = threadIdx.x, I = blockIdx.x * blockDim.x + T;
  From[T] = (T * 5 + 3) % blockDim.x;
  Given[T] = sin(X[I]);
  Own[T] = X[I];
  __syncthreads();
  Y[I] = Given[From[T]] * Own[(T + 1) % blockDim.x];
}
__global__ void mixedGradient(const double *X, double *DX, double *Y,
                              double *DY) {
  __enzyme_autodiff_kernel((void *)mixed, enzyme_shared_bytes,
                           blockDim.x * (sizeof(double) + sizeof(int)),
                           enzyme_dup, X, DX, enzyme_dup, Y, DY);
}

/// Integers alone have no shadow, and need no place for one.
__device__ void permuted(const double *X, double *Y) {
  extern __shared__ int Order[];
  int T = threadIdx.x;
  Order[T] = T ^ 3;
  __syncthreads();
  Y[T] = X[Order[T ^ 1]] * X[T];
}
GRADIENT_KERNEL(permuted)

std::vector<double> Seeds;
double stencilOf(const double *X, int N, int Threads) {
  std::vector<double> S(N);
  for (int I = 0; I < N; ++I)
    S[I] = X[I] * X[I] + X[(I + N - 1) % N] * X[(I + 1) % N];
  double R = 0;
  for (int I = 0; I < N; ++I)
    R += Seeds[I] * S[I] * S[I / Threads * Threads + (I % Threads ^ 1)];
  return R;
}
double mixedOf(const double *X, int N) {
  double R = 0;
  for (int T = 0; T < N; ++T)
    R += Seeds[T] * sin(X[(T * 5 + 3) % N]) * X[(T + 1) % N];
  return R;
}
double permutedOf(const double *X, int N) {
  double R = 0;
  for (int T = 0; T < N; ++T)
    R += Seeds[T] * X[T ^ 2] * X[T];
  return R;
}

int main(int Args, char **) {
  std::vector<double> Zero(64, 0), Half(64, 0.5); // what is added to
  Seeds = values(64, 4);
  // Of two sizes, neither of which the kernel knows.
  for (int Threads : {16, 32}) {
    const int N = 2 * Threads;
    const size_t Bytes = Threads * sizeof(double);
    std::vector<double> X = values(N), Seed(Seeds.begin(), Seeds.begin() + 2);
    OnDevice<double> In(X), DX(Half), D1(Half), D2(Half), TX(values(N, 7)),
        Y(Zero), DY(Seed), DY1(Seed), DY2(values(2, 9)), TY(Zero), YL(Zero);
    sumGradient<<<2, Threads, 2 * Bytes - (Args > 1 ? 16 : 0)>>>(In, DX, Y, DY);
    std::vector<double> Value = Y.get();
    sumTangent<<<2, Threads, 2 * Bytes>>>(In, TX, Y, TY);
    // More than is needed does no harm.
    sumLanes<<<2, Threads, 3 * Bytes + 40>>>(In, D1, D2, YL, DY1, DY2);
    for (int B = 0; B < 2; ++B) {
      double Sum = 0, Tangent = 0;
      for (int T = 0; T < Threads; ++T) {
        double At = X[B * Threads + T];
        Sum += At * At;
        Tangent += 2 * At * TX.get()[B * Threads + T];
      }
      double Slope = 0.1 * exp(0.1 * Sum);
      NEAR(TY.get()[B], Slope * Tangent, 1e-13);
      for (int I = B * Threads; I < (B + 1) * Threads; ++I) {
        double Want = Slope * 2 * X[I];
        NEAR(DX.get()[I], 0.5 + Seed[B] * Want, 1e-13);
        NEAR(D1.get()[I], 0.5 + Seed[B] * Want, 1e-13);
        NEAR(D2.get()[I], 0.5 + values(2, 9)[B] * Want, 1e-13);
      }
      NEAR(Value[B], exp(0.1 * Sum), 1e-13);
      NEAR(YL.get()[B], exp(0.1 * Sum), 1e-13);
      for (double D : {DY.get()[B], DY1.get()[B], DY2.get()[B]})
        NEAR(D, 0, 0); // consumed
    }
  }

  const int Threads = 32, N = 2 * Threads;
  std::vector<double> X = values(N);
  std::vector<float> XF(X.begin(), X.end()), SeedF(Seeds.begin(), Seeds.end());
  OnDevice<float> InF(XF), DXF(std::vector<float>(N, 0.5f)),
      YF(std::vector<float>(N, 0)), DYF(SeedF);
  // The sizes of the parts are multiples of 16.
  stencilGradient<<<2, Threads, 2 * (2 * Threads + 4) * sizeof(float)>>>(
      InF, DXF, YF, DYF, N);
  for (int I = 0; I < N; ++I) {
    std::vector<double> More(X), Less(X);
    More[I] += 1e-5, Less[I] -= 1e-5;
    double D = (stencilOf(More.data(), N, Threads) -
                stencilOf(Less.data(), N, Threads)) /
               2e-5;
    NEAR(DXF.get()[I], 0.5 + D, 1e-5);
    NEAR(DYF.get()[I], 0, 0);
  }
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Seeds[I] * YF.get()[I];
  NEAR(Sum, stencilOf(X.data(), N, Threads), 1e-5);

  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seeds), DX4(Zero), DY4(Seeds);
  mixedGradient<<<1, Threads, 2 * Threads * 12>>>(In, DX, Y, DY);
  std::vector<double> Got = DX.get();
  GRADIENT(mixedOf, X.data(), Got.data(), Threads);
  Sum = 0;
  for (int I = 0; I < Threads; ++I) {
    Sum += Seeds[I] * Y.get()[I];
    NEAR(DY.get()[I], 0, 0);
  }
  NEAR(Sum, mixedOf(X.data(), Threads), 1e-13);
  permutedGradient<<<1, Threads, Threads * sizeof(int)>>>(In, DX4, Y, DY4);
  Got = DX4.get();
  GRADIENT(permutedOf, X.data(), Got.data(), Threads);
  return finish();
}
