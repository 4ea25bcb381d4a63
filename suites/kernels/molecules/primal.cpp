#include "model.h"

RETRO_KERNEL_PRIMAL_WITHOUT_WORK(energy, n, m)
