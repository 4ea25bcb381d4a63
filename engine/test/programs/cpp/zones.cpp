// NOT-SANITIZED: it is of -O0, where AddressSanitizer hides what lies beside a
// tree's head FLAGS: -O0 -std=c++20 Containers of several kinds in one struct,
// unoptimized: so much is called and not inlined that most memory is of one
// class. Pointers are moved as integers there, and a string's characters lie
// where trees have colours.
#include "../check.h"

#include <array>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Zone {
  std::string id;
  std::array<std::vector<double>, 3> bands;
  std::deque<std::pair<int, double>> log;
  std::map<std::string, double> tags;
  double bias;
};
struct City {
  Zone z[4];
  std::unordered_map<std::string, int> index;
  double total = 0;
};

void feed(Zone &z, double v, int k) {
  z.bands[size_t(k % 3)].push_back(v);
  z.log.emplace_back(k, v * z.bias);
  if (z.log.size() > 3)
    z.log.pop_front();
  z.tags["tag" + std::string(size_t(k % 4 * 6), '.')] += v;
}
Zone merged(Zone a, Zone b) {
  for (size_t i = 0; i < 3; ++i)
    a.bands[i].insert(a.bands[i].begin(), b.bands[i].rbegin(),
                      b.bands[i].rend());
  a.tags.merge(b.tags);
  while (!b.log.empty()) {
    a.log.push_front(b.log.back());
    b.log.pop_back();
  }
  return a;
}
double zones(const double *x, int n) {
  City c;
  for (int i = 0; i < 4; ++i) {
    c.z[i].id = "zone " + std::to_string(i);
    c.z[i].bias = x[i % n];
    c.index[c.z[i].id] = i;
  }
  for (int i = 0; i < 2 * n; ++i)
    feed(c.z[c.index["zone " + std::to_string(i * 3 % 4)]],
         x[i % n] * (1 + 0.1 * i), i);
  c.z[0] = merged(std::move(c.z[1]), c.z[2]);
  std::swap(c.z[3], c.z[1]);
  std::swap(c.z[2].bands[0], c.z[0].bands[1]);
  City d = c;
  d.z[2] = d.z[0];
  c = std::move(d);
  double w = 0.1;
  for (auto &z : c.z) {
    for (auto &b : z.bands)
      for (double v : b)
        c.total += w * v * v, w += 0.01;
    for (auto &[k, v] : z.log)
      c.total += sin(v) * k;
    for (auto &[k, v] : z.tags)
      c.total += 0.1 * v * double(k.size());
    c.total += z.bias * double(z.id.size());
  }
  return c.total;
}

} // namespace

int main() {
  check_modes<zones>();
  return finish();
}
