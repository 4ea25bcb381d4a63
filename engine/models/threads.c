// std::thread of libstdc++: what a thread runs is an object, with a virtual
// function that runs it.
#include <stddef.h>
#include <stdint.h>

/// Starts run(argument) in a new thread, and stores its handle to *id.
void __retro_spawn(uint64_t *id, void *(*run)(void *), void *argument);
int32_t __retro_thread_join(uint64_t id);

static void *runState(void *state) {
  void (**virtuals)(void *) = *(void (***)(void *))state;
  virtuals[2](state); // _M_run
  virtuals[1](state); // the destructor that deletes
  return NULL;
}

void retro_std_thread_start(uint64_t *id, void **state, void (*unused)(void)) {
  void *own = *state;
  *state = NULL;
  __retro_spawn(id, runState, own);
}

void retro_std_thread_join(uint64_t *id) {
  __retro_thread_join(*id);
  *id = 0;
}
