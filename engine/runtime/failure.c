// How a derivative ends a program that it cannot go on with: with a sentence.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// The sentence is before, number, after; without after, before alone.
__attribute__((noreturn, cold)) void
__retro_fail(const char *before, uint64_t number, const char *after) {
  fflush(stdout);
  fprintf(stderr, "retrograde: %s", before);
  if (after)
    fprintf(stderr, "%" PRIu64 "%s", number, after);
  fputc('\n', stderr);
  abort();
}
