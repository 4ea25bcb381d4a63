#include "model.h"

RETRO_KERNEL_PRIMAL(network, n, m, k)
