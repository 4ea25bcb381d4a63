// Operations in a format of numbers that the machine does not have: so many
// bits of the exponent, so many of the mantissa, subnormal numbers as IEEE 754
// has them, rounded to nearest. Operands and results are kept as doubles.
#include <mpfr.h>

enum {
#define MPFR_OPERATION(Name, Operands, Function) Is_##Name,
#include "mpfr_operations.def"
};

// The range of exponents that a thread had before.
struct Range {
  mpfr_exp_t Least, Greatest;
};

// MPFR's exponents are of mantissas below one: one more than IEEE 754 has.
static struct Range enter(int Exponent, int Mantissa) {
  struct Range Before = {mpfr_get_emin(), mpfr_get_emax()};
  mpfr_exp_t Greatest = (mpfr_exp_t)1 << (Exponent - 1);
  mpfr_set_emin(3 - Greatest - Mantissa);
  mpfr_set_emax(Greatest);
  return Before;
}

static void leave(struct Range Before) {
  mpfr_set_emin(Before.Least);
  mpfr_set_emax(Before.Greatest);
}

// X was rounded as Inexact says; results below the normal ones have fewer
// digits.
static void fit(mpfr_t X, int Inexact) {
  mpfr_subnormalize(X, mpfr_check_range(X, Inexact, MPFR_RNDN), MPFR_RNDN);
}

// An operand, which may have more digits than the format.
static void take(mpfr_t X, double From) {
  fit(X, mpfr_set_d(X, From, MPFR_RNDN));
}

double __retro_mpfr_1(int Operation, double A, int Exponent, int Mantissa) {
  struct Range Before = enter(Exponent, Mantissa);
  mpfr_t X;
  mpfr_init2(X, Mantissa + 1);
  take(X, A);
  switch (Operation) {
#define OPERATION_1(Name, Function)                                            \
  case Is_##Name:                                                              \
    fit(X, Function(X, X, MPFR_RNDN));                                         \
    break;
#define OPERATION_2(Name, Function)
#define OPERATION_3(Name, Function)
#define MPFR_OPERATION(Name, Operands, Function)                               \
  OPERATION_##Operands(Name, Function)
#include "mpfr_operations.def"
  }
  double Result = mpfr_get_d(X, MPFR_RNDN);
  mpfr_clear(X);
  leave(Before);
  return Result;
}

double __retro_mpfr_2(int Operation, double A, double B, int Exponent,
                      int Mantissa) {
  struct Range Before = enter(Exponent, Mantissa);
  mpfr_t X, Y;
  mpfr_inits2(Mantissa + 1, X, Y, (mpfr_ptr)0);
  take(X, A);
  take(Y, B);
  switch (Operation) {
#undef OPERATION_1
#undef OPERATION_2
#define OPERATION_1(Name, Function)
#define OPERATION_2(Name, Function)                                            \
  case Is_##Name:                                                              \
    fit(X, Function(X, X, Y, MPFR_RNDN));                                      \
    break;
#define MPFR_OPERATION(Name, Operands, Function)                               \
  OPERATION_##Operands(Name, Function)
#include "mpfr_operations.def"
  }
  double Result = mpfr_get_d(X, MPFR_RNDN);
  mpfr_clears(X, Y, (mpfr_ptr)0);
  leave(Before);
  return Result;
}

double __retro_mpfr_3(int Operation, double A, double B, double C, int Exponent,
                      int Mantissa) {
  struct Range Before = enter(Exponent, Mantissa);
  mpfr_t X, Y, Z;
  mpfr_inits2(Mantissa + 1, X, Y, Z, (mpfr_ptr)0);
  take(X, A);
  take(Y, B);
  take(Z, C);
  if (Operation == Is_fma)
    fit(X, mpfr_fma(X, X, Y, Z, MPFR_RNDN));
  double Result = mpfr_get_d(X, MPFR_RNDN);
  mpfr_clears(X, Y, Z, (mpfr_ptr)0);
  leave(Before);
  return Result;
}
