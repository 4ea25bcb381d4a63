// half as CUDA spells it.
#pragma once
#include <retrograde/gpu/half.h>

RETRO_GPU_SHORT_FLOAT(__half, _Float16, half)
using half = __half;
RETRO_GPU_BOTH __half __hadd(__half A, __half B) { return A + B; }
RETRO_GPU_BOTH __half __hsub(__half A, __half B) { return A - B; }
RETRO_GPU_BOTH __half __hmul(__half A, __half B) { return A * B; }
RETRO_GPU_BOTH __half __hfma(__half A, __half B, __half C) {
  return (_Float16)__builtin_fmaf((float)A, (float)B, (float)C);
}
