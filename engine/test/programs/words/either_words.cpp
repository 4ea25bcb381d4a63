// Words that are numbers at one time and pointers at another: storage of
// std::function, std::any and std::variant, small buffers, unions, and strings
// beside numbers, copied, moved, swapped and used again. What each word is, the
// forward pass sees when it runs.
#include "../check.h"

#include <algorithm>
#include <any>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

/// The vector grows, so that each closure is moved several times.
double layers(const double *x, int n) {
  std::vector<std::function<double(double)>> layer;
  for (int i = 0; i < n; ++i) {
    const double a = x[i];
    layer.push_back([a](double t) { return a * t + 1; });
    layer.push_back([w = std::vector<double>{a, a * a}](double t) {
      return w[0] * t - w[1];
    });
    layer.push_back([x, i](double t) { return t + x[i]; });
  }
  std::rotate(layer.begin(), layer.begin() + 2, layer.end());
  double t = 1;
  for (auto &f : layer)
    t = f(t) / 2;
  return t;
}

/// One slot, assigned again and again.
double reused(const double *x, int n) {
  std::function<double(double)> f;
  double t = 1;
  for (int i = 0; i < n; ++i) {
    const double a = x[i];
    if (i % 2)
      f = [a](double s) { return s * a; };
    else
      f = [v = std::vector<double>(3, a)](double s) { return s + v[0] * v[2]; };
    std::function<double(double)> g = f;
    t = g(t) + f(t * t) / 4;
  }
  return t;
}

/// Closures of other types at the same place: two functions, and a function
/// before a number. What one variable holds there says nothing of the other.
double composed(const double *x, int n) {
  using Step = std::function<double(double)>;
  Step op = [a = x[0]](double t) { return a * t; };
  Step chain = [](double t) { return t; };
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Step next = [a = op, b = chain](double t) { return a(b(t)); };
    chain = next;
    s += chain(0.7);
    op = [old = op, k = x[i]](double t) { return old(t) / 2 + k; };
  }
  return s;
}

using Value = std::variant<double, std::vector<double>, std::string>;
double variants(const double *x, int n) {
  std::vector<Value> v;
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * x[i]);
    v.push_back(std::vector<double>{x[i], 2 * x[i]});
    v.push_back(std::string(static_cast<size_t>(4 + 9 * i), 'a'));
  }
  std::vector<Value> w = v;
  for (size_t i = 0; i + 1 < w.size(); ++i)
    std::swap(w[i], w[i + 1]); // the first wanders to the end
  w[0] = x[0];
  w[1] = 3.0;
  double s = 0;
  for (size_t i = 0; i < w.size(); ++i)
    if (auto *d = std::get_if<double>(&w[i]))
      s += *d * double(i + 1);
    else if (auto *u = std::get_if<std::vector<double>>(&w[i]))
      s += (*u)[0] * (*u)[1];
    else
      s += double(std::get<std::string>(w[i]).size());
  return s;
}

double anything(const double *x, int n) {
  std::any a = x[0];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    std::any b = std::move(a);
    if (auto *d = std::any_cast<double>(&b)) {
      s += *d * x[i];
      a = std::vector<double>{x[i], *d};
    } else {
      auto &v = std::any_cast<std::vector<double> &>(b);
      s += v[0] * v[1];
      a = v[1] * x[i];
    }
  }
  return s;
}

/// As in C: a tag, and a number or a pointer to such.
struct Tagged {
  int kind;
  union {
    double number;
    const double *pointer;
  };
  double value() const { return kind ? *pointer : number; }
};
double tagged(const double *x, int n) {
  Tagged t[16];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) {
      t[i].kind = (i + round) % 2;
      if (t[i].kind)
        t[i].pointer = x + i;
      else
        t[i].number = x[i] * x[(i + 1) % n] + 1e-310 * x[0];
    }
    memmove(t + 1, t, sizeof *t * static_cast<size_t>(n - 1));
    std::swap(t[0], t[n - 1]);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i].value() * t[i].value() * (i + 1);
  return s;
}

/// Few elements lie in the object itself.
class Small {
public:
  explicit Small(int k) : n(k) {
    if (n > 2)
      p = new double[static_cast<size_t>(n)]();
  }
  Small(const Small &o) : Small(o.n) { std::copy(o.p, o.p + n, p); }
  Small(Small &&o) noexcept : n(o.n) {
    memcpy(buffer, o.buffer, sizeof buffer);
    if (o.p != o.buffer)
      p = o.p;
    o.p = o.buffer;
    o.n = 0;
  }
  Small &operator=(Small o) {
    this->~Small();
    new (this) Small(std::move(o));
    return *this;
  }
  ~Small() {
    if (p != buffer)
      delete[] p;
  }
  double &operator[](int i) { return p[i]; }
  int size() const { return n; }

private:
  double *p = buffer;
  int n;
  double buffer[2] = {};
};
double small(const double *x, int n) {
  std::vector<Small> v;
  for (int i = 0; i < n; ++i) {
    Small s(1 + i % 4);
    for (int k = 0; k < s.size(); ++k)
      s[k] = x[i] * (k + 1);
    v.push_back(s);
  }
  v.erase(v.begin());
  Small last = v.back();
  v[0] = last;
  double s = 0;
  for (size_t i = 0; i < v.size(); ++i)
    for (int k = 0; k < v[i].size(); ++k)
      s += v[i][k] * v[i][k] * double(i + 1);
  return s;
}

struct Named {
  std::string name;
  double value;
  std::optional<std::vector<double>> more;
};
double named(const double *x, int n) {
  std::vector<Named> v;
  for (int i = 0; i < n; ++i) {
    v.push_back({std::string(static_cast<size_t>(20 - 3 * i), char('a' + i)),
                 x[i], std::nullopt});
    if (i % 2)
      v.back().more = std::vector<double>{x[i], x[0]};
  }
  std::sort(v.begin(), v.end(), [](const Named &a, const Named &b) {
    return a.name.size() < b.name.size();
  });
  std::map<std::string, double> m;
  std::unordered_map<std::string, Named> all;
  for (const Named &e : v) {
    m[e.name] = e.value * e.value;
    all.emplace(e.name, e);
  }
  double s = 0;
  int k = 1;
  for (auto &[name, value] : m)
    s += value * double(name.size()) * k++;
  for (auto &e : v)
    if (all.at(e.name).more)
      s += (*all.at(e.name).more)[0] * all.at(e.name).value * (*e.more)[1];
  return s;
}

/// Structs of which a word is a float and something else.
struct Item {
  double key;
  float weight;
};
double sorted(const double *x, int n) {
  std::vector<Item> v;
  for (int i = 0; i < n; ++i)
    v.push_back({x[i], float(0.5f * float(i) + 0.25f)});
  std::sort(v.begin(), v.end(),
            [](const Item &a, const Item &b) { return a.key > b.key; });
  v.push_back(v.front());
  double s = 0;
  for (size_t i = 0; i < v.size(); ++i)
    s += double(i + 1) * v[i].key * v[i].key * double(v[i].weight);
  return s;
}

/// Vectors among vectors, beside a container of integers.
double nested(const double *x, int n) {
  std::vector<std::vector<std::vector<double>>> v(2);
  std::vector<std::vector<int>> order;
  for (int i = 0; i < n; ++i) {
    v[i % 2].push_back({x[i], x[i] * x[0]});
    order.push_back({i, n - i});
  }
  auto w = v;
  w[0].insert(w[0].begin(), w[1].back());
  auto o = order;
  std::reverse(o.begin(), o.end());
  double s = 0;
  for (auto &a : w)
    for (size_t i = 0; i < a.size(); ++i)
      s += a[i][0] * a[i][1] * o[i % o.size()][0];
  return s;
}

/// What is declared to be of one kind may be room for the other: numbers among
/// pointers, pointers among numbers, numbers in structs of pointers.
double room(const double *x, int n) {
  const auto size = static_cast<size_t>(n);
  std::vector<void *> a(size);
  for (size_t i = 0; i < size; ++i)
    if (i % 2)
      a[i] = const_cast<double *>(x + i);
    else {
      const double d = x[i] * x[i];
      memcpy(&a[i], &d, 8);
    }
  std::vector<void *> b = a;
  double s = 0;
  for (size_t i = 0; i < size; ++i) {
    double d;
    if (i % 2)
      d = *static_cast<double *>(b[i]);
    else
      memcpy(&d, &b[i], 8);
    s += d * double(i + 1);
  }
  return s;
}
double addresses(const double *x, int n) {
  const auto size = static_cast<size_t>(n);
  std::vector<double> a(size);
  for (size_t i = 0; i < size; ++i) {
    const double *p = x + i;
    memcpy(&a[i], &p, 8);
  }
  std::vector<double> b = a;
  double s = 0;
  for (size_t i = 0; i < size; ++i) {
    const double *p;
    memcpy(&p, &b[i], 8);
    s += *p * *p * double(i + 1);
  }
  return s;
}
struct Slot {
  void *first, *second;
};
double slots(const double *x, int n) {
  Slot t[8], u[8];
  for (int i = 0; i < n; ++i) {
    const double d[2] = {x[i], x[i] * x[i]};
    memcpy(&t[i], d, 16);
  }
  for (int i = 0; i < n; ++i)
    u[i] = t[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double d[2];
    memcpy(d, &u[i], 16);
    s += d[0] * d[1] * (i + 1);
  }
  return s;
}

} // namespace

int main() {
  check_modes<layers>();
  check_modes<reused>();
  check_modes<composed>();
  check_modes<variants>();
  check_modes<anything>();
  check_modes<tagged>();
  check_modes<small>();
  check_modes<named>();
  check_modes<sorted>();
  check_modes<nested>();
  check_modes<room>();
  check_modes<addresses>();
  check_modes<slots>();
  return finish();
}
