// Variables of the device with a shadow that the program registers: inputs that
// all threads read, results, state that threads change, and what variables
// point to. Nothing clears their shadows: gradients add up over launches.
#include "../requests.h"

template <typename... T> __device__ void __enzyme_fwddiff_kernel(void *, T...);

constexpr int Size = 32, Blocks = 3, N = Blocks * Size, Powers = 4;

__device__ double Weight[Powers], WeightShadow[Powers];
__device__ void *__enzyme_register_shadow_Weight[] = {(void *)Weight,
                                                      (void *)WeightShadow};
static __device__ double State[N], StateShadow[N];
__device__ double *Table, *TableShadow;
static __device__ void *__enzyme_register_shadow_Others[] = {
    (void *)State, (void *)StateShadow};
__device__ void *__enzyme_register_shadow_Table[] = {(void *)&Table,
                                                     (void *)&TableShadow};

/// A polynomial with the variable's coefficients.
__device__ void polynomial(const double *X, double *Y) {
  int I = blockIdx.x * Size + threadIdx.x;
  double R = 0;
  for (int K = Powers - 1; K >= 0; --K)
    R = R * X[I] + Weight[K];
  Y[I] = R;
}
__global__ void polynomialGradient(const double *X, double *DX, double *Y,
                                   double *DY) {
  __enzyme_autodiff_kernel((void *)polynomial, enzyme_dup, X, DX, enzyme_dup, Y,
                           DY);
}
__global__ void polynomialTangent(const double *X, double *DX, double *Y,
                                  double *DY) {
  __enzyme_fwddiff_kernel((void *)polynomial, enzyme_dup, X, DX, enzyme_dup, Y,
                          DY);
}

/// Each thread replaces its element, and the next one's after a barrier.
__device__ void step(double Scale) {
  int T = threadIdx.x, I = blockIdx.x * Size + T;
  State[I] = sin(State[I]) * Scale;
  __syncthreads();
  double Next = State[blockIdx.x * Size + (T + 1) % Size];
  __syncthreads();
  State[I] = State[I] * Next * Weight[0];
}
__global__ void stepGradient(double Scale, double *DScale) {
  atomicAdd(DScale,
            __enzyme_autodiff_value<double>((void *)step, enzyme_out, Scale));
}

/// What a variable points to.
__device__ void lookup(const int *At, double *Y) {
  int I = blockIdx.x * Size + threadIdx.x;
  double V = Table[At[I]];
  Y[I] = V * V * V;
}
__global__ void lookupGradient(const int *At, double *Y, double *DY) {
  __enzyme_autodiff_kernel((void *)lookup, enzyme_const, At, enzyme_dup, Y, DY);
}

std::vector<double> Seeds;
/// Weights, then the states before, then the scale.
double stepOf(const double *P, int) {
  const double *S = P + 1, Scale = P[N + 1];
  double R = 0;
  for (int B = 0; B < Blocks; ++B)
    for (int T = 0; T < Size; ++T)
      R += Seeds[B * Size + T] * sin(S[B * Size + T]) * Scale *
           sin(S[B * Size + (T + 1) % Size]) * Scale * P[0];
  return R;
}

void setWeights(const std::vector<double> &W) {
  (void)cudaMemcpyToSymbol(Weight, W.data(), Powers * sizeof(double));
}

void polynomials() {
  std::vector<double> X = values(N), W = {0.5, -1.5, 2, 0.25}, Zero(N, 0);
  Seeds = values(N, 4);
  setWeights(W);
  OnDevice<double> In(X), DX(Zero), Y(Zero), DY(Seeds);
  // The second launch adds to what the first one left.
  double Before[Powers] = {10, 20, 30, 40}, DW[Powers];
  (void)cudaMemcpyToSymbol(WeightShadow, Before, sizeof Before);
  for (int Launch = 1; Launch <= 2; ++Launch) {
    (void)cudaMemcpy(DY, Seeds.data(), N * sizeof(double),
                     cudaMemcpyHostToDevice);
    polynomialGradient<<<Blocks, Size>>>(In, DX, Y, DY);
    (void)cudaMemcpyFromSymbol(DW, WeightShadow, sizeof DW);
    for (int K = 0; K < Powers; ++K) {
      double Want = 0;
      for (int I = 0; I < N; ++I)
        Want += Seeds[I] * pow(X[I], K);
      NEAR(DW[K], Before[K] + Launch * Want, 1e-12);
    }
  }
  for (int I = 0; I < N; ++I) {
    NEAR(Y.get()[I], W[0] + X[I] * (W[1] + X[I] * (W[2] + X[I] * W[3])), 1e-13);
    NEAR(DX.get()[I],
         2 * Seeds[I] * (W[1] + X[I] * (2 * W[2] + X[I] * 3 * W[3])), 1e-12);
  }
  OnDevice<double> Along(values(N, 7)), Tangent(Zero);
  std::vector<double> V = Along.get();
  polynomialTangent<<<Blocks, Size>>>(In, Along, Y, Tangent);
  for (int I = 0; I < N; ++I) {
    double Want = V[I] * (W[1] + X[I] * (2 * W[2] + X[I] * 3 * W[3]));
    for (int K = 0; K < Powers; ++K)
      Want += DW[K] * pow(X[I], K);
    NEAR(Tangent.get()[I], Want, 1e-12);
  }
}

void states() {
  std::vector<double> P = {0.7}, S = values(N, 5);
  P.insert(P.end(), S.begin(), S.end());
  P.push_back(1.25);
  double None[Powers] = {}, DW[Powers];
  setWeights({P[0], 9, 9, 9});
  (void)cudaMemcpyToSymbol(WeightShadow, None, sizeof None);
  (void)cudaMemcpyToSymbol(State, S.data(), N * sizeof(double));
  (void)cudaMemcpyToSymbol(StateShadow, Seeds.data(), N * sizeof(double));
  OnDevice<double> DScale(std::vector<double>{0});
  stepGradient<<<Blocks, Size>>>(1.25, DScale);
  std::vector<double> Got(N + 2), Now(N);
  (void)cudaMemcpyFromSymbol(DW, WeightShadow, sizeof DW);
  (void)cudaMemcpyFromSymbol(&Got[1], StateShadow, N * sizeof(double));
  (void)cudaMemcpyFromSymbol(Now.data(), State, N * sizeof(double));
  Got[0] = DW[0];
  Got[N + 1] = DScale.get()[0];
  GRADIENT(stepOf, P.data(), Got.data(), N + 2);
  for (int K = 1; K < Powers; ++K)
    NEAR(DW[K], 0, 0);
  double R = 0;
  for (int I = 0; I < N; ++I)
    R += Seeds[I] * Now[I];
  NEAR(R, stepOf(P.data(), N + 2), 1e-12);
}

void tables() {
  const int Entries = 5;
  std::vector<double> T = values(Entries, 6), Want(Entries, 0.5);
  std::vector<int> Where(N);
  for (int I = 0; I < N; ++I) {
    Where[I] = I * I % Entries;
    Want[Where[I]] += Seeds[I] * 3 * T[Where[I]] * T[Where[I]];
  }
  OnDevice<double> In(T), D(std::vector<double>(Entries, 0.5)),
      Y(std::vector<double>(N, 0)), DY(Seeds);
  OnDevice<int> At(Where);
  (void)cudaMemcpyToSymbol(Table, &In.At, sizeof(double *));
  (void)cudaMemcpyToSymbol(TableShadow, &D.At, sizeof(double *));
  lookupGradient<<<Blocks, Size>>>(At, Y, DY);
  for (int E = 0; E < Entries; ++E)
    NEAR(D.get()[E], Want[E], 1e-12);
}

int main() {
  polynomials();
  states();
  tables();
  return finish();
}
