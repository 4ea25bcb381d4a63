// What instrumented gradients call, to check the plan as they run. A violation
// is printed to stderr and ends the program; with RETRO_CHECK_PLAN=continue in
// the environment, the program goes on.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __retro_check_violated(const char *site, const char *claim) {
  fprintf(stderr, "%s: plan check: %s\n", site, claim);
  const char *mode = getenv("RETRO_CHECK_PLAN");
  if (!mode || strcmp(mode, "continue") != 0)
    abort();
}

/// Checks a load that the reverse pass repeats: it gave `given` in the forward
/// pass, and now gives `again` (the first 64 bits of each).
void __retro_check_reload(const char *site, int differs, uint64_t given,
                          uint64_t again) {
  if (!differs)
    return;
  char claim[160];
  snprintf(claim, sizeof claim,
           "what is read here has been overwritten when the reverse pass "
           "reads it again: 0x%" PRIx64 " was read, then 0x%" PRIx64,
           given, again);
  __retro_check_violated(site, claim);
}

//===----------------------------------------------------------------------===//
// Activity. What a gradient's forward pass computes from its active inputs is
// recorded, number by number, as a graph; memory remembers what was stored in
// it. At the end the graph is walked back from the results: a number on a way
// from an input to a result is active, and held inactive it is a violation.

/// What a value was computed from: the number of a node, or one of these.
enum {
  NOTHING = 0,  ///< no active input; in memory: nothing is known
  CONSTANT = 1, ///< in memory: what was stored depends on no active input
  INPUT = 2,    ///< address of, or memory copied from, active inputs
  FIRST = 3,
};
typedef uint32_t Id;

struct node {
  Id a, b;
  const char *held_inactive; ///< where, or null
};

/// What is known of four bytes of memory, as long as they do not change.
struct word {
  Id id;
  uint32_t bits;
};

enum { WORDS = 1024, BYTES = 4 * WORDS };
struct page {
  uintptr_t number; ///< address / BYTES
  struct word words[WORDS];
};

struct trace {
  struct node *nodes;
  uint32_t count, room;
  unsigned char *useful; ///< of nodes: stored where it is a result
  int full;
  struct page **pages; ///< hash table, linear probing
  size_t page_count, page_room;
  Id passed[64], returned;
};

enum { LARGEST = 1u << 28 };
_Thread_local struct trace *__retro_check_entering;

static void *need(void *memory) {
  if (!memory) {
    fputs("plan check: out of memory\n", stderr);
    abort();
  }
  return memory;
}

struct trace *__retro_check_open(void) {
  struct trace *t = need(calloc(1, sizeof *t));
  t->count = FIRST;
  t->room = 1024;
  t->nodes = need(malloc(t->room * sizeof *t->nodes));
  t->useful = need(calloc(t->room, 1));
  t->page_room = 64;
  t->pages = need(calloc(t->page_room, sizeof *t->pages));
  return t;
}

static Id add_node(struct trace *t, Id a, Id b, const char *held_inactive) {
  if (t->count == LARGEST) {
    if (!t->full)
      fputs("plan check: too long a computation: the rest of this gradient's "
            "activity is not checked\n",
            stderr);
    t->full = 1;
    return NOTHING;
  }
  if (t->count == t->room) {
    t->nodes = need(realloc(t->nodes, 2 * (size_t)t->room * sizeof *t->nodes));
    t->useful = need(realloc(t->useful, 2 * (size_t)t->room));
    memset(t->useful + t->room, 0, t->room);
    t->room *= 2;
  }
  t->nodes[t->count] = (struct node){a, b, held_inactive};
  return t->count++;
}

/// Makes a node for a number that is an active input.
Id __retro_check_input(struct trace *t) { return add_node(t, 0, 0, NULL); }

/// Makes a node for a number that is computed from two others.
Id __retro_check_value(struct trace *t, Id a, Id b, int number,
                       const char *held_inactive) {
  if (!a || a == b) {
    a = b;
    b = NOTHING;
  }
  if (!a)
    return NOTHING;
  if (number && a == INPUT)
    a = __retro_check_input(t);
  if (!b && !held_inactive)
    return a;
  return add_node(t, a < FIRST ? NOTHING : a, b < FIRST ? NOTHING : b,
                  held_inactive);
}

//===----------------------------------------------------------------------===//

static struct page *page_at(struct trace *t, uintptr_t number, int make) {
  size_t at = number * 0x9e3779b97f4a7c15u >> 20;
  for (;; ++at) {
    struct page **p = &t->pages[at & (t->page_room - 1)];
    if (*p && (*p)->number == number)
      return *p;
    if (*p)
      continue;
    if (!make)
      return NULL;
    if (2 * (t->page_count + 1) > t->page_room)
      break;
    *p = need(calloc(1, sizeof **p));
    (*p)->number = number;
    ++t->page_count;
    return *p;
  }
  struct page **old = t->pages;
  size_t room = t->page_room;
  t->page_room *= 2;
  t->pages = need(calloc(t->page_room, sizeof *t->pages));
  for (size_t i = 0; i < room; ++i) {
    if (!old[i])
      continue;
    size_t to = old[i]->number * 0x9e3779b97f4a7c15u >> 20;
    while (t->pages[to & (t->page_room - 1)])
      ++to;
    t->pages[to & (t->page_room - 1)] = old[i];
  }
  free(old);
  return page_at(t, number, 1);
}

static struct word *word_at(struct trace *t, uintptr_t address, int make) {
  struct page *p = page_at(t, address / BYTES, make);
  return p ? &p->words[address % BYTES / 4] : NULL;
}

static uint32_t bits_at(uintptr_t address) {
  uint32_t bits;
  memcpy(&bits, (const void *)(address & ~(uintptr_t)3), 4);
  return bits;
}

/// What is known of the word at an address, if that is still true.
static Id known_at(struct trace *t, uintptr_t address, Id pointer) {
  struct word *w = word_at(t, address, 0);
  if (!w || w->id == NOTHING)
    return pointer == INPUT ? INPUT : CONSTANT;
  return w->bits == bits_at(address) ? w->id : CONSTANT;
}

static void set_at(struct trace *t, uintptr_t address, Id id) {
  struct word *w = word_at(t, address, id != NOTHING);
  if (w)
    *w = (struct word){id, bits_at(address)};
}

#define FOR_WORDS(address, bytes, w)                                           \
  for (uintptr_t w = (uintptr_t)(address) & ~(uintptr_t)3;                     \
       w < (uintptr_t)(address) + (bytes); w += 4)

/// Notes a load of `bytes` from `address`, a pointer computed from `pointer`.
/// number: a floating-point value was loaded.
Id __retro_check_load(struct trace *t, const void *address, uint64_t bytes,
                      Id pointer, int number, const char *held_inactive) {
  Id all = NOTHING;
  int any_input = 0;
  FOR_WORDS(address, bytes, w) {
    Id id = known_at(t, w, pointer);
    if (id == INPUT && number)
      any_input = 1;
    else if (id != CONSTANT && id != all)
      all = all ? add_node(t, all, id, NULL) : id;
  }
  if (any_input) {
    Id input = __retro_check_input(t);
    FOR_WORDS(address, bytes, w)
    if (known_at(t, w, pointer) == INPUT)
      set_at(t, w, input);
    all = all ? add_node(t, all, input, NULL) : input;
  }
  return __retro_check_value(t, all, NOTHING, number, held_inactive);
}

/// Notes a store of `id`. result: what lies there may be a result.
void __retro_check_store(struct trace *t, void *address, uint64_t bytes, Id id,
                         int result) {
  FOR_WORDS(address, bytes, w)
  set_at(t, w, id ? id : CONSTANT);
  if (result && id >= FIRST)
    t->useful[id] = 1;
}

/// Notes a copy of bytes between ranges that may overlap.
void __retro_check_copy(struct trace *t, void *to, const void *from,
                        uint64_t bytes, Id pointer, int result) {
  uint64_t count = (bytes + 3) / 4;
  Id *ids = need(malloc((count + 1) * sizeof *ids));
  // The copy may have overwritten what it read, so words are compared where
  // they have arrived.
  for (uint64_t i = 0; i < count; ++i) {
    struct word *w = word_at(t, (uintptr_t)from + 4 * i, 0);
    ids[i] = !w || w->id == NOTHING ? (pointer == INPUT ? INPUT : CONSTANT)
             : w->bits == bits_at((uintptr_t)to + 4 * i) ? w->id
                                                         : CONSTANT;
  }
  for (uint64_t i = 0; i < count; ++i) {
    set_at(t, (uintptr_t)to + 4 * i, ids[i]);
    if (result && ids[i] >= FIRST)
      t->useful[ids[i]] = 1;
  }
  free(ids);
}

/// Forgets what was known of memory that is new.
void __retro_check_forget(struct trace *t, void *address, uint64_t bytes) {
  if (!address)
    return;
  FOR_WORDS(address, bytes, w) {
    struct word *known = word_at(t, w, 0);
    if (known)
      known->id = NOTHING;
  }
}

//===----------------------------------------------------------------------===//

/// A call: what is passed, and who takes it.
void __retro_check_pass(struct trace *t, int n, Id id) { t->passed[n] = id; }
void __retro_check_enter(struct trace *t) { __retro_check_entering = t; }
struct trace *__retro_check_entered(void) { return __retro_check_entering; }
Id __retro_check_passed(struct trace *t, int n) { return t->passed[n]; }
void __retro_check_return(struct trace *t, Id id) { t->returned = id; }
Id __retro_check_returned(struct trace *t) { return t->returned; }

/// The forward pass ends with this result.
void __retro_check_close(struct trace *t, Id result) {
  t->useful[result < FIRST ? 0 : result] = 1;
  for (Id i = t->count - 1; i >= FIRST; --i) {
    if (!t->useful[i])
      continue;
    const struct node *n = &t->nodes[i];
    t->useful[n->a] = t->useful[n->b] = 1;
    if (n->held_inactive)
      __retro_check_violated(
          n->held_inactive,
          "what is computed here is held inactive, but it depends on an "
          "active input, and a result depends on it");
  }
  for (size_t i = 0; i < t->page_room; ++i)
    free(t->pages[i]);
  free(t->pages);
  free(t->nodes);
  free(t->useful);
  free(t);
}

//===----------------------------------------------------------------------===//
// Exclusive sums. In the reverse pass of a region, who added to which memory
// since the last barrier: two threads may do so if both do it atomically, or
// by turns.

extern _Thread_local uint64_t __retro_omp_phase;
extern _Thread_local int __retro_omp_held;

struct addition {
  uintptr_t place;
  uint64_t phase;
  const void *thread;
  int plain, held;
  struct addition *next;
};

enum { ADDITIONS = 1 << 14 };
struct addition *__retro_check_additions[ADDITIONS];
_Atomic unsigned char __retro_check_adding;

/// Returns whether another thread's addition is in the way.
static int __retro_check_add(uintptr_t place, int plain) {
  struct addition **head =
      &__retro_check_additions[(place >> 2 ^ place >> 16) % ADDITIONS];
  struct addition *a = *head;
  while (a && a->place != place)
    a = a->next;
  if (!a) {
    a = calloc(1, sizeof *a);
    a->place = place;
    a->next = *head;
    *head = a;
  }
  int bad = a->phase == __retro_omp_phase && a->thread != &__retro_omp_phase &&
            (plain || a->plain) && !(a->held && __retro_omp_held);
  a->phase = __retro_omp_phase;
  a->thread = &__retro_omp_phase;
  a->plain = plain;
  a->held = __retro_omp_held > 0;
  return bad;
}

/// `bytes` of shadow memory are added to; plain: without atomic operations.
void __retro_check_exclusive(const char *site, const void *place,
                             uint64_t bytes, int plain) {
  if (!__retro_omp_phase)
    return;
  while (__c11_atomic_exchange(&__retro_check_adding, 1, __ATOMIC_ACQUIRE))
    ;
  int bad = 0;
  for (uint64_t at = 0; at < bytes; at += 4)
    bad |= __retro_check_add((uintptr_t)place + at, plain);
  __c11_atomic_store(&__retro_check_adding, 0, __ATOMIC_RELEASE);
  if (bad)
    __retro_check_violated(site,
                           "what is read here another thread reads too: both "
                           "add to its shadow, and not atomically");
}
