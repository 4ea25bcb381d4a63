// Atomic functions, the same text for both vendors. They are relaxed and of
// the whole device, as the vendors' are.
#pragma once

#define RETRO_GPU_ATOMIC(Name, Builtin, T)                                     \
  RETRO_GPU_DEVICE T atomic##Name(T *Address, T Value) {                       \
    return Builtin(Address, Value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);   \
  }
#define RETRO_GPU_ATOMICS(Name, Builtin)                                       \
  RETRO_GPU_ATOMIC(Name, Builtin, int)                                         \
  RETRO_GPU_ATOMIC(Name, Builtin, unsigned int)                                \
  RETRO_GPU_ATOMIC(Name, Builtin, unsigned long)                               \
  RETRO_GPU_ATOMIC(Name, Builtin, long long)                                   \
  RETRO_GPU_ATOMIC(Name, Builtin, unsigned long long)

RETRO_GPU_ATOMICS(Add, __scoped_atomic_fetch_add)
RETRO_GPU_ATOMIC(Add, __scoped_atomic_fetch_add, float)
RETRO_GPU_ATOMIC(Add, __scoped_atomic_fetch_add, double)
RETRO_GPU_ATOMICS(Sub, __scoped_atomic_fetch_sub)
RETRO_GPU_ATOMICS(Max, __scoped_atomic_fetch_max)
RETRO_GPU_ATOMICS(Min, __scoped_atomic_fetch_min)
RETRO_GPU_ATOMICS(And, __scoped_atomic_fetch_and)
RETRO_GPU_ATOMICS(Or, __scoped_atomic_fetch_or)
RETRO_GPU_ATOMICS(Xor, __scoped_atomic_fetch_xor)
RETRO_GPU_ATOMICS(Exch, __scoped_atomic_exchange_n)
#undef RETRO_GPU_ATOMICS
#undef RETRO_GPU_ATOMIC

RETRO_GPU_DEVICE float atomicExch(float *Address, float Value) {
  float Old;
  __scoped_atomic_exchange(Address, &Value, &Old, __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_DEVICE);
  return Old;
}

#define RETRO_GPU_ATOMIC_CAS(T)                                                \
  RETRO_GPU_DEVICE T atomicCAS(T *Address, T Expected, T Value) {              \
    __scoped_atomic_compare_exchange_n(Address, &Expected, Value, false,       \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       __MEMORY_SCOPE_DEVICE);                 \
    return Expected;                                                           \
  }
RETRO_GPU_ATOMIC_CAS(int)
RETRO_GPU_ATOMIC_CAS(unsigned int)
RETRO_GPU_ATOMIC_CAS(unsigned long)
RETRO_GPU_ATOMIC_CAS(unsigned long long)
#undef RETRO_GPU_ATOMIC_CAS

RETRO_GPU_DEVICE unsigned retro_gpu_atomic_load(unsigned *Address) {
  return __scoped_atomic_load_n(Address, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}
RETRO_GPU_DEVICE unsigned atomicInc(unsigned *Address, unsigned Bound) {
  unsigned Old = retro_gpu_atomic_load(Address), Seen;
  do {
    Seen = Old;
    Old = atomicCAS(Address, Seen, Seen >= Bound ? 0 : Seen + 1);
  } while (Old != Seen);
  return Old;
}
RETRO_GPU_DEVICE unsigned atomicDec(unsigned *Address, unsigned Bound) {
  unsigned Old = retro_gpu_atomic_load(Address), Seen;
  do {
    Seen = Old;
    Old =
        atomicCAS(Address, Seen, Seen == 0 || Seen > Bound ? Bound : Seen - 1);
  } while (Old != Seen);
  return Old;
}
