// Ends a program with a sentence, where its derivative cannot go on: what the
// running program finds out, such as a tape that does not fit, comes here with
// the words of engine/ir/end_program.h. Without it a derivative would go on
// with numbers that are wrong.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// Prints before, number and after; if after is null, before alone.
__attribute__((noreturn, cold)) void
__retro_fail(const char *before, uint64_t number, const char *after) {
  fflush(stdout);
  fprintf(stderr, "retrograde: %s", before);
  if (after)
    fprintf(stderr, "%" PRIu64 "%s", number, after);
  fputc('\n', stderr);
  abort();
}
