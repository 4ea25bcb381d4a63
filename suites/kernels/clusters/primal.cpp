#include "model.h"

RETRO_KERNEL_PRIMAL_WITHOUT_WORK(k_means, n, m, k)
RETRO_KERNEL_PRIMAL_WITHOUT_WORK(log_sum_exp, n, k)
