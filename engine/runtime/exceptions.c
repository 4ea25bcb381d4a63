// What exceptions carry through a derivative: themselves, out of functions that
// return where an exception left them
// (prepare/exceptions/returned_exceptions.cpp), and the shadows of the objects
// that are thrown. Without the first a caller would not know why a function
// returned; without the second a handler would not find the derivatives of the
// numbers that it is given.
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

/// Each thread has at most one exception between two frames.
_Thread_local void *__retro_passing;

void __retro_pass_exception(void *exception) { __retro_passing = exception; }

/// The exception by which the function that was called last ended, or null.
void *__retro_passed_exception(void) {
  void *exception = __retro_passing;
  __retro_passing = NULL;
  return exception;
}

/// One object in one lane. An object that is thrown later may have the address
/// of one that is gone, whose shadow the reverse pass still needs.
struct thrown {
  struct thrown *next;
  char *object; ///< null: it is gone
  char *shadow;
  uint64_t bytes, lane, number;
};
_Thread_local struct thrown *__retro_thrown;
_Thread_local uint64_t __retro_thrown_count;

/// What other code throws has no derivatives.
enum { most_bytes = 4096 };
_Thread_local char __retro_thrown_elsewhere[most_bytes];

uint64_t __retro_exceptions(void) { return __retro_thrown_count; }

/// Ends the shadows of all objects but the first ones of this thread.
void __retro_forget_exceptions(uint64_t first) {
  while (__retro_thrown && __retro_thrown->number >= first) {
    struct thrown *t = __retro_thrown;
    __retro_thrown = t->next;
    free(t->shadow);
    free(t);
  }
}

/// The shadow, zero, of an object that is going to be thrown.
void *__retro_exception_shadow(char *object, uint64_t bytes, uint64_t lane) {
  for (struct thrown *t = __retro_thrown; t; t = t->next)
    if (t->object && t->lane == lane && object < t->object + t->bytes &&
        t->object < object + bytes)
      t->object = NULL;
  struct thrown *t = malloc(sizeof *t);
  char *shadow = calloc(1, bytes ? bytes : 1);
  if (!t || !shadow)
    __retro_fail("there is no memory for ", bytes,
                 " bytes of the shadow of an exception");
  *t = (struct thrown){__retro_thrown, object, shadow,
                       bytes,          lane,   __retro_thrown_count++};
  __retro_thrown = t;
  return shadow;
}

/// The shadow of an object that a handler is given.
void *__retro_caught_shadow(char *object, uint64_t lane) {
  for (struct thrown *t = __retro_thrown; t; t = t->next)
    if (t->object && t->lane == lane && object >= t->object &&
        object < t->object + t->bytes)
      return t->shadow + (object - t->object);
  return __retro_thrown_elsewhere;
}
