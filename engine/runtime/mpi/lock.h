// A lock that one thread of the program has at a time. It is held for a few
// instructions, so the others try again.
#ifndef RETRO_RUNTIME_MPI_LOCK_H
#define RETRO_RUNTIME_MPI_LOCK_H

#include <stdatomic.h>

static inline void lockBy(atomic_flag *busy) {
  while (atomic_flag_test_and_set_explicit(busy, memory_order_acquire))
    ;
}
static inline void unlockBy(atomic_flag *busy) {
  atomic_flag_clear_explicit(busy, memory_order_release);
}

#endif
