// Tapes of derivatives that are differentiated themselves. Each thing on such a
// tape is an allocation of its own, so that the next derivative sees objects,
// and not one block in which everything may overlap.
#include "arena.h"

#include <stddef.h>

void *__retro_tape_take(uint64_t bytes);
void __retro_tape_give(void *chunk);
_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

enum { LARGEST_STEP = 64 << 20 };

/// A call that is made when the tape is freed.
struct deferred {
  struct deferred *next;
  void *of;
  void (*free)(void *of, uint64_t x, uint64_t y);
  uint64_t x, y;
};

/// Opens an empty tape. Its first objects lie from begin to end.
void __retro_object_open(struct arena *a, char *begin, char *end,
                         uint64_t nextSize) {
  *a = (struct arena){.top = begin, .end = end, .nextSize = nextSize};
}

/// Adds a chunk, which becomes the current one unless it is for one object
/// alone.
static void *grow(struct arena *a, uint64_t bytes) {
  const uint64_t need = bytes + CHUNK_HEAD;
  const int alone = need >= a->nextSize;
  const uint64_t size = alone ? need : a->nextSize;
  char *chunk = __retro_tape_take(size);
  if (!chunk)
    __retro_fail("there is no memory for ", size,
                 " bytes more of the tape; docs/checkpointing.md says how to "
                 "keep less");
  *(void **)chunk = a->chunks;
  a->chunks = chunk;
  if (!alone) {
    a->top = chunk + CHUNK_HEAD + bytes;
    a->end = chunk + size;
  }
  if (a->nextSize < LARGEST_STEP)
    a->nextSize *= 2;
  return chunk + CHUNK_HEAD;
}

/// Allocates an object, aligned by 16.
void *__retro_object_new(struct arena *a, uint64_t bytes) {
  bytes = (bytes + 15) & ~(uint64_t)15;
  a->used += bytes;
  if ((uint64_t)(a->end - a->top) < bytes)
    return grow(a, bytes);
  void *object = a->top;
  a->top += bytes;
  return object;
}

/// Where the tape ends now, and in which chunk; and back to there. What lies in
/// a later chunk is kept.
uint64_t __retro_object_top(struct arena *a) { return (uint64_t)a->top; }
uint64_t __retro_object_end(struct arena *a) { return (uint64_t)a->end; }
void __retro_object_back(struct arena *a, uint64_t top, uint64_t end) {
  if ((uint64_t)a->end == end)
    a->top -= (uint64_t)a->top - top;
}

/// The bytes of all objects so far.
uint64_t __retro_object_used(struct arena *a) { return a->used; }

void __retro_object_defer(struct arena *a, void *of,
                          void (*free)(void *, uint64_t, uint64_t), uint64_t x,
                          uint64_t y) {
  if (!of)
    return;
  struct deferred *d = __retro_object_new(a, sizeof *d);
  *d = (struct deferred){a->deferred, of, free, x, y};
  a->deferred = d;
}

void __retro_object_free(struct arena *a) {
  for (struct deferred *d = a->deferred, *next; d; d = next) {
    next = d->next;
    d->free(d->of, d->x, d->y);
  }
  for (void *chunk = a->chunks, *next; chunk; chunk = next) {
    next = *(void **)chunk;
    __retro_tape_give(chunk);
  }
}
