// Launches in forward mode and in two passes; memory without shadows; streams;
// memory of the device that the caller has; a kernel that is marked by a
// declaration.
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);
template <typename R, typename... T> R __enzyme_fwddiff(void *, T...);
template <typename R, typename... T> R __enzyme_augmentfwd(void *, T...);
template <typename R, typename... T> R __enzyme_reverse(void *, T...);

RETRO_KERNEL __global__ void blend(const double *X, const double *C,
                                   const int *At, double *Y, double A, int N);

/// y[at[i]] = a x[i] c[i], and x[i] is overwritten.
__global__ void blend(const double *X, const double *C, const int *At,
                      double *Y, double A, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[At[I]] = A * X[I] * X[I] * C[I];
}

/// In place: what it reads is gone afterwards.
RETRO_KERNEL __global__ void square(double *X, unsigned N) {
  unsigned I = blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x +
               threadIdx.x;
  if (I < N)
    X[I] = X[I] * X[I];
}

static double program(const double *X, const double *C, const int *At, double A,
                      int N) {
  double *DX, *DC, *DY;
  int *DAt;
  size_t Bytes = N * sizeof(double);
  cudaStream_t On;
  (void)cudaStreamCreate(&On);
  (void)cudaMalloc(&DX, Bytes);
  (void)cudaMalloc(&DC, Bytes);
  (void)cudaMalloc(&DY, Bytes);
  (void)cudaMalloc(&DAt, N * sizeof(int));
  (void)cudaMemcpyAsync(DX, X, Bytes, cudaMemcpyHostToDevice, On);
  (void)cudaMemcpyAsync(DC, C, Bytes, cudaMemcpyHostToDevice, On);
  (void)cudaMemcpyAsync(DAt, At, N * sizeof(int), cudaMemcpyHostToDevice, On);
  blend<<<dim3((N + 15) / 16), dim3(16), 0, On>>>(DX, DC, DAt, DY, A, N);
  square<<<dim3(1, (N + 15) / 16), 16, 0, On>>>(DY, N);
  double *Y = (double *)malloc(Bytes);
  (void)cudaMemcpyAsync(Y, DY, Bytes, cudaMemcpyDeviceToHost, On);
  (void)cudaStreamSynchronize(On);
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Y[I] * (I + 1);
  free(Y);
  (void)cudaFree(DX);
  (void)cudaFree(DC);
  (void)cudaFree(DY);
  (void)cudaFree(DAt);
  (void)cudaStreamDestroy(On);
  return Sum;
}

/// On memory that the caller has on the device.
static void onDevice(double *X, int N) {
  square<<<(N + 31) / 32, 32>>>(X, N);
  square<<<(N + 31) / 32, 32>>>(X, N);
}

/// Memory that host and device share, and the host's that is pinned.
static double shared(const double *X, int N) {
  double *M, *Pinned, *D;
  (void)cudaMallocManaged(&M, N * sizeof(double));
  (void)cudaMallocHost(&Pinned, N * sizeof(double));
  (void)cudaMalloc(&D, N * sizeof(double));
  for (int I = 0; I < N; ++I)
    M[I] = X[I] * (I + 1);
  square<<<(N + 31) / 32, 32>>>(M, N);
  (void)cudaDeviceSynchronize();
  for (int I = 0; I < N; ++I)
    Pinned[I] = M[I] * X[I];
  (void)cudaMemcpy(D, Pinned, N * sizeof(double), cudaMemcpyHostToDevice);
  square<<<(N + 31) / 32, 32>>>(D, N);
  (void)cudaMemcpy(Pinned, D, N * sizeof(double), cudaMemcpyDeviceToHost);
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Pinned[I] + M[I];
  (void)cudaFree(M);
  (void)cudaFreeHost(Pinned);
  (void)cudaFree(D);
  return Sum;
}

int main() {
  const int N = 50;
  const double A = 1.25;
  std::vector<double> X = values(N), C = values(N, 7), DX(N), TX = values(N, 9);
  std::vector<int> At(N);
  for (int I = 0; I < N; ++I)
    At[I] = (I * 7 + 3) % N;
  double DA = __enzyme_autodiff<double>(
      (void *)program, enzyme_dup, X.data(), DX.data(), enzyme_const, C.data(),
      enzyme_const, At.data(), enzyme_out, A, enzyme_const, N);
  double Tangent = __enzyme_fwddiff<double>(
      (void *)program, enzyme_dup, X.data(), TX.data(), enzyme_const, C.data(),
      enzyme_const, At.data(), enzyme_dup, A, 0.5, enzyme_const, N);
  double WantA = 0, WantTangent = 0;
  for (int I = 0; I < N; ++I) {
    double P = X[I] * X[I] * C[I], W = At[I] + 1;
    double ByX = W * 2 * A * P * A * C[I] * 2 * X[I], ByA = W * 2 * A * P * P;
    NEAR(DX[I], ByX, 1e-13);
    WantA += ByA;
    WantTangent += ByX * TX[I] + ByA * 0.5;
  }
  NEAR(DA, WantA, 1e-13);
  NEAR(Tangent, WantTangent, 1e-13);

  std::vector<double> Again(N);
  void *Tape = __enzyme_augmentfwd<void *>(
      (void *)program, enzyme_dup, X.data(), Again.data(), enzyme_const,
      C.data(), enzyme_const, At.data(), enzyme_out, A, enzyme_const, N);
  DA = __enzyme_reverse<double>((void *)program, enzyme_dup, X.data(),
                                Again.data(), enzyme_const, C.data(),
                                enzyme_const, At.data(), enzyme_out, A,
                                enzyme_const, N, 1.0, Tape);
  NEAR(DA, WantA, 1e-13);
  for (int I = 0; I < N; ++I)
    NEAR(Again[I], DX[I], 1e-14);

  OnDevice<double> P(X), DP(C);
  __enzyme_autodiff<void>((void *)onDevice, enzyme_dup, (double *)P,
                          (double *)DP, enzyme_const, N);
  std::vector<double> Y = P.get(), DY = DP.get();
  for (int I = 0; I < N; ++I) {
    NEAR(Y[I], X[I] * X[I] * X[I] * X[I], 1e-14);
    NEAR(DY[I], C[I] * 4 * X[I] * X[I] * X[I], 1e-14);
  }

  std::vector<double> DShared(N);
  __enzyme_autodiff<void>((void *)shared, enzyme_dup, X.data(), DShared.data(),
                          enzyme_const, N);
  for (int I = 0; I < N; ++I) {
    // M = k^2 x^2; the sum has M^2 x^2 and M.
    double K = (I + 1.0) * (I + 1.0), P = X[I] * X[I];
    NEAR(DShared[I], 6 * K * K * P * P * X[I] + 2 * K * X[I], 1e-13);
  }
  return finish();
}
