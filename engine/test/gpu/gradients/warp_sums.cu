// Memory that all threads read: its adjoint is the sum over them. Warps that
// are there as a whole add up first; the last one of a launch is not, nor are
// those of which only some threads come this way.
#include "../requests.h"

constexpr int Terms = 5;

/// Y[I] = S0 X[I]^Terms + S1, a float in between.
__device__ void power(const double *X, double *Y, const double *S,
                      const float *Scale, int I) {
  double P = S[0];
  for (int T = 0; T < Terms; ++T)
    P *= X[I];
  Y[I] = P * *Scale + S[1];
}
__global__ void powerGradient(const double *X, double *DX, double *Y,
                              double *DY, const double *S, double *DS,
                              const float *Scale, float *DScale, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    __enzyme_autodiff_kernel((void *)power, enzyme_dup, X, DX, enzyme_dup, Y,
                             DY, enzyme_dup, S, DS, enzyme_dup, Scale, DScale,
                             enzyme_const, I);
}

/// A polynomial of as many terms as the thread wants: lanes are at different
/// terms, or have ended.
__device__ void polynomial(const double *X, double *Y, const double *C,
                           const int *Count, int I) {
  double R = 0;
  for (int T = 0; T < Count[I]; ++T)
    R = R * X[I] + C[T];
  Y[I] = R;
}
__global__ void polynomialGradient(const double *X, double *DX, double *Y,
                                   double *DY, const double *C, double *DC,
                                   const int *Count, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    __enzyme_autodiff_kernel((void *)polynomial, enzyme_dup, X, DX, enzyme_dup,
                             Y, DY, enzyme_dup, C, DC, enzyme_const, Count,
                             enzyme_const, I);
}

int main() {
  const int N = 300, Block = 128, Blocks = 3;
  std::vector<double> X = values(N), Seed = values(N, 2), Zero(N, 0);
  std::vector<double> S = values(2, 5);
  const float Scale = 0.75f;
  OnDevice<double> In(X), InS(S);
  {
    OnDevice<double> DX(Zero), Y(Zero), DY(Seed), DS({0.5, 0});
    OnDevice<float> InScale({Scale}), DScale({0});
    powerGradient<<<Blocks, Block>>>(
        (const double *)In, (double *)DX, (double *)Y, (double *)DY,
        (const double *)InS, (double *)DS, (const float *)InScale,
        (float *)DScale, N);
    double Want[3] = {0.5, 0, 0};
    for (int I = 0; I < N; ++I) {
      double P = std::pow(X[I], Terms);
      Want[0] += Seed[I] * P * Scale;
      Want[1] += Seed[I];
      Want[2] += Seed[I] * P * S[0];
      NEAR(DX.get()[I], Seed[I] * S[0] * Scale * Terms * P / X[I], 1e-12);
      NEAR(Y.get()[I], S[0] * P * Scale + S[1], 1e-12);
    }
    NEAR(DS.get()[0], Want[0], 1e-12);
    NEAR(DS.get()[1], Want[1], 1e-12);
    NEAR(DScale.get()[0], Want[2], 1e-5);
  }
  {
    std::vector<double> C = values(6, 9);
    std::vector<int> Count(N);
    for (int I = 0; I < N; ++I)
      Count[I] = I < 64 ? 6 : I * 7 % 6; // two whole warps, then mixed ones
    OnDevice<double> DX(Zero), Y(Zero), DY(Seed), InC(C),
        DC(std::vector<double>(6, 0));
    OnDevice<int> InCount(Count);
    polynomialGradient<<<Blocks, Block>>>(
        (const double *)In, (double *)DX, (double *)Y, (double *)DY,
        (const double *)InC, (double *)DC, (const int *)InCount, N);
    std::vector<double> Want(6, 0);
    for (int I = 0; I < N; ++I)
      for (int T = 0; T < Count[I]; ++T)
        Want[T] += Seed[I] * std::pow(X[I], Count[I] - 1 - T);
    for (int T = 0; T < 6; ++T)
      NEAR(DC.get()[T], Want[T], 1e-12);
  }
  return finish();
}
