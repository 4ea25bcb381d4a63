// flags: -std=c++20
// messages serialized with memcpy into vector<char>: headers, packed doubles
// and floats, strings, unaligned reads back
#include "../user.h"
#include <string>
#include <vector>
struct Header {
  uint16_t type;
  uint16_t len;
  uint32_t id;
};
#pragma pack(push, 1)
struct Packed {
  char tag;
  double a;
  float b;
  int32_t k;
  double c;
};
#pragma pack(pop)
class Writer {
  std::vector<char> &b;

public:
  Writer(std::vector<char> &v) : b(v) {}
  void raw(const void *p, size_t n) {
    size_t o = b.size();
    b.resize(o + n);
    memcpy(b.data() + o, p, n);
  }
  template <class T> Writer &operator<<(const T &t) {
    raw(&t, sizeof t);
    return *this;
  }
  Writer &operator<<(const std::string &s) {
    *this << (uint16_t)s.size();
    raw(s.data(), s.size());
    return *this;
  }
  Writer &operator<<(const std::vector<double> &v) {
    *this << (uint16_t)v.size();
    raw(v.data(), v.size() * 8);
    return *this;
  }
};
class Reader {
  const char *p, *e;

public:
  Reader(const std::vector<char> &b) : p(b.data()), e(p + b.size()) {}
  bool more() const { return p < e; }
  template <class T> T get() {
    T t;
    memcpy(&t, p, sizeof t);
    p += sizeof t;
    return t;
  }
  std::string text() {
    auto n = get<uint16_t>();
    std::string s(p, n);
    p += n;
    return s;
  }
  std::vector<double> vec() {
    auto n = get<uint16_t>();
    std::vector<double> v(n);
    memcpy(v.data(), p, n * 8);
    p += n * 8;
    return v;
  }
};
static double f(const double *x, int n) {
  std::vector<char> buf;
  Writer w(buf);
  for (int i = 0; i < n; ++i) {
    w << Header{(uint16_t)(i % 3), 0, (uint32_t)i};
    if (i % 3 == 0)
      w << x[i] << x[i] * x[(i + 1) % n];
    else if (i % 3 == 1)
      w << Packed{'p', x[i], 0.25f, i, x[0] * 2} << std::string("label");
    else
      w << std::vector<double>(x, x + i % 5 + 1);
  }
  std::vector<char> copy(buf.begin(), buf.end());
  buf.clear();
  buf.shrink_to_fit();
  Reader r(copy);
  double s = 0;
  while (r.more()) {
    Header h = r.get<Header>();
    if (h.type == 0) {
      double a = r.get<double>(), b = r.get<double>();
      s += sin(a) * b;
    } else if (h.type == 1) {
      Packed p = r.get<Packed>();
      s += p.a * p.b * p.c + p.k + r.text().size();
    } else {
      double k = 1;
      for (double e : r.vec())
        s += e * e * (k += 0.3);
    }
    s *= 1 + 0.01 * h.id;
  }
  return s;
}
DERIVED(f)
