// Launches of kernels and copies between host and device, in the passes of a
// derivative. Compiled for each vendor: VENDOR is cuda or hip.
//
// The forward pass runs each operation where the primal did, on its stream. The
// reverse pass runs their adjoints one after the other, from the last that was
// issued to the first: of two operations of which one has to wait for the
// other, the primal issued that one first.
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)
#define GPU(Name) JOIN(VENDOR, Name)
#define OURS(Name) JOIN(JOIN(__retro_, VENDOR), Name)

struct dim3 {
  unsigned x, y, z;
};
enum Copy { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Anywhere };

enum { OutOfMemory = 2 }; ///< of both vendors

int GPU(Malloc)(void **address, size_t bytes);
int GPU(MallocManaged)(void **address, size_t bytes, unsigned flags);
int GPU(MallocHost)(void **address, size_t bytes);
int GPU(Free)(void *address);
int GPU(FreeHost)(void *address);
int GPU(Memset)(void *address, int byte, size_t bytes);
int GPU(MemsetAsync)(void *address, int byte, size_t bytes, void *stream);
int GPU(Memcpy)(void *to, const void *from, size_t bytes, int kind);
int GPU(MemcpyAsync)(void *to, const void *from, size_t bytes, int kind,
                     void *stream);
int GPU(DeviceSynchronize)(void);
int GPU(FuncSetAttribute)(const void *kernel, int attribute, int value);
int GPU(LaunchKernel)(const void *kernel, struct dim3 grid, struct dim3 block,
                      void **arguments, size_t shared, void *stream);
const char *GPU(GetErrorString)(int code);

/// What the device's code says of a kernel.
struct knowledge {
  /// The bytes of a thread's tape in the memory for a whole launch, or that a
  /// kernel has to find out.
  uint64_t tapeBytes;
  /// May dynamic shared memory have a shadow (S, else -)?
  char shares;
  /// For each parameter, what a pointer points to: doubles (D), floats (F), no
  /// numbers (N), pointers (P) or something else (M).
  char is[];
};

struct kernel {
  const char *name;
  const char *letters; ///< what the host takes its parameters to be
  const char *primal;  ///< handles
  const char *describe, *measure, *augmented, *reverse, *tangent;
  struct knowledge *known;
};

struct launch {
  struct kernel *kernel;
  struct dim3 grid, block;
  size_t shared;
  size_t threads;
  void *tape;         ///< of all threads
  uint64_t tapeBytes; ///< of each
  uint64_t values[];  ///< parameters, then the shadows of pointers
};

struct copy {
  void *to, *toShadow;
  const void *from;
  void *fromShadow;
  size_t bytes;
  int kind;
};

/// Memory of the device whose contents are known.
struct memory {
  const char *begin;
  size_t bytes; ///< 0: not known, for it is not ours
  char is;      ///< 0: not known yet
  struct memory *next;
};
struct memory *OURS(_memory);
atomic_flag OURS(_memory_lock) = ATOMIC_FLAG_INIT;

static _Noreturn void stop(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("retrograde: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  abort();
}

static void check(int code, const char *what) {
  if (code)
    stop("%s failed in a derivative: %s", what, GPU(GetErrorString)(code));
}

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&OURS(_memory_lock),
                                           memory_order_acquire))
    ;
}
static void unlock(void) {
  atomic_flag_clear_explicit(&OURS(_memory_lock), memory_order_release);
}

static void *allocate(size_t bytes, int clear) {
  void *p = NULL;
  if (bytes == 0)
    return NULL;
  int code = GPU(Malloc)(&p, bytes);
  if (code && code != OutOfMemory)
    check(code, "allocating memory");
  if (!p)
    stop("a derivative needs %zu bytes more of the device's memory than it has",
         bytes);
  if (clear)
    check(GPU(Memset)(p, 0, bytes), "clearing memory");
  return p;
}

//===----------------------------------------------------------------------===//
// What memory holds. The device's code says it of the parameters of kernels.

static void remember(const void *begin, size_t bytes, char is) {
  struct memory *m = malloc(sizeof *m);
  *m = (struct memory){begin, bytes, is, OURS(_memory)};
  OURS(_memory) = m;
}

static struct memory *find(const char *p, size_t bytes) {
  struct memory *m = OURS(_memory);
  for (; m; m = m->next)
    if (m->bytes ? m->begin <= p && p < m->begin + m->bytes
                 : p <= m->begin && m->begin < p + bytes)
      return m;
  return NULL;
}

static char holds(const void *p, size_t bytes) {
  lock();
  struct memory *m = find(p, bytes);
  char is = m ? m->is : 0;
  unlock();
  return is;
}

static void learn(const void *p, char is) {
  lock();
  struct memory *m = find(p, 1);
  if (!m)
    remember(p, 0, is);
  else if (!m->is || m->is == 'N')
    m->is = is;
  else if (m->is != is && is != 'N')
    m->is = 'M';
  unlock();
}

void *OURS(_alloc)(size_t bytes) {
  void *p = allocate(bytes, 1);
  lock();
  if (p)
    remember(p, bytes, 0);
  unlock();
  return p;
}

/// Allocates memory that the host can access, and if managed the device, too.
static void *allocateShared(size_t bytes, int managed) {
  void *p = NULL;
  if (bytes == 0)
    return NULL;
  if ((managed ? GPU(MallocManaged)(&p, bytes, 1 /* global */)
               : GPU(MallocHost)(&p, bytes)) ||
      !p)
    stop("a derivative needs %zu bytes more of %s memory than there are", bytes,
         managed ? "managed" : "pinned");
  memset(p, 0, bytes);
  lock();
  remember(p, bytes, 0);
  unlock();
  return p;
}
void *OURS(_alloc_managed)(size_t bytes) { return allocateShared(bytes, 1); }
void *OURS(_alloc_host)(size_t bytes) { return allocateShared(bytes, 0); }

static void forget(const char *address) {
  lock();
  for (struct memory **m = &OURS(_memory); *m;)
    if (address == (*m)->begin) {
      struct memory *old = *m;
      *m = old->next;
      free(old);
    } else {
      m = &(*m)->next;
    }
  unlock();
}

void OURS(_free)(void *address) {
  forget(address);
  check(GPU(Free)(address), "freeing memory");
}

void OURS(_free_host)(void *address) {
  forget(address);
  check(GPU(FreeHost)(address), "freeing memory");
}

//===----------------------------------------------------------------------===//
// Launches

static size_t count(const struct kernel *k) { return strlen(k->letters); }

/// Asks the device's side for its description, once the kernel is launched.
static const struct knowledge *describe(struct kernel *k) {
  struct knowledge *known = __atomic_load_n(&k->known, __ATOMIC_ACQUIRE);
  if (known)
    return known;
  size_t n = count(k), bytes = sizeof *known + n + 1;
  _Static_assert(offsetof(struct knowledge, is) == 9, "as it is written");
  void *out = allocate(bytes, 1);
  void *args[] = {&out};
  struct dim3 one = {1, 1, 1};
  int code = GPU(LaunchKernel)(k->describe, one, one, args, 0, NULL);
  known = malloc(bytes);
  if (!code)
    code = GPU(Memcpy)(known, out, bytes, DeviceToHost);
  if (code)
    stop("the device's code has no derivative of the kernel '%s' (%s): is it "
         "marked, and is the plugin there on the device's side?",
         k->name, GPU(GetErrorString)(code));
  check(GPU(Free)(out), "freeing memory");
  int same = strlen(known->is) == n;
  for (size_t i = 0; same && i < n; ++i)
    same = k->letters[i] == 'p' ? strchr("DFNPM", known->is[i]) != NULL
                                : k->letters[i] == known->is[i];
  if (!same)
    stop("host and device disagree on the parameters of the kernel '%s': '%s' "
         "and '%s'",
         k->name, k->letters, known->is);
  if (strchr(known->is, 'P'))
    stop("the kernel '%s' reads pointers from memory: the derivative of a "
         "launch has no shadows of them",
         k->name);
  __atomic_store_n(&k->known, known, __ATOMIC_RELEASE);
  return known;
}

/// The bytes of a parameter.
static size_t size(char letter) {
  return letter == 'p' || letter == 'd' ? 8
         : letter == 'f'                ? 4
                                        : (size_t)(letter - '0');
}

/// Collects the addresses of the first arguments of a derived kernel. The
/// shadow of memory that is not active is the memory itself.
static size_t arguments(struct kernel *k, void **values, void **shadows,
                        void **out) {
  size_t n = count(k), next = n;
  for (size_t i = 0; i < n; ++i) {
    out[i] = values[i];
    if (!shadows[i])
      continue;
    if (k->letters[i] == 'p' && *(void **)values[i] && !*(void **)shadows[i])
      stop("parameter %zu of the kernel '%s' is given memory whose shadow is "
           "null",
           i + 1, k->name);
    out[next++] = shadows[i];
  }
  return next;
}

static void note(struct kernel *k, const struct knowledge *known,
                 void **values) {
  for (size_t i = 0; i < count(k); ++i)
    if (k->letters[i] == 'p' && *(void **)values[i])
      learn(*(void **)values[i], known->is[i]);
}

enum {
  Word = 8,  ///< of a tape
  Line = 128 ///< what parts of shared memory are aligned by
};
/// The dynamic shared memory that kernels get without asking, and the attribute
/// by which they ask for more. Both are the same for both vendors.
enum { Always = 48 << 10, MaxDynamic = 8 };

/// The bytes of a thread's tape in this launch. The kernel that finds them out
/// has to see the memory that the primal's kernel would see.
static uint64_t tapeOf(struct kernel *k, const struct knowledge *known,
                       struct dim3 grid, struct dim3 block, size_t shared,
                       void *stream, void **values) {
  uint64_t bytes = known->tapeBytes;
  if (bytes == UINT64_MAX) {
    size_t n = count(k);
    void *out = allocate(sizeof bytes, 1);
    void *args[n + 1];
    memcpy(args, values, n * sizeof *args);
    args[n] = &out;
    check(GPU(DeviceSynchronize)(), k->name);
    if (shared > Always)
      GPU(FuncSetAttribute)(k->measure, MaxDynamic, (int)shared);
    check(GPU(LaunchKernel)(k->measure, grid, block, args, shared, stream),
          k->name);
    check(GPU(DeviceSynchronize)(), k->name);
    check(GPU(Memcpy)(&bytes, out, sizeof bytes, DeviceToHost), k->name);
    check(GPU(Free)(out), "freeing memory");
  }
  return (bytes + Word - 1) / Word * Word;
}

/// Allocates the tapes of all threads.
static void *allocateTape(const struct kernel *k, size_t threads,
                          uint64_t bytes) {
  void *p = NULL;
  size_t all;
  if (__builtin_mul_overflow(threads, bytes, &all))
    all = SIZE_MAX;
  if (all == 0)
    return NULL;
  int code = all == SIZE_MAX ? OutOfMemory : GPU(Malloc)(&p, all);
  if (code && code != OutOfMemory)
    check(code, "allocating memory");
  if (!p)
    stop("the tape of a launch of the kernel '%s' takes %zu bytes of the "
         "device's memory, more than there are: %llu for each of %zu threads",
         k->name, all, (unsigned long long)bytes, threads);
  return p;
}

/// Launches a derivative of a kernel that had `shared` bytes of dynamic shared
/// memory. If that may have a shadow, the derivative gets twice as much.
static void launch(struct kernel *k, const char *derived, struct dim3 grid,
                   struct dim3 block, void **args, size_t shared,
                   void *stream) {
  int both = describe(k)->shares == 'S';
  if (both)
    shared = 2 * ((shared + Line - 1) / Line * Line);
  // If there is not so much, the launch itself reports it.
  if (shared > Always)
    GPU(FuncSetAttribute)(derived, MaxDynamic, (int)shared);
  int code = GPU(LaunchKernel)(derived, grid, block, args, shared, stream);
  if (code && both)
    stop("a launch of the kernel '%s' failed in a derivative, with %zu bytes "
         "of dynamic shared memory for the primal's and its shadow: %s",
         k->name, shared, GPU(GetErrorString)(code));
  check(code, k->name);
}

/// What both passes take behind the arguments and their shadows.
static void addOwn(struct launch *l, unsigned sizes[5], void **args) {
  const unsigned of[] = {l->block.x, l->block.y, l->block.z, l->grid.x,
                         l->grid.y};
  for (size_t i = 0; i < 5; ++i) {
    sizes[i] = of[i];
    args[i] = &sizes[i];
  }
  args[5] = &l->tape;
  args[6] = &l->tapeBytes;
  args[7] = &l->threads;
  args[8] = &l->shared;
}

void *OURS(_launch_forward)(struct dim3 grid, struct dim3 block, size_t shared,
                            void *stream, struct kernel *k, void **values,
                            void **shadows) {
  const struct knowledge *known = describe(k);
  size_t n = count(k);
  struct launch *l = malloc(sizeof *l + 2 * n * sizeof(uint64_t));
  size_t threads =
      (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
  *l = (struct launch){
      .kernel = k,
      .grid = grid,
      .block = block,
      .shared = shared,
      .threads = threads,
      .tapeBytes = tapeOf(k, known, grid, block, shared, stream, values)};
  note(k, known, values);
  void *args[2 * n + 9];
  size_t all = arguments(k, values, shadows, args);
  for (size_t i = 0; i < all; ++i)
    memcpy(&l->values[i], args[i], i < n ? size(k->letters[i]) : 8);
  l->tape = allocateTape(k, threads, l->tapeBytes);
  unsigned sizes[5];
  addOwn(l, sizes, args + all);
  launch(k, k->augmented, grid, block, args, shared, stream);
  return l;
}

/// sums gets the adjoints of numbers passed by value.
void OURS(_launch_reverse)(void *record, double *sums) {
  struct launch *l = record;
  struct kernel *k = l->kernel;
  size_t n = count(k), all = n, numbers = 0;
  void *args[2 * n + 10];
  for (size_t i = 0; i < n; ++i) {
    all += k->letters[i] == 'p';
    numbers += k->letters[i] == 'd' || k->letters[i] == 'f';
  }
  for (size_t i = 0; i < all; ++i)
    args[i] = &l->values[i];
  unsigned sizes[5];
  addOwn(l, sizes, args + all);
  void *adjoints = allocate(numbers * sizeof(double), 1);
  args[all + 9] = &adjoints;
  check(GPU(DeviceSynchronize)(), k->name);
  launch(k, k->reverse, l->grid, l->block, args, l->shared, NULL);
  check(GPU(DeviceSynchronize)(), k->name);
  if (numbers)
    check(GPU(Memcpy)(sums, adjoints, numbers * sizeof(double), DeviceToHost),
          k->name);
  check(GPU(Free)(adjoints), "freeing memory");
  check(GPU(Free)(l->tape), "freeing memory");
  free(l);
}

void OURS(_launch_tangent)(struct dim3 grid, struct dim3 block, size_t shared,
                           void *stream, struct kernel *k, void **values,
                           void **shadows) {
  note(k, describe(k), values);
  void *args[2 * count(k) + 1];
  args[arguments(k, values, shadows, args)] = &shared;
  launch(k, k->tangent, grid, block, args, shared, stream);
}

//===----------------------------------------------------------------------===//
// Copies

struct left {
  void *tape;
  int code;
};

static void *record(void *to, const void *from, size_t bytes, int kind,
                    void *toShadow, const void *fromShadow) {
  if (bytes && ((to && !toShadow) || (from && !fromShadow)))
    stop("memory that is copied on or to a device has a shadow that is null");
  struct copy *c = malloc(sizeof *c);
  // Memory whose shadow is the memory itself is not active.
  *c = (struct copy){to,    toShadow == to ? NULL : toShadow,
                     from,  fromShadow == from ? NULL : (void *)fromShadow,
                     bytes, kind};
  // Both sides of a copy hold the same.
  char is = holds(from, bytes);
  if (is && is != 'N' && kind == DeviceToDevice)
    learn(to, is);
  return c;
}

/// Copies memory from wherever it is to where the host can read it.
static void *fetch(const void *from, size_t bytes) {
  void *copy = malloc(bytes);
  check(GPU(Memcpy)(copy, from, bytes, Anywhere), "copying an adjoint");
  return copy;
}

static void put(void *to, const void *from, size_t bytes) {
  check(GPU(Memcpy)(to, from, bytes, Anywhere), "copying an adjoint");
}

static int isZero(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (((const char *)p)[i])
      return 0;
  return 1;
}

static void add(void *to, const void *from, size_t bytes, char is) {
  if (is == 'D')
    for (size_t i = 0; i < bytes / sizeof(double); ++i)
      ((double *)to)[i] += ((const double *)from)[i];
  else
    for (size_t i = 0; i < bytes / sizeof(float); ++i)
      ((float *)to)[i] += ((const float *)from)[i];
}

/// Adds the destination's adjoint to the source's, and sets it to zero.
static void reverseCopy(struct copy *c) {
  if (!c->toShadow || !c->bytes)
    return;
  void *adjoint = fetch(c->toShadow, c->bytes);
  if (!isZero(adjoint, c->bytes)) {
    char is = 0;
    if (c->fromShadow) {
      if (c->kind != DeviceToHost)
        is = holds(c->to, c->bytes);
      if ((!is || is == 'N') && c->kind != HostToDevice)
        is = holds(c->from, c->bytes);
      if (is != 'D' && is != 'F')
        stop("%zu bytes are copied between host and device, and no kernel says "
             "that they are all double or all float",
             c->bytes);
      if (c->kind == DeviceToDevice && !holds(c->from, c->bytes))
        learn(c->from, is);
    }
    void *zero = calloc(1, c->bytes);
    put(c->toShadow, zero, c->bytes);
    free(zero);
    if (c->fromShadow) {
      void *sum = fetch(c->fromShadow, c->bytes);
      add(sum, adjoint, c->bytes, is);
      put(c->fromShadow, sum, c->bytes);
      free(sum);
    }
  }
  free(adjoint);
}

struct left OURS(_copy_forward)(void *to, const void *from, size_t bytes,
                                int kind, void *toShadow,
                                const void *fromShadow) {
  int code = GPU(Memcpy)(to, from, bytes, kind);
  return (struct left){record(to, from, bytes, kind, toShadow, fromShadow),
                       code};
}

struct left OURS(_copy_async_forward)(void *to, const void *from, size_t bytes,
                                      int kind, void *stream, void *toShadow,
                                      const void *fromShadow) {
  int code = GPU(MemcpyAsync)(to, from, bytes, kind, stream);
  return (struct left){record(to, from, bytes, kind, toShadow, fromShadow),
                       code};
}

void OURS(_copy_reverse)(void *tape) {
  check(GPU(DeviceSynchronize)(), "a copy");
  reverseCopy(tape);
  free(tape);
}
void OURS(_copy_async_reverse)(void *tape) { OURS(_copy_reverse)(tape); }

static int isActive(const void *p, const void *shadow) {
  if (p && !shadow)
    stop("memory that is copied on or to a device has a shadow that is null");
  return shadow != p;
}

int OURS(_copy_tangent)(void *to, const void *from, size_t bytes, int kind,
                        void *toShadow, const void *fromShadow) {
  if (isActive(to, toShadow) && isActive(from, fromShadow))
    check(GPU(Memcpy)(toShadow, fromShadow, bytes, kind), "copying a tangent");
  else if (isActive(to, toShadow))
    check(GPU(Memset)(toShadow, 0, bytes), "clearing a tangent");
  return GPU(Memcpy)(to, from, bytes, kind);
}

int OURS(_copy_async_tangent)(void *to, const void *from, size_t bytes,
                              int kind, void *stream, void *toShadow,
                              const void *fromShadow) {
  if (isActive(to, toShadow) && isActive(from, fromShadow))
    check(GPU(MemcpyAsync)(toShadow, fromShadow, bytes, kind, stream),
          "copying a tangent");
  else if (isActive(to, toShadow))
    check(GPU(MemsetAsync)(toShadow, 0, bytes, stream), "clearing a tangent");
  return GPU(MemcpyAsync)(to, from, bytes, kind, stream);
}

struct left OURS(_set_forward)(void *to, int byte, size_t bytes,
                               void *toShadow) {
  int code = GPU(Memset)(to, byte, bytes);
  return (struct left){record(to, NULL, bytes, DeviceToDevice, toShadow, NULL),
                       code};
}
struct left OURS(_set_async_forward)(void *to, int byte, size_t bytes,
                                     void *stream, void *toShadow) {
  int code = GPU(MemsetAsync)(to, byte, bytes, stream);
  return (struct left){record(to, NULL, bytes, DeviceToDevice, toShadow, NULL),
                       code};
}
void OURS(_set_reverse)(void *tape) { OURS(_copy_reverse)(tape); }
void OURS(_set_async_reverse)(void *tape) { OURS(_copy_reverse)(tape); }

int OURS(_set_tangent)(void *to, int byte, size_t bytes, void *toShadow) {
  if (isActive(to, toShadow))
    check(GPU(Memset)(toShadow, 0, bytes), "clearing a tangent");
  return GPU(Memset)(to, byte, bytes);
}
int OURS(_set_async_tangent)(void *to, int byte, size_t bytes, void *stream,
                             void *toShadow) {
  if (isActive(to, toShadow))
    check(GPU(MemsetAsync)(toShadow, 0, bytes, stream), "clearing a tangent");
  return GPU(MemsetAsync)(to, byte, bytes, stream);
}
