// flags: -std=c++20
// vector<pair<string,double>>, strings sliced as keys, sorted by text, grouped,
// vectors of strings
#include "../user.h"
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
static std::string name(int i) {
  std::string s;
  for (int k = 0; k <= i % 20; ++k)
    s += char('a' + (i * 7 + k * k) % 26);
  return s;
}
static double f(const double *x, int n) {
  std::vector<std::pair<std::string, double>> rec;
  for (int i = 0; i < n; ++i)
    rec.emplace_back(name(i), x[i] * x[i]);
  rec.push_back({"total", 0.0});
  std::sort(rec.begin(), rec.end(),
            [](auto &a, auto &b) { return a.first < b.first; });
  for (size_t i = 1; i < rec.size(); ++i)
    rec[i].second += 0.5 * rec[i - 1].second;
  std::map<std::string, std::vector<double>, std::less<>> groups;
  for (auto &[k, v] : rec)
    groups[k.substr(0, 1)].push_back(v * k.size());
  std::vector<std::string> words;
  std::istringstream in("alpha beta gamma delta a b c");
  for (std::string w; in >> w;)
    words.push_back(w);
  double s = 0;
  for (auto &w : words) {
    auto it = groups.find(std::string_view(w).substr(0, 1));
    if (it == groups.end()) {
      s += 0.5;
      continue;
    }
    for (double v : it->second)
      s += log(1 + v * v);
    it->second.push_back(x[0]);
    rec.insert(rec.begin() + rec.size() / 2, {w, it->second.front()});
  }
  std::stable_sort(rec.begin(), rec.end(), [](auto &a, auto &b) {
    return a.first.size() < b.first.size();
  });
  rec.erase(std::remove_if(rec.begin(), rec.end(),
                           [](auto &r) { return r.first.size() == 3; }),
            rec.end());
  double k = 1;
  for (auto r : rec) {
    r.first += "!";
    s += r.second * (k *= 0.9) + 0.001 * r.first.size();
  }
  return s;
}
DERIVED(f)
