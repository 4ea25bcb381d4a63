// Teams of threads of our own, for loops that oneTBB runs in its pool: a
// program that links it need not link a library of OpenMP. The regions are
// those of openmp.c, which is compiled here once more. What the compiler makes
// of them calls that library by names that get a prefix when this is built
// (CMakeLists.txt), and that are defined here.
#define POOL
#define omp_get_thread_num __retro_pool_number
#define omp_get_num_threads __retro_pool_size
#define omp_get_active_level __retro_pool_level
#define __retro_omp_enter __retro_pool_enter
#define __retro_fork_plain __retro_pool_fork_plain
#define __retro_fork_forward __retro_pool_fork_forward
#define __retro_fork_both __retro_pool_fork_both
#define __retro_fork_reverse __retro_pool_fork_reverse
#include "openmp.c"

#include <stdarg.h>
#include <unistd.h>

/// How many threads oneTBB would have here, and how many the program lets it
/// have (a value of tbb::global_control); null without it.
extern int __retro_pool_most(const void *) __asm__(
    "_ZN3tbb6detail2r115max_concurrencyEPKNS0_2d115task_arena_baseE")
    __attribute__((weak));
extern size_t __retro_pool_allowed(int) __asm__(
    "_ZN3tbb6detail2r127global_control_active_valueEi") __attribute__((weak));
enum { MAX_ALLOWED_PARALLELISM = 0 };

/// Of the thread: its number in its team, how many that has, whether it is in
/// a team of several, and how many the next one shall have (0: as many as
/// oneTBB). All modules that bring this runtime share them.
_Thread_local int __retro_pool_mine, __retro_pool_among = 1, __retro_pool_depth,
                                     __retro_pool_wanted;

int __retro_pool_number(void) { return __retro_pool_mine; }
int __retro_pool_size(void) { return __retro_pool_among; }
int __retro_pool_level(void) { return __retro_pool_depth; }
int32_t __kmpc_global_thread_num(void *place) {
  (void)place;
  return __retro_pool_mine;
}

enum { MOST_SHARED = 8 };

typedef void Microtask(int32_t *, int32_t *, void *, void *, void *, void *,
                       void *, void *, void *, void *);

struct crew {
  Microtask *run;
  void *shared[MOST_SHARED];
  int size, level;
  pthread_barrier_t barrier;
};

struct hand {
  struct crew *crew;
  int number;
  pthread_t id;
};

_Thread_local struct crew *__retro_pool_crew;

/// A function takes no notice of arguments behind those that it has.
__attribute__((noinline)) static void work(struct crew *c, int mine) {
  const int number = __retro_pool_mine, among = __retro_pool_among,
            depth = __retro_pool_depth;
  struct crew *outer = __retro_pool_crew;
  __retro_pool_mine = mine;
  __retro_pool_among = c->size;
  __retro_pool_depth = c->level;
  __retro_pool_crew = c;
  int32_t thread = mine, bound = 0;
  void **s = c->shared;
  c->run(&thread, &bound, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]);
  __retro_pool_mine = number;
  __retro_pool_among = among;
  __retro_pool_depth = depth;
  __retro_pool_crew = outer;
}

static void *begin(void *hand) {
  struct hand *h = hand;
  work(h->crew, h->number);
  return NULL;
}

/// In a team there are no further threads.
static int sizeOfNext(void) {
  int n = __retro_pool_wanted;
  __retro_pool_wanted = 0;
  if (n > 0)
    return n;
  if (__retro_pool_depth)
    return 1;
  n = __retro_pool_most ? __retro_pool_most(NULL)
                        : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (__retro_pool_allowed) {
    const size_t allowed = __retro_pool_allowed(MAX_ALLOWED_PARALLELISM);
    if (n > 0 && (size_t)n > allowed)
      n = (int)allowed;
  }
  return n > 0 ? n : 1;
}

static void runCrew(struct crew *c) {
  c->size = sizeOfNext();
  c->level = __retro_pool_depth || c->size > 1;
  struct hand *hands = calloc((size_t)c->size, sizeof *hands);
  pthread_barrier_init(&c->barrier, NULL, (unsigned)c->size);
  for (int n = 1; n < c->size; ++n) {
    hands[n].crew = c;
    hands[n].number = n;
    if (pthread_create(&hands[n].id, NULL, begin, &hands[n])) {
      fputs("retrograde: a thread of the derivative cannot be started\n",
            stderr);
      abort();
    }
  }
  work(c, 0);
  for (int n = 1; n < c->size; ++n)
    pthread_join(hands[n].id, NULL);
  pthread_barrier_destroy(&c->barrier);
  free(hands);
}

void __kmpc_fork_call(void *place, int32_t count, Microtask *run, ...) {
  (void)place;
  struct crew c = {.run = run};
  if (count > MOST_SHARED)
    abort();
  va_list list;
  va_start(list, run);
  for (int n = 0; n < count; ++n)
    c.shared[n] = va_arg(list, void *);
  va_end(list);
  runCrew(&c);
}

void __kmpc_push_num_threads(void *place, int32_t thread, int32_t n) {
  (void)place, (void)thread;
  __retro_pool_wanted = n;
}

int32_t __kmpc_master(void *place, int32_t thread) {
  (void)place, (void)thread;
  return __retro_pool_mine == 0;
}

void __kmpc_barrier(void *place, int32_t thread) {
  (void)place, (void)thread;
  if (__retro_pool_crew)
    pthread_barrier_wait(&__retro_pool_crew->barrier);
}

/// What prepare/threads/pool_loops.h makes of a loop, where no derivative of it
/// is taken: region (thread, bound, range, body).
void __retro_pool_region(void *region, void *range, void *body) {
  struct crew c = {.run = (Microtask *)region, .shared = {range, body}};
  runCrew(&c);
}

/// Of the iterations from *first to *last, what the thread has: as many as the
/// others, or one more. The rest is like __kmpc_for_static_init_8.
void __retro_pool_share(void *thread, int64_t *first, int64_t *last,
                        int64_t *stride, int64_t chunk) {
  (void)thread, (void)chunk;
  const int64_t all = *last - *first + 1, size = __retro_pool_among,
                each = all / size, more = all % size, mine = __retro_pool_mine;
  *stride = all;
  *first += mine * each + (mine < more ? mine : more);
  *last = *first + each - (mine < more ? 0 : 1);
}
