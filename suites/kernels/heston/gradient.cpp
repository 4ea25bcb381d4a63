#include "model.h"

RETRO_KERNEL_GRADIENT_WITHOUT_WORK(heston, n, m)
