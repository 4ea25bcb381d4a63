// The overloads for float that clang's headers declare and leave to the SDK.
#pragma once

#define RETRO_GPU_FLOAT(Result, Name)                                          \
  RETRO_GPU_DEVICE Result Name(float X) { return Name##f(X); }
#define RETRO_GPU_FLOAT2(Name)                                                 \
  RETRO_GPU_DEVICE float Name(float X, float Y) { return Name##f(X, Y); }
RETRO_GPU_FLOAT(float, acosh)
RETRO_GPU_FLOAT(float, asinh)
RETRO_GPU_FLOAT(float, atanh)
RETRO_GPU_FLOAT(float, cbrt)
RETRO_GPU_FLOAT(float, erf)
RETRO_GPU_FLOAT(float, erfc)
RETRO_GPU_FLOAT(float, exp2)
RETRO_GPU_FLOAT(float, expm1)
RETRO_GPU_FLOAT(float, lgamma)
RETRO_GPU_FLOAT(float, log1p)
RETRO_GPU_FLOAT(float, log2)
RETRO_GPU_FLOAT(float, logb)
RETRO_GPU_FLOAT(float, nearbyint)
RETRO_GPU_FLOAT(float, rint)
RETRO_GPU_FLOAT(float, round)
RETRO_GPU_FLOAT(float, tgamma)
RETRO_GPU_FLOAT(float, trunc)
RETRO_GPU_FLOAT(int, ilogb)
RETRO_GPU_FLOAT(long, lrint)
RETRO_GPU_FLOAT(long, lround)
RETRO_GPU_FLOAT(long long, llrint)
RETRO_GPU_FLOAT(long long, llround)
RETRO_GPU_FLOAT2(copysign)
RETRO_GPU_FLOAT2(fdim)
RETRO_GPU_FLOAT2(fmax)
RETRO_GPU_FLOAT2(fmin)
RETRO_GPU_FLOAT2(hypot)
RETRO_GPU_FLOAT2(nextafter)
RETRO_GPU_FLOAT2(remainder)
#undef RETRO_GPU_FLOAT
#undef RETRO_GPU_FLOAT2
RETRO_GPU_DEVICE float fma(float X, float Y, float Z) { return fmaf(X, Y, Z); }
RETRO_GPU_DEVICE float scalbn(float X, int N) { return scalbnf(X, N); }
RETRO_GPU_DEVICE float scalbln(float X, long N) {
  return scalbnf(X, N > 1000 ? 1000 : N < -1000 ? -1000 : (int)N);
}
