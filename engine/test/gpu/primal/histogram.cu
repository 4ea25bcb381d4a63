// Atomic updates of shared and of global memory, of integers and of floats.
#include "../vendor.h"

constexpr int Bins = 16;

__global__ void count(const double *X, int N, unsigned *Counts, double *Weights,
                      int *Greatest, unsigned long long *Least) {
  __shared__ unsigned Here[Bins];
  __shared__ float Sum[Bins];
  if (threadIdx.x < Bins) {
    Here[threadIdx.x] = 0;
    Sum[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    int Bin = (int)((X[I] - 0.25) * Bins);
    atomicAdd(&Here[Bin], 1u);
    atomicAdd(&Sum[Bin], 1.0f);
    atomicAdd(&Weights[Bin], X[I]);
    atomicMax(Greatest, I);
    atomicMin(Least, (unsigned long long)I + 5);
  }
  __syncthreads();
  if (threadIdx.x < Bins) {
    atomicAdd(&Counts[threadIdx.x], Here[threadIdx.x]);
    atomicSub(&Counts[threadIdx.x],
              Here[threadIdx.x] - (unsigned)Sum[threadIdx.x]);
  }
}

/// The product by compare and swap, and a turn taken by exchange.
__global__ void product(const double *X, int N, double *Product, int *Last,
                        unsigned *Turns) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicInc(Turns, 6);
  atomicExch(Last, 42);
  if (I >= N)
    return;
  auto *Bits = (unsigned long long *)Product;
  unsigned long long Old = 0, Seen;
  Old = atomicAdd(Bits, 0ull);
  do {
    Seen = Old;
    double New = __builtin_bit_cast(double, Seen) * X[I];
    Old = atomicCAS(Bits, Seen, __builtin_bit_cast(unsigned long long, New));
  } while (Old != Seen);
}

int main() {
  const int N = 777;
  std::vector<double> X = values(N);
  OnDevice<double> In(X), Weights(std::vector<double>(Bins, 0));
  OnDevice<unsigned> Counts(std::vector<unsigned>(Bins, 0));
  OnDevice<int> Greatest(std::vector<int>(1, -1));
  OnDevice<unsigned long long> Least(std::vector<unsigned long long>(1, 1000));
  count<<<3, 64>>>(In, N, Counts, Weights, Greatest, Least);
  std::vector<unsigned> Want(Bins, 0);
  std::vector<double> Sum(Bins, 0);
  for (double V : X) {
    ++Want[(int)((V - 0.25) * Bins)];
    Sum[(int)((V - 0.25) * Bins)] += V;
  }
  for (int B = 0; B < Bins; ++B) {
    NEAR(Counts.get()[B], Want[B], 0);
    NEAR(Weights.get()[B], Sum[B], 1e-13);
  }
  NEAR(Greatest.get()[0], N - 1, 0);
  NEAR(Least.get()[0], 5, 0);

  OnDevice<double> Product(std::vector<double>(1, 1));
  OnDevice<int> Last(std::vector<int>(1, 0));
  OnDevice<unsigned> Turns(std::vector<unsigned>(1, 0));
  product<<<2, 32>>>(In, 50, Product, Last, Turns);
  double P = 1;
  for (int I = 0; I < 50; ++I)
    P *= X[I];
  NEAR(Product.get()[0], P, 1e-13);
  NEAR(Last.get()[0], 42, 0);
  NEAR(Turns.get()[0], 64 % 7, 0);
  return finish();
}
