// flags: -std=c++17
#include "../user.h"
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
// a small parameter study read from a configuration text
struct Param {
  std::string name;
  double value = 0;
  float weight = 1.0f;
  bool active = false;
  char kind = 'c';
};
class Config {
  std::map<std::string, std::vector<double>> tables_;
  std::map<std::string, Param> params_;

public:
  void parse(const std::string &text) {
    std::istringstream in(text);
    std::string line, section = "global";
    while (std::getline(in, line)) {
      if (line.empty() || line[0] == '#')
        continue;
      if (line[0] == '[') {
        section = line.substr(1, line.find(']') - 1);
        continue;
      }
      size_t eq = line.find('=');
      if (eq == std::string::npos)
        throw std::runtime_error("bad line " + line);
      std::string key = line.substr(0, eq), val = line.substr(eq + 1);
      if (section == "tables") {
        std::vector<double> v;
        size_t p = 0;
        while (p < val.size()) {
          size_t q = val.find(',', p);
          if (q == std::string::npos)
            q = val.size();
          v.push_back(std::stod(val.substr(p, q - p)));
          p = q + 1;
        }
        tables_[key] = std::move(v);
      } else {
        Param p;
        p.name = section + "." + key;
        p.value = std::stod(val);
        p.weight = section == "model" ? 0.5f : 2.0f;
        p.kind = key[0];
        params_[p.name] = p;
      }
    }
  }
  void bind(const std::string &name, double v) {
    auto it = params_.find(name);
    if (it == params_.end()) {
      Param p;
      p.name = name;
      p.value = v;
      p.active = true;
      p.weight = 1.25f;
      params_.emplace(name, p);
    } else {
      it->second.value += v;
      it->second.active = true;
    }
  }
  void scale(const std::string &t, double s) {
    for (auto &v : tables_.at(t))
      v *= s;
  }
  double get(const std::string &n) const { return params_.at(n).value; }
  double total() const {
    double s = 0;
    for (const auto &[k, p] : params_)
      s += (p.active ? p.weight : 0.1f) * p.value * p.value +
           (p.kind == 'a' ? p.value : 0.0);
    for (const auto &kv : tables_) {
      double t = 0;
      for (size_t i = 0; i < kv.second.size(); ++i)
        t += kv.second[i] / (i + 1.0);
      s += sin(t) * kv.first.size();
    }
    return s;
  }
};
static double f(const double *x, int n) {
  Config c;
  c.parse("# "
          "study\nalpha=0.5\nbeta=1.25\n[model]\nmass=2.0\ndrag=0.125\n[tables]"
          "\ncp=1,0.5,0.25\nrho=0.3,0.2\n");
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 0)
      c.bind("model.mass", x[i]);
    else if (i % 4 == 1)
      c.scale(i % 3 ? "cp" : "rho", 0.5 + 0.5 * x[i]);
    else
      c.bind("a_long_parameter_name_number_" + std::to_string(i),
             x[i] * c.get("global.alpha"));
  }
  return c.total() + c.get("model.mass") * c.get("model.drag");
}
DERIVED(f)
