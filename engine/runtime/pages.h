// The memory of the tapes of a team's threads. It is kept from one call to the
// next, or the system would clear its pages again. What a thread of a region
// had in several chunks it gets in one the next time.
#ifndef RETRO_RUNTIME_PAGES_H
#define RETRO_RUNTIME_PAGES_H

#include "arena.h"
#include "chunks.h"

#include <malloc.h>
#include <pthread.h>

typedef void Release(void *arena);

/// A chunk of a thread of a region that nobody uses now.
struct spare {
  struct spare *next;
  uint64_t bytes;
  void *region;
  int thread;
};

enum { FIRST_CHUNK = 1024, LEAST_SPARE = 1 << 16 };

enum { SPARE_LISTS = 256 };
struct spare *__retro_pages_spare[SPARE_LISTS];
uint64_t __retro_pages_bytes; ///< of all that are spare
pthread_mutex_t __retro_pages_lock = PTHREAD_MUTEX_INITIALIZER;

struct spare **__retro_pages_list(void *region, int thread) {
  return &__retro_pages_spare[((uintptr_t)region / 16 + (unsigned)thread * 37) %
                              SPARE_LISTS];
}

/// Gives a thread that begins its part an arena.
void __retro_pages_start(struct arena *a, void *region, int thread) {
  *a = (struct arena){.nextSize = FIRST_CHUNK};
  pthread_mutex_lock(&__retro_pages_lock);
  struct spare **at = __retro_pages_list(region, thread), *s;
  while ((s = *at) && (s->region != region || s->thread != thread))
    at = &s->next;
  if (s) {
    *at = s->next;
    __retro_pages_bytes -= s->bytes;
  }
  pthread_mutex_unlock(&__retro_pages_lock);
  if (!s)
    return;
  const uint64_t bytes = s->bytes;
  *(void **)s = NULL;
  a->chunks = s;
  a->top = (char *)s + CHUNK_HEAD;
  a->end = (char *)s + bytes;
  a->nextSize = bytes / 4;
}

/// Ends the derivative: frees what was to be freed then, and keeps the chunks,
/// unless they are an eighth of the machine's memory.
void __retro_pages_end(struct arena *a, void *region, int thread,
                       Release *release) {
  void *chunk = a->chunks;
  a->chunks = NULL;
  release(a);
  uint64_t bytes = 0;
  int chunks = 0;
  for (void *c = chunk; c; c = *(void **)c, ++chunks)
    bytes += malloc_usable_size(c);
  // Whole lines are kept, as records are aligned by 16.
  bytes &= ~(uint64_t)15;
  if (chunks > 1 || bytes < LEAST_SPARE) {
    for (void *next; chunk; chunk = next) {
      next = *(void **)chunk;
      free(chunk);
    }
    if (bytes < LEAST_SPARE)
      return;
    chunk = newChunk(&bytes);
    if (!chunk)
      return;
  }
  const uint64_t most = mostSpare();
  struct spare *s = chunk, **list = __retro_pages_list(region, thread);
  pthread_mutex_lock(&__retro_pages_lock);
  const int keep = __retro_pages_bytes + bytes <= most;
  if (keep) {
    *s = (struct spare){*list, bytes, region, thread};
    *list = s;
    __retro_pages_bytes += bytes;
  }
  pthread_mutex_unlock(&__retro_pages_lock);
  if (!keep)
    free(chunk);
}

#endif
