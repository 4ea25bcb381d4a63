#include "model.h"

RETRO_KERNEL_PRIMAL(cholesky_left, n)
RETRO_KERNEL_PRIMAL(cholesky_right, n)
RETRO_KERNEL_PRIMAL(likelihood, n)
RETRO_KERNEL_PRIMAL(lu, n)
