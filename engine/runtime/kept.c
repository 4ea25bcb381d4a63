// Shadows of blocks that a static variable leads to from one call to the next,
// whoever allocated them. A shadow that was lost between calls would lose its
// adjoints.
#include <inttypes.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

/// A shadow of zeros, with as many bytes as the block has.
static void *renewed(void *block, void *shadow) {
  const size_t bytes = block ? malloc_usable_size(block) : 0;
  if (shadow && block && malloc_usable_size(shadow) >= bytes)
    return memset(shadow, 0, bytes);
  free(shadow);
  if (!block)
    return NULL;
  if (!(shadow = calloc(1, bytes)))
    __retro_fail("there is no memory for ", bytes,
                 " bytes of the shadow of what a static variable leads to");
  return shadow;
}

__attribute__((cold, noinline)) void
__retro_renew_shadow(void *block, void **place, _Atomic unsigned char *fresh) {
  static atomic_flag busy = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&busy))
    ;
  if (!*fresh) {
    *place = renewed(block, *place);
    *fresh = 1;
  }
  atomic_flag_clear(&busy);
}

/// The shadow of the block that a static variable has. The first time in a
/// derivative it is zero, a new one or that of the last derivative.
void *__retro_kept_shadow(void *block, void **place,
                          _Atomic unsigned char *fresh) {
  if (!atomic_load_explicit(fresh, memory_order_acquire))
    __retro_renew_shadow(block, place, fresh);
  return *place;
}

/// What an earlier derivative has left in the shadow of a static variable is no
/// tangent, or no adjoint, of this one: the pointers in it are what they were
/// first, so that what they led to is constant. Initial: null if they were
/// null.
void __retro_forget_pointers(char *first, const char *initial, uint64_t stride,
                             uint64_t count) {
  for (uint64_t n = 0; n < count; ++n) {
    void *pointer = NULL;
    if (initial)
      memcpy(&pointer, initial + n * stride, sizeof pointer);
    memcpy(first + n * stride, &pointer, sizeof pointer);
  }
}
