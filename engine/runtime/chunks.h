// Memory of tapes that is kept between calls: how much of it, and in which
// pages.
#ifndef RETRO_RUNTIME_CHUNKS_H
#define RETRO_RUNTIME_CHUNKS_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 1 << 21 };

/// Allocates a chunk of *bytes or a little more, which free() frees; null if
/// there is none. A large chunk is in huge pages, which the system clears at
/// once. The part that does not fill a huge page has small pages, which are
/// resident only once they are used.
static inline void *newChunk(uint64_t *bytes) {
  if (*bytes < 2 * HUGE_PAGE)
    return malloc(*bytes);
  uint64_t huge = (*bytes + HUGE_PAGE / 4) / HUGE_PAGE * HUGE_PAGE;
  if (huge > *bytes)
    *bytes = huge;
  // aligned_alloc takes multiples of the alignment only.
  void *chunk;
  if (posix_memalign(&chunk, HUGE_PAGE, *bytes))
    return NULL;
  madvise(chunk, huge, MADV_HUGEPAGE);
  return chunk;
}

/// The most bytes that may be kept: an eighth of the machine's memory.
static inline uint64_t mostSpare(void) {
  return (uint64_t)sysconf(_SC_PHYS_PAGES) / 8 *
         (uint64_t)sysconf(_SC_PAGESIZE);
}

#endif
