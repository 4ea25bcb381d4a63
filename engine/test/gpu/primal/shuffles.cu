// Shuffles of all modes and types, votes, and sums of warps.
#include "../vendor.h"

template <typename T> __global__ void modes(const T *X, T *Out, int Width) {
  T V = X[threadIdx.x];
  T *Mine = Out + 4 * threadIdx.x;
  Mine[0] = __shfl_sync(0xffffffffu, V, 5, Width);
  Mine[1] = __shfl_up_sync(0xffffffffu, V, 3, Width);
  Mine[2] = __shfl_down_sync(0xffffffffu, V, 6, Width);
  Mine[3] = __shfl_xor_sync(0xffffffffu, V, 9, Width);
}

template <typename T> void testModes(int Width) {
  const int N = 32;
  std::vector<T> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = (T)(1e5 * values(N)[I]);
  OnDevice<T> In(X), Out(std::vector<T>(4 * N, 0));
  modes<<<1, N>>>((const T *)In, (T *)Out, Width);
  std::vector<T> Got = Out.get();
  for (int I = 0; I < N; ++I) {
    int First = I / Width * Width, End = First + Width;
    NEAR(Got[4 * I], X[First + 5 % Width], 0);
    NEAR(Got[4 * I + 1], X[I - 3 >= First ? I - 3 : I], 0);
    NEAR(Got[4 * I + 2], X[I + 6 < End ? I + 6 : I], 0);
    NEAR(Got[4 * I + 3], X[(I ^ 9) < End ? I ^ 9 : I], 0);
  }
}

/// Sums of warps by shuffles, then of the block by the first warp.
__global__ void sum(const double *X, double *Out, int *Votes) {
  __shared__ double Warps[32];
  double V = X[threadIdx.x];
  int Lane = threadIdx.x % warpSize, Warp = threadIdx.x / warpSize;
  for (int By = warpSize / 2; By > 0; By /= 2)
    V += __shfl_down_sync(~0u, V, By);
  if (Lane == 0)
    Warps[Warp] = V;
  __syncthreads();
  if (Warp == 0) {
    V = Lane < (int)blockDim.x / warpSize ? Warps[Lane] : 0;
    for (int By = warpSize / 2; By > 0; By /= 2)
      V += __shfl_xor_sync(~0u, V, By);
    Out[Lane] = V;
    Votes[3 * Lane] = __any_sync(~0u, Lane == 7);
    Votes[3 * Lane + 1] = __all_sync(~0u, Lane < 7);
    Votes[3 * Lane + 2] = __popc((unsigned)__ballot_sync(~0u, Lane % 3 == 0));
  }
}

int main() {
  for (int Width : {32, 16, 8}) {
    testModes<double>(Width);
    testModes<float>(Width);
    testModes<int>(Width);
    testModes<long long>(Width);
  }
  std::vector<double> X = values(256);
  OnDevice<double> In(X), Out(std::vector<double>(64, 0));
  OnDevice<int> Votes(std::vector<int>(3 * 64, -1));
  sum<<<1, 256>>>(In, Out, Votes);
  double Want = 0;
  for (double V : X)
    Want += V;
  for (int L = 0; L < 32; ++L) {
    NEAR(Out.get()[L], Want, 1e-13);
    NEAR(Votes.get()[3 * L], 1, 0);
    NEAR(Votes.get()[3 * L + 1], 0, 0);
    NEAR(Votes.get()[3 * L + 2], 11, 0);
  }
  return finish();
}
