// Memory that device code takes from the device's heap: malloc and free, which
// HIP's headers define themselves, and new and delete.
#include "../dual.h"
#include "../requests.h"
#include <cstdlib>

/// Two objects whose size is known when the kernel runs.
__device__ double powers(double X, int N) {
  auto *P = (double *)malloc((N + 1) * sizeof(double));
  auto *Q = (double *)malloc(sizeof(double));
  P[0] = 1;
  for (int I = 0; I < N; ++I)
    P[I + 1] = P[I] * X;
  *Q = P[N] + 2 * P[1];
  double R = *Q * P[N];
  free(Q);
  free(P);
  return R;
}

struct Node {
  double Value;
  Node *Next;
};

/// A list, made in one loop and freed in another.
__device__ double listed(double X, int N) {
  Node *First = nullptr;
  for (int I = 0; I < N; ++I)
    First = new Node{sin(X * (I + 1)), First};
  double Product = 1;
  while (First) {
    Product *= 1 + First->Value;
    Node *Gone = First;
    First = First->Next;
    delete Gone;
  }
  return Product;
}

__global__ void slopes(const double *X, double *Of, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  Of[2 * I] = __enzyme_autodiff_value<double>((void *)powers, enzyme_out, X[I],
                                              enzyme_const, 1 + I % 4);
  Of[2 * I + 1] = __enzyme_autodiff_value<double>(
      (void *)listed, enzyme_out, X[I], enzyme_const, 1 + I % 3);
}

int main() {
  const int N = 40;
  std::vector<double> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = 0.3 + 0.02 * I;
  OnDevice<double> At(X), Of(std::vector<double>(2 * N));
  slopes<<<2, 32>>>(At, Of, N);
  NEAR(cudaDeviceSynchronize(), cudaSuccess, 0);
  std::vector<double> Slopes = Of.get();
  for (int I = 0; I < N; ++I) {
    double V = X[I];
    int P = 1 + I % 4;
    double Power = pow(V, P), Less = P * pow(V, P - 1); // of (x^p + 2x) x^p
    NEAR(Slopes[2 * I], (Less + 2) * Power + (Power + 2 * V) * Less, 1e-12);
    double Product = 1, Along = 0;
    for (int K = 1; K <= 1 + I % 3; ++K) {
      Along = Along * (1 + sin(V * K)) + Product * K * cos(V * K);
      Product *= 1 + sin(V * K);
    }
    NEAR(Slopes[2 * I + 1], Along, 1e-12);
  }
  return finish();
}
