// Reverses a loop by binomial checkpointing (Griewank and Walther 2000): a
// limited number of states is kept, and steps are run again from these, as few
// as that number allows. Without it each step would be on the tape.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
  void *at;
  uint64_t bytes, offset;
};

/// The state before a step, with the addresses at that time.
struct snapshot {
  uint64_t pieces, room, bytes;
  int64_t limit; ///< of snapshots, as the mark says
  struct piece *piece;
  char *data;
};

/// The loop as the engine outlined it; `context` holds what its body reads.
struct loop {
  void (*note)(void *context, struct snapshot *s); ///< lists the state
  int32_t (*step)(void *context); ///< 0: there was none; 1: more; 2: the last
  void (*adjoint)(void *context); ///< of one step
  uint64_t states; ///< kept at a time; 0: the loop is marked, and says it
};

/// What the forward pass leaves.
struct tape {
  uint64_t steps, hash;
  int64_t limit; ///< of snapshots
  struct snapshot first;
};

/// Of the reversal that ended last: how many steps were run again, and how many
/// gradients of steps were taken; the most snapshots at a time, and their
/// bytes.
struct counts {
  uint64_t advances, reversals, snapshots, bytes;
};
struct counts __retro_checkpoint_counts;

struct reversal {
  const struct loop *loop;
  void *context;
  struct snapshot *kept;
  uint64_t count, bytes;
  struct counts counts;
};

static void *allocate(uint64_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (p)
    return p;
  fprintf(stderr, "retrograde: no memory for a checkpoint of %llu bytes\n",
          (unsigned long long)bytes);
  abort();
}

/// note() calls this for each part of the state.
void __retro_checkpoint_note(struct snapshot *s, void *at, uint64_t bytes) {
  if (!bytes)
    return;
  if (s->pieces == s->room) {
    s->room = s->room ? 2 * s->room : 16;
    s->piece = realloc(s->piece, s->room * sizeof *s->piece);
    if (!s->piece)
      allocate(UINT64_MAX);
  }
  s->piece[s->pieces++] = (struct piece){at, bytes, s->bytes};
  s->bytes += bytes;
}

void __retro_checkpoint_limit(struct snapshot *s, int64_t snapshots) {
  s->limit = snapshots;
}

static struct snapshot save(const struct loop *l, void *context) {
  struct snapshot s = {0};
  l->note(context, &s);
  s.data = allocate(s.bytes);
  for (uint64_t i = 0; i < s.pieces; ++i)
    memcpy(s.data + s.piece[i].offset, s.piece[i].at, s.piece[i].bytes);
  return s;
}

static void restore(const struct snapshot *s) {
  for (uint64_t i = 0; i < s->pieces; ++i)
    memcpy(s->piece[i].at, s->data + s->piece[i].offset, s->piece[i].bytes);
}

static void drop(struct snapshot *s) {
  free(s->piece);
  free(s->data);
}

/// A hash of the bytes at the places of a snapshot.
static uint64_t hash_of(const struct snapshot *s) {
  uint64_t h = 0xcbf29ce484222325u;
  for (uint64_t i = 0; i < s->pieces; ++i) {
    const char *p = s->piece[i].at;
    uint64_t n = s->piece[i].bytes, word;
    for (; n >= 8; n -= 8, p += 8) {
      memcpy(&word, p, 8);
      h = (h ^ word) * 0x100000001b3u;
      h ^= h >> 29;
    }
    for (; n; --n)
      h = (h ^ (unsigned char)*p++) * 0x100000001b3u;
  }
  return h;
}

/// The most states. The reverse pass goes one call deeper for each. With so
/// many, it runs none of eight million steps forward more than twice.
enum { most_states = 4096 };

/// The forward pass: keeps the state before the loop, and runs the loop.
void *__retro_checkpoint_forward(const struct loop *l, void *context,
                                 uint64_t budget) {
  struct tape *t = allocate(sizeof *t);
  t->steps = 0;
  t->first = save(l, context);
  int64_t limit = l->states ? (int64_t)l->states : t->first.limit;
  if (limit < 1)
    limit = t->first.bytes ? (int64_t)(budget / 2 / t->first.bytes) : 1;
  t->limit = limit < 1 ? 1 : limit > most_states ? most_states : limit;
  int32_t more;
  do {
    more = l->step(context);
    t->steps += more != 0;
  } while (more == 1);
  t->hash = hash_of(&t->first);
  return t;
}

/// The largest number of steps that `free` further snapshots can reverse if no
/// step is run more than `times` times before its reversal: the binomial
/// coefficient (free + 1 + times, times).
static uint64_t reach(int64_t free, int64_t times) {
  if (free < 0 || times < 0)
    return 0;
  double exact = 1;
  for (int64_t k = 1; k <= times; ++k) {
    exact = exact * (double)(free + 1 + k) / (double)k;
    if (exact > 1e15)
      return 1000000000000000;
  }
  return (uint64_t)(exact + 0.5);
}

/// The step before which the next snapshot is taken, so that both parts stay
/// within their reach.
static uint64_t split(uint64_t n, int64_t free) {
  int64_t times = 1;
  while (reach(free, times) < n)
    ++times;
  uint64_t rest = reach(free - 1, times);
  uint64_t least = times >= 2 ? reach(free, times - 2) : 1;
  uint64_t at = n > rest ? n - rest : 0;
  if (at < least)
    at = least;
  return at < 1 ? 1 : at > n - 1 ? n - 1 : at;
}

static void keep(struct reversal *r, struct snapshot s) {
  r->kept[r->count++] = s;
  r->bytes += s.bytes;
  if (r->counts.snapshots < r->count)
    r->counts.snapshots = r->count;
  if (r->counts.bytes < r->bytes)
    r->counts.bytes = r->bytes;
}

static void forget(struct reversal *r) {
  r->bytes -= r->kept[--r->count].bytes;
  drop(&r->kept[r->count]);
}

static void adjoint(struct reversal *r, const struct tape *t) {
  r->loop->adjoint(r->context);
  // The last step's gradient leaves what the loop left in memory.
  // If nobody marked the loop, its state is known, so a difference is rounding.
  if (r->counts.reversals++ == 0 && !r->loop->states &&
      hash_of(&t->first) != t->hash) {
    fprintf(stderr, "retrograde: the steps of a checkpointed loop gave other "
                    "results when they were run again: they depend on memory "
                    "that is not named as their state, or not on it alone\n");
    abort();
  }
}

/// Reverses steps first to last - 1. The state before `first` is the last one
/// kept.
static void reverse_range(struct reversal *r, const struct tape *t,
                          uint64_t first, uint64_t last, int64_t free) {
  while (last - first > 1) {
    uint64_t middle = free > 0 ? first + split(last - first, free) : last - 1;
    restore(&r->kept[r->count - 1]);
    for (uint64_t i = first; i < middle; ++i, ++r->counts.advances)
      r->loop->step(r->context);
    if (free > 0) {
      keep(r, save(r->loop, r->context));
      reverse_range(r, t, middle, last, free - 1);
      forget(r);
    } else {
      adjoint(r, t);
    }
    last = middle;
  }
  restore(&r->kept[r->count - 1]);
  adjoint(r, t);
}

/// Several threads may reverse loops at the same time.
static void publish(const struct counts *c) {
  struct counts *to = &__retro_checkpoint_counts;
  __atomic_store_n(&to->advances, c->advances, __ATOMIC_RELAXED);
  __atomic_store_n(&to->reversals, c->reversals, __ATOMIC_RELAXED);
  __atomic_store_n(&to->snapshots, c->snapshots, __ATOMIC_RELAXED);
  __atomic_store_n(&to->bytes, c->bytes, __ATOMIC_RELAXED);
}

/// The reverse pass. At its end, the memory that the loop wrote is as it was
/// found.
void __retro_checkpoint_reverse(const struct loop *l, void *context, void *p) {
  struct tape *t = p;
  struct snapshot after = {0};
  after.pieces = t->first.pieces;
  after.bytes = t->first.bytes;
  after.piece = allocate(after.pieces * sizeof *after.piece);
  after.data = allocate(after.bytes);
  for (uint64_t i = 0; i < after.pieces; ++i) {
    after.piece[i] = t->first.piece[i];
    memcpy(after.data + after.piece[i].offset, after.piece[i].at,
           after.piece[i].bytes);
  }
  struct reversal r = {.loop = l, .context = context};
  uint64_t limit =
      (uint64_t)t->limit < t->steps ? (uint64_t)t->limit : t->steps;
  r.kept = allocate((limit + 1) * sizeof *r.kept);
  keep(&r, t->first);
  if (t->steps)
    reverse_range(&r, t, 0, t->steps, (int64_t)limit - 1);
  restore(&after);
  publish(&r.counts);
  drop(&after);
  drop(&t->first);
  free(r.kept);
  free(t);
}
