#include "benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace retro::suite {

const char *to_string(Variant v) {
  return v == Variant::restrict_ ? "restrict" : "plain";
}

Dims Dims::parse(const std::string &text) {
  Dims dims;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    const auto equals = item.find('=');
    std::size_t used = 0;
    long long value = 0;
    try {
      if (equals != std::string::npos && equals > 0)
        value = std::stoll(item.substr(equals + 1), &used);
    } catch (const std::exception &) {
      used = 0;
    }
    if (used == 0 || equals + 1 + used != item.size())
      throw std::invalid_argument("size entry '" + item +
                                  "' is not name=integer");
    dims.values[item.substr(0, equals)] = value;
  }
  return dims;
}

long long Dims::at(const std::string &name) const {
  const auto found = values.find(name);
  if (found == values.end())
    throw std::invalid_argument("size '" + str() + "' lacks " + name + "=");
  return found->second;
}

long long Dims::get(const std::string &name, long long fallback) const {
  const auto found = values.find(name);
  return found == values.end() ? fallback : found->second;
}

std::string Dims::str() const {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text;
}

namespace pick {

using Picker = std::function<double(const std::vector<double> &)>;

static std::size_t end_of(const std::vector<double> &v, std::size_t first,
                          std::size_t count) {
  return count == 0 ? v.size() : std::min(v.size(), first + count);
}

Picker at(std::size_t i) {
  return [i](const std::vector<double> &v) { return v.at(i); };
}

Picker norm(std::size_t first, std::size_t count) {
  return [=](const std::vector<double> &v) {
    double squares = 0;
    for (std::size_t i = first; i < end_of(v, first, count); ++i)
      squares += v[i] * v[i];
    return std::sqrt(squares);
  };
}

Picker sum(std::size_t first, std::size_t count) {
  return [=](const std::vector<double> &v) {
    double total = 0;
    for (std::size_t i = first; i < end_of(v, first, count); ++i)
      total += v[i];
    return total;
  };
}

} // namespace pick

std::vector<double> result_of(Instance &instance, const std::string &name) {
  for (const Column &column : instance.columns())
    if (column.name == name) {
      if (column.prepare)
        column.prepare();
      column.run();
      return column.result();
    }
  throw std::logic_error("there is no column '" + name + "'");
}

static double largest(const std::vector<double> &v) {
  double result = 0;
  for (const double x : v)
    result = std::isfinite(x) ? std::max(result, std::fabs(x)) : HUGE_VAL;
  return result;
}

Reference largest_difference(std::string name, std::vector<double> oracle,
                             double tolerance) {
  const auto pick = [oracle = std::move(oracle)](const std::vector<double> &g) {
    if (g.size() != oracle.size())
      return HUGE_VAL;
    std::vector<double> difference = g;
    for (std::size_t n = 0; n < g.size(); ++n)
      difference[n] -= oracle[n];
    return largest(difference) / largest(oracle);
  };
  return {true, std::move(name), pick, 0.0, tolerance};
}

} // namespace retro::suite
