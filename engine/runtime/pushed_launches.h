// Sizes of launches that compiled host code pushes before it calls a kernel's
// stub, which pops them: the same on a device as on a CPU.
#pragma once

#include <cstring>
#include <vector>

namespace retro::gpu {

struct Configuration {
  dim3 Grid, Block;
  size_t SharedBytes;
  Stream On;
};
inline thread_local std::vector<Configuration> Pushed;

inline unsigned push(dim3 Grid, dim3 Block, size_t SharedBytes, Stream On) {
  Pushed.push_back({Grid, Block, SharedBytes, On});
  return 0;
}

inline Error pop(dim3 *Grid, dim3 *Block, size_t *SharedBytes, void *On) {
  if (Pushed.empty())
    return ErrorInvalidConfiguration;
  const Configuration &C = Pushed.back();
  *Grid = C.Grid;
  *Block = C.Block;
  *SharedBytes = C.SharedBytes;
  std::memcpy(On, &C.On, sizeof C.On);
  Pushed.pop_back();
  return Success;
}

} // namespace retro::gpu
