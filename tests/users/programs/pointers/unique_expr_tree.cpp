// flags: -std=c++20
// unique_ptr expression tree with virtual eval / derivative / clone / simplify,
// built from a little parser
#include "../user.h"
#include <memory>
#include <string>
struct Expr {
  virtual ~Expr() = default;
  virtual double eval(const double *v) const = 0;
  virtual std::unique_ptr<Expr> diff(int i) const = 0;
  virtual std::unique_ptr<Expr> clone() const = 0;
};
using E = std::unique_ptr<Expr>;
struct Const : Expr {
  double c;
  Const(double v) : c(v) {}
  double eval(const double *) const override { return c; }
  E diff(int) const override { return std::make_unique<Const>(0); }
  E clone() const override { return std::make_unique<Const>(c); }
};
struct Var : Expr {
  int i;
  Var(int k) : i(k) {}
  double eval(const double *v) const override { return v[i]; }
  E diff(int k) const override { return std::make_unique<Const>(i == k); }
  E clone() const override { return std::make_unique<Var>(i); }
};
struct Bin : Expr {
  char op;
  E a, b;
  Bin(char o, E p, E q) : op(o), a(std::move(p)), b(std::move(q)) {}
  double eval(const double *v) const override {
    double p = a->eval(v), q = b->eval(v);
    return op == '+'   ? p + q
           : op == '-' ? p - q
           : op == '*' ? p * q
                       : p / (1 + q * q);
  }
  E diff(int k) const override {
    if (op == '+' || op == '-')
      return std::make_unique<Bin>(op, a->diff(k), b->diff(k));
    if (op == '*')
      return std::make_unique<Bin>(
          '+', std::make_unique<Bin>('*', a->diff(k), b->clone()),
          std::make_unique<Bin>('*', a->clone(), b->diff(k)));
    return std::make_unique<Bin>('/', a->diff(k), b->clone());
  }
  E clone() const override {
    return std::make_unique<Bin>(op, a->clone(), b->clone());
  }
};
struct Parser {
  const char *p;
  const double *k;
  int n;
  E atom() {
    char c = *p++;
    if (c == '(') {
      E e = sum();
      ++p;
      return e;
    }
    if (c == 'k') {
      int i = *p++ - '0';
      return std::make_unique<Const>(k[i % n]);
    }
    return std::make_unique<Var>(c - 'x');
  }
  E prod() {
    E e = atom();
    while (*p == '*' || *p == '/') {
      char o = *p++;
      e = std::make_unique<Bin>(o, std::move(e), atom());
    }
    return e;
  }
  E sum() {
    E e = prod();
    while (*p == '+' || *p == '-') {
      char o = *p++;
      e = std::make_unique<Bin>(o, std::move(e), prod());
    }
    return e;
  }
};
static double f(const double *x, int n) {
  std::string text = "k0*x*x+k1*(y-k2)*x/(k3+y*y)-x*y*k4";
  E e = Parser{text.c_str(), x, n}.sum();
  E d = e->diff(0), dd = d->clone()->diff(1);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v[2] = {x[i] * 0.7, x[(i + 2) % n] + 0.1 * i};
    s += e->eval(v) + 0.5 * d->eval(v) * dd->eval(v);
  }
  std::swap(e, d);
  double v[2] = {s * 0.1, x[0]};
  return s + e->eval(v);
}
DERIVED(f)
