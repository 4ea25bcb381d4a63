// Sums into memory that all threads add to: the adjoint of atomicAdd is a load.
#include "../requests.h"

__device__ void energy(const double *X, double *E, int I, int Bins) {
  atomicAdd(&E[I % Bins], X[I] * X[I]);
}
__global__ void energyGradient(const double *X, double *DX, double *E,
                               double *DE, int N, int Bins) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    __enzyme_autodiff_kernel((void *)energy, enzyme_dup, X, DX, enzyme_dup, E,
                             DE, enzyme_const, I, enzyme_const, Bins);
}

int main() {
  const int N = 90, Bins = 4;
  std::vector<double> X = values(N), Seed = values(Bins, 3);
  OnDevice<double> In(X), DX(std::vector<double>(N, 0));
  OnDevice<double> E(std::vector<double>(Bins, 0)), DE(Seed);
  energyGradient<<<3, 32>>>(In, DX, E, DE, N, Bins);
  std::vector<double> Want(Bins, 0);
  for (int I = 0; I < N; ++I) {
    NEAR(DX.get()[I], 2 * X[I] * Seed[I % Bins], 1e-14);
    Want[I % Bins] += X[I] * X[I];
  }
  for (int B = 0; B < Bins; ++B)
    NEAR(E.get()[B], Want[B], 1e-13);
  return finish();
}
