// flags: -std=c++20
// A JSON-like tree built by hand, walked by a little model; values are doubles,
// ints, strings, bools, arrays, objects.
#include "../user.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
class Json {
public:
  enum Kind { Null, Bool, Int, Real, String, Array, Object };
  Json() = default;
  Json(bool b) : kind_(Bool), i_(b) {}
  Json(int i) : kind_(Int), i_(i) {}
  Json(double d) : kind_(Real), d_(d) {}
  Json(const char *s) : kind_(String), s_(s) {}
  static Json array() {
    Json j;
    j.kind_ = Array;
    return j;
  }
  static Json object() {
    Json j;
    j.kind_ = Object;
    return j;
  }
  Json &operator[](const std::string &k) {
    if (kind_ == Null)
      kind_ = Object;
    return o_[k];
  }
  const Json &at(const std::string &k) const {
    auto it = o_.find(k);
    if (it == o_.end())
      throw std::out_of_range("no key " + k);
    return it->second;
  }
  Json &push(Json j) {
    a_.push_back(std::move(j));
    return *this;
  }
  const Json &operator[](size_t i) const { return a_[i]; }
  size_t size() const { return kind_ == Array ? a_.size() : o_.size(); }
  double real() const { return kind_ == Int ? (double)i_ : d_; }
  bool truth() const { return i_ != 0; }
  const std::string &str() const { return s_; }
  Kind kind() const { return kind_; }
  double sum() const {
    double t = kind_ == Real     ? d_ * d_
               : kind_ == Int    ? i_
               : kind_ == String ? 0.1 * s_.size()
                                 : 0;
    for (const auto &e : a_)
      t += e.sum();
    for (const auto &[k, v] : o_)
      t += v.sum() * (1 + 0.01 * k.size());
    return t;
  }

private:
  Kind kind_ = Null;
  long i_ = 0;
  double d_ = 0;
  std::string s_;
  std::vector<Json> a_;
  std::map<std::string, Json> o_;
};
static Json build(const double *x, int n) {
  Json cfg;
  cfg["name"] = Json("a layered absorber of some length");
  cfg["steps"] = Json(7);
  cfg["damped"] = Json(true);
  Json layers = Json::array();
  for (int i = 0; i < n; i++) {
    Json l = Json::object();
    l["thickness"] = Json(0.5 + x[i] * x[i]);
    l["sigma"] = Json(std::exp(-x[i]));
    l["material"] = Json(i % 2 ? "lead" : "water, light, at room temperature");
    layers.push(l);
  }
  cfg["layers"] = std::move(layers);
  cfg["source"]["strength"] = Json(x[0] * x[n - 1]);
  cfg["source"]["cutoff"] = Json(3);
  return cfg;
}
static double transmit(const double *x, int n) {
  Json cfg = build(x, n);
  double flux = cfg.at("source").at("strength").real() +
                cfg.at("source").at("cutoff").real();
  for (int s = 0; s < (int)cfg.at("steps").real(); s++)
    for (size_t i = 0; i < cfg.at("layers").size(); i++) {
      const Json &l = cfg.at("layers")[i];
      double f = l.at("material").str() == "lead" ? 2.0 : 0.7;
      flux *=
          std::exp(-0.1 * f * l.at("sigma").real() * l.at("thickness").real());
    }
  if (cfg.at("damped").truth())
    flux /= 1 + flux * flux;
  try {
    flux += cfg.at("nothing").real();
  } catch (const std::out_of_range &) {
    flux *= 1.5;
  }
  Json copy = cfg;
  copy["layers"].push(Json(flux));
  return flux + 0.1 * copy.sum();
}
DERIVED(transmit)
