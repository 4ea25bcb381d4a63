// What is computed from inputs may be computed again near its use, of memory
// that nobody writes: not of what the thread itself overwrites, nor another
// one. The tests allow no registers, so that all that may be repeated is.
#include "../requests.h"

/// In place: Z is overwritten by the thread, W by its neighbour; X stays.
__device__ void update(const double *__restrict__ X, double *__restrict__ Z,
                       double *__restrict__ W, double *__restrict__ Y, int I) {
  double A = X[I] * X[I + 1], B = X[I] - X[I + 1], V = Z[I], U = W[I];
  double P = A * V + B * U, Q = A * U - B * V;
  Z[I] = P * Q + A;
  __syncthreads();
  W[I ^ 1] = Q * V + B * P;
  double R = sin(P) * Q + V * V * U;
  Y[I] = R * (A + P) * (B - Q) + R * V + U * A * B;
}
__global__ void updateGradient(const double *X, double *DX, double *Z,
                               double *DZ, double *W, double *DW, double *Y,
                               double *DY) {
  __enzyme_autodiff_kernel((void *)update, enzyme_dup, X, DX, enzyme_dup, Z, DZ,
                           enzyme_dup, W, DW, enzyme_dup, Y, DY, enzyme_const,
                           int(blockIdx.x * blockDim.x + threadIdx.x));
}

constexpr int N = 32;
std::vector<double> Seeds;
/// Of X, then Z, then W.
double reference(const double *At, int) {
  const double *X = At, *Z = At + N + 1, *W = Z + N;
  double Sum = 0;
  for (int I = 0; I < N; ++I) {
    double A = X[I] * X[I + 1], B = X[I] - X[I + 1], V = Z[I], U = W[I];
    double P = A * V + B * U, Q = A * U - B * V;
    double R = sin(P) * Q + V * V * U;
    Sum += Seeds[I] * (P * Q + A) + Seeds[N + (I ^ 1)] * (Q * V + B * P);
    Sum += Seeds[2 * N + I] * (R * (A + P) * (B - Q) + R * V + U * A * B);
  }
  return Sum;
}

int main() {
  const double Before = 0.5; // is added to
  std::vector<double> At = values(3 * N + 1), Got;
  Seeds = values(3 * N, 5);
  auto Part = [](const std::vector<double> &Of, int First, int Count) {
    return std::vector<double>(Of.begin() + First, Of.begin() + First + Count);
  };
  OnDevice<double> X(Part(At, 0, N + 1)), Z(Part(At, N + 1, N)),
      W(Part(At, 2 * N + 1, N)), Y(std::vector<double>(N, 0)),
      DX(std::vector<double>(N + 1, Before)), DZ(Part(Seeds, 0, N)),
      DW(Part(Seeds, N, N)), DY(Part(Seeds, 2 * N, N));
  updateGradient<<<2, N / 2>>>(X, DX, Z, DZ, W, DW, Y, DY);
  for (const OnDevice<double> *D : {&DX, &DZ, &DW})
    for (double G : D->get())
      Got.push_back(G);
  for (int I = 0; I <= N; ++I)
    Got[I] -= Before;
  GRADIENT(reference, At.data(), Got.data(), 3 * N + 1);
  // What the primal writes, and the seed that is consumed.
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Seeds[I] * Z.get()[I] + Seeds[N + I] * W.get()[I] +
           Seeds[2 * N + I] * Y.get()[I];
  NEAR(Sum, reference(At.data(), 0), 1e-13);
  for (double D : DY.get())
    NEAR(D, 0, 0);
  return finish();
}
