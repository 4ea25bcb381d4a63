// The bounds of a launch are known to the compiler of either vendor's kernels.
// RUN: clang++ -x cuda -Wno-unknown-cuda-version -nogpulib -nogpuinc -I%include -I%include/retrograde/gpu --cuda-device-only -S -emit-llvm --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -Xclang -target-sdk-version=12.9 -include retrograde/gpu/retro_cuda.h %s -o - | FileCheck %s --check-prefix=CUDA
// RUN: clang++ -x hip -nogpulib -nogpuinc -I%include -I%include/retrograde/gpu --cuda-device-only -S -emit-llvm --cuda-gpu-arch=gfx90a -include retrograde/gpu/retro_hip.h %s -o - | FileCheck %s --check-prefix=HIP
constexpr int Threads = 96;
__global__ void __launch_bounds__(Threads) one(double *X) { X[0] = 1; }
__global__ void __launch_bounds__(64, 2) two(double *X) { X[0] = 2; }
// CUDA-DAG: "nvvm.maxntid"="96"
// CUDA-DAG: "nvvm.maxntid"="64"{{.*}}"nvvm.minctasm"="2"
// HIP-DAG: "amdgpu-flat-work-group-size"="1,96"
// HIP-DAG: "amdgpu-flat-work-group-size"="1,64"{{.*}}"amdgpu-waves-per-eu"="2"
