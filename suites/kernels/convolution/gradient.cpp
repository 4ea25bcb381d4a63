#include "model.h"

RETRO_KERNEL_GRADIENT(convolution, n, m, k)
