// A launch, differentiated from the host, of a kernel that reads a variable of
// the device: its adjoints are in the shadow that the program registers.
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);

__device__ double Weight[2], WeightShadow[2];
__device__ void *__enzyme_register_shadow_Weight[] = {(void *)Weight,
                                                      (void *)WeightShadow};

RETRO_KERNEL __global__ void weigh(const double *X, double *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = Weight[0] * sin(X[I]) + Weight[1] * Weight[1] * X[I];
}

static void host(const double *X, double *Y, int N) {
  double *DX, *DY;
  (void)cudaMalloc(&DX, N * sizeof(double));
  (void)cudaMalloc(&DY, N * sizeof(double));
  (void)cudaMemcpy(DX, X, N * sizeof(double), cudaMemcpyHostToDevice);
  weigh<<<(N + 31) / 32, 32>>>(DX, DY, N);
  weigh<<<(N + 31) / 32, 32>>>(DY, DX, N);
  (void)cudaMemcpy(Y, DX, N * sizeof(double), cudaMemcpyDeviceToHost);
  (void)cudaFree(DX);
  (void)cudaFree(DY);
}

int main() {
  const int N = 70;
  const double W[2] = {0.7, -1.3};
  double Shadow[2] = {100, 200};
  (void)cudaMemcpyToSymbol(Weight, W, sizeof W);
  (void)cudaMemcpyToSymbol(WeightShadow, Shadow, sizeof Shadow);
  std::vector<double> X = values(N), Seed = values(N, 3), Y(N), DX(N, 0.5);
  std::vector<double> DY = Seed;
  __enzyme_autodiff<void>((void *)host, enzyme_dup, X.data(), DX.data(),
                          enzyme_dup, Y.data(), DY.data(), enzyme_const, N);
  double Want[2] = {100, 200};
  for (int I = 0; I < N; ++I) {
    double V = W[0] * sin(X[I]) + W[1] * W[1] * X[I];
    double DV = Seed[I] * (W[0] * cos(V) + W[1] * W[1]);
    NEAR(Y[I], W[0] * sin(V) + W[1] * W[1] * V, 1e-14);
    NEAR(DX[I], 0.5 + DV * (W[0] * cos(X[I]) + W[1] * W[1]), 1e-13);
    Want[0] += Seed[I] * sin(V) + DV * sin(X[I]);
    Want[1] += 2 * W[1] * (Seed[I] * V + DV * X[I]);
  }
  (void)cudaMemcpyFromSymbol(Shadow, WeightShadow, sizeof Shadow);
  NEAR(Shadow[0], Want[0], 1e-13);
  NEAR(Shadow[1], Want[1], 1e-13);
  return finish();
}
