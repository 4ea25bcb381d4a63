#include "model.h"

RETRO_KERNEL_GRADIENT(network, n, m, k)
