// The memory of a tape, laid out as emitted code uses it (emit/tape/arena.cpp).
#ifndef RETRO_RUNTIME_ARENA_H
#define RETRO_RUNTIME_ARENA_H

#include <stdint.h>

/// A chunk begins with 16 bytes that have the address of the next chunk.
struct arena {
  char *top, *end;
  void *chunks;
  void *deferred;
  uint64_t nextSize, used;
};

enum { CHUNK_HEAD = 16 };

#endif
