// Functions of the device's math library against the host's.
#include "../vendor.h"
#include <cmath>

__device__ void both(double V, double *S, double *C) { sincos(V, S, C); }
__device__ void both(float V, float *S, float *C) { sincosf(V, S, C); }

template <typename T> __global__ void all(const T *X, T *Out) {
  T V = X[threadIdx.x], W = X[threadIdx.x + 1];
  T *Mine = Out + 64 * threadIdx.x;
#define ONE(Name) *Mine++ = Name(V);
#define TWO(Name) *Mine++ = Name(V, W);
#include "functions.inc"
  *Mine++ = fma(V, W, V);
  *Mine++ = rsqrt(V);
  T S, C;
  both(V, &S, &C);
  *Mine++ = S + C;
  *Mine++ = (T)(std::isnan(V) + std::isfinite(V));
}

template <typename T> void test(double Tolerance) {
  const int N = 7;
  std::vector<T> X;
  for (double V : values(N + 1))
    X.push_back((T)(V * 0.75));
  OnDevice<T> In(X), Out(std::vector<T>(64 * N, 0));
  all<<<1, N>>>((const T *)In, (T *)Out);
  std::vector<T> Got = Out.get();
  for (int I = 0; I < N; ++I) {
    const T *At = &Got[64 * I];
    T V = X[I], W = X[I + 1];
#define ONE(Name) NEAR(*At++, std::Name(V), Tolerance);
#define TWO(Name) NEAR(*At++, std::Name(V, W), Tolerance);
#include "functions.inc"
    NEAR(*At++, std::fma(V, W, V), Tolerance);
    NEAR(*At++, 1 / std::sqrt(V), Tolerance);
    NEAR(*At++, std::sin(V) + std::cos(V), Tolerance);
    NEAR(*At++, 1, 0);
  }
}

int main() {
  test<double>(1e-14);
  test<float>(1e-6);
  return finish();
}
