// What the rewritten device code and the library agree on. The pass builds
// these types as IR by the same order of fields.
#pragma once
#include <cstddef>
#include <cstdint>

namespace retro::gpu {

/// What a thread can ask about itself. Generated code loads from it.
struct ThreadContext {
  uint32_t ThreadIdx[3];
  uint32_t BlockIdx[3];
  uint32_t BlockDim[3];
  uint32_t GridDim[3];
  uint32_t Lane;
  uint32_t Warp;
  uint32_t Warps;
  uint32_t WarpSize;
  uint32_t DynamicShared; ///< bytes
  char *Shared;           ///< the block's static, then its dynamic memory
  const char *Implicit;   ///< amdgcn: implicit kernel arguments
  const char *Dispatch;   ///< amdgcn: the dispatch packet
};

/// A place in device code: an access, or where threads wait.
struct Site {
  uint32_t Access; ///< bits of AccessKind
  uint32_t Line;
  const char *Function;
  const char *File;
};

enum AccessKind : uint32_t { Read = 1, Write = 2, Atomic = 4, Swap = 8 };

struct KernelEntry {
  const char *Name;
  void (*Run)(void **Arguments);
  uint32_t StaticShared; ///< bytes
  uint32_t Waits;        ///< may wait for other threads
};

struct VariableEntry {
  const char *Name;
  char *Address;
  uint64_t Bytes;
};

struct ModuleEntry {
  uint32_t WarpSize;
  uint32_t Kernels;
  const KernelEntry *Kernel;
  uint64_t Variables;
  const VariableEntry *Variable;
};

} // namespace retro::gpu

extern "C" {
/// The context of the thread that runs. A thread of the operating system runs
/// one at a time.
extern thread_local retro::gpu::ThreadContext *retro_gpu_context;
void retro_gpu_register(const retro::gpu::ModuleEntry *Module);
}
