// One thread an element: math, gathers that overlap (so that threads add to
// one shadow), a value returned, __ldg, constant memory, printf.
#include "../requests.h"

__constant__ double Scale[2];

__device__ void gather(const double *X, double *Y, int I) {
  Y[I] = X[I] * X[I + 1] + cos(X[I]) * Scale[I % 2] + pow(__ldg(X + I), 3.0);
  if (I == 3)
    printf("gather %d %.2f\n", I, Scale[0]);
}
__global__ void gatherGradient(const double *X, double *DX, double *Y,
                               double *DY, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    __enzyme_autodiff_kernel((void *)gather, enzyme_dup, X, DX, enzyme_dup, Y,
                             DY, enzyme_const, I);
}

__device__ float wave(float X, float Y) { return sinf(X) * expf(Y) + X / Y; }
__global__ void waveGradient(const float *X, float *DX) {
  int I = threadIdx.x;
  DX[I] = __enzyme_autodiff_value<float>((void *)wave, enzyme_out, X[I],
                                         enzyme_const, 2.0f);
}

int main() {
  const int N = 100;
  std::vector<double> X = values(N + 1), Seed = values(N, 2);
  const double S[2] = {1.5, -2};
  (void)cudaMemcpyToSymbol(Scale, S, sizeof S);
  OnDevice<double> DX(std::vector<double>(N + 1, 0)), In(X);
  OnDevice<double> Y(std::vector<double>(N, 0)), DY(Seed);
  gatherGradient<<<4, 32>>>(In, DX, Y, DY, N);
  for (int I = 0; I <= N; ++I) {
    double Want = I ? Seed[I - 1] * X[I - 1] : 0;
    if (I < N)
      Want += Seed[I] * (X[I + 1] - sin(X[I]) * S[I % 2] + 3 * X[I] * X[I]);
    NEAR(DX.get()[I], Want, 1e-13);
  }
  for (int I = 0; I < N; ++I) {
    NEAR(Y.get()[I], X[I] * X[I + 1] + cos(X[I]) * S[I % 2] + pow(X[I], 3),
         1e-13);
    NEAR(DY.get()[I], 0, 0); // consumed
  }
  OnDevice<float> F(std::vector<float>{0.5f, 1, 2});
  OnDevice<float> DF(std::vector<float>(3, 0));
  waveGradient<<<1, 3>>>(F, DF);
  for (int I = 0; I < 3; ++I)
    NEAR(DF.get()[I], cos(F.get()[I]) * exp(2.0) + 0.5, 1e-6);
  return finish();
}
