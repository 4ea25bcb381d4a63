// Images of memory: each derivative has for an address another one, at which
// the shadow of what lies there is, whoever allocated it and whenever. Memory
// to which static variables led before the derivative began has no other
// shadow. An image begins as zeros, is the own one of the thread that runs the
// derivative, and of those that help it, and ends with its derivative.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

_Noreturn void __retro_fail(const char *before, uint64_t number,
                            const char *after);

enum {
  most_regions = 64,
  most_lanes = 64,
};

/// Addresses that lie near each other have images that do: what a program
/// allocates does not reach from one region to another.
static const uintptr_t granule = (uintptr_t)1 << 35;

/// Nothing that is smaller is an address.
static const uintptr_t lowest = 1 << 16;

struct region {
  uintptr_t begin, bytes, image, used;
};

/// Memory of an argument, whose shadow is the caller's.
struct argument {
  char *begin;
  uint64_t bytes; ///< that are known to be there, or 1
};

struct images {
  struct images *outer; ///< of the derivative that this one runs within
  const struct argument *arguments;
  uint32_t num_arguments;
  struct lane {
    unsigned count;
    struct region regions[most_regions];
  } *lanes[most_lanes];
};
_Thread_local struct images *__retro_images_here;

/// The images of a derivative that is over. To map memory again for each
/// derivative would take longer than many of them.
_Thread_local struct images *__retro_images_spare;

/// A variable of the program, whose shadow is a variable. Null: no pointer is
/// known to lead there.
struct variable {
  char *begin;
  uint64_t bytes;
  char *shadow;
};

static void unmap(void *images) {
  struct images *all = images;
  for (unsigned n = 0; n < most_lanes && all->lanes[n]; ++n) {
    for (unsigned k = 0; k < all->lanes[n]->count; ++k)
      munmap((void *)all->lanes[n]->regions[k].image,
             all->lanes[n]->regions[k].bytes);
    free(all->lanes[n]);
  }
  free(all);
}

static pthread_key_t of_thread;
static void make_key(void) {
  if (pthread_key_create(&of_thread, unmap))
    __retro_fail("there is no key for images of ", sizeof of_thread, " bytes");
}

/// Images end with their thread at the latest.
static void spare(struct images *all) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  pthread_setspecific(of_thread, all);
  __retro_images_spare = all;
}

void __retro_images_open(const struct argument *arguments, uint32_t count) {
  struct images *made = __retro_images_spare;
  if (made)
    spare(NULL);
  else if (!(made = calloc(1, sizeof *made)))
    __retro_fail("there is no memory for images of ", sizeof *made, " bytes");
  made->arguments = arguments;
  made->num_arguments = count;
  made->outer = __retro_images_here;
  __retro_images_here = made;
}

void __retro_images_close(void) {
  struct images *all = __retro_images_here;
  __retro_images_here = all->outer;
  if (__retro_images_spare)
    return unmap(all);
  for (unsigned n = 0; n < most_lanes && all->lanes[n]; ++n)
    for (unsigned k = 0; k < all->lanes[n]->count; ++k) {
      struct region *r = &all->lanes[n]->regions[k];
      if (r->used)
        madvise((void *)r->image, r->bytes, MADV_DONTNEED); // it is zero again
      r->used = 0;
    }
  spare(all);
}

/// The images of the derivative that this thread runs, for other threads that
/// help it.
struct images *__retro_images_current(void) { return __retro_images_here; }

/// Another thread runs a part of a derivative with these images. Returns what
/// it had before, for when it has done so.
struct images *__retro_images_enter(struct images *those) {
  struct images *before = __retro_images_here;
  __retro_images_here = those;
  return before;
}

/// Threads that share images may look for a region at once.
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/// The region of an address, if there is one yet.
static struct region *region_of(struct lane *l, uintptr_t at) {
  const unsigned count = __atomic_load_n(&l->count, __ATOMIC_ACQUIRE);
  for (unsigned k = 0; k < count; ++k)
    if (at - l->regions[k].begin < l->regions[k].bytes)
      return &l->regions[k];
  return NULL;
}

/// A new region around an address, as far as the others.
static struct region *new_region(struct lane *l, uintptr_t at) {
  if (l->count == most_regions)
    __retro_fail("memory lies too far apart: more than ", most_regions,
                 " parts of it are behind static variables");
  uintptr_t begin = (at & -granule) - granule, end = begin + 3 * granule;
  if (begin > at)
    begin = 0;
  for (unsigned k = 0; k < l->count; ++k) {
    const uintptr_t low = l->regions[k].begin, high = low + l->regions[k].bytes;
    if (high <= at && high > begin)
      begin = high;
    if (low > at && low < end)
      end = low;
  }
  void *image = mmap(NULL, end - begin, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (image == MAP_FAILED)
    __retro_fail("there are no ", end - begin,
                 " bytes of addresses for shadows of what static variables "
                 "lead to");
  struct region *r = &l->regions[l->count];
  *r = (struct region){begin, end - begin, (uintptr_t)image, 0};
  __atomic_store_n(&l->count, l->count + 1, __ATOMIC_RELEASE);
  return r;
}

static struct region *find_region(struct images *all, unsigned lane,
                                  uintptr_t at) {
  struct lane *l = __atomic_load_n(&all->lanes[lane], __ATOMIC_ACQUIRE);
  struct region *r = l ? region_of(l, at) : NULL;
  if (r)
    return r;
  pthread_mutex_lock(&one_at_a_time);
  if (!all->lanes[lane]) {
    l = calloc(1, sizeof *l);
    if (!l)
      __retro_fail("there is no memory for images of ", sizeof *l, " bytes");
    __atomic_store_n(&all->lanes[lane], l, __ATOMIC_RELEASE);
  }
  l = all->lanes[lane];
  r = region_of(l, at);
  if (!r)
    r = new_region(l, at);
  pthread_mutex_unlock(&one_at_a_time);
  return r;
}

/// Where the shadow is of what lies at an address.
__attribute__((noinline)) void *__retro_image(char *address,
                                              const struct variable *variables,
                                              uint64_t count, uint32_t lane) {
  const uintptr_t at = (uintptr_t)address;
  if (at < lowest)
    return address;
  for (uint64_t n = 0; n < count; ++n)
    if (at - (uintptr_t)variables[n].begin < variables[n].bytes) {
      if (!variables[n].shadow)
        __retro_fail(
            "a pointer that other code has set leads to a variable of ",
            variables[n].bytes, " bytes: derivatives would be lost there");
      return variables[n].shadow + (address - variables[n].begin);
    }
  struct images *all = __retro_images_here;
  if (!all)
    __retro_fail("lane ", lane,
                 " of a derivative has ended, or runs in a thread of which it "
                 "did not know");
  for (uint32_t n = 0; n < all->num_arguments; ++n)
    if (at - (uintptr_t)all->arguments[n].begin < all->arguments[n].bytes)
      __retro_fail(
          "a static variable leads to the memory of an argument, too, so"
          " that derivatives would be lost; begins of such memory: ",
          all->num_arguments, "");
  struct region *r = find_region(all, lane, at);
  if (!__atomic_load_n(&r->used, __ATOMIC_RELAXED))
    __atomic_store_n(&r->used, 1, __ATOMIC_RELAXED);
  return (void *)(r->image + (at - r->begin));
}

/// A shadow that is no image, or null: there is nothing to give back.
void *__retro_unless_image(void *shadow, uint32_t lane) {
  const struct lane *l =
      __retro_images_here ? __retro_images_here->lanes[lane] : NULL;
  for (unsigned k = 0; l && k < l->count; ++k)
    if ((uintptr_t)shadow - l->regions[k].image < l->regions[k].bytes)
      return NULL;
  return shadow;
}
