//===- cuda.cu - Brusselator: the kernels as CUDA -------------------------===//
#define RETRO_SYMBOL_PREFIX cuda_
#include "kernels.h"
