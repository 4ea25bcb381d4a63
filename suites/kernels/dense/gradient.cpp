#include "model.h"

RETRO_KERNEL_GRADIENT(cholesky_left, n)
RETRO_KERNEL_GRADIENT(cholesky_right, n)
RETRO_KERNEL_GRADIENT(likelihood, n)
RETRO_KERNEL_GRADIENT(lu, n)
