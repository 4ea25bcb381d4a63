// A host function with a launch, differentiated from the host.
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);

RETRO_KERNEL __global__ void scale(const double *X, double *Y, double A,
                                   int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = A * sin(X[I]) * X[I];
}

static void host(const double *X, double *Y, double A, int N) {
  double *DX, *DY;
  (void)cudaMalloc(&DX, N * sizeof(double));
  (void)cudaMalloc(&DY, N * sizeof(double));
  (void)cudaMemcpy(DX, X, N * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<(N + 31) / 32, 32>>>(DX, DY, A, N);
  (void)cudaMemcpy(Y, DY, N * sizeof(double), cudaMemcpyDeviceToHost);
  (void)cudaFree(DX);
  (void)cudaFree(DY);
}

int main() {
  const int N = 70;
  std::vector<double> X = values(N), Seed = values(N, 3), Y(N), DX(N, 0.5);
  std::vector<double> DY = Seed;
  double DA = __enzyme_autodiff<double>(
      (void *)host, enzyme_dup, X.data(), DX.data(), enzyme_dup, Y.data(),
      DY.data(), enzyme_out, 1.5, enzyme_const, N);
  double Want = 0;
  for (int I = 0; I < N; ++I) {
    NEAR(Y[I], 1.5 * sin(X[I]) * X[I], 1e-14);
    NEAR(DX[I], 0.5 + 1.5 * Seed[I] * (sin(X[I]) + X[I] * cos(X[I])), 1e-14);
    NEAR(DY[I], 0.0, 0);
    Want += Seed[I] * sin(X[I]) * X[I];
  }
  NEAR(DA, Want, 1e-12);
  return finish();
}
