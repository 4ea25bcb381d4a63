// HEADER: nlohmann/json.hpp
// LEVELS: O2
// NOT-SANITIZED: with the checks inside it takes the compiler minutes
// A model that a text configures: its objects, lists and texts share memory
// with numbers on which the result depends, and which depend on no input.
#include "../check.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

const char *const Text = R"({"name": "a model", "scale": 1.5, "steps": 2,
    "terms": [{"kind": "sine", "at": 0.3}, {"kind": "power", "at": -0.4}]})";

double model(const double *x, int n) {
  const json j = json::parse(Text);
  double s = x[0] * j.at("scale").get<double>();
  for (int step = 0; step < j.at("steps").get<int>(); ++step)
    for (const json &term : j.at("terms")) {
      const double at = term.at("at").get<double>();
      for (int i = 0; i < n; ++i)
        s += term.at("kind").get<std::string>() == "sine" ? sin(x[i] - at)
                                                          : x[i] * x[i] * at;
    }
  return s;
}

} // namespace

int main() {
  check_modes<model>();
  return finish();
}
