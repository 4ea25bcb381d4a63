// bfloat16 as HIP spells it.
#pragma once
#include <retrograde/gpu/half.h>

RETRO_GPU_SHORT_FLOAT(__hip_bfloat16, __bf16, bfloat16)
