// bfloat16 as CUDA spells it.
#pragma once
#include <retrograde/gpu/half.h>

RETRO_GPU_SHORT_FLOAT(__nv_bfloat16, __bf16, bfloat16)
