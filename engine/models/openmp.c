// What the calls that a compiler makes for OpenMP constructs do for a
// derivative, in terms of fewer calls: reductions are critical regions, and
// tasks run where they are created, which is one of the orders that OpenMP
// allows. The interface is that of libomp (kmp.h).
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void free(void *);

void __kmpc_critical(void *place, int32_t thread, void *lock);
void __kmpc_end_critical(void *place, int32_t thread, void *lock);
void __kmpc_barrier(void *place, int32_t thread);
/// Gives every thread the value of `mine` in the one thread that has it.
void *__retro_share(void *mine, int32_t have);

//===----------------------------------------------------------------------===//
// Reductions: every thread adds its part to the result in turn. The result 1
// says that the caller does so, and ends with the second function.

int32_t retro_omp_reduce(void *place, int32_t thread, int32_t count,
                         size_t bytes, void *data, void *combine, void *lock) {
  __kmpc_critical(place, thread, lock);
  return 1;
}

void retro_omp_end_reduce_nowait(void *place, int32_t thread, void *lock) {
  __kmpc_end_critical(place, thread, lock);
}

void retro_omp_end_reduce(void *place, int32_t thread, void *lock) {
  __kmpc_end_critical(place, thread, lock);
  __kmpc_barrier(place, thread);
}

//===----------------------------------------------------------------------===//
// single copyprivate: the other threads copy from the one that ran.

void retro_omp_copyprivate(void *place, int32_t thread, size_t bytes,
                           void *data, void (*copy)(void *, void *),
                           int32_t did) {
  void *from = __retro_share(data, did);
  __kmpc_barrier(place, thread);
  if (!did)
    copy(data, from);
  __kmpc_barrier(place, thread);
}

//===----------------------------------------------------------------------===//
// Tasks

typedef struct task {
  void *shared;
  int32_t (*run)(int32_t, struct task *);
  union {
    int32_t part;
    void *routine;
  } data1, data2;
} Task;

/// The fields that follow in the task of a loop.
typedef struct {
  Task task;
  uint64_t lower, upper;
  int64_t step;
  int32_t last;
} LoopTask;

Task *retro_omp_task_alloc(void *place, int32_t thread, int32_t flags,
                           size_t bytes, size_t sharedBytes,
                           int32_t (*run)(int32_t, Task *)) {
  size_t own = (bytes + 15) & ~(size_t)15;
  char *memory = malloc(own + sharedBytes);
  Task *t = (Task *)memory;
  t->shared = sharedBytes ? memory + own : NULL;
  t->run = run;
  return t;
}

int32_t retro_omp_task(void *place, int32_t thread, Task *t) {
  t->run(thread, t);
  free(t);
  return 0;
}

int32_t retro_omp_task_with_deps(void *place, int32_t thread, Task *t,
                                 int32_t count, void *list, int32_t noAlias,
                                 void *others) {
  t->run(thread, t);
  free(t);
  return 0;
}

void retro_omp_task_begin_if0(void *place, int32_t thread, Task *t) {}

void retro_omp_task_complete_if0(void *place, int32_t thread, Task *t) {
  free(t);
}

void retro_omp_taskloop(void *place, int32_t thread, Task *t, int32_t condition,
                        uint64_t *lower, uint64_t *upper, int64_t step,
                        int32_t noGroup, int32_t schedule, uint64_t grain,
                        void *duplicate) {
  ((LoopTask *)t)->last = 1;
  t->run(thread, t);
  free(t);
}
