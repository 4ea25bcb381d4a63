//===- cuda_gradient.cu - Brusselator: the gradient as CUDA ---------------===//
#define RETRO_SYMBOL_PREFIX cuda_
#include "gradient_kernels.h"
