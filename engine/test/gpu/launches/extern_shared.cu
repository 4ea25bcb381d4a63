// Whole launches of kernels with shared memory of a size that the launch gives:
// the derivative's launches give twice as much, for the shadow.
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);
template <typename R, typename... T> R __enzyme_fwddiff(void *, T...);

#ifdef TOO_LARGE
constexpr int LargeSize = (120 << 10) / 8;
#else
constexpr int LargeSize = (32 << 10) / 8;
#endif

/// The halvings of a sum, of as many numbers as the block has threads.
RETRO_KERNEL __global__ void sum(const double *X, double *Y, double A) {
  extern __shared__ double S[];
  int T = threadIdx.x;
  S[T] = A * X[blockIdx.x * blockDim.x + T] * X[blockIdx.x * blockDim.x + T];
  __syncthreads();
  for (int Half = blockDim.x / 2; Half > 0; Half /= 2) {
    if (T < Half)
      S[T] += S[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Y[blockIdx.x] = exp(0.1 * S[0]);
}

/// A tile with a halo, as often as an array says; the second name is of the
/// same memory.
RETRO_KERNEL __global__ void stencil(const double *X, double *Y,
                                     const int *Often, int N) {
  extern __shared__ double Tile[];
  extern __shared__ double Again[];
  int T = threadIdx.x, First = blockIdx.x * blockDim.x;
  for (int I = T; I < int(blockDim.x) + 2; I += blockDim.x)
    Tile[I] = X[(First + I + N - 1) % N];
  for (int K = 0; K < *Often; ++K) {
    __syncthreads();
    double V = 0.5 * Again[T] * Again[T + 1] + 0.4 * Again[T + 2];
    __syncthreads();
    Tile[T + 1] = V;
  }
  Y[First + T] = Again[T + 1] * Tile[T + 1];
}

/// Its memory is not even named where there is none.
RETRO_KERNEL __global__ void square(double *Y) {
  Y[threadIdx.x] *= Y[threadIdx.x];
}

/// Integers alone have no shadow: twice as many bytes are more than there are,
/// on HIP.
RETRO_KERNEL __global__ void permuted(const double *X, double *Y) {
  extern __shared__ int Order[];
  Order[10000 + threadIdx.x] = threadIdx.x ^ 3;
  __syncthreads();
  Y[threadIdx.x] = X[Order[10000 + (threadIdx.x ^ 1)]] * X[threadIdx.x];
}
static void launchPermuted(const double *X, double *Y) {
  permuted<<<1, 8, 40 << 10>>>(X, Y);
}
static double permutedOf(const double *X, int N) {
  double R = 0;
  for (int I = 0; I < N; ++I)
    R += X[I ^ 2] * X[I];
  return R;
}

/// So much that the derivative's kernels have to ask for it, on CUDA.
RETRO_KERNEL __global__ void large(const double *X, double *Y) {
  extern __shared__ double S[];
  S[LargeSize - 1 - threadIdx.x] = X[threadIdx.x] * X[threadIdx.x];
  __syncthreads();
  Y[threadIdx.x] = S[LargeSize - 1 - (threadIdx.x ^ 1)] * X[threadIdx.x];
}
static void launchLarge(const double *X, double *Y) {
  (void)cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(LargeSize * sizeof(double)));
  large<<<1, 8, LargeSize * sizeof(double)>>>(X, Y);
}
static double largeOf(const double *X, int N) {
  double R = 0;
  for (int I = 0; I < N; ++I)
    R += X[I ^ 1] * X[I ^ 1] * X[I];
  return R;
}

/// Of memory on the device: X has N numbers, Z as many, Y as there are blocks.
static void program(const double *X, double *Z, double *Y, const int *Often,
                    double A, int N, int Threads) {
  stencil<<<N / Threads, Threads, (Threads + 2) * sizeof(double)>>>(X, Z, Often,
                                                                    N);
  sum<<<N / Threads, Threads, Threads * sizeof(double)>>>(Z, Y, A);
  square<<<1, N / Threads, 64>>>(Y);
}

static int Threads, Times;
static std::vector<double> Seeds;
static double reference(const double *XA, int Count) {
  int N = Count - 1;
  std::vector<double> Y;
  for (int First = 0; First < N; First += Threads) {
    std::vector<double> Tile, Next;
    for (int I = 0; I < Threads + 2; ++I)
      Tile.push_back(XA[(First + I + N - 1) % N]);
    for (int K = 0; K < Times; ++K) {
      Next = Tile;
      for (int T = 0; T < Threads; ++T)
        Next[T + 1] = 0.5 * Tile[T] * Tile[T + 1] + 0.4 * Tile[T + 2];
      Tile = Next;
    }
    double Sum = 0;
    for (int T = 0; T < Threads; ++T)
      Sum += XA[N] * pow(Tile[T + 1], 4);
    Y.push_back(exp(0.2 * Sum));
  }
  double R = 0;
  for (size_t B = 0; B < Y.size(); ++B)
    R += Seeds[B] * Y[B];
  return R;
}

int main() {
  std::vector<double> XP = values(8, 3);
  OnDevice<double> AtP(XP), DXP(std::vector<double>(8, 0)),
      YP(std::vector<double>(8, 0)), DYP(std::vector<double>(8, 1));
  __enzyme_autodiff<void>((void *)launchPermuted, enzyme_dup, (double *)AtP,
                          (double *)DXP, enzyme_dup, (double *)YP,
                          (double *)DYP);
  std::vector<double> GotP = DXP.get();
  GRADIENT(permutedOf, XP.data(), GotP.data(), 8);

  std::vector<double> XL = values(8), Ones(8, 1), Zeros(8, 0);
  OnDevice<double> AtL(XL), DXL(Zeros), YL(Zeros), DYL(Ones);
  __enzyme_autodiff<void>((void *)launchLarge, enzyme_dup, (double *)AtL,
                          (double *)DXL, enzyme_dup, (double *)YL,
                          (double *)DYL);
  std::vector<double> GotL = DXL.get();
  GRADIENT(largeOf, XL.data(), GotL.data(), 8);
  // Of two sizes, neither of which a kernel knows.
  for (int Size : {8, 16}) {
    Threads = Size;
    Times = Size / 4;
    const int N = 3 * Threads;
    std::vector<double> XA = values(N + 1), Zero(N, 0), Y(3), D(N + 1);
    for (double &V : XA)
      V = 0.5 + 0.5 * V;
    Seeds = values(3, 5);
    const double A = XA[N];
    OnDevice<double> X(std::vector<double>(XA.begin(), XA.end() - 1)), DX(Zero),
        Z(Zero), DZ(Zero), YD(Y), DY(Seeds);
    OnDevice<int> Often(std::vector<int>(1, Times));
    D[N] = __enzyme_autodiff<double>(
        (void *)program, enzyme_dup, (double *)X, (double *)DX, enzyme_dup,
        (double *)Z, (double *)DZ, enzyme_dup, (double *)YD, (double *)DY,
        enzyme_const, (int *)Often, enzyme_out, A, enzyme_const, N,
        enzyme_const, Threads);
    std::vector<double> Part = DX.get(), Value = YD.get();
    std::copy(Part.begin(), Part.end(), D.begin());
    GRADIENT(reference, XA.data(), D.data(), N + 1);
    double Sum = 0;
    for (int B = 0; B < 3; ++B)
      Sum += Seeds[B] * Value[B];
    NEAR(Sum, reference(XA.data(), N + 1), 1e-13);

    std::vector<double> T = values(N + 1, 8);
    OnDevice<double> TX(std::vector<double>(T.begin(), T.end() - 1)), TZ(Zero),
        TY(Y);
    __enzyme_fwddiff<void>((void *)program, enzyme_dup, (double *)X,
                           (double *)TX, enzyme_dup, (double *)Z, (double *)TZ,
                           enzyme_dup, (double *)YD, (double *)TY, enzyme_const,
                           (int *)Often, enzyme_dup, A, T[N], enzyme_const, N,
                           enzyme_const, Threads);
    double Tangent = 0, Want = 0;
    for (int B = 0; B < 3; ++B)
      Tangent += Seeds[B] * TY.get()[B];
    for (int I = 0; I <= N; ++I)
      Want += T[I] * D[I];
    NEAR(Tangent, Want, 1e-12);
  }
  return finish();
}
