//===- cuda_gradient.cu - RSBench: the gradient as CUDA -------------------===//
#define RETRO_SYMBOL_PREFIX cuda_
#include "gradient_kernels.h"
