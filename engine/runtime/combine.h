// What a thread adds to shadow memory that other threads add to as well. The
// thread sums up in lines of its own, one for each line of the shadow, and
// hands a line over when another one needs its place, before the thread itself
// reads the shadow, before it waits for others, and at the end of its part of
// the region. An atomic addition for each number would be several times slower.
#ifndef RETRO_RUNTIME_COMBINE_H
#define RETRO_RUNTIME_COMBINE_H

#include "combine_layout.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VACANT = 2 };

struct combiner {
  _Alignas(LINE_BYTES)
      uint64_t tag[LINES]; ///< the line's address, and LINE_OF_FLOATS; 0: none,
                           ///< VACANT: as well, and in the list
  union {
    double doubles[LINE_BYTES / sizeof(double)];
    float floats[LINE_BYTES / sizeof(float)];
  } line[LINES];
  uint16_t used[LINES]; ///< the lines that have a tag, in a list
  int count;
};

/// Outside of regions nothing is summed up, and nobody writes this.
_Alignas(LINE_BYTES) uint64_t __retro_combine_none[LINES];

/// How deep in regions the thread is; its lines; whether it is alone in the
/// region.
_Thread_local int __retro_combine_depth;
_Thread_local struct combiner *__retro_combine_lines;
_Thread_local int __retro_combine_alone;

// Frees the lines of a thread that ends.
pthread_key_t __retro_combine_key;
pthread_once_t __retro_combine_once = PTHREAD_ONCE_INIT;

void __retro_combine_make_key(void) {
  pthread_key_create(&__retro_combine_key, free);
}

void *__retro_combiner(void) {
  if (!__retro_combine_depth)
    return __retro_combine_none;
  if (!__retro_combine_lines) {
    struct combiner *c = aligned_alloc(LINE_BYTES, sizeof *c);
    if (!c)
      return __retro_combine_none;
    memset(c, 0, sizeof *c);
    pthread_once(&__retro_combine_once, __retro_combine_make_key);
    pthread_setspecific(__retro_combine_key, c);
    __retro_combine_lines = c;
  }
  return __retro_combine_lines;
}

/// Adds one number to its place in the shadow.
#define PUT(T)                                                                 \
  void __retro_combine_put_##T(T *to, T v) {                                   \
    if (__retro_combine_alone)                                                 \
      *to += v;                                                                \
    else                                                                       \
      __atomic_fetch_add(to, v, __ATOMIC_RELAXED);                             \
  }
PUT(double)
PUT(float)
#undef PUT

/// Hands line n over, and leaves zeros. A zero may stand where no number is, so
/// nothing is added for it.
void __retro_combine_put(struct combiner *c, unsigned n) {
  const uint64_t tag = c->tag[n];
  if (tag & LINE_OF_FLOATS) {
    float *to = (float *)(tag - LINE_OF_FLOATS), *from = c->line[n].floats;
    for (unsigned k = 0; k < LINE_BYTES / sizeof *to; ++k)
      if (from[k] != 0)
        __retro_combine_put_float(to + k, from[k]);
  } else {
    double *to = (double *)tag, *from = c->line[n].doubles;
    for (unsigned k = 0; k < LINE_BYTES / sizeof *to; ++k)
      if (from[k] != 0)
        __retro_combine_put_double(to + k, from[k]);
  }
  memset(&c->line[n], 0, sizeof c->line[n]);
}

unsigned __retro_combine_number(uint64_t address) {
  return (unsigned)((address / LINE_BYTES * LINE_SPREAD) >> (64 - LINES_BITS));
}

/// Gives the line of an address its place.
unsigned __retro_combine_claim(struct combiner *c, uint64_t address,
                               uint64_t kind) {
  const unsigned n = __retro_combine_number(address);
  if (c->tag[n] > VACANT)
    __retro_combine_put(c, n);
  else if (!c->tag[n])
    c->used[c->count++] = (uint16_t)n;
  c->tag[n] = (address & ~(uint64_t)(LINE_BYTES - 1)) | kind;
  return n;
}

/// Notes a number in its line, which it gets if it has none.
#define COMBINE(T, Kind)                                                       \
  __attribute__((noinline)) void __retro_combine_##T(struct combiner *c,       \
                                                     T *to, T v) {             \
    if ((void *)c == __retro_combine_none) {                                   \
      __retro_combine_put_##T(to, v);                                          \
      return;                                                                  \
    }                                                                          \
    const uint64_t address = (uint64_t)to;                                     \
    c->line[__retro_combine_claim(c, address, Kind)]                           \
        .T##s[address % LINE_BYTES / sizeof v] = v;                            \
  }
COMBINE(double, 0)
COMBINE(float, LINE_OF_FLOATS)
#undef COMBINE

/// Hands over the line of an address, if the thread has it.
__attribute__((noinline)) void __retro_combine_settle(struct combiner *c,
                                                      void *to) {
  const unsigned n = __retro_combine_number((uint64_t)to);
  __retro_combine_put(c, n);
  c->tag[n] = VACANT;
}

/// Hands over all lines.
void __retro_combine_end(void) {
  struct combiner *c = __retro_combine_lines;
  if (!c)
    return;
  for (int k = 0; k < c->count; ++k) {
    if (c->tag[c->used[k]] > VACANT)
      __retro_combine_put(c, c->used[k]);
    c->tag[c->used[k]] = 0;
  }
  c->count = 0;
}

#endif
