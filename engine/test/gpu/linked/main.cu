// Requests that wait for the link of the device code. Without part.cu each is
// an error at the line of the call.
#include "parts.h"

static __device__ double Factor = 2;

__device__ void composed(const double *X, double *Y, int I) {
  double Smooth = smoothed(X[I]) * X[I] + weighted(X[I]);
  Y[I] = curve(X[I], X[I] * X[I]) * Factor + Smooth;
}
__global__ void composedGradient(const double *X, double *DX, double *Y,
                                 double *DY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)composed, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY, enzyme_const, I);
}
__global__ void turnedGradient(const double *X, double *DX, double *Y,
                               double *DY) {
  __enzyme_autodiff_kernel((void *)turned, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY);
}

int main() {
  std::vector<double> X = values(N), Seeds = values(N, 3), Zero(N, 0);
  for (double V : squares({1.5, -2}))
    NEAR(fabs(V), V > 0 ? 3 : 4, 1e-14);
  setSecond(2);
  setWeight(0.25);
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seeds);
  composedGradient<<<Blocks, Size>>>(In, DX, Y, DY);
  double Shadow = 0;
  for (int I = 0; I < N; ++I) {
    double V = X[I], Step = V < 1 ? 0 : 10;
    NEAR(Y.get()[I], 6 * sin(V) * V * V + Step * V + 0.25 * V, 1e-13);
    NEAR(DX.get()[I],
         Seeds[I] *
             (6 * (cos(V) * V * V + 2 * sin(V) * V) + Step + 10 * V + 0.25),
         1e-13);
    Shadow += Seeds[I] * V;
  }
  NEAR(weightShadow(), Shadow, 1e-13);

  OnDevice<double> DX2(Zero), DY2(Seeds);
  turnedGradient<<<Blocks, Size>>>(In, DX2, Y, DY2);
  for (int B = 0; B < N; B += Size)
    for (int T = 0; T < Size; ++T) {
      double V = X[B + T], Before = X[B + (T + Size - 3) % Size],
             Next = X[B + (T + 3) % Size];
      NEAR(Y.get()[B + T], Next * Next * 6 * sin(V), 1e-13);
      NEAR(DX2.get()[B + T],
           Seeds[B + T] * Next * Next * 6 * cos(V) +
               Seeds[B + (T + Size - 3) % Size] * 6 * sin(Before) * 2 * V,
           1e-13);
    }
  return finish();
}
