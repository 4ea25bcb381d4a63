// flags: -std=c++17
#include "../user.h"
#include <array>
#include <type_traits>
template <class D> struct VecExpr {
  const D &self() const { return static_cast<const D &>(*this); }
  double operator[](int i) const { return self().at(i); }
  int size() const { return self().dim(); }
};
template <int N> struct SmallVec : VecExpr<SmallVec<N>> {
  std::array<double, N> d{};
  SmallVec() = default;
  template <class E> SmallVec(const VecExpr<E> &e) {
    for (int i = 0; i < N; ++i)
      d[i] = e[i];
  }
  template <class E> SmallVec &operator+=(const VecExpr<E> &e) {
    for (int i = 0; i < N; ++i)
      d[i] += e[i];
    return *this;
  }
  double at(int i) const { return d[i]; }
  int dim() const { return N; }
};
template <class A, class B> struct Sum : VecExpr<Sum<A, B>> {
  A a;
  B b;
  Sum(const A &x, const B &y) : a(x), b(y) {}
  double at(int i) const { return a[i] + b[i]; }
  int dim() const { return a.dim(); }
};
template <class A> struct Scaled : VecExpr<Scaled<A>> {
  A a;
  double s;
  Scaled(const A &x, double k) : a(x), s(k) {}
  double at(int i) const { return s * a[i]; }
  int dim() const { return a.dim(); }
};
template <class A, class B>
Sum<A, B> operator+(const VecExpr<A> &a, const VecExpr<B> &b) {
  return {a.self(), b.self()};
}
template <class A> Scaled<A> operator*(double s, const VecExpr<A> &a) {
  return {a.self(), s};
}
template <class A, class B>
double dot(const VecExpr<A> &a, const VecExpr<B> &b) {
  double s = 0;
  for (int i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
struct Armijo {
  double step(double g2) const { return 0.3 / (1 + g2); }
  static constexpr int restarts = 2;
};
struct Fixed {
  float s = 0.125f;
  double step(double) const { return s; }
  static constexpr int restarts = 1;
};
struct NoMomentum {
  template <class V> void apply(V &, const V &) {}
};
template <int K> struct HeavyBall {
  double beta = 0.1 * K;
  bool first = true;
  SmallVec<3> last;
  template <class V> void apply(V &v, const V &g) {
    if (!first)
      v += beta * last;
    last = g;
    first = false;
  }
};
template <class StepPolicy, class Momentum>
class Optimizer : StepPolicy, Momentum {
  int iters_ = 0;

public:
  template <class G> SmallVec<3> run(SmallVec<3> p, G grad, int iters) {
    for (int r = 0; r < StepPolicy::restarts; ++r)
      for (int k = 0; k < iters; ++k) {
        SmallVec<3> g = grad(p);
        SmallVec<3> dir = -1.0 * g;
        Momentum::apply(dir, SmallVec<3>(-1.0 * g));
        p = p + this->step(dot(g, g)) * dir;
        ++iters_;
      }
    return p;
  }
  int iters() const { return iters_; }
};
template <class Opt> static double solve(const double *x, int n, int it) {
  Opt o;
  SmallVec<3> p0;
  for (int i = 0; i < n; ++i)
    p0.d[i % 3] += 0.2 * x[i];
  auto grad = [=](const SmallVec<3> &p) {
    SmallVec<3> g;
    for (int i = 0; i < n; ++i) {
      double t =
          sin(0.5 * i) * p[0] + p[1] * x[i] + 0.3 * p[2] - x[(i + 1) % n];
      double w = t / (1 + 0.1 * t * t) / n;
      g.d[0] += w * sin(0.5 * i);
      g.d[1] += w * x[i];
      g.d[2] += 0.3 * w;
    }
    return g;
  };
  auto p = o.run(p0, grad, it);
  return dot(p, p + 0.5 * p) + p[2] + 0.001 * o.iters();
}
static double f(const double *x, int n) {
  return solve<Optimizer<Armijo, NoMomentum>>(x, n, 5) +
         solve<Optimizer<Fixed, HeavyBall<2>>>(x, n, 8) +
         solve<Optimizer<Armijo, HeavyBall<3>>>(x, n, 3);
}
DERIVED(f)
