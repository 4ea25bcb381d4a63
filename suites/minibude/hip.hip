//===- hip.hip - miniBUDE: the kernels as HIP -----------------------------===//
#define RETRO_SYMBOL_PREFIX hip_
#include "kernels.h"
