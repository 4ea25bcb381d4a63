#include "parts.h"

/// Of this source alone: main.cu has one of the same name.
static __device__ double Factor = 1.5;
__device__ double Second;
void setSecond(double F) { (void)cudaMemcpyToSymbol(Second, &F, sizeof F); }

__device__ __noinline__ double curve(double X, double A) {
  return sin(X) * A * Factor * Second;
}

__device__ void turned(const double *X, double *Y) {
  __shared__ double S[Size];
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  S[T] = X[I] * X[I];
  __syncthreads();
  Y[I] = S[(T + 3) % Size] * curve(X[I], 2);
}

/// Its derivative is said to be 10.
__device__ double smoothed(double X) { return X < 1 ? 0 : 10; }
__device__ double smoothedReverse(double, double Seed) { return 10 * Seed; }
__device__ void *__enzyme_register_gradient_smoothed[] = {
    (void *)smoothed, (void *)smoothed, (void *)smoothedReverse};

__device__ double Weight, WeightShadow;
__device__ void *__enzyme_register_shadow_Weight[] = {(void *)&Weight,
                                                      (void *)&WeightShadow};
__device__ double weighted(double X) { return Weight * X; }
void setWeight(double W) { (void)cudaMemcpyToSymbol(Weight, &W, sizeof W); }
double weightShadow() {
  double S;
  (void)cudaMemcpyFromSymbol(&S, WeightShadow, sizeof S);
  return S;
}

__device__ void square(const double *X, double *Y, int I) {
  Y[I] = X[I] * X[I];
}
__global__ void squareGradient(const double *X, double *DX, double *Y,
                               double *DY) {
  __enzyme_autodiff_kernel((void *)square, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                           enzyme_const, int(threadIdx.x));
}
std::vector<double> squares(const std::vector<double> &X) {
  OnDevice<double> In(X), DX(std::vector<double>(X.size(), 0)), Y(X),
      DY(std::vector<double>(X.size(), 1));
  squareGradient<<<1, int(X.size())>>>(In, DX, Y, DY);
  return DX.get();
}
