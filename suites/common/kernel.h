// The only header that a benchmark's model.h, primal.cpp, hand.cpp and
// gradient.cpp need.
//
// The build compiles these files several times, with
//   RETRO_SYMBOL_PREFIX     primal_, hand_, gradient_ or compare_: the column
//                           of the table that the object provides
//   RETRO_VARIANT_RESTRICT  1: pointer parameters are declared no-alias
//                           (variant 'restrict'); 0: not (variant 'plain')
// so everything with external linkage is named through RETRO_SYMBOL, and model
// code lives in namespace RETRO_MODEL: two objects that inline different
// versions of one template must not share its symbol.
#ifndef RETROGRADE_SUITES_KERNEL_H
#define RETROGRADE_SUITES_KERNEL_H

#ifndef RETRO_SYMBOL_PREFIX
#define RETRO_SYMBOL_PREFIX gradient_
#endif
#ifndef RETRO_VARIANT_RESTRICT
#define RETRO_VARIANT_RESTRICT 1
#endif

#if RETRO_VARIANT_RESTRICT
#define RETRO_RESTRICT __restrict__
#define RETRO_VARIANT restrict_
#else
#define RETRO_RESTRICT
#define RETRO_VARIANT plain_
#endif

#define RETRO_PASTE3_(a, b, c) a##b##c
#define RETRO_PASTE3(a, b, c) RETRO_PASTE3_(a, b, c)
/* RETRO_SYMBOL(gmm) is gradient_restrict_gmm, primal_plain_gmm, ... */
#define RETRO_SYMBOL(name)                                                     \
  RETRO_PASTE3(RETRO_SYMBOL_PREFIX, RETRO_VARIANT, name)
#define RETRO_MODEL RETRO_SYMBOL(model)

/* A function of the model that kernels call too. */
#if defined(__CUDA__) || defined(__HIP__)
#define RETRO_HD __host__ __device__
#define RETRO_DEVICE __device__
#else
#define RETRO_HD
#define RETRO_DEVICE
#endif

/* The calling convention of the field; read only by gradient.cpp. */
extern RETRO_DEVICE int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out,
    enzyme_width, enzyme_dupv, enzyme_dupnoneedv, enzyme_pool;
template <typename R, typename... A> RETRO_DEVICE R __enzyme_autodiff(A...);
template <typename R, typename... A> RETRO_DEVICE R __enzyme_poolsize(A...);

#endif
