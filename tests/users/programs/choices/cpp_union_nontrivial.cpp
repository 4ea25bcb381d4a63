// flags: -std=c++20
// C++ tagged union with vector / string / double members, placement new and
// explicit destructors, copy and move
#include "../user.h"
#include <memory>
#include <new>
#include <string>
#include <vector>
class Cell {
  enum Kind { None, Num, Vec, Str } kind = None;
  union {
    double num;
    std::vector<double> vec;
    std::string str;
  };
  void destroy() {
    if (kind == Vec)
      std::destroy_at(&vec);
    else if (kind == Str)
      std::destroy_at(&str);
    kind = None;
  }
  void copy(const Cell &o) {
    kind = o.kind;
    if (kind == Num)
      num = o.num;
    else if (kind == Vec)
      new (&vec) std::vector<double>(o.vec);
    else if (kind == Str)
      new (&str) std::string(o.str);
  }
  void steal(Cell &o) {
    kind = o.kind;
    if (kind == Num)
      num = o.num;
    else if (kind == Vec)
      new (&vec) std::vector<double>(std::move(o.vec));
    else if (kind == Str)
      new (&str) std::string(std::move(o.str));
  }

public:
  Cell() {}
  Cell(double d) : kind(Num), num(d) {}
  Cell(std::vector<double> v) : kind(Vec), vec(std::move(v)) {}
  Cell(std::string s) : kind(Str), str(std::move(s)) {}
  Cell(const Cell &o) { copy(o); }
  Cell(Cell &&o) noexcept { steal(o); }
  Cell &operator=(const Cell &o) {
    if (this != &o) {
      destroy();
      copy(o);
    }
    return *this;
  }
  Cell &operator=(Cell &&o) noexcept {
    if (this != &o) {
      destroy();
      steal(o);
    }
    return *this;
  }
  ~Cell() { destroy(); }
  double eval() const {
    if (kind == Num)
      return num * num;
    if (kind == Vec) {
      double s = 0;
      for (double e : vec)
        s += sin(e);
      return s;
    }
    return kind == Str ? str.size() * 0.1 : 0;
  }
  void grow(double d) {
    if (kind == Vec)
      vec.push_back(d);
    else if (kind == Num)
      num += d;
    else if (kind == Str)
      str += "x";
  }
};
static double f(const double *x, int n) {
  std::vector<Cell> c(5);
  double s = 0;
  for (int i = 0; i < 4 * n; ++i) {
    int k = i % 5;
    if ((i + i / 5) % 4 == 0)
      c[k] = Cell(x[i % n]);
    else if ((i + i / 5) % 4 == 1)
      c[k] = std::vector<double>(2, x[i % n] * 0.5);
    else if ((i + i / 5) % 4 == 2)
      c[k] = std::string("name");
    else
      c[k] = c[(k + 2) % 5];
    c[(k + 1) % 5].grow(x[(i + 1) % n] * 0.1);
    if (i % 3 == 0)
      std::swap(c[0], c[4]);
    if (i % 6 == 5)
      c.push_back(std::move(c[1])), c.erase(c.begin() + 1);
    for (auto &e : c)
      s += e.eval() * 0.2;
  }
  return s;
}
DERIVED(f)
