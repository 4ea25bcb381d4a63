#include "model.h"

RETRO_KERNEL_PRIMAL(convolution, n, m, k)
