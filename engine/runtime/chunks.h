// Memory of tapes that is kept between calls: how much, and in what pages.
#ifndef RETRO_RUNTIME_CHUNKS_H
#define RETRO_RUNTIME_CHUNKS_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 1 << 21 };

/// A chunk of *bytes, or a little more: a large one in huge pages, which the
/// system clears at once. Of what does not fill one, small pages are resident
/// as they are used. Null if there is none. free() frees it.
static inline void *newChunk(uint64_t *bytes) {
  if (*bytes < 2 * HUGE_PAGE)
    return malloc(*bytes);
  uint64_t huge = (*bytes + HUGE_PAGE / 4) / HUGE_PAGE * HUGE_PAGE;
  if (huge > *bytes)
    *bytes = huge;
  // aligned_alloc is for multiples of the alignment.
  void *chunk;
  if (posix_memalign(&chunk, HUGE_PAGE, *bytes))
    return NULL;
  madvise(chunk, huge, MADV_HUGEPAGE);
  return chunk;
}

/// The bytes that may be kept: an eighth of the machine's memory.
static inline uint64_t mostSpare(void) {
  return (uint64_t)sysconf(_SC_PHYS_PAGES) / 8 *
         (uint64_t)sysconf(_SC_PAGESIZE);
}

#endif
