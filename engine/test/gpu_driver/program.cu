// Host code with launches over the driver's interface: what is called, in what
// order and with which sizes; errors; times. The driver is fake_cuda.cpp, which
// runs the kernels on the CPU.
#include "kernels.h"

#include <retrograde/gpu/driver.h>

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#define CHECK(...)                                                             \
  do {                                                                         \
    if (!(__VA_ARGS__)) {                                                      \
      std::fprintf(stderr, "%s:%d: %s\n%s", __FILE__, __LINE__, #__VA_ARGS__,  \
                   Driver.Log ? Driver.Log() : "");                            \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

struct {
  const char *(*Log)();
  void (*Clear)();
  void (*Fail)(const char *, int);
  size_t (*Allocations)();
} Driver;

static std::string logged() {
  std::string Text = Driver.Log();
  Driver.Clear();
  return Text;
}

/// What the first call does before what it is there for.
static void testFirstCall() {
  CHECK(!dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD));
  void *P = nullptr;
  CHECK(cudaMalloc(&P, 96) == cudaSuccess && P);
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  CHECK(Library);
  Driver = {
      reinterpret_cast<const char *(*)()>(dlsym(Library, "fake_cuda_log")),
      reinterpret_cast<void (*)()>(dlsym(Library, "fake_cuda_clear")),
      reinterpret_cast<void (*)(const char *, int)>(
          dlsym(Library, "fake_cuda_fail")),
      reinterpret_cast<size_t (*)()>(dlsym(Library, "fake_cuda_allocations"))};
  CHECK(Driver.Log && Driver.Clear && Driver.Fail && Driver.Allocations);
  CHECK(logged() == "cuInit 0\n"
                    "cuDeviceGetCount\n"
                    "cuDeviceGet 0\n"
                    "cuDevicePrimaryCtxRetain 40\n"
                    "cuCtxSetCurrent\n"
                    "cuMemAlloc_v2 96\n");
  CHECK(!retro_cuda_missing());
  CHECK(cudaFree(P) == cudaSuccess && Driver.Allocations() == 0);
  CHECK(logged() == "cuMemFree_v2 a1\n");
}

static void testLaunch() {
  constexpr int N = 100;
  double X[N], Y[N], Factors[2] = {7, 3};
  for (int I = 0; I < N; ++I)
    X[I] = I + 1;
  double *DX, *DY;
  CHECK(!cudaMalloc(&DX, sizeof X) && !cudaMalloc(&DY, sizeof Y));
  CHECK(!cudaMemcpyToSymbol(Factor, Factors, sizeof Factors));
  CHECK(!cudaMemcpy(DX, X, sizeof X, cudaMemcpyHostToDevice));
  CHECK(!cudaMemset(DY, 255, sizeof Y));
  scale<<<4, 32>>>(DX, DY, N - 1, 2.0);
  CHECK(!cudaGetLastError() && !cudaDeviceSynchronize());
  CHECK(!cudaMemcpy(Y, DY, sizeof Y, cudaMemcpyDeviceToHost));
  CHECK(logged() == "cuMemAlloc_v2 800\n"
                    "cuMemAlloc_v2 800\n"
                    "cuModuleLoadDataEx " IMAGE "\n"
                    "cuModuleGetGlobal_v2 Factor\n"
                    "cuMemcpyHtoD_v2 a900 host 16\n"
                    "cuMemcpyHtoD_v2 a2 host 800\n"
                    "cuMemsetD8_v2 a3 255 800\n"
                    "cuModuleGetFunction _Z5scalePKdPdid\n"
                    "cuLaunchKernel _Z5scalePKdPdid 4 1 1 32 1 1 0 0\n"
                    "cuCtxSynchronize\n"
                    "cuMemcpyDtoH_v2 host a3 800\n");
  for (int I = 0; I < N - 1; ++I)
    CHECK(Y[I] == 6.0 * (I + 1));
  CHECK(std::isnan(Y[N - 1]));

  // The same kernel again: nothing is loaded twice. A second one with dynamic
  // shared memory, on a stream.
  scale<<<dim3(2, 1, 1), dim3(64)>>>(DX, DY, N, 1.0);
  cudaStream_t S;
  CHECK(!cudaStreamCreate(&S));
  sum<<<1, 64, 64 * sizeof(double), S>>>(DX, DY);
  CHECK(!cudaStreamSynchronize(S) && !cudaGetLastError());
  CHECK(!cudaMemcpy(Y, DY, 8, cudaMemcpyDefault) && Y[0] == 64 * 65 / 2);
  CHECK(!cudaStreamDestroy(S));
  CHECK(logged() == "cuLaunchKernel _Z5scalePKdPdid 2 1 1 64 1 1 0 0\n"
                    "cuStreamCreate 0\n"
                    "cuModuleGetFunction _Z3sumPKdPd\n"
                    "cuLaunchKernel _Z3sumPKdPd 1 1 1 64 1 1 512 stream\n"
                    "cuStreamSynchronize\n"
                    "cuMemcpy host a3 8\n"
                    "cuStreamDestroy_v2\n");
  CHECK(!cudaMemcpy(DY + 1, DX, 16, cudaMemcpyDeviceToDevice));
  CHECK(logged() == "cuMemcpyDtoD_v2 a3+8 a2 16\n");
  CHECK(!cudaFree(DX) && !cudaFree(DY) && !cudaFree(nullptr));
  CHECK(logged() == "cuMemFree_v2 a2\ncuMemFree_v2 a3\n");
}

static void testErrors() {
  void *P = &P;
  Driver.Fail("cuMemAlloc_v2", 2);
  CHECK(cudaMalloc(&P, 8) == 2 && !P);
  CHECK(cudaPeekAtLastError() == 2 && cudaGetLastError() == 2);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::string(cudaGetErrorString(cudaError_t(2))) == "fake error 2");
  CHECK(std::string(cudaGetErrorName(cudaError_t(700))) == "FAKE_700");
  logged();

  // What the driver is not asked.
  sum<<<1, 0>>>(nullptr, nullptr);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  sum<<<1, dim3(64, 32)>>>(nullptr, nullptr);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  int Here = 0;
  CHECK(cudaLaunchKernel(static_cast<const void *>(&Here), dim3(1), dim3(1),
                         nullptr, 0,
                         nullptr) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  CHECK(cudaMemcpyToSymbol(Here, &Here, 4) == cudaErrorInvalidSymbol);
  cudaGetLastError();
  double Three[3] = {};
  CHECK(logged() == "");
  CHECK(cudaMemcpyToSymbol(Factor, Three, 24) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(Factor, Three, 8, 16) == cudaErrorInvalidValue);
  CHECK(!cudaMemcpyFromSymbol(Three, Factor, 8, 8) && Three[0] == 3);
  cudaGetLastError();

  // What it refuses.
  logged();
  Driver.Fail("cuModuleGetFunction", 500);
  missing<<<1, 1>>>(0);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
  Driver.Fail("cuLaunchKernel", 701);
  double *D;
  CHECK(!cudaMalloc(&D, 8));
  scale<<<1, 1>>>(D, D, 0, 1.0);
  CHECK(cudaGetLastError() == 701);
  Driver.Fail("cuCtxSynchronize", 700);
  CHECK(cudaDeviceSynchronize() == 700 && cudaGetLastError() == 700);
  char Byte[16];
  CHECK(cudaMemcpy(Byte, D, 16, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(Byte, D, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaFree(Byte) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(!cudaFree(D));
  cudaGetLastError();
  logged();
}

static void testMeasurements() {
  double *D;
  CHECK(retro_cuda_allocated() == 0);
  CHECK(!cudaMalloc(&D, 640));
  retro_cuda_measure(1);
  logged();
  scale<<<3, dim3(4, 2)>>>(D, D, 0, 1.0);
  CHECK(logged() == "cuEventCreate 0\n"
                    "cuEventCreate 0\n"
                    "cuEventRecord 0\n"
                    "cuLaunchKernel _Z5scalePKdPdid 3 1 1 4 2 1 0 0\n"
                    "cuEventRecord 0\n");
  scale<<<5, 8>>>(D, D, 0, 1.0);
  sum<<<1, 2, 16>>>(D, D);
  CHECK(retro_cuda_kernel_seconds() == 0.006);
  RetroCudaKernel Of[3] = {};
  CHECK(retro_cuda_kernels(Of, 3) == 2 && !Of[2].name);
  const RetroCudaKernel &A = Of[std::string(Of[0].name) != "_Z5scalePKdPdid"];
  const RetroCudaKernel &B = Of[std::string(Of[0].name) == "_Z5scalePKdPdid"];
  CHECK(A.launches == 2 && A.milliseconds == 4 && A.registers == 14 &&
        A.local_bytes == 13 && A.shared_bytes == 11);
  CHECK(A.grid[0] == 5 && A.block[0] == 8 && A.block[1] == 1);
  CHECK(std::string(B.name) == "_Z3sumPKdPd" && B.launches == 1 &&
        B.milliseconds == 2 && B.dynamic_shared_bytes == 16);

  // A launch that fails has no time, and its events are used again.
  logged();
  Driver.Fail("cuLaunchKernel", 1);
  scale<<<1, 1>>>(D, D, 0, 1.0);
  CHECK(cudaGetLastError() == 1 && retro_cuda_kernel_seconds() == 0.006);
  CHECK(logged().find("cuEventCreate") == std::string::npos);

  double *More;
  CHECK(!cudaMalloc(&More, 1000) && !cudaFree(More));
  CHECK(retro_cuda_allocated() == 640 && retro_cuda_peak() == 1640);
  retro_cuda_measure(0);
  CHECK(retro_cuda_peak() == 640 && retro_cuda_kernel_seconds() == 0);
  logged();
  scale<<<1, 1>>>(D, D, 0, 1.0);
  CHECK(logged() == "cuLaunchKernel _Z5scalePKdPdid 1 1 1 1 1 1 0 0\n");
  CHECK(!cudaFree(D) && retro_cuda_allocated() == 0);
}

static void testEvents() {
  cudaEvent_t From, To;
  float Milliseconds = 0;
  CHECK(!cudaEventCreate(&From) && !cudaEventCreate(&To));
  CHECK(!cudaEventRecord(From));
  double *D;
  CHECK(!cudaMalloc(&D, 8));
  scale<<<1, 1>>>(D, D, 0, 1.0);
  CHECK(!cudaEventRecord(To) && !cudaEventSynchronize(To));
  CHECK(!cudaEventElapsedTime(&Milliseconds, From, To) && Milliseconds == 2);
  CHECK(!cudaEventDestroy(From) && !cudaEventDestroy(To) && !cudaFree(D));
}

/// Each thread of the host enters the context once.
static void testThreads() {
  logged();
  std::thread([] {
    CHECK(!cudaDeviceSynchronize() && !cudaDeviceSynchronize());
  }).join();
  CHECK(logged() == "cuCtxSetCurrent\ncuCtxSynchronize\ncuCtxSynchronize\n");
}

static void testDevice() {
  int Count = 0;
  CHECK(!cudaGetDeviceCount(&Count) && Count == 1);
  cudaDeviceProp P;
  CHECK(!cudaGetDeviceProperties(&P, 0));
  CHECK(std::string(P.name) == "Fake GPU 40" && P.major == 9 && P.minor == 0);
  CHECK(P.warpSize == 1010 && P.multiProcessorCount == 1016 &&
        P.totalGlobalMem == size_t(1) << 33 && P.maxThreadsDim[2] == 1004 &&
        P.maxGridSize[0] == 1005);
  RetroCudaDevice D;
  CHECK(!retro_cuda_device(&D) && std::string(D.name) == "Fake GPU 40");
  CHECK(D.driver_version == 13000 && D.major == 9 && D.multiprocessors == 1016);
  CHECK(!cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  size_t Free = 0, Total = 0;
  CHECK(!cudaMemGetInfo(&Free, &Total) && Free < Total);
}

static void testReset() {
  logged();
  CHECK(!cudaDeviceReset());
  CHECK(logged() == "cuDevicePrimaryCtxReset_v2 40\n");
  double *D;
  CHECK(!cudaMalloc(&D, 8));
  scale<<<1, 1>>>(D, D, 0, 1.0);
  CHECK(!cudaGetLastError());
  CHECK(logged() == "cuDeviceGet 0\ncuDevicePrimaryCtxRetain 40\n"
                    "cuCtxSetCurrent\ncuMemAlloc_v2 8\n"
                    "cuModuleLoadDataEx " IMAGE "\n"
                    "cuModuleGetFunction _Z5scalePKdPdid\n"
                    "cuLaunchKernel _Z5scalePKdPdid 1 1 1 1 1 1 0 0\n");

  // Code that the driver refuses is asked for again.
  CHECK(!cudaDeviceReset());
  Driver.Fail("cuModuleLoadDataEx", 209);
  scale<<<1, 1>>>(nullptr, nullptr, 0, 1.0);
  CHECK(cudaGetLastError() == 209);
  scale<<<1, 1>>>(nullptr, nullptr, 0, 1.0);
  CHECK(!cudaGetLastError());
}

/// Other device code in place of the embedded, and code that is refused.
static int withOtherCode() {
  double *D = nullptr;
  cudaMalloc(&D, 8);
  scale<<<1, 1>>>(D, D, 0, 1.0);
  const cudaError_t Code = cudaGetLastError();
  if (void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD))
    std::fputs(
        reinterpret_cast<const char *(*)()>(dlsym(Library, "fake_cuda_log"))(),
        stdout);
  std::printf("%s\n", cudaGetErrorString(Code));
  return Code != cudaSuccess;
}

int main(int Count, char **Words) {
  if (Count > 1 && !std::strcmp(Words[1], "other-code"))
    return withOtherCode();
  if (Count > 1) { // no driver
    int Devices = 7;
    const cudaError_t Code = cudaGetDeviceCount(&Devices);
    std::printf("%d %d %s\n", int(Code), Devices, cudaGetErrorString(Code));
    if (const char *Missing = retro_cuda_missing()) {
      std::printf("%s\n", Missing);
      return 77;
    }
    return 1;
  }
  testFirstCall();
  testLaunch();
  testErrors();
  testMeasurements();
  testEvents();
  testThreads();
  testDevice();
  testReset();
  std::puts("ok");
}
