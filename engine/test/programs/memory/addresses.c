// Addresses computed with integers: offsets, tags, alignment, differences.
#include "../check.h"

typedef uintptr_t Word;

static double round_trip(double *x, int n) {
  Word u = (Word)x;
  double *p = (double *)u;
  return p[n] * p[n];
}

static double offset(double *x, int n) {
  double *p = (double *)((Word)x + (Word)n * 8);
  double *q = (double *)((Word)(x + 3) - 8 * (Word)(3 - n));
  return *p * *q;
}

static double low_tag(double *x, int n) {
  Word u = (Word)(x + n) | 1;
  if (u & 1)
    u &= ~(Word)7;
  double *p = (double *)u;
  Word v = (Word)(x + n) + 1;
  double *q = (double *)(v - 1);
  return *p * *q;
}

static double high_tag(double *x, int n) {
  Word u = (Word)x | ((Word)n << 48);
  int m = (int)(u >> 48);
  double *p = (double *)(u & 0xffffffffffff);
  return p[m] * p[m];
}

static double hidden(double *x, int n) {
  volatile Word store = (Word)(x + n) ^ 0x5555aaaa5555aaaa;
  double *p = (double *)(store ^ 0x5555aaaa5555aaaa);
  return *p * *p;
}

/// A list whose links carry a colour, as red-black trees do.
struct Node {
  double value;
  Word next;
};
static double tagged_links(double *x, int n) {
  struct Node a[4];
  for (int i = 0; i < 4; ++i) {
    a[i].value = x[i];
    a[i].next = i < 3 ? (Word)&a[i + 1] | (Word)(i & 1) : 0;
  }
  double sum = 0;
  for (struct Node *p = a; p; p = (struct Node *)(p->next & ~(Word)1))
    if (n-- == 0)
      sum += p->value * p->value;
  return sum;
}

static double aligned(double *x, int n) {
  char *raw = (char *)malloc(8 * 4 + 63);
  double *p = (double *)(((Word)raw + 63) & ~(Word)63);
  for (int i = 0; i < 4; ++i)
    p[i] = x[i] * x[i];
  double r = p[n];
  free(raw);
  return r;
}

/// An arena that hands out aligned pieces of one block.
struct Arena {
  char *at, *end;
};
static void *take(struct Arena *a, size_t bytes) {
  char *p = (char *)(((Word)a->at + 15) & ~(Word)15);
  if (p + bytes > a->end)
    return NULL;
  a->at = p + bytes;
  return p;
}
static double from_arena(double *x, int n) {
  struct Arena a;
  char *block = (char *)malloc(512);
  a.at = block + 3;
  a.end = block + 512;
  double *first = (double *)take(&a, 8 * 4);
  float *between = (float *)take(&a, 4 * 3);
  double *second = (double *)take(&a, 8 * 4);
  for (int i = 0; i < 4; ++i) {
    first[i] = x[i] * 2;
    second[i] = first[i] * first[i];
  }
  between[1] = (float)second[n];
  double r = second[n] * 0.125 + (double)between[1] * 0.125;
  free(block);
  return r;
}

/// The same where the caller says to how many bytes a piece is aligned.
static NOINLINE void *take_aligned(struct Arena *a, size_t bytes, Word align) {
  Word at = ((Word)a->at + align - 1) & ~(align - 1);
  if (at + bytes > (Word)a->end)
    return NULL;
  a->at = (char *)(at + bytes);
  return (void *)at;
}
static double from_arena_aligned(double *x, int n) {
  struct Arena a;
  char *block = (char *)malloc(1024);
  a.at = block + 1;
  a.end = block + 1024;
  double *first = (double *)take_aligned(&a, 8 * 4, 64);
  char *between = (char *)take_aligned(&a, 3, 1);
  struct Node *second = NULL;
  memcpy(between, "ab", 3);
  for (int i = 3; i >= 0; --i) {
    first[i] = x[i] * 2;
    struct Node *link =
        (struct Node *)take_aligned(&a, sizeof(struct Node), 8u << (i % 2));
    link->value = first[i] * 0.5;
    link->next = (Word)second;
    second = link;
  }
  for (int i = 0; i < n; ++i)
    second = (struct Node *)second->next;
  // How far an address is from an aligned one is a number.
  Word odd = (Word)first & (Word)(between[2] + 63);
  double r = second->value * first[n] * 0.5 + (double)odd;
  free(block);
  return r;
}

/// The head of a chunk, found from a place in it.
struct Chunk {
  double scale;
  double values[15];
};
static NOINLINE struct Chunk *chunk_of(double *p, Word bytes) {
  return (struct Chunk *)((Word)p & ~(bytes - 1));
}
static double from_place(double *x, int n) {
  struct Chunk *c = (struct Chunk *)aligned_alloc(128, 2 * sizeof *c);
  for (int k = 0; k < 2; ++k) {
    c[k].scale = x[n];
    for (int i = 0; i < 15; ++i)
      c[k].values[i] = k ? x[i % 4] : 0;
  }
  double *p = &c[1].values[8 + n];
  double r = *p * chunk_of(p, sizeof *c)->scale;
  free(c);
  return r;
}

static double difference(double *x, int n) {
  double *q = x + n;
  long d = (char *)q - (char *)x;
  Word a = (Word)x, b = (Word)q;
  return *(double *)((char *)x + d) * x[(b - a) / sizeof(double)];
}

/// Integers as loop variables.
static double stepping(double *x, int n) {
  double sum = 0;
  for (Word u = (Word)x, end = (Word)(x + 4); u < end; u += sizeof(double))
    if ((long)(u - (Word)x) / 8 == n)
      sum += *(double *)u * *(double *)u;
  return sum;
}

typedef double Target(double *, int);
#define TEST(F)                                                                \
  do {                                                                         \
    for (int n = 0; n < 4; ++n) {                                              \
      double x[4] = {3, 5, 7, 11}, dx[4] = {0}, t[4] = {0};                    \
      (void)__enzyme_autodiff((void *)F, x, dx, n);                            \
      for (int i = 0; i < 4; ++i)                                              \
        NEAR(dx[i], i == n ? 2 * x[i] : 0, 1e-12);                             \
      t[n] = 1;                                                                \
      NEAR(__enzyme_fwddiff((void *)F, x, t, n), 2 * x[n], 1e-12);             \
      t[n] = 0;                                                                \
      t[(n + 1) % 4] = 1;                                                      \
      NEAR(__enzyme_fwddiff((void *)F, x, t, n), 0, 1e-12);                    \
    }                                                                          \
  } while (0)

int main(void) {
  TEST(round_trip);
  TEST(offset);
  TEST(low_tag);
  TEST(high_tag);
  TEST(hidden);
  TEST(tagged_links);
  TEST(aligned);
  TEST(from_arena);
  TEST(from_arena_aligned);
  TEST(from_place);
  TEST(difference);
  TEST(stepping);
  return finish();
}
