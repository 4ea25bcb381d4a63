// Threads that the primal starts and waits for. In the reverse pass a thread
// starts where the primal waited for it, and is waited for where the primal
// started it, since its adjoints have to be there then.
#define _GNU_SOURCE // syscall
#include "turns.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/// One thread's part of a pass, as in openmp.c.
typedef void Body(void *context, void *arena, void **frame, int32_t *thread,
                  int32_t *bound);
typedef void Release(void *arena);

struct thread {
  _Alignas(16) char arena[64];
  void *frame;
  Body *forward, *reverse; ///< reverse: null if it has nothing to do
  void *context;
  Release *release; ///< of the arena; null: nothing is kept
  struct turns *turns;
  int ownsTurns, reversing;
  pthread_t id;
  uint64_t call;
};

_Thread_local uint64_t __retro_thread_latest;
void __retro_thread_free(void *thread, uint64_t unused0, uint64_t unused1);

void __retro_thread_enter(struct thread *t, Body *body) {
  int32_t number = 0, bound = 0;
  __retro_omp_turns = t->turns;
  __retro_omp_call = t->call;
  body(t->context, t->arena, &t->frame, &number, &bound);
}

void *__retro_thread_forward(void *t) {
  __retro_thread_enter(t, ((struct thread *)t)->forward);
  return NULL;
}

void *__retro_thread_reverse(void *t) {
  __retro_thread_enter(t, ((struct thread *)t)->reverse);
  return NULL;
}

void __retro_thread_start(struct thread *t, void *(*run)(void *)) {
  if (pthread_create(&t->id, NULL, run, t)) {
    fputs("retrograde: a thread of the derivative cannot be started\n", stderr);
    abort();
  }
}

/// Starts a thread, with a copy of the context of `bytes`. Returns the thread.
void *__retro_thread_spawn(Body *forward, Body *reverse, const void *context,
                           uint64_t bytes, Release *release) {
  struct thread *t = aligned_alloc(16, sizeof *t);
  t->frame = NULL;
  t->forward = forward;
  t->reverse = reverse;
  t->release = release;
  t->context = malloc(bytes ? bytes : 1);
  __builtin_memcpy(t->context, context, bytes);
  t->ownsTurns = !__retro_omp_turns;
  if (t->ownsTurns)
    __retro_omp_turns = calloc(1, sizeof *__retro_omp_turns);
  t->turns = __retro_omp_turns;
  t->reversing = 0;
  t->call = __retro_omp_call;
  __retro_thread_latest = (uintptr_t)t;
  __retro_thread_start(t, __retro_thread_forward);
  return t;
}

/// The handle, for the primal, of the thread that was started last.
uint64_t __retro_thread_last(void) { return __retro_thread_latest; }

int32_t __retro_thread_join(uint64_t handle) {
  struct thread *t = (struct thread *)(uintptr_t)handle;
  int32_t result = pthread_join(t->id, NULL);
  if (!t->release) // there is no reverse pass
    __retro_thread_free(t, 0, 0);
  return result;
}

/// Starts the reverse pass of a thread, where the primal waited for it.
void __retro_thread_restart(uint64_t handle) {
  struct thread *t = (struct thread *)(uintptr_t)handle;
  if (!t->reverse)
    return;
  t->reversing = 1;
  __retro_thread_start(t, __retro_thread_reverse);
}

/// Waits for the reverse pass of a thread, where the primal started it.
void __retro_thread_finish(void *thread) {
  struct thread *t = thread;
  if (t->reversing)
    pthread_join(t->id, NULL);
  else if (t->reverse) // nobody has waited for it here
    __retro_thread_enter(t, t->reverse);
}

void __retro_thread_free(void *thread, uint64_t unused0, uint64_t unused1) {
  struct thread *t = thread;
  (void)unused0, (void)unused1;
  if (t->release)
    t->release(t->arena);
  if (t->ownsTurns) {
    if (__retro_omp_turns == t->turns)
      __retro_omp_turns = NULL;
    __retro_omp_free_turns(t->turns);
  }
  free(t->context);
  free(t);
}

//===----------------------------------------------------------------------===//
// What runs once. The flag is pthread_once's, which code that is not
// differentiated may ask, too: while a thread runs it and when it has run.

enum { RUNS = 1, HAS_RUN = 2, WAKE_PRIVATE = 129 };

int32_t __retro_once_enter(int32_t *flag) {
  _Atomic int32_t *state = (_Atomic int32_t *)flag;
  for (unsigned n = 0;; ++n) {
    int32_t was = atomic_load_explicit(state, memory_order_acquire);
    if (was & HAS_RUN)
      return 0;
    if (!(was & RUNS) && atomic_compare_exchange_weak(state, &was, RUNS))
      return 1;
    if (n > 64)
      sched_yield();
  }
}

/// done: it has run; else it threw.
void __retro_once_leave(int32_t *flag, int32_t done) {
  _Atomic int32_t *state = (_Atomic int32_t *)flag;
  if (atomic_load_explicit(state, memory_order_relaxed) & HAS_RUN)
    return;
  atomic_store_explicit(state, done ? HAS_RUN : 0, memory_order_release);
  syscall(SYS_futex, flag, WAKE_PRIVATE, INT32_MAX);
}
