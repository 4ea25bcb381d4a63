// flags: -std=c++20
// own type-erased callable with a 24-byte small buffer and manual vtable; heap
// fallback; slots reassigned in loops
#include "../user.h"
#include <cstddef>
#include <memory>
#include <new>
#include <vector>
class Fn {
  struct Ops {
    double (*call)(const void *, double);
    void (*copy)(void *, const void *);
    void (*move)(void *, void *);
    void (*kill)(void *);
  };
  alignas(8) std::byte buf[24];
  const Ops *ops = nullptr;
  template <class T> static constexpr bool small = sizeof(T) <= 24;
  template <class T> static const T &get(const void *p) {
    if constexpr (small<T>)
      return *(const T *)p;
    else
      return **(T *const *)p;
  }
  template <class T> static const Ops *table() {
    static constexpr Ops o{[](const void *p, double v) { return get<T>(p)(v); },
                           [](void *d, const void *s) {
                             if constexpr (small<T>)
                               new (d) T(get<T>(s));
                             else
                               *(T **)d = new T(get<T>(s));
                           },
                           [](void *d, void *s) {
                             if constexpr (small<T>) {
                               new (d) T(std::move(*(T *)s));
                               ((T *)s)->~T();
                             } else {
                               *(T **)d = *(T **)s;
                             }
                           },
                           [](void *p) {
                             if constexpr (small<T>)
                               ((T *)p)->~T();
                             else
                               delete *(T **)p;
                           }};
    return &o;
  }

public:
  Fn() {}
  template <class T>
    requires(!std::is_same_v<std::decay_t<T>, Fn>)
  Fn(T t) : ops(table<T>()) {
    if constexpr (small<T>)
      new (buf) T(std::move(t));
    else
      *(T **)buf = new T(std::move(t));
  }
  Fn(const Fn &o) : ops(o.ops) {
    if (ops)
      ops->copy(buf, o.buf);
  }
  Fn(Fn &&o) noexcept : ops(o.ops) {
    if (ops)
      ops->move(buf, o.buf);
    o.ops = nullptr;
  }
  Fn &operator=(Fn o) noexcept {
    if (ops)
      ops->kill(buf);
    ops = o.ops;
    if (ops)
      ops->move(buf, o.buf);
    o.ops = nullptr;
    return *this;
  }
  ~Fn() {
    if (ops)
      ops->kill(buf);
  }
  double operator()(double v) const { return ops ? ops->call(buf, v) : v; }
};
static double f(const double *x, int n) {
  Fn slot[3];
  double s = 0;
  for (int i = 0; i < 2 * n + 3; ++i) {
    double a = x[i % n], b = x[(i * 3) % n];
    std::vector<double> c(1 + i % 3, a * b);
    double e[4] = {a, b, 0.5, a - b};
    switch ((i + i / 3) % 5) {
    case 0:
      slot[i % 3] = [a](double t) { return a * t; };
      break;
    case 1:
      slot[i % 3] = [x, i, n](double t) { return x[i % n] + sin(t); };
      break;
    case 2:
      slot[i % 3] = [c](double t) {
        double r = 0;
        for (double k : c)
          r = r * t * 0.1 + k;
        return r;
      };
      break;
    case 3:
      slot[i % 3] = [e](double t) { return e[0] + e[1] * t * 0.3 + e[3]; };
      break;
    default:
      slot[i % 3] = [in = slot[(i + 1) % 3], a](double t) {
        return 0.5 * in(a + t * 0.1);
      };
    }
    if (i % 4 == 1)
      std::swap(slot[0], slot[2]);
    if (i % 7 == 3)
      slot[1] = slot[0];
    for (auto &f : slot)
      s = 0.8 * s + f(0.3 + 0.01 * s);
  }
  return s;
}
DERIVED(f)
