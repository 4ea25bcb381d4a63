#include "model.h"

RETRO_KERNEL_GRADIENT(shallow_water, n, m)
RETRO_KERNEL_GRADIENT(hydrodynamics, n, m)
