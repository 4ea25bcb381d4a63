// flags: -std=c++20
// own hash table with open addressing of {uint64 key; T val; bool}, rehash by
// swapping storage, robin-hood displacement
#include "../user.h"
#include <memory>
#include <string>
#include <vector>
template <class V> class Table {
  struct Slot {
    uint64_t key;
    V val;
    signed char dist = -1;
  };
  std::unique_ptr<Slot[]> s;
  size_t cap, used = 0;
  static uint64_t mix(uint64_t k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 29;
    return k;
  }
  void grow() {
    auto old = std::move(s);
    size_t oc = cap;
    cap *= 2;
    s = std::make_unique<Slot[]>(cap);
    used = 0;
    for (size_t i = 0; i < oc; ++i)
      if (old[i].dist >= 0)
        put(old[i].key, std::move(old[i].val));
  }

public:
  Table() : s(std::make_unique<Slot[]>(4)), cap(4) {}
  V *find(uint64_t k) {
    size_t i = mix(k) & (cap - 1);
    for (int d = 0;; ++d, i = (i + 1) & (cap - 1)) {
      if (s[i].dist < d)
        return nullptr;
      if (s[i].key == k)
        return &s[i].val;
    }
  }
  void put(uint64_t k, V v) {
    if (V *p = find(k)) {
      *p = std::move(v);
      return;
    }
    if (2 * ++used > cap) {
      --used;
      grow();
      ++used;
    }
    Slot cur{k, std::move(v), 0};
    for (size_t i = mix(k) & (cap - 1);; i = (i + 1) & (cap - 1), ++cur.dist) {
      if (s[i].dist < 0) {
        s[i] = std::move(cur);
        return;
      }
      if (s[i].dist < cur.dist)
        std::swap(s[i], cur);
    }
  }
  template <class F> void each(F f) {
    for (size_t i = 0; i < cap; ++i)
      if (s[i].dist >= 0)
        f(s[i].key, s[i].val);
  }
};
static double f(const double *x, int n) {
  Table<double> t;
  Table<std::vector<double>> v;
  Table<std::pair<double, float>> p;
  double s = 0;
  for (int i = 0; i < 2 * n; ++i) {
    uint64_t k = (i * 17) % 11;
    if (double *q = t.find(k))
      *q = *q * 0.9 + x[i % n];
    else
      t.put(k, x[i % n] * (i + 1));
    if (auto *q = v.find(k % 5))
      q->push_back(x[i % n] * s * 0.01 + x[0]);
    else
      v.put(k % 5, {x[i % n]});
    p.put(k * 3, {x[i % n] * x[(i + 1) % n], (float)i});
    t.each([&](uint64_t key, double &e) { s += sin(e) * (key + 1) * 0.05; });
  }
  v.each([&](uint64_t, std::vector<double> &w) {
    for (double e : w)
      s += e * w.front();
  });
  p.each([&](uint64_t, auto &e) { s += e.first * e.second * 0.1; });
  return s;
}
DERIVED(f)
