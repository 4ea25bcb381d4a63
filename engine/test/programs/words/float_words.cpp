// FLAGS: -std=c++17
// Words that are two floats, a float and padding, or a pointer, one after the
// other: in small buffers, variants, closures and unions that are copied,
// exchanged and given new values. What a word is, its shadow says; that of a
// pointer is gone when a number takes its place.
#include "../check.h"

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

extern "C" float __enzyme_fwddiff_float(void *, ...);

namespace {

/// Up to two numbers lie within it.
template <class T> class Small {
  union {
    T within[2];
    T *outside;
  };
  int count;

public:
  Small(int n, const T *from) : count(n) {
    if (n > 2)
      outside = new T[size_t(n)];
    T *to = data();
    for (int i = 0; i < n; ++i)
      to[i] = from[i];
  }
  Small(Small &&o) : count(o.count) {
    memcpy(static_cast<void *>(within), o.within, sizeof(within));
    o.count = 0;
  }
  Small &operator=(Small &&o) {
    std::swap(count, o.count);
    T kept[2];
    memcpy(static_cast<void *>(kept), within, sizeof(kept));
    memmove(static_cast<void *>(within), o.within, sizeof(kept));
    memcpy(static_cast<void *>(o.within), kept, sizeof(kept));
    return *this;
  }
  ~Small() {
    if (count > 2)
      delete[] outside;
  }
  T *data() { return count > 2 ? outside : within; }
  int size() const { return count; }
};

template <class T> T small(const T *x, int n) {
  std::vector<Small<T>> all;
  T s = 0, some[4];
  for (int i = 0; i < n + 4; ++i) {
    for (int k = 0; k < 4; ++k)
      some[k] = x[(i + k) % n] * T(k + 1);
    all.push_back(Small<T>(1 + i % 4, some));
    if (i % 3 == 2)
      std::swap(all[0], all[size_t(i) % all.size()]);
    for (auto &e : all) {
      T p = 1;
      for (int k = 0; k < e.size(); ++k)
        p *= T(0.5) + e.data()[k] * T(0.3);
      s += p * T(0.2);
    }
    if (i % 2)
      all.front().data()[0] = s * T(0.1);
  }
  return s;
}

/// A float, a pair of them, a pointer to some, or an integer.
template <class T> T slots(const T *x, int n) {
  using Slot = std::variant<T, std::vector<T>, std::array<T, 2>, int>;
  std::vector<Slot> slots(3);
  T out = 0;
  for (int i = 0; i < 2 * n + 4; ++i) {
    Slot s = x[i % n];
    if (i % 4 == 1)
      s = std::vector<T>{x[i % n], x[0], T(1)};
    if (i % 4 == 2)
      s = std::array<T, 2>{x[i % n], x[(i + 1) % n]};
    if (i % 4 == 3)
      s = i;
    slots[size_t(i) % 3].swap(s);
    Slot first = slots[0];
    slots[0] = slots[1];
    slots[1] = std::move(first);
    if (T *number = std::get_if<T>(&slots[0]))
      *number += out * T(0.05);
    for (auto &e : slots) {
      if (auto *a = std::get_if<T>(&e))
        out += *a * *a * T(0.1);
      if (auto *a = std::get_if<1>(&e))
        out += (*a)[0] * (*a)[1] * T(0.2);
      if (auto *a = std::get_if<2>(&e))
        out += (*a)[0] * (*a)[1] * T(0.3);
    }
  }
  return out;
}

/// Closures of one to three floats, of an array of them, and over others.
float closures(const float *x, int n) {
  std::vector<std::function<float(float)>> all;
  float s = 0;
  for (int i = 0; i < n + 3; ++i) {
    float a = x[i % n], b = x[(i + 1) % n], c = x[(i + 2) % n];
    switch (i % 4) {
    case 0:
      all.push_back([a](float t) { return a * t; });
      break;
    case 1:
      all.push_back([a, b](float t) { return a * t + b; });
      break;
    case 2: {
      std::vector<float> v{a, b, c};
      all.push_back([v](float t) { return v[0] + v[1] * t + v[2] * t * t; });
      break;
    }
    default:
      all.push_back([a, b, c](float t) { return a * b * t + c; });
    }
    if (all.size() > 2)
      std::swap(all[0], all.back());
    if (i % 3 == 1) {
      auto inner = all[0];
      all[0] = [inner, a](float t) { return inner(t) * a; };
    }
    s += all[size_t(i) % all.size()](0.5f) * 0.1f;
  }
  for (auto &f : all)
    s += f(s * 0.1f) * 0.1f;
  return s;
}

/// An array of what one of two sides of a choice points to, copied as such.
struct Node {
  union {
    struct {
      float value, weight;
    } leaf;
    Node *child;
  };
  bool isLeaf;
};
float chain(const float *x, int n) {
  std::vector<std::unique_ptr<Node>> kept;
  Node top = {{{x[0], 1}}, true};
  for (int i = 0; i < 2 * n; ++i) {
    kept.push_back(std::make_unique<Node>(top));
    if (i % 2) {
      Node next;
      next.isLeaf = false;
      next.child = kept.back().get();
      top = next;
    } else {
      const Node *p = &top;
      while (!p->isLeaf)
        p = p->child;
      Node next = *p;
      next.leaf.value = next.leaf.value * x[i % n] + 0.5f;
      next.leaf.weight += x[(i + 1) % n];
      top = next;
    }
  }
  float s = 0;
  for (auto &node : kept) {
    const Node *p = node.get();
    while (!p->isLeaf)
      p = p->child;
    s += p->leaf.value * p->leaf.weight;
  }
  return s;
}

/// A pointer or two floats in a record that is returned by value.
struct Returned {
  long kind;
  char word[8];
};
NOINLINE Returned make(const float *x, int i) {
  Returned r;
  r.kind = i % 2;
  if (r.kind) {
    const float *p = x;
    memcpy(r.word, &p, 8);
  } else {
    float pair[2] = {x[0], x[i / 2]};
    memcpy(r.word, pair, 8);
  }
  return r;
}
float returned(const float *x, int n) {
  Returned all[9];
  float s = 0;
  for (int i = 0; i < n; ++i)
    all[i] = make(x, i);
  for (int i = 0; i < n; ++i)
    if (all[i].kind) {
      const float *p;
      memcpy(&p, all[i].word, 8);
      s = s * 0.5f + *p;
    } else {
      float pair[2];
      memcpy(pair, all[i].word, 8);
      s = s * 0.5f + pair[0] * pair[1];
    }
  return s;
}

/// A word of which one half is a number and the other an integer, copied by the
/// library in memory that has pointers, too.
struct Item {
  float a, b, v;
  int id;
};
struct Branch {
  std::unique_ptr<Branch> next[2];
  std::vector<Item> items;
};

std::unique_ptr<Branch> build(const std::vector<Item> &all) {
  auto made = std::make_unique<Branch>();
  if (all.size() <= 2) {
    made->items = all;
    return made;
  }
  auto middle = all.begin() + long(all.size() / 2);
  made->next[0] = build({all.begin(), middle});
  made->items.assign(middle, all.end());
  return made;
}

float branches(const float *x, int n) {
  std::vector<Item> all;
  for (int i = 0; i < n; ++i)
    all.push_back({1, 2, x[i] * float(i + 1), i});
  auto first = build(all);
  float s = 0;
  for (auto *at = first.get(); at; at = at->next[0].get())
    for (auto &t : at->items)
      s += t.v;
  return s;
}

/// Of the same in double: Same. Else forward mode has to give the same, and
/// differences about that.
template <float (*F)(const float *, int)>
void check(double (*same)(const double *, int) = nullptr) {
  for (int n = 1; n < 9; n += 2) {
    float x[9], dx[9] = {0}, t[9], at[9];
    double xd[9], v[9], got = 0;
    for (int i = 0; i < n; ++i) {
      xd[i] = x[i] = float(0.8 + 0.3 * sin(1.7 * i));
      v[i] = t[i] = float(cos(2.3 * i));
    }
    __enzyme_autodiff_void(reinterpret_cast<void *>(F), enzyme_dup, x, dx,
                           enzyme_const, n);
    for (int i = 0; i < n; ++i)
      got += dx[i] * v[i];
    if (same) {
      NEAR(got, slope(same, xd, v, n), 3e-5);
      continue;
    }
    NEAR(got,
         double(__enzyme_fwddiff_float(reinterpret_cast<void *>(F), enzyme_dup,
                                       x, t, enzyme_const, n)),
         1e-5);
    const float h = 1.f / 256;
    float side[2];
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < n; ++i)
        at[i] = x[i] + (k ? h : -h) * t[i];
      side[k] = F(at, n);
    }
    NEAR(got, (double(side[1]) - side[0]) / (2 * h), 5e-3);
  }
}

} // namespace

int main() {
  check<small<float>>(small<double>);
  check<slots<float>>(slots<double>);
  check<branches>();
  check<closures>();
  check<chain>();
  check<returned>();
  return finish();
}
