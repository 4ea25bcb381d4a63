//===- cuda_gradient.cu - miniBUDE: the gradient as CUDA ------------------===//
#define RETRO_SYMBOL_PREFIX cuda_
#include "gradient_kernels.h"
