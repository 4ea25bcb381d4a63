// Numbers among bytes, at places that depend on the input: messages that are
// packed and unpacked, archives that grow, buffers that are copied, compacted
// and used again with other things at other places.
#include "../check.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

MARKERS(enzyme_width);

namespace {

/// A message that grows with each value, so that its bytes are copied.
struct Message {
  std::vector<std::byte> bytes;
  size_t at = 0;
  template <class T> void put(const T &v) {
    const size_t end = bytes.size();
    bytes.resize(end + sizeof v);
    std::memcpy(bytes.data() + end, &v, sizeof v);
  }
  void put(const double *p, uint32_t n) {
    put(n);
    const size_t end = bytes.size();
    bytes.resize(end + n * sizeof *p);
    std::memcpy(bytes.data() + end, p, n * sizeof *p);
  }
  template <class T> T get() {
    T v;
    std::memcpy(&v, bytes.data() + at, sizeof v);
    at += sizeof v;
    return v;
  }
  std::vector<double> numbers() {
    std::vector<double> v(get<uint32_t>());
    std::memcpy(v.data(), bytes.data() + at, v.size() * sizeof(double));
    at += v.size() * sizeof(double);
    return v;
  }
};

double message(const double *x, int n) {
  Message m;
  m.put(uint8_t(n));
  m.put(x[0] * x[1]);
  m.put(x, uint32_t(n));
  m.put(float(2.5 * x[2]));
  m.put(n);
  double s = m.get<uint8_t>();
  s *= m.get<double>();
  const auto all = m.numbers();
  s += m.get<float>();
  for (double y : all)
    s += y * y * s * 0.1;
  return s * m.get<int>();
}

/// A copy of a message, both of which are read: what is read twice has the sum
/// of two adjoints.
double copied(const double *x, int n) {
  Message m;
  for (int i = 0; i < n; ++i) {
    m.put(short(i));
    m.put(x[i] * x[i]);
    if (i % 2)
      m.put(char(i));
  }
  Message other = m;
  double s = 0.3;
  for (Message *p : {&m, &other, &m}) {
    p->at = 0;
    for (int i = 0; i < n; ++i) {
      s += p->get<short>() * s * 0.02;
      s += p->get<double>() * std::sin(s) * 0.3;
      if (i % 2)
        s += 0.1 * p->get<char>();
    }
  }
  return s;
}

/// An archive of records, which grows by new[] and memcpy.
class Archive {
  char *data = nullptr;
  size_t size = 0, room = 0, at = 0;
  void raw(const void *from, size_t n) {
    if (size + n > room) {
      size_t more = room ? 2 * room : 16;
      while (more < size + n)
        more *= 2;
      char *moved = new char[more];
      if (size)
        std::memcpy(moved, data, size);
      delete[] data;
      data = moved;
      room = more;
    }
    std::memcpy(data + size, from, n);
    size += n;
  }

public:
  Archive() = default;
  Archive(const Archive &) = delete;
  ~Archive() { delete[] data; }
  template <class T> Archive &operator<<(const T &v) {
    raw(&v, sizeof v);
    return *this;
  }
  template <class T> Archive &operator>>(T &v) {
    std::memcpy(&v, data + at, sizeof v);
    at += sizeof v;
    return *this;
  }
};
struct Particle {
  double x, v;
  int id;
  bool alive;
};
double archived(const double *x, int n) {
  Archive a;
  a << n;
  for (int i = 0; i < n; ++i) {
    Particle p{x[i], x[i] * x[(i + 1) % n], i, i != 1};
    a << p;
    if (!p.alive)
      a << short(3);
  }
  int m;
  a >> m;
  double s = 0;
  for (int i = 0; i < m; ++i) {
    Particle p;
    a >> p;
    s += p.x * p.v * (p.id + 1);
    if (!p.alive) {
      short k;
      a >> k;
      s *= k;
    }
  }
  return s;
}

/// A part is taken out of the middle, and put at the end: bytes move over
/// themselves.
double rotated(const double *x, int n) {
  std::vector<char> b;
  auto put = [&](const auto &v) {
    auto *p = reinterpret_cast<const char *>(&v);
    b.insert(b.end(), p, p + sizeof v);
  };
  for (int i = 0; i < n; ++i) {
    put(short(i));
    put(x[i] * 3);
    put(float(x[i] * x[i]));
  }
  const size_t record = sizeof(short) + sizeof(double) + sizeof(float);
  const std::vector<char> part(b.begin() + record, b.begin() + 2 * record);
  b.erase(b.begin() + record, b.begin() + 2 * record);
  b.insert(b.end(), part.begin(), part.end());
  double s = 0.1;
  size_t at = 0;
  auto get = [&](auto &v) {
    std::memcpy(&v, b.data() + at, sizeof v);
    at += sizeof v;
  };
  for (int i = 0; i < n; ++i) {
    short k;
    double d;
    float f;
    get(k);
    get(d);
    get(f);
    s += k * d * f + std::exp(-d) * s;
  }
  return s;
}

/// One buffer, in turn for records with numbers at other places. Numbers behind
/// a header of four bytes, in an array, lie four bytes beside words.
double reused(const double *x, int n) {
  unsigned char buffer[128], saved[128];
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    const size_t header = size_t(4 + 3 * round);
    std::memset(buffer, 1, header);
    for (int i = 0; i < n; ++i) {
      const double d = x[i] + 0.5 * s;
      std::memcpy(buffer + header + 8 * size_t(i), &d, sizeof d);
    }
    std::memcpy(saved, buffer, header + 8 * size_t(n));
    for (int i = 0; i < n; ++i) {
      double d, e;
      std::memcpy(&d, buffer + header + 8 * size_t(i), sizeof d);
      std::memcpy(&e, saved + header + 8 * size_t(n - 1 - i), sizeof e);
      s += d * e * buffer[0] * 0.2;
    }
  }
  return s;
}

} // namespace

int main() {
  check_modes<message>({0.7, -0.4, 1.2, 0.9}, 1e-3); // floats are rounded
  check_modes<rotated>({0.7, -0.4, 1.2, 0.9}, 1e-3);
  check_modes<copied>();
  check_modes<archived>();
  check_modes<reused>();

  const double x[4] = {0.7, -0.4, 1.2, 0.9};
  double g[2][4] = {};
  __enzyme_autodiff((void *)copied, enzyme_width, 2, enzyme_dup, x, g[0], g[1],
                    enzyme_const, 4);
  GRADIENT(copied, x, g[0], 4);
  GRADIENT(copied, x, g[1], 4);
  return finish();
}
