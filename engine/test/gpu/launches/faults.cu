// What launches in derivatives cannot do, or what host and device disagree on,
// ends the program with a sentence. The argument chooses.
//
// FAULT 1: parameter 1 of the kernel '_Z5twicePdi' is given memory whose shadow
// FAULT 2: the kernel '_Z8indirectPPdS_' reads pointers from memory
// FAULT 3: no emulated module has the kernel '__retro_describe__Z6hiddenPd'
// FAULT 4: disagree on the parameters of the kernel 'disagreeing': 'p8' and
// FAULT 5: 64 bytes are copied between host and device, and no kernel says
// FAULT 6: is written to memory that has no shadow, for
// FAULT 7: 419430408388608 bytes of the device's memory, more than there are:
#include "../vendor.h"
#include <cstdlib>
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const;
template <typename... T> void __enzyme_autodiff(void *, T...);

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ON_HOST
#define SIZE int
#else
#define ON_HOST RETRO_KERNEL
#define SIZE long
#endif

RETRO_KERNEL __global__ void twice(double *X, int N) {
  if (int(threadIdx.x) < N)
    X[threadIdx.x] *= 2;
}
RETRO_KERNEL __global__ void indirect(double **X, double *Y) {
  Y[threadIdx.x] = *X[threadIdx.x];
}
ON_HOST __global__ void hidden(double *X) { X[threadIdx.x] *= 2; }
extern "C" RETRO_KERNEL __global__ void disagreeing(double *X, SIZE N) {
  if (threadIdx.x < N)
    X[threadIdx.x] *= 2;
}

/// As long as the device has no memory for.
RETRO_KERNEL __global__ void bound(double *X, const int *Count, int N) {
  double V = X[threadIdx.x];
  for (int K = 0, Times = Count[0]; K < Times; ++K)
    V = sin(V);
  X[threadIdx.x] = V;
}

static double *OfProgram;

static void launchTwice(double *X) { twice<<<1, 8>>>(X, 8); }
static void launchIndirect(double *X) {
  double **P;
  (void)cudaMalloc(&P, 64);
  indirect<<<1, 8>>>(P, X);
  (void)cudaFree(P);
}
static void launchHidden(double *X) { hidden<<<1, 8>>>(X); }
static void launchDisagreeing(double *X) { disagreeing<<<1, 8>>>(X, 8); }
static void copyOnly(double *X) {
  double *Y;
  (void)cudaMalloc(&Y, 64);
  (void)cudaMemcpy(Y, X, 64, cudaMemcpyDeviceToDevice);
  (void)cudaMemcpy(X, Y, 64, cudaMemcpyDeviceToDevice);
  (void)cudaFree(Y);
}
static void launchBound(double *X, const int *Count) {
  bound<<<1 << 16, 8>>>(X, Count, 8);
}
static void useGlobal(double *X) {
  (void)cudaMemcpy(OfProgram, X, 64, cudaMemcpyDeviceToDevice);
  twice<<<1, 8>>>(OfProgram, 8);
  (void)cudaMemcpy(X, OfProgram, 64, cudaMemcpyDeviceToDevice);
}

int main(int, char **Arg) {
  OnDevice<double> X(values(8)), DX(values(8, 3)), Own(values(8));
  double *P = X, *DP = DX;
  OfProgram = Own;
  OnDevice<int> Often(std::vector<int>(1, 100000000));
  switch (std::atoi(Arg[1])) {
  case 1:
    __enzyme_autodiff((void *)launchTwice, enzyme_dup, P, (double *)nullptr);
    break;
  case 2:
    __enzyme_autodiff((void *)launchIndirect, enzyme_dup, P, DP);
    break;
  case 3:
    __enzyme_autodiff((void *)launchHidden, enzyme_dup, P, DP);
    break;
  case 4:
    __enzyme_autodiff((void *)launchDisagreeing, enzyme_dup, P, DP);
    break;
  case 5:
    __enzyme_autodiff((void *)copyOnly, enzyme_dup, P, DP);
    break;
  case 6:
    __enzyme_autodiff((void *)useGlobal, enzyme_dup, P, DP);
    break;
  case 7:
    __enzyme_autodiff((void *)launchBound, enzyme_dup, P, DP, enzyme_const,
                      (int *)Often);
    break;
  }
  return 0;
}
