// Values that move between the lanes of a warp: sums by shuffles of a warp and
// of a block, and each kind of shuffle with distances that all lanes have in
// common and with ones of their own, of parts of a warp and of some lanes.
#include "../requests.h"

constexpr int Size = 128;

__device__ double warpSum(double V) {
  for (int By = 16; By > 0; By /= 2)
    V += __shfl_down_sync(~0u, V, By, 32);
  return V;
}

/// The norm of a block, which each thread uses.
__device__ void blockNorm(const double *X, double *Y) {
  __shared__ double Parts[Size / 32], Norm;
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  double V = warpSum(X[I] * X[I]);
  if (T % 32 == 0)
    Parts[T / 32] = V;
  __syncthreads();
  if (T < 32) {
    V = warpSum(T < Size / 32 ? Parts[T] : 0);
    if (T == 0)
      Norm = sqrt(V);
  }
  __syncthreads();
  Y[I] = X[I] / Norm;
}
__global__ void normGradient(const double *X, double *DX, double *Y,
                             double *DY) {
  __enzyme_autodiff_kernel((void *)blockNorm, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY);
}

enum Kind { Idx, Up, Down, Xor };

template <Kind K, typename T>
__device__ T shuffled(T V, int By, int Width, unsigned Lanes) {
  switch (K) {
  case Idx:
    return __shfl_sync(Lanes, V, By, Width);
  case Up:
    return __shfl_up_sync(Lanes, V, By, Width);
  case Down:
    return __shfl_down_sync(Lanes, V, By, Width);
  default:
    return __shfl_xor_sync(Lanes, V, By, Width);
  }
}

/// The lane that lane L reads.
int lane(Kind K, int L, int By, int Width) {
  int First = L / Width * Width, End = First + Width;
  switch (K) {
  case Idx:
    return First + (By & (Width - 1));
  case Up:
    return L - By >= First ? L - By : L;
  case Down:
    return L + By < End ? L + By : L;
  default:
    return (L ^ By) < End ? L ^ By : L;
  }
}

/// By: the same in all lanes; if Own, it is that of the lane.
template <Kind K, typename T>
__device__ void moved(const T *X, T *Y, const int *By, int Own, int Width,
                      unsigned Lanes) {
  int L = threadIdx.x;
  if (Lanes >> L & 1)
    Y[L] = shuffled<K>(X[L] * X[L], By[Own ? L : 0], Width, Lanes) * X[L];
}
template <Kind K, typename T>
__global__ void movedGradient(const T *X, T *DX, T *Y, T *DY, const int *By,
                              int Own, int Width, unsigned Lanes) {
  __enzyme_autodiff_kernel((void *)moved<K, T>, enzyme_dup, X, DX, enzyme_dup,
                           Y, DY, enzyme_const, By, enzyme_const, Own,
                           enzyme_const, Width, enzyme_const, Lanes);
}

template <Kind K, typename T>
void check(std::vector<int> By, bool Own, int Width, unsigned Lanes,
           double Tol) {
  const int N = 32;
  std::vector<double> V = values(N, 7), S = values(N, 8);
  std::vector<T> X(V.begin(), V.end()), Seed(S.begin(), S.end()), Zero(N, 0);
  std::vector<double> Want(N, 0), Result(N, 0);
  for (int L = 0; L < N; ++L) {
    int From = lane(K, L, By[Own ? L : 0], Width);
    if (!(Lanes >> L & 1) || !(Lanes >> From & 1))
      continue;
    Result[L] = X[From] * X[From] * X[L];
    Want[L] += Seed[L] * X[From] * X[From];
    Want[From] += Seed[L] * 2 * X[From] * X[L];
  }
  OnDevice<T> In(X), DX(Zero), Y(Zero), DY(Seed);
  OnDevice<int> Distance(By);
  movedGradient<K, T><<<1, N>>>((const T *)In, (T *)DX, (T *)Y, (T *)DY,
                                (const int *)Distance, Own, Width, Lanes);
  for (int L = 0; L < N; ++L) {
    NEAR(Y.get()[L], Result[L], Tol);
    NEAR(DX.get()[L], Want[L], Tol);
    NEAR(DY.get()[L], Lanes >> L & 1 ? 0 : Seed[L], 0);
  }
}

template <Kind K> void checkKind() {
  for (int Width : {32, 8})
    for (int By : {0, 1, 5, 9, 31}) {
      check<K, double>(std::vector<int>(32, By), false, Width, ~0u, 1e-13);
      check<K, float>(std::vector<int>(32, By), false, Width, ~0u, 1e-5);
    }
  std::vector<int> Own(32);
  for (int L = 0; L < 32; ++L)
    Own[L] = (L * 7 + 3) % 11;
  check<K, double>(Own, true, 32, ~0u, 1e-13);
  check<K, float>(Own, true, 16, ~0u, 1e-5);
  // The lower half alone, which reads no other lane.
  for (int L = 0; L < 32; ++L)
    Own[L] = K == Idx ? (L * 5 + 1) % 16 : K == Xor ? 3 : L % 16 ? 1 : 0;
  check<K, double>(Own, true, 16, 0xffffu, 1e-13);
}

/// Lanes and distances that are known when it is compiled.
__device__ void constants(const double *X, float *Y) {
  int L = threadIdx.x;
  double A = X[L] * X[L];
  double B = __shfl_up_sync(~0u, A, 3, 16) * __shfl_sync(~0u, A, 5, 32);
  float C = (float)__shfl_xor_sync(~0u, B, 4, 32);
  Y[L] = C + __shfl_down_sync(~0u, C, 2, 8);
}
__global__ void constantsGradient(const double *X, double *DX, float *Y,
                                  float *DY) {
  __enzyme_autodiff_kernel((void *)constants, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY);
}
std::vector<double> Seeds;
double constantsOf(const double *X, int) {
  double A[32], B[32], R = 0;
  for (int L = 0; L < 32; ++L)
    A[L] = X[L] * X[L];
  for (int L = 0; L < 32; ++L)
    B[L] = A[lane(Up, L, 3, 16)] * A[5];
  for (int L = 0; L < 32; ++L)
    R += Seeds[L] * (B[L ^ 4] + B[lane(Down, L, 2, 8) ^ 4]);
  return R;
}

double normOf(const double *X, int) {
  double S = 0, R = 0;
  for (int T = 0; T < Size; ++T)
    S += X[T] * X[T];
  for (int T = 0; T < Size; ++T)
    R += Seeds[T] * X[T] / sqrt(S);
  return R;
}

int main() {
  checkKind<Idx>();
  checkKind<Up>();
  checkKind<Down>();
  checkKind<Xor>();

  std::vector<double> X = values(2 * Size), Zero(2 * Size, 0);
  Seeds = values(Size, 3);
  std::vector<double> Seed = Seeds;
  Seed.insert(Seed.end(), Seeds.begin(), Seeds.end());
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seed);
  normGradient<<<2, Size>>>((const double *)In, (double *)DX, (double *)Y,
                            (double *)DY);
  std::vector<double> Got = DX.get();
  for (int B = 0; B < 2; ++B) {
    GRADIENT(normOf, &X[B * Size], &Got[B * Size], Size);
    double R = 0;
    for (int T = 0; T < Size; ++T)
      R += Seeds[T] * Y.get()[B * Size + T];
    NEAR(R, normOf(&X[B * Size], Size), 1e-12);
  }

  OnDevice<double> DX2(Zero);
  OnDevice<float> Y2(std::vector<float>(32, 0)),
      DY2(std::vector<float>(Seeds.begin(), Seeds.begin() + 32));
  constantsGradient<<<1, 32>>>((const double *)In, (double *)DX2, (float *)Y2,
                               (float *)DY2);
  std::vector<double> Got2 = DX2.get();
  std::vector<double> Near = Got2;
  for (int L = 0; L < 32; ++L)
    Seeds[L] = (float)Seeds[L];
  // Exact derivatives of a polynomial: central differences of it.
  for (int L = 0; L < 32; ++L) {
    std::vector<double> P = X, M = X;
    P[L] += 1e-4;
    M[L] -= 1e-4;
    NEAR(Near[L],
         (constantsOf(P.data(), 32) - constantsOf(M.data(), 32)) / 2e-4, 1e-5);
  }
  return finish();
}
