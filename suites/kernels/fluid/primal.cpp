#include "model.h"

RETRO_KERNEL_PRIMAL(shallow_water, n, m)
RETRO_KERNEL_PRIMAL(hydrodynamics, n, m)
