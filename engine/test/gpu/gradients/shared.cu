// Shared memory between barriers: what a thread stores others load, in both
// orders (the store before the barrier and the load after it, and the other
// way round), and the halvings of a sum. Shared memory has a shadow.
#include "../requests.h"

constexpr int Size = 32;

__device__ void neighbours(const double *X, double *Y) {
  __shared__ double S[Size];
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  S[T] = sin(X[I]);
  __syncthreads();
  double Left = S[(T + Size - 1) % Size];
  __syncthreads();
  S[T] = Left * X[I];
  __syncthreads();
  Y[I] = S[(T + 5) % Size] * S[Size - 1 - T];
}
GRADIENT_KERNEL(neighbours)

/// What a thread loaded is overwritten by its neighbour, not by itself.
__device__ void passed(const double *X, double *Y) {
  __shared__ double S[Size];
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  S[T] = sin(X[I]);
  __syncthreads();
  double V = S[T], R = V * V * X[I];
  __syncthreads();
  if (T + 1 < Size)
    S[T + 1] = R;
  __syncthreads();
  Y[I] = S[T] * V;
}
GRADIENT_KERNEL(passed)

__device__ void sum(const double *X, double *Y) {
  __shared__ double S[Size];
  int T = threadIdx.x;
  S[T] = X[blockIdx.x * Size + T] * X[blockIdx.x * Size + T];
  __syncthreads();
  for (int Half = Size / 2; Half > 0; Half /= 2) {
    if (T < Half)
      S[T] += S[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Y[blockIdx.x] = exp(0.1 * S[0]);
}
GRADIENT_KERNEL(sum)

/// No barrier, as each thread keeps to an element of its own (Shift is 0); but
/// others clear its shadow, and do so again for the next request.
__device__ void own(const double *X, double *Y, int I, int Shift) {
  __shared__ double S[Size];
  int T = threadIdx.x;
  S[T] = X[I] * X[I];
  Y[I] = S[(T + Shift) % Size] * X[I];
}
__global__ void ownGradient(const double *X, double *DX, double *Y, double *DY,
                            int Shift) {
#pragma unroll 1
  for (int B = 0; B < 3; ++B)
    __enzyme_autodiff_kernel((void *)own, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                             enzyme_const, int(B * Size + threadIdx.x),
                             enzyme_const, Shift);
}

/// Numbers beside pointers, of which there are shadows too.
__device__ void beside(const double *X, double *Y) {
  __shared__ struct {
    const double *From;
    double Value;
  } S[Size];
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  S[T].From = X + I;
  S[T].Value = X[I] * X[I];
  __syncthreads();
  auto &Next = S[(T + 1) % Size];
  Y[I] = *Next.From * Next.Value;
}
GRADIENT_KERNEL(beside)

std::vector<double> Seeds;
double neighboursOf(const double *X, int) {
  double A[Size], B[Size], R = 0;
  for (int T = 0; T < Size; ++T)
    A[T] = sin(X[T]);
  for (int T = 0; T < Size; ++T)
    B[T] = A[(T + Size - 1) % Size] * X[T];
  for (int T = 0; T < Size; ++T)
    R += Seeds[T] * B[(T + 5) % Size] * B[Size - 1 - T];
  return R;
}

double passedOf(const double *X, int) {
  double R = Seeds[0] * sin(X[0]) * sin(X[0]);
  for (int T = 1; T < Size; ++T)
    R += Seeds[T] * sin(X[T]) * sin(X[T - 1]) * sin(X[T - 1]) * X[T - 1];
  return R;
}

int main() {
  const int N = 3 * Size;
  std::vector<double> X = values(N), Zero(N, 0);
  Seeds = values(Size, 4);
  std::vector<double> Seed;
  for (int B = 0; B < 3; ++B)
    Seed.insert(Seed.end(), Seeds.begin(), Seeds.end());
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seed);
  neighboursGradient<<<3, Size>>>(In, DX, Y, DY);
  std::vector<double> Got = DX.get();
  for (int B = 0; B < 3; ++B)
    GRADIENT(neighboursOf, &X[B * Size], &Got[B * Size], Size);
  for (double Seed : DY.get())
    NEAR(Seed, 0, 0); // consumed

  OnDevice<double> DX6(Zero), DY6(Seed);
  besideGradient<<<3, Size>>>(In, DX6, Y, DY6);
  for (int I = 0; I < N; ++I)
    NEAR(DX6.get()[I], 3 * X[I] * X[I] * Seeds[(I + Size - 1) % Size], 1e-13);

  OnDevice<double> DX3(Zero), DY3(Seed);
  passedGradient<<<3, Size>>>(In, DX3, Y, DY3);
  Got = DX3.get();
  for (int B = 0; B < 3; ++B)
    GRADIENT(passedOf, &X[B * Size], &Got[B * Size], Size);
  for (int B = 0; B < 3; ++B) {
    double Sum = 0;
    for (int T = 0; T < Size; ++T)
      Sum += Seeds[T] * Y.get()[B * Size + T];
    NEAR(Sum, passedOf(&X[B * Size], Size), 1e-12);
  }
  for (double Seed : DY3.get())
    NEAR(Seed, 0, 0);

  OnDevice<double> DX4(Zero), DY4(Seed);
  ownGradient<<<1, Size>>>(In, DX4, Y, DY4, 0);
  for (int I = 0; I < N; ++I) {
    NEAR(Y.get()[I], X[I] * X[I] * X[I], 1e-14);
    NEAR(DX4.get()[I], 3 * Seed[I] * X[I] * X[I], 1e-14);
  }

  OnDevice<double> DX2(Zero), Y2(std::vector<double>(3, 0));
  OnDevice<double> DY2(std::vector<double>{1, 2, 3});
  sumGradient<<<3, Size>>>(In, DX2, Y2, DY2);
  for (int B = 0; B < 3; ++B) {
    double S = 0;
    for (int T = 0; T < Size; ++T)
      S += X[B * Size + T] * X[B * Size + T];
    NEAR(Y2.get()[B], exp(0.1 * S), 1e-13);
    NEAR(DY2.get()[B], 0, 0);
    for (int T = 0; T < Size; ++T)
      NEAR(DX2.get()[B * Size + T],
           (B + 1) * exp(0.1 * S) * 0.2 * X[B * Size + T], 1e-12);
  }
  return finish();
}
