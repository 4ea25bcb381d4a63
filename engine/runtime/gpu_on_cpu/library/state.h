// The emulated device: settings, kernels and variables (registry.cpp), memory
// (memory.cpp). Compiled programs reach it by host_api.cpp, and kernels by
// device.cpp, math.cpp and print.cpp.
#pragma once
#include "block.h"

#include <string>

namespace retro::gpu {

enum class Order { Forward, Reverse, Random };

struct Settings {
  Order ThreadOrder = Order::Forward;
  uint64_t Seed = 1;
  unsigned Workers = 1;
  size_t StackBytes = 256 << 10;
  bool Races = false;
  bool EndedMayMiss = false; ///< a barrier need not be reached by ended threads
  void (*Handler)(const char *) = nullptr;
};
Settings &settings();

/// Prints "gpu on cpu: ..." and ends the program.
[[noreturn]] void fail(const std::string &Text);

/// "(1,0,0)"
std::string inWords(const uint32_t Index[3]);
/// " at file:line", or nothing where the code has no line.
std::string inWords(const Site *Where);

/// Kernels and variables of all modules in the program.
struct KernelOf {
  const KernelEntry *Kernel;
  uint32_t WarpSize;
};
const KernelOf *findKernel(const std::string &Name);
const VariableEntry *findVariable(const std::string &Name);

/// Global memory.
void *allocateGlobal(size_t Bytes, bool ByDevice);
/// False: there is no such buffer.
bool freeGlobal(void *Address, bool ByDevice);
/// The buffer, or variable of a module, that holds the range.
bool isGlobal(const void *Address, size_t Bytes);
void launchBegins(uint32_t Number);

/// Runs a kernel over its grid.
void runLaunch(const Launch &L);

} // namespace retro::gpu
