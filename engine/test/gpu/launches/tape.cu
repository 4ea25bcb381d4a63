// The tapes of the loops of a whole launch: in one piece of memory, of a size
// that a kernel measures before; or from malloc, where it cannot.
#include "../dual.h"
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const;
template <typename... T> void __enzyme_autodiff(void *, T...);

/// As often as an array says: no thread's tape is as long as its neighbour's.
RETRO_KERNEL __global__ void counted(const double *X, const int *Count,
                                     double *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double V = X[I];
  for (int K = 0; K < Count[I]; ++K)
    V = sin(V) + 0.5 * V * X[I];
  Y[I] = V;
}

/// Loops in a loop, of several arrays and numbers of several sizes, around a
/// branch; and a second loop after them.
RETRO_KERNEL __global__ void nested(const float *X, const int *Count, float *Y,
                                    int N) {
  int I = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float V = X[I];
  double S = 0;
  for (int J = 0; J < Count[I]; ++J) {
    for (int K = 0; K <= J % 3; ++K) {
      if (V > 1.0f)
        V = 0.5f * V * V * X[I];
      else
        V = V + 0.3f * sinf(V);
    }
    S += exp(-double(V) * V);
  }
  for (int J = 0; J < 3 + Count[I] % 2; ++J)
    S = S * 0.3 * V + V * V;
  Y[I] = float(S);
}

/// Until the number itself says so: what it is computed from is only read.
RETRO_KERNEL __global__ void until(const double *__restrict__ X,
                                   double *__restrict__ Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double V = X[I] + 1;
  while (V < 40)
    V = V * V * 0.5 + V * X[I] + V * 0.5;
  Y[I] = V;
}

__device__ __noinline__ double power(const double *X, int I, int Times) {
  double V = X[I];
  for (int K = 0; K < Times; ++K)
    V = V * V * 0.7 + cos(V);
  return V;
}
/// A function that is called, in a loop; an array of the thread's own.
RETRO_KERNEL __global__ void called(const double *X, const int *Count,
                                    double *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double A[5], S = 0;
  for (int K = 0; K < 5; ++K)
    A[K] = X[I] * (K + 1) * 0.25;
  for (int K = 0; K < Count[I]; ++K)
    A[(K + I) % 5] += power(X, I, K + Count[I] % 3) * A[(K * I) % 5];
  for (int K = 0; K < 5; ++K)
    S += A[K] * A[K];
  Y[I] = S;
}

/// As often as an array of the thread's own says, one way or another.
RETRO_KERNEL __global__ void chosen(const double *__restrict__ X,
                                    const int *Count, double *__restrict__ Y,
                                    int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  int Steps[4];
  for (int K = 0; K < 4; ++K)
    Steps[K] = Count[(I + K) % N] + K;
  double V = X[I];
  if (V > 0.7)
    for (int K = 0, Times = Steps[I % 4]; K < Times; ++K)
      V = sin(V) + 0.5 * V * X[I];
  else
    for (int K = 0, Times = Steps[Count[I] % 3] / 2; K < Times; ++K)
      V = V * V * 0.7 + cos(V);
  Y[I] = V;
}

/// How often is known only while it runs: it counts down what it reads.
RETRO_KERNEL __global__ void written(const double *X, int *Count, double *Y,
                                     int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double V = X[I];
  for (int J = 0; J < 2; ++J) {
    for (int K = 0; K < Count[I]; ++K)
      V = sin(V) + 0.5 * V * X[I];
    Count[I] = Count[I] / 2 + 1;
  }
  Y[I] = V;
}

static const int Threads = 32, Blocks = 3;

static void hostCounted(const double *X, const int *Count, double *Y, int N) {
  counted<<<Blocks, Threads>>>(X, Count, Y, N);
}
static void hostNested(const float *X, const int *Count, float *Y, int N) {
  nested<<<dim3(2, 2), Threads>>>(X, Count, Y, N);
}
static void hostUntil(const double *X, const int *, double *Y, int N) {
  until<<<Blocks, Threads>>>(X, Y, N);
}
static void hostCalled(const double *X, const int *Count, double *Y, int N) {
  called<<<Blocks, Threads>>>(X, Count, Y, N);
}
static void hostChosen(const double *X, const int *Count, double *Y, int N) {
  chosen<<<Blocks, Threads>>>(X, Count, Y, N);
}
static void hostWritten(const double *X, const int *Count, double *Y, int N) {
  written<<<Blocks, Threads>>>(X, const_cast<int *>(Count), Y, N);
}

template <typename T> struct Result {
  std::vector<T> Y, DX, DY;
};
template <typename T, typename F>
static Result<T> gradient(F *Host, const std::vector<T> &X,
                          const std::vector<int> &Count) {
  OnDevice<T> At(X), DX(std::vector<T>(X.size(), 0)),
      Y(std::vector<T>(X.size(), 0)), DY(std::vector<T>(X.size(), 1));
  OnDevice<int> C(Count);
  __enzyme_autodiff((void *)Host, enzyme_dup, (T *)At, (T *)DX, enzyme_const,
                    (int *)C, enzyme_dup, (T *)Y, (T *)DY, enzyme_const,
                    int(X.size()));
  return {Y.get(), DX.get(), DY.get()};
}

static Dual spiral(Dual V, Dual X, int Times) {
  for (int K = 0; K < Times; ++K)
    V = sine(V) + 0.5 * V * X;
  return V;
}
static Dual powerOf(Dual X, int Times) {
  Dual V = X;
  for (int K = 0; K < Times; ++K)
    V = 0.7 * V * V + cosine(V);
  return V;
}

int main() {
  const int N = 90; // some threads have nothing to do
  std::vector<double> X = values(N);
  std::vector<int> Count(N);
  for (int I = 0; I < N; ++I)
    Count[I] = I % 7 == 3 ? 0 : (I * 5) % 11;

  Result<double> R = gradient(hostCounted, X, Count);
  for (int I = 0; I < N; ++I) {
    Dual W = spiral({X[I], 1}, {X[I], 1}, Count[I]);
    NEAR(R.Y[I], W.V, 1e-13);
    NEAR(R.DX[I], W.D, 1e-12);
    NEAR(R.DY[I], 0, 0); // consumed
  }

  std::vector<float> XF(X.begin(), X.end());
  Result<float> RF = gradient(hostNested, XF, Count);
  for (int I = 0; I < N; ++I) {
    Dual At{XF[I], 1}, V = At, S{0, 0};
    for (int J = 0; J < Count[I]; ++J) {
      for (int K = 0; K <= J % 3; ++K)
        V = V.V > 1 ? 0.5 * V * V * At : V + 0.3 * sine(V);
      S = S + expo(-1 * V * V);
    }
    for (int J = 0; J < 3 + Count[I] % 2; ++J)
      S = 0.3 * S * V + V * V;
    NEAR(RF.Y[I], S.V, 1e-4);
    NEAR(RF.DX[I], S.D, 1e-3);
  }

  R = gradient(hostUntil, X, Count);
  for (int I = 0; I < N; ++I) {
    Dual At{X[I], 1}, V = At + Dual{1, 0};
    while (V.V < 40)
      V = 0.5 * V * V + V * At + 0.5 * V;
    NEAR(R.Y[I], V.V, 1e-12);
    NEAR(R.DX[I], V.D, 1e-11);
  }

  R = gradient(hostCalled, X, Count);
  for (int I = 0; I < N; ++I) {
    Dual At{X[I], 1}, A[5], S{0, 0};
    for (int K = 0; K < 5; ++K)
      A[K] = (K + 1) * 0.25 * At;
    for (int K = 0; K < Count[I]; ++K)
      A[(K + I) % 5] =
          A[(K + I) % 5] + powerOf(At, K + Count[I] % 3) * A[(K * I) % 5];
    for (Dual &Z : A)
      S = S + Z * Z;
    NEAR(R.Y[I], S.V, 1e-12);
    NEAR(R.DX[I], S.D, 1e-11);
  }

  R = gradient(hostChosen, X, Count);
  for (int I = 0; I < N; ++I) {
    auto Steps = [&](int K) { return Count[(I + K) % N] + K; };
    Dual At{X[I], 1}, W = X[I] > 0.7 ? spiral(At, At, Steps(I % 4))
                                     : powerOf(At, Steps(Count[I] % 3) / 2);
    NEAR(R.Y[I], W.V, 1e-13);
    NEAR(R.DX[I], W.D, 1e-11);
  }

  R = gradient(hostWritten, X, Count);
  for (int I = 0; I < N; ++I) {
    Dual At{X[I], 1};
    Dual W = spiral(spiral(At, At, Count[I]), At, Count[I] / 2 + 1);
    NEAR(R.Y[I], W.V, 1e-13);
    NEAR(R.DX[I], W.D, 1e-11);
  }
  return finish();
}
