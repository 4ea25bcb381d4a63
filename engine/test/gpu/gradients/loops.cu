// A loop whose values the reverse pass needs, of a length known to no
// compiler: each thread has a tape; and local arrays, in a function that is
// called.
#include "../requests.h"

/// The kernel fGradient of a function whose loop has N steps, for element I.
#define LOOP_GRADIENT(f)                                                       \
  __global__ void f##Gradient(const double *X, double *DX, double *Y,          \
                              double *DY, int N) {                             \
    int I = blockIdx.x * blockDim.x + threadIdx.x;                             \
    __enzyme_autodiff_kernel((void *)f, enzyme_dup, X, DX, enzyme_dup, Y, DY,  \
                             enzyme_const, N, enzyme_const, I);                \
  }

__device__ void orbit(const double *X, double *Y, int N, int I) {
  double V = X[I];
  for (int K = 0; K < N + I % 3; ++K)
    V = sin(V) + 0.5 * V * X[I];
  Y[I] = V;
}
LOOP_GRADIENT(orbit)

// So long that the tape has to grow.
__device__ void settle(const double *X, double *Y, int N, int I) {
  double V = X[I];
  for (int K = 0; K < N + I % 3; ++K)
    V = 0.9 * V + 0.05 * sin(V) * X[I];
  Y[I] = V;
}
LOOP_GRADIENT(settle)

__device__ __noinline__ void mix(double *A, int N) {
  for (int K = 1; K < N; ++K)
    A[K] = A[K] * A[K - 1] + A[0];
}
__device__ void local(const double *X, double *Y, int I) {
  double A[6];
  for (int K = 0; K < 6; ++K)
    A[K] = X[I] * (K + 1) * 0.25;
  mix(A, 6);
  Y[I] = A[5] + A[I % 6];
}
__global__ void localGradient(const double *X, double *DX, double *Y,
                              double *DY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff_kernel((void *)local, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                           enzyme_const, I);
}

int Times, Place;
double orbitOf(const double *X, int) {
  double V = X[0];
  for (int K = 0; K < Times; ++K)
    V = sin(V) + 0.5 * V * X[0];
  return V;
}
double settleOf(const double *X, int) {
  double V = X[0];
  for (int K = 0; K < Times; ++K)
    V = 0.9 * V + 0.05 * sin(V) * X[0];
  return V;
}
double localOf(const double *X, int) {
  double A[6];
  for (int K = 0; K < 6; ++K)
    A[K] = X[0] * (K + 1) * 0.25;
  for (int K = 1; K < 6; ++K)
    A[K] = A[K] * A[K - 1] + A[0];
  return A[5] + A[Place];
}

int main() {
  const int N = 48;
  std::vector<double> X = values(N), Zero(N, 0), One(N, 1);
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(One);
  orbitGradient<<<3, 16>>>(In, DX, Y, DY, 5);
  OnDevice<double> DX2(Zero), Y2(Zero), DY2(One);
  localGradient<<<3, 16>>>(In, DX2, Y2, DY2);
  OnDevice<double> DX3(Zero), Y3(Zero), DY3(One);
  settleGradient<<<3, 16>>>(In, DX3, Y3, DY3, 400);
  const double Step = 1;
  for (int I = 0; I < N; ++I) {
    Times = 5 + I % 3;
    NEAR(DX.get()[I], slope(orbitOf, &X[I], &Step, 1), 1e-8);
    NEAR(Y.get()[I], orbitOf(&X[I], 1), 1e-13);
    NEAR(DY.get()[I], 0, 0); // consumed
    Times = 400 + I % 3;
    NEAR(DX3.get()[I], slope(settleOf, &X[I], &Step, 1), 1e-8);
    Place = I % 6;
    NEAR(DX2.get()[I], slope(localOf, &X[I], &Step, 1), 1e-8);
    NEAR(Y2.get()[I], localOf(&X[I], 1), 1e-13);
    NEAR(DY2.get()[I], 0, 0);
  }
  return finish();
}
