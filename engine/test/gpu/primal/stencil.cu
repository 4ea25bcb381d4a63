// A stencil in two dimensions over a tile with a halo in extern shared memory.
#include "../vendor.h"

__global__ void step(const double *In, double *Out, int W, int H) {
  extern __shared__ double Tile[];
  const int Pitch = blockDim.x + 2;
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  auto at = [&](int X, int Y) {
    X = X < 0 ? 0 : X >= W ? W - 1 : X;
    Y = Y < 0 ? 0 : Y >= H ? H - 1 : Y;
    return In[Y * W + X];
  };
  int C = (threadIdx.y + 1) * Pitch + threadIdx.x + 1;
  Tile[C] = at(X, Y);
  if (threadIdx.x == 0)
    Tile[C - 1] = at(X - 1, Y);
  if (threadIdx.x == blockDim.x - 1)
    Tile[C + 1] = at(X + 1, Y);
  if (threadIdx.y == 0)
    Tile[C - Pitch] = at(X, Y - 1);
  if (threadIdx.y == blockDim.y - 1)
    Tile[C + Pitch] = at(X, Y + 1);
  __syncthreads();
  if (X < W && Y < H)
    Out[Y * W + X] =
        0.5 * Tile[C] +
        0.125 * (Tile[C - 1] + Tile[C + 1] + Tile[C - Pitch] + Tile[C + Pitch]);
}

int main() {
  const int W = 37, H = 21;
  std::vector<double> In = values(W * H), Want(W * H);
  OnDevice<double> A(In), B(std::vector<double>(W * H, 0));
  dim3 Block(8, 4), Grid((W + 7) / 8, (H + 3) / 4);
  step<<<Grid, Block, 10 * 6 * sizeof(double)>>>(A, B, W, H);
  step<<<Grid, Block, 10 * 6 * sizeof(double)>>>(B, A, W, H);
  for (int Times = 0; Times < 2; ++Times) {
    for (int Y = 0; Y < H; ++Y)
      for (int X = 0; X < W; ++X) {
        auto at = [&](int X, int Y) {
          X = X < 0 ? 0 : X >= W ? W - 1 : X;
          Y = Y < 0 ? 0 : Y >= H ? H - 1 : Y;
          return In[Y * W + X];
        };
        Want[Y * W + X] =
            0.5 * at(X, Y) +
            0.125 * (at(X - 1, Y) + at(X + 1, Y) + at(X, Y - 1) + at(X, Y + 1));
      }
    In = Want;
  }
  std::vector<double> Got = A.get();
  for (int I = 0; I < W * H; ++I)
    NEAR(Got[I], Want[I], 1e-14);
  return finish();
}
