// Shared memory of a size that the launch gives: the array and its shadow are
// the halves of twice the bytes, and an argument with a shadow.
#include "../requests.h"

constexpr int Size = 16;

__device__ void swap(const double *X, double *Y, double *S) {
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  S[T] = sin(X[I]);
  __syncthreads();
  Y[I] = S[T ^ 1] * X[I] + S[0];
}
__global__ void swapGradient(const double *X, double *DX, double *Y, double *DY,
                             int N) {
  extern __shared__ double Both[];
  Both[N + threadIdx.x] = 0;
  __syncthreads();
  __enzyme_autodiff_kernel((void *)swap, enzyme_dup, X, DX, enzyme_dup, Y, DY,
                           enzyme_dup, &Both[0], &Both[N]);
}

std::vector<double> Seeds;
double swapOf(const double *X, int) {
  double R = 0;
  for (int T = 0; T < Size; ++T)
    R += Seeds[T] * (sin(X[T ^ 1]) * X[T] + sin(X[0]));
  return R;
}

int main() {
  const int N = 2 * Size;
  std::vector<double> X = values(N), Zero(N, 0), Seed;
  Seeds = values(Size, 4);
  for (int B = 0; B < 2; ++B)
    Seed.insert(Seed.end(), Seeds.begin(), Seeds.end());
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seed);
  swapGradient<<<2, Size, 2 * Size * sizeof(double)>>>(In, DX, Y, DY, Size);
  std::vector<double> Got = DX.get();
  for (int B = 0; B < 2; ++B)
    GRADIENT(swapOf, &X[B * Size], &Got[B * Size], Size);
  return finish();
}
