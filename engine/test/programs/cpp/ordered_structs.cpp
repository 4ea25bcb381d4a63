// FLAGS: -std=c++17
// Structs that begin with numbers in trees, whose heads count what is in them
// where an element has its number: copies of a struct whose fields are of
// several types, by the front end, by a class's own constructor, and byte by
// byte to words that are declared integers, where the number is the integer.
#include "../check.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

struct Reading {
  double mean, peak;
  int count;
  float quality;
  bool operator<(const Reading &o) const { return mean < o.mean; }
};

double ordered(const double *x, int n) {
  std::set<Reading> all;
  std::multiset<Reading> twice;
  for (int i = 0; i < n; ++i) {
    Reading r{x[i] * x[i] + i, sin(x[i]), i + 1, 0.5f};
    all.insert(r);
    twice.insert(r);
    twice.emplace(Reading{r.mean + 0.25, r.mean * r.peak, 2, 1.5f});
  }
  double s = 0, w = 1;
  for (auto &r : all) {
    s += w * r.mean * r.count * r.quality + r.peak;
    w *= 0.8;
  }
  for (auto &r : twice) {
    s += w * r.mean * r.quality + r.peak * r.peak;
    w *= 0.9;
  }
  return s + double(all.size()) * 0.5 * x[0] + double(twice.size());
}

/// Its constructor copies the numbers at once.
struct Named {
  double weight, bias;
  float scale;
  int id;
  std::string name;
  bool operator<(const Named &o) const { return weight < o.weight; }
};

double named(const double *x, int n) {
  std::set<Named> all;
  std::map<int, std::set<Named>> groups;
  for (int i = 0; i < n; ++i) {
    Named v{x[i] + i, x[i] * x[(i + 1) % n], 0.5f, i,
            i % 2 ? "a" : "a name that is longer than its buffer"};
    all.insert(v);
    groups[i % 2].insert(v);
  }
  std::set<Named> copy = all;
  copy.erase(copy.begin());
  double s = 0;
  for (auto &v : copy)
    s += v.weight * v.bias * v.scale + v.id * v.weight * double(v.name.size());
  for (auto &[key, group] : groups)
    for (auto &v : group)
      s += v.weight * v.weight * (key + 1) / double(group.size());
  return s;
}

struct Pair {
  double value;
  float scale;
};

/// The struct's bytes in integers, which are moved as such and read back.
double packed(const double *x, int n) {
  std::vector<long> slots;
  for (int i = 0; i < n; ++i) {
    Pair p{x[i] * x[i], 0.5f};
    long words[2];
    memcpy(words, &p, sizeof(p));
    slots.push_back(words[0]);
    slots.push_back(words[1]);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Pair p;
    memcpy(&p, &slots[size_t(2 * i)], sizeof(p));
    s += p.value * p.scale * (i + 1);
  }
  return s;
}

} // namespace

int main() {
  check_modes<ordered>();
  check_modes<named>();
  check_modes<packed>();
  return finish();
}
