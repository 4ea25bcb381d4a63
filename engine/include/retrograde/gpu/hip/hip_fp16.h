// half as HIP spells it, which is as CUDA does.
#pragma once
#include <retrograde/gpu/cuda_fp16.h>
