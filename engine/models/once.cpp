// pthread_once, call_once of C, and std::call_once of libstdc++, which is
// pthread_once of a function that calls what a variable of the thread says.
// What has run before does not run again, so a derivative follows the way that
// its call took. It is C++, as what runs may throw: then it runs again.
// Compiled programs call these functions by name, so no header declares them.
#include <cstdint>

extern "C" {
/// Waits for a thread that runs it. Returns 1 if this thread is to run it.
int32_t __retro_once_enter(int32_t *flag);
/// done: it has run.
void __retro_once_leave(int32_t *flag, int32_t done);
/// Calls what __once_call says.
void __once_proxy();
}

namespace std {
extern __thread void (*__once_call)();
}

namespace {
struct Turn {
  int32_t *Flag;
  int32_t Done;
  ~Turn() { __retro_once_leave(Flag, Done); }
};
} // namespace

extern "C" int32_t retro_once(int32_t *Flag, void (*Run)()) {
  // Who calls is known here, before other threads may have come.
  const bool Proxy = Run == __once_proxy;
  if (__builtin_constant_p(Proxy) && Proxy)
    Run = std::__once_call;
  const int32_t First = __retro_once_enter(Flag);
  Turn T{Flag, !First};
  if (First) {
    Run();
    T.Done = 1;
  }
  return 0;
}

extern "C" void retro_call_once(int32_t *Flag, void (*Run)()) {
  retro_once(Flag, Run);
}

extern "C" void retro_std_once_proxy() { std::__once_call(); }
