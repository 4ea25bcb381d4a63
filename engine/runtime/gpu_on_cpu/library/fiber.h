// A stack of its own for each thread of a block.
#pragma once
#include <cstddef>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace retro::gpu {

class Fiber {
public:
  explicit Fiber(size_t StackBytes);
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Lets the fiber begin with Entry(Argument) at the next resume(). Its stack
  /// is used again.
  void start(void (*Entry)(void *), void *Argument);
  /// From the scheduler: runs the fiber until it yields.
  void resume();
  /// From the fiber: back to the scheduler.
  void yield();

  bool holds(const void *Address, size_t Bytes) const {
    auto *A = static_cast<const char *>(Address);
    return A >= Low && A + Bytes <= Low + Size;
  }

private:
  char *Low = nullptr; ///< over the guard page
  size_t Size = 0;
#if defined(__x86_64__)
  void *Mine = nullptr;
  void *Scheduler = nullptr;
#else
  static void begin();
  void (*Entry)(void *) = nullptr;
  void *Argument = nullptr;
  ucontext_t Mine, Scheduler;
#endif
};

} // namespace retro::gpu
