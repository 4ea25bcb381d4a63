// A program that declares entry points and markers itself, in several ways,
// before and behind the typed header.
extern int enzyme_dup, enzyme_const, enzyme_out;
template <typename Return, typename... T> extern Return __enzyme_fwddiff(T...);
template <typename Return, typename... T>
extern Return __enzyme_autodiff(void *, T...);
template <typename Return, typename F>
Return __enzyme_reverse(F *, int, double, double, void *);
double __enzyme_autodiff_own(void *, ...);
struct Pair {
  double x, y;
};
double __enzyme_fwddiff_pair(double (*)(Pair), Pair, Pair);

#include <enzyme/enzyme>

extern int enzyme_dup, enzyme_width;
int extern enzyme_out, enzyme_primal_return;
template <typename Return, typename... T> Return __enzyme_autodiff(T...);
template <typename Return, typename F, typename... T>
Return __enzyme_augmentfwd(F *, T...);
struct Augmented {
  void *tape;
  double value;
};
double __enzyme_autodiff_behind(void *, int, double);

#include "near.h"

static double product(Pair p) { return p.x * p.y; }
static double square(double x) { return x * x; }
static double both(const Pair &p, Pair q) { return p.x * q.x + p.y * q.y; }

/// Names that hide those of the header, but for what arguments bring.
namespace own {
template <typename Return>
Return __enzyme_fwddiff(double (*)(Pair), Pair, Pair);
static void check() {
  Pair p{2, 3}, d{0, 0}, q{5, 7};
  __enzyme_autodiff<void>((void *)both, enzyme_dup, &p, &d, enzyme_const, q);
  NEAR(d.x, 5);
  NEAR(d.y, 7);
  NEAR(__enzyme_fwddiff<double>(product, p, q), 2 * 7 + 3 * 5);
}
} // namespace own

static void typed() {
  NEAR(enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
           product, enzyme::Duplicated{Pair{2, 3}, Pair{70, 110}})),
       2 * 110 + 3 * 70);
  auto [g] = enzyme::autodiff<enzyme::Reverse>(
      product, enzyme::Active<Pair>{Pair{2, 3}});
  NEAR(enzyme::get<0>(g).x, 3);
  NEAR(enzyme::get<0>(g).y, 2);
  enzyme::autodiff<enzyme::Reverse>(both, enzyme::Const<Pair>{Pair{2, 3}},
                                    enzyme::Active<Pair>{Pair{5, 7}});
}

static void untyped() {
  NEAR(__enzyme_fwddiff<double>((void *)square, enzyme_dup, 3.0, 1.0), 6);
  NEAR(__enzyme_autodiff<double>((void *)square, enzyme_out, 3.0), 6);
  NEAR(__enzyme_autodiff<double>(square, enzyme_out, 3.0), 6);
  NEAR(__enzyme_autodiff_own((void *)square, enzyme_out, 4.0), 8);
  NEAR(__enzyme_autodiff_behind((void *)square, enzyme_out, 5.0), 10);
  NEAR(__enzyme_fwddiff_pair(product, Pair{2, 3}, Pair{70, 110}), 430);
  auto a = __enzyme_augmentfwd<Augmented>(square, enzyme_out, 3.0);
  NEAR(a.value, 9);
  NEAR(__enzyme_reverse<double>(square, enzyme_out, 3.0, 2.0, a.tape), 12);
}

int main() {
  own::check();
  typed();
  untyped();
  std::printf("%d checks, %d failed\n", checks, failures);
  return checks == 0 || failures != 0;
}
