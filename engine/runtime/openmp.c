// Teams of threads in derivatives. A parallel region of the primal is a region
// in the forward pass, and one with the same threads in the reverse pass; what
// locks order runs in the opposite order. It is compiled with OpenMP, and
// linked into modules whose derivatives call it.
#define _GNU_SOURCE // madvise
#include "combine.h"
#include "pages.h"
#include "turns.h"

#include <stdio.h>

// Declared here and not by <omp.h>, which comes with the library of OpenMP:
// the runtime is also built where only the compiler is installed.
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_active_level(void);
int32_t __kmpc_global_thread_num(void *);

//===----------------------------------------------------------------------===//
// Regions

/// Runs one thread's part. The thread's tape lies in the arena, and begins at
/// the frame.
typedef void Body(void *context, void *arena, void **frame, int32_t *thread,
                  int32_t *bound);

struct member {
  _Alignas(16) struct arena arena;
  void *frame;
  int thread;
  struct member *next;
};

struct team {
  int threads;
  Body *region;
  Release *release;
  struct turns *turns;
  int ownsTurns;
  struct member *member[];
};

void __retro_omp_enter(Body *body, void *context, struct member *m) {
  int32_t thread = __kmpc_global_thread_num(NULL), bound = 0;
  body(context, &m->arena, &m->frame, &thread, &bound);
}

/// Forks a region of which nothing is kept.
void __retro_fork_plain(Body *body, void *context) {
  uint64_t call = __retro_omp_call;
#pragma omp parallel
  {
    __retro_omp_call = call;
    struct member m;
    __retro_omp_enter(body, context, &m);
  }
}

/// Runs the forward pass of a region. Returns the team for the reverse pass.
void *__retro_fork_forward(Body *body, void *context, Release *release) {
  struct turns *turns = __retro_omp_turns;
  int outermost = !turns;
  if (outermost)
    turns = calloc(1, sizeof *turns);
  struct member *_Atomic list = NULL;
  _Atomic int threads = 0;
  uint64_t call = __retro_omp_call;
#pragma omp parallel
  {
    __retro_omp_call = call;
    struct turns *outer = __retro_omp_turns;
    __retro_omp_turns = turns;
    struct member *m = aligned_alloc(16, sizeof *m);
    m->thread = omp_get_thread_num();
    m->frame = NULL;
    __retro_pages_start(&m->arena, (void *)body, m->thread);
    __retro_omp_enter(body, context, m);
    __retro_omp_turns = outer;
    m->next = atomic_load(&list);
    while (!atomic_compare_exchange_weak(&list, &m->next, m))
      ;
    atomic_fetch_add(&threads, 1);
  }
  struct team *t = malloc(sizeof *t + (size_t)threads * sizeof *t->member);
  t->threads = threads;
  t->region = body;
  t->release = release;
  t->turns = turns;
  t->ownsTurns = outermost;
  for (struct member *m = list; m; m = m->next)
    t->member[m->thread] = m;
  return t;
}

/// The phase with which the reverse pass of a region begins.
static uint64_t __retro_omp_first_phase(void) {
  static _Atomic uint64_t regions;
  return (atomic_fetch_add(&regions, 1) + 1) << 24;
}

/// Runs a thread's part of a reverse pass, from this phase on.
static void __retro_omp_reverse(Body *body, void *context, struct member *m,
                                uint64_t phase) {
  uint64_t outside = __retro_omp_phase;
  __retro_omp_phase = phase;
  const int outerAlone = __retro_combine_alone;
  __retro_combine_alone = omp_get_active_level() == 0;
  ++__retro_combine_depth;
  __retro_omp_enter(body, context, m);
  __retro_combine_end();
  --__retro_combine_depth;
  __retro_combine_alone = outerAlone;
  __retro_omp_phase = outside;
}

/// Forks a region in which each thread runs both passes.
void __retro_fork_both(Body *body, void *context, Release *release) {
  uint64_t first = __retro_omp_first_phase(), call = __retro_omp_call;
#pragma omp parallel
  {
    __retro_omp_call = call;
    struct member m = {.thread = omp_get_thread_num()};
    __retro_pages_start(&m.arena, (void *)body, m.thread);
    __retro_omp_reverse(body, context, &m, first);
    __retro_pages_end(&m.arena, (void *)body, m.thread, release);
  }
}

void __retro_fork_reverse(Body *body, void *context, void *tape) {
  struct team *t = tape;
  uint64_t first = __retro_omp_first_phase();
#pragma omp parallel num_threads(t->threads)
  {
    if (omp_get_num_threads() != t->threads) {
#pragma omp master
      {
        fprintf(stderr,
                "retrograde: the reverse pass needs a team of %d threads, as "
                "the forward pass had, and gets %d\n",
                t->threads, omp_get_num_threads());
        abort();
      }
#pragma omp barrier
    }
    struct turns *outer = __retro_omp_turns;
    __retro_omp_turns = t->turns;
    __retro_omp_reverse(body, context, t->member[omp_get_thread_num()], first);
    __retro_omp_turns = outer;
  }
}

#ifndef POOL // which has no more than these
/// Ends a derivative: another thread may now use what this one allocated.
void __retro_fork_free(void *team, uint64_t unused0, uint64_t unused1) {
  (void)unused0, (void)unused1;
  struct team *t = team;
  for (int n = 0; n < t->threads; ++n) {
    __retro_pages_end(&t->member[n]->arena, (void *)t->region, n, t->release);
    free(t->member[n]);
  }
  if (t->ownsTurns)
    __retro_omp_free_turns(t->turns);
  free(t);
}

//===----------------------------------------------------------------------===//
// Synchronization, as the reverse pass sees it.

void __retro_omp_barrier(void) {
  __retro_combine_end();
#pragma omp barrier
  ++__retro_omp_phase;
}

void __kmpc_serialized_parallel(void *place, int32_t thread);
void __kmpc_end_serialized_parallel(void *place, int32_t thread);

void __retro_omp_sequential(void *place) {
  __kmpc_serialized_parallel(place, __kmpc_global_thread_num(place));
}

void __retro_omp_end_sequential(void *place) {
  __kmpc_end_serialized_parallel(place, __kmpc_global_thread_num(place));
}

void __kmpc_copyprivate(void *place, int32_t thread, size_t bytes, void *data,
                        void (*copy)(void *, void *), int32_t did);

void __retro_omp_copy_pointer(void *to, void *from) {
  *(void **)to = *(void **)from;
}

void *__retro_share(void *mine, int32_t have) {
  static const struct {
    int32_t zero, flags, also, more;
    const char *source;
  } place = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};
  void *it = mine;
  __kmpc_copyprivate((void *)&place, __kmpc_global_thread_num(NULL), sizeof it,
                     &it, __retro_omp_copy_pointer, have);
  return it;
}
#endif
