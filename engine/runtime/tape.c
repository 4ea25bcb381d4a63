// The memory of requests' tapes. Chunks of one call are kept for the next: a
// large block from the C library would be new memory in every call, whose pages
// the system clears one by one.
#define _GNU_SOURCE // madvise
#include "chunks.h"

#include <malloc.h>
#include <pthread.h>

/// A chunk that nobody uses now.
struct spare {
  struct spare *next;
  uint64_t bytes;
};

/// The C library itself keeps smaller ones at hand.
enum { LEAST_SPARE = 1 << 16 };

struct spare *__retro_tape_spares; ///< the smallest first
uint64_t __retro_tape_spare_bytes;
uint64_t __retro_tape_most; ///< of all that are spare; 0: not looked up yet
pthread_mutex_t __retro_tape_lock = PTHREAD_MUTEX_INITIALIZER;

/// Returns memory for a tape, of `bytes` or more, that free() can free. Null if
/// there is none.
void *__retro_tape_take(uint64_t bytes) {
  if (bytes < LEAST_SPARE)
    return malloc(bytes);
  pthread_mutex_lock(&__retro_tape_lock);
  struct spare **at = &__retro_tape_spares, *s;
  while ((s = *at) && s->bytes < bytes)
    at = &s->next;
  if (s) {
    *at = s->next;
    __retro_tape_spare_bytes -= s->bytes;
  }
  pthread_mutex_unlock(&__retro_tape_lock);
  return s ? s : newChunk(&bytes);
}

/// Keeps a chunk of __retro_tape_take for the next call, unless an eighth of
/// the machine's memory is kept already.
void __retro_tape_give(void *chunk) {
  const uint64_t bytes = malloc_usable_size(chunk);
  int kept = 0;
  if (bytes >= LEAST_SPARE) {
    pthread_mutex_lock(&__retro_tape_lock);
    if (!__retro_tape_most)
      __retro_tape_most = mostSpare();
    kept = __retro_tape_spare_bytes + bytes <= __retro_tape_most;
    if (kept) {
      struct spare **at = &__retro_tape_spares;
      while (*at && (*at)->bytes < bytes)
        at = &(*at)->next;
      *(struct spare *)chunk = (struct spare){*at, bytes};
      *at = chunk;
      __retro_tape_spare_bytes += bytes;
    }
    pthread_mutex_unlock(&__retro_tape_lock);
  }
  if (!kept)
    free(chunk);
}
