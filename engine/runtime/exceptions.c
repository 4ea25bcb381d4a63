// An exception on its way out of functions that return where it left them
// (prepare/returned_exceptions.cpp). Each thread has at most one between two
// frames. Without this a caller would not know why a function returned.
#include <stddef.h>

static _Thread_local void *passing;

void __retro_pass_exception(void *exception) { passing = exception; }

/// The exception by which the function that was called last ended, or null.
void *__retro_passed_exception(void) {
  void *exception = passing;
  passing = NULL;
  return exception;
}
