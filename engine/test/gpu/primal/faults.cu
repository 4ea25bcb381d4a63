// Kernels with one mistake each, chosen by number: each must be reported, with
// this text.
// FAULT 1: write of 8 bytes
// FAULT 2: byte 256 of '_ZZ6faultyPdiPiiE1S', which has 256 bytes
// FAULT 3: which has 32 bytes
// FAULT 4: out of bounds: read of 4 bytes
// FAULT 5: 16 threads, (16,0,0) to (31,0,0), have ended
// FAULT 6: race: write
// FAULT 7: and others read
// FAULT 8: assertion 'T < 20'
// FAULT 9: race: read
// FAULT 10: wait at __syncthreads()
// FAULT cuda 11: wait at a shuffle
#include "../vendor.h"
#include <cassert>

__global__ void faulty(double *X, int N, int *Flag, int Fault) {
  __shared__ double S[32];
  int T = threadIdx.x;
  double Local[4] = {1, 2, 3, 4};
  double V = X[T];
  S[T] = T;
  __syncthreads();
  switch (Fault) {
  case 1: // past the end of a buffer
    X[T + N - 31] = 1;
    break;
  case 2: // past the end of a shared array
    X[T] = S[T + *Flag];
    break;
  case 3: // past the end of a local array
    Local[T % 4] += 1;
    X[T] = Local[T % 4 + *Flag];
    break;
  case 4: // memory of the host
    X[T] = *Flag;
    break;
  case 5: // a barrier in a branch, where threads end
    if (T < 16)
      __syncthreads();
    X[T] = S[31 - T];
    break;
  case 6: // two threads, one word
    X[T / 2] = T;
    break;
  case 7: // read before the barrier
    S[T] = V;
    X[T] = S[31 - T];
    __syncthreads();
    break;
  case 8:
    assert(T < 20);
    break;
  case 9: // an update that should be atomic
    X[0] += S[T];
    break;
  case 10: // two barriers at once
    if (T < 16)
      __syncthreads();
    else
      __threadfence(), __syncthreads();
    break;
  case 11: // a shuffle that not all reach
    if (T != 9)
      V += __shfl_down_sync(0xffffffffu, V, 1);
    X[T] = V;
    break;
  }
}

int main(int, char **Arguments) {
  int Fault = atoi(Arguments[1]);
  OnDevice<double> X(std::vector<double>(32, 1));
  OnDevice<int> Flag(std::vector<int>(1, 1));
  int OnHost = 1;
  faulty<<<1, 32>>>(X, 32, Fault == 4 ? &OnHost : Flag.At, Fault);
  NEAR(1, 1, 0);
  return finish();
}
