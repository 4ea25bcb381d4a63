// Turns in which threads do what locks order. Both runtimes of threads share
// it.
#ifndef RETRO_RUNTIME_TURNS_H
#define RETRO_RUNTIME_TURNS_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Turns. A thread that holds a lock in the forward pass takes a ticket before
// it gives the lock back; in the reverse pass the tickets are called from the
// last to the first. The counters are those of the outermost region, as regions
// themselves are in order.

struct counter {
  void *lock;
  _Atomic uint64_t count;
  uint64_t called; ///< ticket of who has the turn; 0: of one thread alone
  struct counter *next;
};

enum { BUCKETS = 64 };
struct turns {
  struct counter *_Atomic bucket[BUCKETS];
};

_Thread_local struct turns *__retro_omp_turns;

struct counter *__retro_omp_counter(void *lock) {
  struct counter *_Atomic *head =
      &__retro_omp_turns
           ->bucket[((uintptr_t)lock >> 3 ^ (uintptr_t)lock >> 9) % BUCKETS];
  struct counter *first = atomic_load_explicit(head, memory_order_acquire);
  for (struct counter *c = first; c; c = c->next)
    if (c->lock == lock)
      return c;
  struct counter *mine = malloc(sizeof *mine);
  mine->lock = lock;
  atomic_init(&mine->count, 0);
  mine->next = first;
  while (!atomic_compare_exchange_weak(head, &mine->next, mine))
    for (struct counter *c = mine->next; c; c = c->next)
      if (c->lock == lock) { // another thread was faster
        free(mine);
        return c;
      }
  return mine;
}

/// In the reverse pass: which part of which region runs, from barrier to
/// barrier (0: none), and how many turns the thread has.
_Thread_local uint64_t __retro_omp_phase;
_Thread_local int __retro_omp_held;

uint64_t __retro_omp_ticket(void *lock) {
  if (!__retro_omp_turns)
    return 0; // one thread alone
  return atomic_fetch_add(&__retro_omp_counter(lock)->count, 1) + 1;
}

void __retro_omp_await(void *lock, uint64_t ticket) {
  if (!__retro_omp_turns) {
    ++__retro_omp_held;
    return;
  }
  struct counter *c = __retro_omp_counter(lock);
  for (unsigned n = 0; ticket && atomic_load_explicit(
                                     &c->count, memory_order_acquire) != ticket;
       ++n)
    if (n > 64)
      sched_yield();
  c->called = ticket;
  ++__retro_omp_held;
}

void __retro_omp_pass(void *lock) {
  --__retro_omp_held;
  struct counter *c = __retro_omp_turns ? __retro_omp_counter(lock) : NULL;
  if (c && c->called)
    atomic_fetch_sub(&c->count, 1);
}

void __retro_omp_free_turns(struct turns *t) {
  for (int b = 0; b < BUCKETS; ++b)
    for (struct counter *c = atomic_load(&t->bucket[b]), *next; c; c = next) {
      next = c->next;
      free(c);
    }
  free(t);
}

/// For a derivative that starts its teams itself (emit/threads/open_team.h):
/// the turns that a new team takes, and 1 if they are its own.
uint64_t __retro_open_turns(void) {
  if (__retro_omp_turns)
    return (uint64_t)__retro_omp_turns;
  return (uint64_t)calloc(1, sizeof(struct turns)) | 1;
}

/// Enters the turns of one thread. Returns those of outside.
uint64_t __retro_open_enter(uint64_t turns) {
  const uint64_t outer = (uint64_t)__retro_omp_turns;
  __retro_omp_turns = (struct turns *)(turns & ~(uint64_t)1);
  return outer;
}

void __retro_open_leave(uint64_t outer) {
  __retro_omp_turns = (struct turns *)outer;
}

/// The shadow of a team is zero.
void __retro_open_free(uint64_t turns) {
  if (turns & 1)
    __retro_omp_free_turns((struct turns *)(turns - 1));
}

//===----------------------------------------------------------------------===//
// The call of a derivative that a thread works for, and the last one that it
// worked for.

_Atomic uint64_t __retro_omp_calls;
_Thread_local uint64_t __retro_omp_call, __retro_omp_last;

void __retro_omp_begin(void) {
  __retro_omp_call = __retro_omp_last =
      atomic_fetch_add(&__retro_omp_calls, 1) + 1;
}

/// Is this the thread's first region in the call?
int32_t __retro_omp_first(void) {
  if (__retro_omp_last == __retro_omp_call)
    return 0;
  __retro_omp_last = __retro_omp_call;
  return 1;
}

//===----------------------------------------------------------------------===//
// Atomic updates of numbers that a derivative must run in order.

enum { STRIPES = 1024 };
_Atomic unsigned char __retro_omp_stripe[STRIPES];

_Atomic unsigned char *__retro_omp_stripe_of(void *place) {
  uintptr_t p = (uintptr_t)place >> 2;
  return &__retro_omp_stripe[(p ^ p >> 10) % STRIPES];
}

void __retro_atomic_begin(void *place) {
  _Atomic unsigned char *s = __retro_omp_stripe_of(place);
  for (unsigned n = 0; atomic_exchange_explicit(s, 1, memory_order_acquire);
       ++n)
    if (n > 64)
      sched_yield();
}

void __retro_atomic_end(void *place) {
  atomic_store_explicit(__retro_omp_stripe_of(place), 0, memory_order_release);
}

#endif
