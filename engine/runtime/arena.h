// The memory of a tape, as emitted code has it (emit/tape/arena.cpp).
#ifndef RETRO_RUNTIME_ARENA_H
#define RETRO_RUNTIME_ARENA_H

#include <stdint.h>

/// A chunk begins with the address of the next one, in 16 bytes.
struct arena {
  char *top, *end;
  void *chunks;
  void *deferred;
  uint64_t nextSize, used;
};

enum { CHUNK_HEAD = 16 };

#endif
