// Where adjoints are among bytes. The reverse pass notes each number whose
// adjoint it adds to in the shadow of a buffer, by the address, and the adjoint
// of a copy moves number by number what is noted there. Without it nobody would
// know where in a message the numbers are. A note that is left behind in memory
// that is used again says of bytes of zeros that they are a number, which adds
// nothing.
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

enum {
  page_bytes = 1 << 12,
  buckets = 1 << 8,
  word_bits = 64,
  widest = 8 ///< bytes of a number
};

/// A bit for each byte at which a number begins, of 4 or 8 bytes.
struct page {
  uintptr_t start;
  struct page *next;
  uint64_t begins[2][page_bytes / word_bits];
};

/// Of the reverse pass that runs; behind it those that it runs within.
struct notes {
  struct notes *outer;
  struct page *pages[buckets];
};
_Thread_local struct notes *__retro_places_here;

void __retro_places_open(void) {
  struct notes *made = calloc(1, sizeof *made);
  if (!made)
    __retro_fail("there is no memory for notes of ", sizeof *made, " bytes");
  made->outer = __retro_places_here;
  __retro_places_here = made;
}

void __retro_places_close(void) {
  struct notes *n = __retro_places_here;
  for (unsigned b = 0; b < buckets; ++b)
    for (struct page *p = n->pages[b], *next; p; p = next) {
      next = p->next;
      free(p);
    }
  __retro_places_here = n->outer;
  free(n);
}

/// The page of an address; null: it has none yet.
static struct page *find_page(uintptr_t at) {
  const uintptr_t start = at / page_bytes;
  const struct notes *n = __retro_places_here;
  struct page *p = n ? n->pages[start % buckets] : NULL;
  while (p && p->start != start)
    p = p->next;
  return p;
}

/// The page of an address, which is made if it is not there.
static struct page *make_page(uintptr_t at) {
  struct page *p = find_page(at);
  if (p)
    return p;
  if (!(p = calloc(1, sizeof *p)))
    __retro_fail("there is no memory for the notes of ", page_bytes, " bytes");
  p->start = at / page_bytes;
  struct page **list = &__retro_places_here->pages[p->start % buckets];
  p->next = *list;
  return *list = p;
}

/// The bytes of the number that begins at an address; 0: none does.
static unsigned number_at(uintptr_t at) {
  struct page *p = find_page(at);
  const size_t bit = at % page_bytes;
  for (unsigned kind = 0; p && kind < 2; ++kind)
    if (p->begins[kind][bit / word_bits] >> (bit % word_bits) & 1)
      return kind ? widest : widest / 2;
  return 0;
}

/// No number begins in the bytes [at, end), of those kinds that are asked for.
static void clear(uintptr_t at, uintptr_t end, unsigned kind) {
  while (at < end) {
    const size_t bit = at % page_bytes, in = bit % word_bits;
    const uintptr_t left = word_bits - in,
                    count = end - at < left ? end - at : left;
    const uint64_t ones =
        count == word_bits ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    struct page *p = find_page(at);
    if (p)
      p->begins[kind][bit / word_bits] &= ~(ones << in);
    at += count;
  }
}

static void forget(uintptr_t at, uint64_t bytes) {
  clear(at - widest / 2 + 1, at + bytes, 0);
  clear(at - widest + 1, at + bytes, 1);
}

/// Is the byte part of a number that is noted?
static int is_noted(uintptr_t at) {
  for (unsigned before = 0; before < widest; ++before)
    if (number_at(at - before) > before)
      return 1;
  return 0;
}

/// What is not noted is no adjoint. It may be the shadow of a pointer that the
/// program put there later.
static void clear_other(char *shadow, uint64_t bytes) {
  for (uint64_t n = 0; n < bytes; ++n)
    if (!is_noted((uintptr_t)shadow + n))
      shadow[n] = 0;
}

static int is_zero(const char *p, uint64_t bytes) {
  while (bytes && *p == 0)
    ++p, --bytes;
  return bytes == 0;
}

static void add(char *to, const char *from, unsigned size) {
  if (size == widest) {
    double a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, from, sizeof b);
    a += b;
    memcpy(to, &a, sizeof a);
  } else {
    float a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, from, sizeof b);
    a += b;
    memcpy(to, &a, sizeof a);
  }
}

/// Adds numbers of so many bytes each to those at the shadow, and notes them.
/// One that is zero says nothing of what lies there: a program may read a word
/// as the number that it is not, and not use that.
void __retro_places_note(char *shadow, const char *from, uint64_t count,
                         uint64_t size) {
  for (uint64_t n = 0; n < count; ++n, shadow += size, from += size) {
    if (is_zero(from, size - 1) && (from[size - 1] & 0x7f) == 0)
      continue;
    const uintptr_t at = (uintptr_t)shadow;
    const size_t bit = at % page_bytes;
    if (number_at(at) != size) {
      clear_other(shadow, size);
      forget(at, size);
      make_page(at)->begins[size == widest][bit / word_bits] |=
          UINT64_C(1) << (bit % word_bits);
    }
    add(shadow, from, (unsigned)size);
  }
}

/// The adjoint of what was written there is going to be taken.
void __retro_places_take(char *shadow, uint64_t bytes) {
  const uintptr_t at = (uintptr_t)shadow;
  clear_other(shadow, bytes);
  for (uint64_t n = 0; n < bytes; ++n)
    if (number_at(at + n) && number_at(at + n) <= bytes - n)
      for (unsigned kind = 0; kind < 2; ++kind)
        clear(at + n, at + n + 1, kind);
}

_Noreturn static void fail_at(uint64_t bytes) {
  __retro_fail("the derivative of a number would be lost, for a copy of ",
               bytes, " bytes moves a part of it, or it was put there unseen");
}

void __retro_places_forget(void *shadow, uint64_t bytes) {
  if (__retro_places_here)
    forget((uintptr_t)shadow, bytes);
}

/// Is the word at P an address, as programs have them?
static int is_address(const void *p) {
  uint32_t half[2];
  memcpy(half, p, sizeof half);
  return half[0] >= 0x10000 && half[1] < 0x10000;
}

/// Notes of numbers that are zero, which new memory may have of what was there
/// before, are none.
static void forget_zeros(const char *shadow, uint64_t bytes) {
  const uintptr_t first = (uintptr_t)shadow - widest + 1;
  for (uintptr_t at = first; at < (uintptr_t)shadow + bytes; ++at) {
    const unsigned size = number_at(at);
    if (size && at + size > (uintptr_t)shadow && is_zero((char *)at, size))
      for (unsigned kind = 0; kind < 2; ++kind)
        clear(at, at + 1, kind);
  }
}

/// Of a copy of bytes with pointers among them, while the primal runs. What is
/// not noted is no adjoint, for all of these are noted, and moves: shadows of
/// pointers, and zeros over pointers that were there. Adjoints are there if the
/// primal runs again in the reverse pass, and stay. Constant: is the source the
/// primal's own memory? Then its numbers do not move.
void __retro_places_copy(char *to, const char *from, uint64_t bytes,
                         uint32_t constant) {
  if (!__retro_places_here && !constant) {
    memmove(to, from, bytes);
    return;
  }
  char *taken = bytes ? malloc(bytes) : NULL;
  if (!taken && bytes)
    __retro_fail("there is no memory for ", bytes, " bytes of shadows");
  if (constant) {
    memset(taken, 0, bytes);
    for (uint64_t n = 0; n + widest <= bytes; ++n)
      if (is_address(from + n))
        memcpy(taken + n, from + n, widest);
  } else {
    memcpy(taken, from, bytes);
  }
  if (__retro_places_here)
    forget_zeros(to, bytes);
  else
    memcpy(to, taken, bytes);
  for (uint64_t n = 0; __retro_places_here && n < bytes; ++n)
    if (!is_noted((uintptr_t)to + n))
      to[n] = !constant && is_noted((uintptr_t)from + n) ? 0 : taken[n];
  free(taken);
}

/// A number is stored where a part of the shadow of a pointer may be, which is
/// none any more.
void __retro_places_cover(char *shadow, uint64_t bytes) {
  clear_other(shadow, bytes);
}

/// Is what is not noted, and not zero, at byte N of so many a part of the
/// shadow of a pointer, a small integer that is mirrored there, or the note of
/// a number that is stored (noted_words.c)? What LLVM moves of an object may
/// begin at any of its bytes.
static int is_other(const char *from, uint64_t bytes, uint64_t n) {
  for (uint64_t k = n < widest ? 0 : n - widest + 1; k <= n; ++k) {
    if (k + widest <= bytes && is_address(from + k))
      return 1;
    uint32_t word = 0;
    memcpy(&word, from + k, bytes - k < 4 ? bytes - k : 4);
    if (n - k < 4 && (word < 0x10000 || word == UINT32_C(1) << 31))
      return 1;
  }
  return 0;
}

/// The adjoint of a copy of bytes: numbers at From, where the copy wrote, are
/// added to those at To, where it read, and are zero then. The two may overlap.
/// To: null if that has no shadow. Beside: may other words be pointers? Notes:
/// are places noted where it read? Elsewhere all that is there is adjoints.
void __retro_places_add(void *to, void *from, uint64_t bytes, uint32_t beside,
                        uint32_t notes) {
  if (is_zero(from, bytes))
    return;
  const uintptr_t at = (uintptr_t)from;
  for (unsigned before = 1; before < widest; ++before) {
    const unsigned size = number_at(at - before);
    const uint64_t rest = size > before ? size - before : 0;
    if (!is_zero(from, rest < bytes ? rest : bytes))
      fail_at(bytes);
  }
  char *taken = malloc(2 * bytes), *sizes = taken + bytes;
  if (!taken)
    __retro_fail("there is no memory for ", bytes, " bytes of adjoints");
  memcpy(taken, from, bytes);
  for (uint64_t n = 0, size; n < bytes; n += size ? size : 1) {
    size = number_at(at + n);
    if (size > bytes - n) {
      if (!is_zero(taken + n, bytes - n))
        fail_at(bytes);
      size = 0;
    }
    sizes[n] = (char)size;
    if (!size && taken[n] && !(beside && is_other(taken, bytes, n)))
      fail_at(bytes);
  }
  memset(from, 0, bytes);
  forget(at, bytes);
  for (uint64_t n = 0, size; n < bytes; n += size ? size : 1)
    if ((size = (uint64_t)sizes[n]) && to) {
      if (notes)
        __retro_places_note((char *)to + n, taken + n, 1, size);
      else
        add((char *)to + n, taken + n, (unsigned)size);
    }
  free(taken);
}
