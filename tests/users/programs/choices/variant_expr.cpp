// flags: -std=c++20
// recursive variant of unique_ptr nodes: expression evaluated, simplified in
// place, moved between slots
#include "../user.h"
#include <memory>
#include <string>
#include <variant>
#include <vector>
struct Add;
struct Mul;
struct Call;
using Ex = std::variant<double, int, std::unique_ptr<Add>, std::unique_ptr<Mul>,
                        std::unique_ptr<Call>>;
struct Add {
  std::vector<Ex> terms;
};
struct Mul {
  Ex a, b;
};
struct Call {
  std::string fn;
  Ex arg;
};
static double ev(const Ex &e, const double *v) {
  switch (e.index()) {
  case 0:
    return std::get<0>(e);
  case 1:
    return v[std::get<1>(e)];
  case 2: {
    double s = 0;
    for (auto &t : std::get<2>(e)->terms)
      s += ev(t, v);
    return s;
  }
  case 3:
    return ev(std::get<3>(e)->a, v) * ev(std::get<3>(e)->b, v);
  default: {
    auto &c = *std::get<4>(e);
    double a = ev(c.arg, v);
    return c.fn == "sin"   ? sin(a)
           : c.fn == "exp" ? exp(-a * a)
                           : sqrt(1 + a * a);
  }
  }
}
static Ex mul(Ex a, Ex b) {
  auto m = std::make_unique<Mul>();
  m->a = std::move(a);
  m->b = std::move(b);
  return m;
}
static Ex call(const char *f, Ex a) {
  return std::make_unique<Call>(Call{f, std::move(a)});
}
static void fold(Ex &e) {
  if (auto *m = std::get_if<3>(&e)) {
    fold((*m)->a);
    fold((*m)->b);
    if ((*m)->a.index() == 0 && (*m)->b.index() == 0)
      e = std::get<0>((*m)->a) * std::get<0>((*m)->b);
  } else if (auto *s = std::get_if<2>(&e)) {
    double c = 0;
    std::vector<Ex> rest;
    for (auto &t : (*s)->terms) {
      fold(t);
      if (t.index() == 0)
        c += std::get<0>(t);
      else
        rest.push_back(std::move(t));
    }
    if (rest.empty())
      e = c;
    else {
      rest.emplace_back(c);
      (*s)->terms = std::move(rest);
    }
  } else if (auto *k = std::get_if<4>(&e)) {
    fold((*k)->arg);
    if ((*k)->arg.index() == 0) {
      double v = ev(e, nullptr);
      e = v;
    }
  }
}
static double f(const double *x, int n) {
  auto sum = std::make_unique<Add>();
  for (int i = 0; i < n; ++i) {
    Ex t = mul(x[i], i % 3 ? Ex(i % 2) : Ex(x[(i + 1) % n]));
    if (i % 2)
      t = call(i % 4 == 1 ? "sin" : "exp", std::move(t));
    if (i % 5 == 4)
      std::swap(t, sum->terms[i / 2]);
    sum->terms.push_back(std::move(t));
  }
  sum->terms.push_back(call("norm", mul(0.5, x[0])));
  Ex e = std::move(sum);
  double v[2] = {x[n - 1] * 0.3, x[n / 2]};
  double a = ev(e, v);
  fold(e);
  v[0] = a * 0.1;
  return a * 2 + ev(e, v);
}
DERIVED(f)
