// What words of a union are, as their shadows say while the primal runs. Then
// no number has an adjoint yet: -0 says that a number was stored there, which
// adds nothing to what the reverse pass adds to it. In forward mode the tangent
// says it, where it is not zero. Without this the bits of a number that a
// program computes with would be taken for an integer.
#include <inttypes.h>
#include <string.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

enum { word_bytes = 8 };
static const uint64_t number = UINT64_C(1) << 63;

static uint64_t word_at(const void *p) {
  uint64_t word;
  memcpy(&word, p, word_bytes);
  return word;
}

/// Addresses of a program, as either_words.cpp has them.
static int may_be_address(uint64_t word) {
  return word >= 0x10000 && word < UINT64_C(1) << 48;
}

/// Where the primal runs again in the reverse pass, adjoints are there, and
/// stay.
void __retro_note_number(void *shadow, uint64_t bytes) {
  const uint64_t old = bytes == word_bytes ? word_at(shadow) : 1;
  if (old == 0 || may_be_address(old))
    memcpy(shadow, &number, word_bytes);
}

void __retro_note_other(void *shadow, uint64_t bytes) {
  for (char *p = shadow; bytes >= word_bytes;
       p += word_bytes, bytes -= word_bytes)
    if (word_at(p) == number)
      memset(p, 0, word_bytes);
}

/// Of words that are numbers or integers, where both shadows have the same.
/// From: null if what is copied has no shadow.
void __retro_note_moved(void *to, const void *from, uint64_t bytes) {
  if (from && bytes == word_bytes && word_at(from) == number)
    __retro_note_number(to, bytes);
  else
    __retro_note_other(to, bytes);
}

/// Does the shadow of a word of the primal note a number?
uint32_t __retro_noted_number(const void *shadow, const void *primal,
                              uint64_t bytes) {
  (void)primal;
  return bytes == word_bytes && word_at(shadow) == number;
}

uint32_t __retro_has_tangent(const void *shadow, const void *primal,
                             uint64_t bytes) {
  if (bytes != word_bytes)
    return 0;
  const uint64_t word = word_at(shadow);
  return (word & ~number) != 0 &&
         !(may_be_address(word) && may_be_address(word_at(primal)));
}

void __retro_end_if(uint32_t is, const char *where) {
  if (is)
    __retro_fail(where, 0, NULL);
}
