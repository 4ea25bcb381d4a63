// Arrays in memory of a device, for derivatives of a library that computes
// there and is called on the host. Compiled for each vendor: VENDOR is cuda or
// hip.
//
// A program may bring the library's functions as its own, for the host: then
// the vendor's are not there, and arrays lie in the host's memory.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)
#define GPU(Name) JOIN(VENDOR, Name)
#define OURS(Name) JOIN(JOIN(__retro_, VENDOR), Name)
#define MAYBE __attribute__((weak))

enum { Anywhere = 4 }; ///< of both vendors: addresses say what they are of

MAYBE int GPU(Malloc)(void **address, size_t bytes);
MAYBE int GPU(Free)(void *address);
MAYBE int GPU(Memset2D)(void *address, size_t step, int byte, size_t width,
                        size_t height);
MAYBE int GPU(Memcpy2D)(void *to, size_t toStep, const void *from,
                        size_t fromStep, size_t width, size_t height, int kind);
MAYBE int GPU(DeviceSynchronize)(void);

void __retro_fail(const char *before, uint64_t number, const char *after)
    __attribute__((noreturn));

static void check(int code, const char *what) {
  if (code)
    __retro_fail("arrays of a device in a derivative: error ", (uint64_t)code,
                 what);
}

/// The library may use streams that nothing else waits for.
static void wait(void) {
  if (GPU(DeviceSynchronize))
    check(GPU(DeviceSynchronize)(), " of what ran before");
}

void *OURS(_array_new)(size_t bytes) {
  void *p = NULL;
  if (bytes == 0)
    bytes = 1;
  if (GPU(Malloc))
    check(GPU(Malloc)(&p, bytes), " where memory is allocated");
  else if (!(p = malloc(bytes)))
    check(2, " where memory is allocated");
  return p;
}

void OURS(_array_drop)(void *p) {
  wait();
  if (GPU(Free))
    check(GPU(Free)(p), " where memory is freed");
  else
    free(p);
}

/// So many lines of so many bytes, from step to step.
void OURS(_array_copy)(char *to, size_t toStep, const char *from,
                       size_t fromStep, size_t bytes, size_t lines) {
  if (bytes == 0 || lines == 0)
    return;
  if (GPU(Memcpy2D)) {
    wait();
    check(GPU(Memcpy2D)(to, toStep, from, fromStep, bytes, lines, Anywhere),
          " where an array is copied");
    return;
  }
  for (size_t n = 0; n < lines; ++n)
    memcpy(to + n * toStep, from + n * fromStep, bytes);
}

void OURS(_array_clear)(char *p, size_t step, size_t bytes, size_t lines) {
  if (bytes == 0 || lines == 0)
    return;
  if (GPU(Memset2D)) {
    wait();
    check(GPU(Memset2D)(p, step, 0, bytes, lines),
          " where an array is cleared");
    wait();
    return;
  }
  for (size_t n = 0; n < lines; ++n)
    memset(p + n * step, 0, bytes);
}
