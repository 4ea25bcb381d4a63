// Memory of a device, memory that it shares with the host, and pinned memory of
// the host, for both vendors. Allocations return it, and it is zero.
#include <stddef.h>

#define MODELS(Vendor)                                                         \
  void *__retro_##Vendor##_alloc(size_t bytes);                                \
  void __retro_##Vendor##_free(void *address);                                 \
  int retro_##Vendor##_malloc(void **address, size_t bytes) {                  \
    *address = __retro_##Vendor##_alloc(bytes);                                \
    return 0;                                                                  \
  }                                                                            \
  int retro_##Vendor##_free(void *address) {                                   \
    __retro_##Vendor##_free(address);                                          \
    return 0;                                                                  \
  }                                                                            \
  void *__retro_##Vendor##_alloc_managed(size_t bytes);                        \
  int retro_##Vendor##_malloc_managed(void **address, size_t bytes,            \
                                      unsigned flags) {                        \
    *address = __retro_##Vendor##_alloc_managed(bytes);                        \
    return 0;                                                                  \
  }                                                                            \
  void *__retro_##Vendor##_alloc_host(size_t bytes);                           \
  void __retro_##Vendor##_free_host(void *address);                            \
  int retro_##Vendor##_malloc_host(void **address, size_t bytes) {             \
    *address = __retro_##Vendor##_alloc_host(bytes);                           \
    return 0;                                                                  \
  }                                                                            \
  int retro_##Vendor##_host_malloc(void **address, size_t bytes,               \
                                   unsigned flags) {                           \
    *address = __retro_##Vendor##_alloc_host(bytes);                           \
    return 0;                                                                  \
  }                                                                            \
  int retro_##Vendor##_free_host(void *address) {                              \
    __retro_##Vendor##_free_host(address);                                     \
    return 0;                                                                  \
  }
MODELS(cuda)
MODELS(hip)
