// Memory of a device, of both vendors: allocations return it, and it is zero.
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
  }
MODELS(cuda)
MODELS(hip)
