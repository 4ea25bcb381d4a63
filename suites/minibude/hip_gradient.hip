//===- hip_gradient.hip - miniBUDE: the gradient as HIP -------------------===//
#define RETRO_SYMBOL_PREFIX hip_
#include "gradient_kernels.h"
