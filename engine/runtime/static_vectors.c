// Shadows of the std::vectors of numbers that static variables keep from one
// derivative to the next: other code may have filled or moved them in between,
// so that the last derivative's shadow fits no more.
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

/// Operators new and delete: the program's vector is given back by them, and so
/// is its shadow.
void *_Znwm(size_t bytes);
void _ZdlPv(void *block);

enum { first, behind_last, end_of_room };

/// When a derivative starts, the shadow is zero, and as long as the vector. It
/// is all of the shadow's own memory.
void __retro_renew_vector(char *const *vector, char **shadow) {
  if (!vector[first]) {
    _ZdlPv(shadow[first]);
    memset(shadow, 0, (end_of_room + 1) * sizeof *shadow);
    return;
  }
  const size_t bytes = (size_t)(vector[end_of_room] - vector[first]);
  if (!shadow[first] || malloc_usable_size(shadow[first]) < bytes) {
    _ZdlPv(shadow[first]);
    shadow[first] = _Znwm(bytes);
  }
  memset(shadow[first], 0, bytes);
  shadow[behind_last] = shadow[first] + (vector[behind_last] - vector[first]);
  shadow[end_of_room] = shadow[first] + bytes;
}
