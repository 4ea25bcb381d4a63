// Numbers seen as words: casts of bits, maxima and minima of words, sums and
// maxima by compare-and-swap, in shared and global memory; reverse and forward
// mode.
#include "../requests.h"

template <typename... T> __device__ void __enzyme_fwddiff_kernel(void *, T...);

__device__ int word(float X) { return __builtin_bit_cast(int, X); }
__device__ float number(unsigned X) { return __builtin_bit_cast(float, X); }
__device__ unsigned long long word(double X) {
  return __builtin_bit_cast(unsigned long long, X);
}
__device__ double number(unsigned long long X) {
  return __builtin_bit_cast(double, X);
}

__device__ void largest(const float *X, float *Y, int N) {
  if (threadIdx.x < N)
    atomicMax((int *)Y, word(X[threadIdx.x] * X[threadIdx.x]));
}
__device__ void smallest(const float *X, float *Y, int N) {
  if (threadIdx.x == 0)
    Y[0] = 100;
  __syncthreads();
  if (threadIdx.x < N)
    atomicMin((unsigned *)Y, word(X[threadIdx.x] * X[threadIdx.x]));
}
// A constant is the greatest: nothing is left for the others.
__device__ void bounded(const float *X, float *Y, int N) {
  if (threadIdx.x < N)
    atomicMax((int *)Y, threadIdx.x == 3 ? word(50.f) : word(X[threadIdx.x]));
}
__device__ void largestOfBlock(const float *X, float *Y, int N) {
  __shared__ int Most;
  if (threadIdx.x == 0)
    Most = 0;
  __syncthreads();
  if (threadIdx.x < N)
    atomicMax(&Most, word(X[threadIdx.x] * X[threadIdx.x]));
  __syncthreads();
  if (threadIdx.x < N)
    atomicAdd(Y, X[threadIdx.x] * number((unsigned)Most));
}
__device__ void sum(const float *X, float *Y, int N) {
  if (threadIdx.x >= N)
    return;
  unsigned *A = (unsigned *)Y, Old = *A, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(A, Assumed,
                    word(X[threadIdx.x] * X[threadIdx.x] + number(Assumed)));
  } while (Assumed != Old);
}
__device__ void difference(const float *X, float *Y, int N) {
  if (threadIdx.x >= N)
    return;
  int *A = (int *)Y, Old = *A;
  for (;;) {
    int Assumed = Old;
    float V = number((unsigned)Assumed);
    V -= X[threadIdx.x] * X[threadIdx.x];
    Old = atomicCAS(A, Assumed, word(V));
    if (Old == Assumed)
      break;
  }
}
__device__ void sumOfDoubles(const float *X, float *Y, int N) {
  __shared__ double Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  if (threadIdx.x < N) {
    unsigned long long *A = (unsigned long long *)&Sum, Old = *A, Assumed;
    do {
      Assumed = Old;
      Old = atomicCAS(
          A, Assumed,
          word((double)X[threadIdx.x] * X[threadIdx.x] + number(Assumed)));
    } while (Assumed != Old);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    Y[0] = (float)(Sum * Sum / 64);
}
__device__ void mostBySwap(const float *X, float *Y, int N) {
  if (threadIdx.x >= N)
    return;
  float V = X[threadIdx.x] * X[threadIdx.x];
  int *A = (int *)Y, Old = *A;
  while (number((unsigned)Old) < V) {
    int Assumed = Old;
    Old = atomicCAS(A, Assumed, word(V));
    if (Old == Assumed)
      break;
  }
}
__device__ void mostOfTwo(const float *X, float *Y, int N) {
  if (threadIdx.x >= N)
    return;
  int *A = (int *)Y, Old = *A, Assumed;
  do {
    Assumed = Old;
    float V = X[threadIdx.x] * X[threadIdx.x], W = number((unsigned)Assumed);
    Old = atomicCAS(A, Assumed, word(V > W ? V : W));
  } while (Assumed != Old);
}
__device__ void leastBySwap(const float *X, float *Y, int N) {
  if (threadIdx.x == 0)
    Y[0] = 100;
  __syncthreads();
  if (threadIdx.x >= N)
    return;
  float V = X[threadIdx.x] * X[threadIdx.x];
  unsigned *A = (unsigned *)Y, Old = *A, Assumed;
  do {
    if (number(Old) <= V)
      break;
    Assumed = Old;
    Old = atomicCAS(A, Assumed, (unsigned)word(V));
  } while (Assumed != Old);
}
__device__ void tile(const float *X, float *Y, int N) {
  __shared__ int Words[32];
  Words[threadIdx.x] = threadIdx.x < N ? word(X[threadIdx.x] * 2) : 0;
  __syncthreads();
  if (threadIdx.x < N)
    atomicAdd(Y,
              number((unsigned)Words[(threadIdx.x + 1) % N]) * X[threadIdx.x]);
}

// clang-format off
#define KERNELS(K) \
  K(largest) \
  K(smallest) \
  K(bounded) \
  K(largestOfBlock) \
  K(sum) \
  K(difference) \
  K(sumOfDoubles) \
  K(mostBySwap) \
  K(mostOfTwo) \
  K(leastBySwap) \
  K(tile)
// clang-format on
#define KERNEL(F)                                                              \
  __global__ void F##Primal(const float *X, float *Y, int N) { F(X, Y, N); }   \
  __global__ void F##Gradient(const float *X, float *DX, float *Y, float *DY,  \
                              int N) {                                         \
    __enzyme_autodiff_kernel((void *)F, enzyme_dup, X, DX, enzyme_dup, Y, DY,  \
                             enzyme_const, N);                                 \
  }                                                                            \
  __global__ void F##Tangent(const float *X, float *DX, float *Y, float *DY,   \
                             int N) {                                          \
    __enzyme_fwddiff_kernel((void *)F, enzyme_dup, X, DX, enzyme_dup, Y, DY,   \
                            enzyme_const, N);                                  \
  }
KERNELS(KERNEL)

enum { Threads = 32, Count = 24 };

template <class Primal, class Reverse, class Forward>
void check(Primal P, Reverse Gradient, Forward Tangent) {
  std::vector<float> X(Count), V(Count);
  for (int I = 0; I < Count; ++I) {
    X[I] = 0.5f + 0.06f * ((I * 7) % Count);
    V[I] = 0.3f + 0.1f * (I % 5);
  }
  auto Value = [&](const std::vector<float> &At) {
    OnDevice<float> In(At), Y(std::vector<float>(1, 0));
    P(In, Y);
    return Y.get()[0];
  };
  OnDevice<float> In(X), DX(std::vector<float>(Count, 0));
  OnDevice<float> Y(std::vector<float>(1, 0)), DY(std::vector<float>(1, 2));
  Gradient(In, DX, Y, DY);
  NEAR(Y.get()[0], Value(X), 1e-5);
  double Along = 0;
  for (int I = 0; I < Count; ++I) {
    const float H = 2e-3f;
    std::vector<float> Up = X, Down = X;
    Up[I] += H;
    Down[I] -= H;
    double Want = (Value(Up) - Value(Down)) / (2 * H);
    NEAR(DX.get()[I] / 2, Want, 2e-2);
    Along += DX.get()[I] / 2 * V[I];
  }
  OnDevice<float> VX(V), Y2(std::vector<float>(1, 0)),
      DY2(std::vector<float>(1, 0));
  Tangent(In, VX, Y2, DY2);
  NEAR(Y2.get()[0], Value(X), 1e-5);
  NEAR(DY2.get()[0], Along, 1e-4);
}

int main() {
#define CHECK(F)                                                               \
  check([](float *X, float *Y) { F##Primal<<<1, Threads>>>(X, Y, Count); },    \
        [](float *X, float *DX, float *Y, float *DY) {                         \
          F##Gradient<<<1, Threads>>>(X, DX, Y, DY, Count);                    \
        },                                                                     \
        [](float *X, float *DX, float *Y, float *DY) {                         \
          F##Tangent<<<1, Threads>>>(X, DX, Y, DY, Count);                     \
        });
  KERNELS(CHECK)
  return finish();
}
