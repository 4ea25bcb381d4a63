// A program with two kernels, a reduction and copies, differentiated from the
// host and compared with differences: loops with values on the tape, shared
// memory between barriers, atomic sums, copies in all directions, memory that
// is set and used again.
#include "../vendor.h"
#include <retrograde/kernels.h>

int enzyme_dup, enzyme_const, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);

constexpr int Block = 32;

/// Newton's iteration towards the cube root of x[i] + shift.
RETRO_KERNEL __global__ void roots(const double *X, double *Y, double Shift,
                                   int Steps, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double A = X[I] + Shift, V = 1;
  for (int S = 0; S < Steps; ++S)
    V = V - (V * V * V - A) / (3 * V * V);
  Y[I] = V;
}

/// The sum of w y^2: over a block in shared memory, then over all blocks.
RETRO_KERNEL __global__ void sum(const double *Y, const float *W, double *Out,
                                 int N) {
  __shared__ double Part[Block];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Part[threadIdx.x] = I < N ? W[I] * Y[I] * Y[I] : 0;
  __syncthreads();
  for (int Half = Block / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Part[threadIdx.x] += Part[threadIdx.x + Half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(Out, Part[0]);
}

/// Y is given back too: both results of one program.
static double program(const double *X, const float *W, double *Y, double Shift,
                      int Steps, int N) {
  double *DX, *DY, *DZ, *DSum;
  float *DW;
  size_t Bytes = N * sizeof(double);
  (void)cudaMalloc(&DX, Bytes);
  (void)cudaMalloc(&DY, Bytes);
  (void)cudaMalloc(&DZ, Bytes);
  (void)cudaMalloc(&DW, N * sizeof(float));
  (void)cudaMalloc(&DSum, sizeof(double));
  (void)cudaMemcpy(DX, X, Bytes, cudaMemcpyHostToDevice);
  (void)cudaMemcpy(DW, W, N * sizeof(float), cudaMemcpyHostToDevice);
  double Total = 0;
  for (int Round = 1; Round <= 2; ++Round) {
    (void)cudaMemset(DSum, 0, sizeof(double));
    roots<<<(N + Block - 1) / Block, Block>>>(DX, DY, Shift * Round, Steps, N);
    (void)cudaMemcpy(DZ, DY, Bytes, cudaMemcpyDeviceToDevice);
    sum<<<(N + Block - 1) / Block, Block>>>(DZ, DW, DSum, N);
    // The second round starts from the roots of the first one.
    (void)cudaMemcpy(DX, DZ, Bytes, cudaMemcpyDeviceToDevice);
    double S;
    (void)cudaMemcpy(&S, DSum, sizeof S, cudaMemcpyDeviceToHost);
    Total += S * S / Round;
  }
  (void)cudaDeviceSynchronize();
  (void)cudaMemcpy(Y, DX, Bytes, cudaMemcpyDeviceToHost);
  (void)cudaFree(DX);
  (void)cudaFree(DY);
  (void)cudaFree(DZ);
  (void)cudaFree(DW);
  (void)cudaFree(DSum);
  return Total;
}

/// The program's value, and its other results along Seed.
static double objective(std::vector<double> X, const std::vector<float> &W,
                        double Shift, const std::vector<double> &Seed) {
  std::vector<double> Y(X.size());
  double V = program(X.data(), W.data(), Y.data(), Shift, 5, (int)X.size());
  for (size_t I = 0; I < X.size(); ++I)
    V += Seed[I] * Y[I];
  return V;
}

int main() {
  const int N = 75;
  std::vector<double> X = values(N), Seed = values(N, 3), Y(N), DX(N, 0.5);
  std::vector<double> WD = values(N, 5), DY = Seed;
  std::vector<float> W(WD.begin(), WD.end()), DW(N, 0);
  for (float &V : W)
    V *= 0.125f;
  double DShift = __enzyme_autodiff<double>(
      (void *)program, enzyme_dup, X.data(), DX.data(), enzyme_dup, W.data(),
      DW.data(), enzyme_dup, Y.data(), DY.data(), enzyme_out, 0.75,
      enzyme_const, 5, enzyme_const, N);
  auto Difference = [&](auto Move, double H) {
    auto At = [&](double T) {
      std::vector<double> XT = X;
      std::vector<float> WT = W;
      double Shift = 0.75;
      Move(XT, WT, Shift, T);
      return objective(XT, WT, Shift, Seed);
    };
    return (8 * (At(H) - At(-H)) - (At(2 * H) - At(-2 * H))) / (12 * H);
  };
  NEAR(DShift,
       Difference([](auto &, auto &, double &S, double T) { S += T; }, 1e-3),
       1e-9);
  for (int I = 0; I < N; I += 7) {
    NEAR(DX[I] - 0.5,
         Difference([&](auto &XT, auto &, double &, double T) { XT[I] += T; },
                    1e-3),
         1e-8);
    // A power of two: exact in float.
    NEAR(DW[I],
         Difference(
             [&](auto &, auto &WT, double &, double T) { WT[I] += float(T); },
             1.0 / 1024),
         1e-5);
  }
  for (int I = 0; I < N; ++I)
    NEAR(DY[I], 0.0, 0);
  return finish();
}
