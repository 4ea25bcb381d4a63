// A derivative in a kernel becomes part of it: the kernel's parameters are read
// where they are, and no array of the device's memory takes their copies.
// RUN: clang++ -O2 -x cuda -Wno-unknown-cuda-version -nogpulib -nogpuinc -I%include -I%include/retrograde/gpu --cuda-device-only -S --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -Xclang -target-sdk-version=12.9 -include retrograde/gpu/retro_cuda.h -fpass-plugin=%plugin %s -o - | FileCheck %s
template<typename... T> __device__ void __enzyme_autodiff(void *, T...);
extern "C" __device__ int enzyme_const;
struct Box {
  int X, Y, Z, Rows, Columns;
};
__device__ void sweep(const Box &B, const double *__restrict__ From,
                      double *__restrict__ To, int I) {
  double S = 0;
  for (int K = 0; K < 19; ++K)
    S += From[(I + K * B.Rows) % B.X] * From[(I + K * B.Columns) % B.Y];
  To[I] = S;
}
__global__ void reverse(Box B, double *From, double *DFrom, double *To,
                        double *DTo) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < B.X * B.Y * B.Z)
    __enzyme_autodiff((void *)sweep, enzyme_const, &B, From, DFrom, To, DTo, I);
}
// CHECK: .visible .entry _Z7reverse
// CHECK-NOT: .local
// CHECK-NOT: call
// CHECK: {{atom|red}}.{{.*}}add.f64
