// flags: -std=c++20
// neural net: vector<unique_ptr<Layer>> with virtual forward, cached
// activations, dropout mask, softmax, float
#include "../user.h"
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
template <class T> using Vec = std::vector<T>;
template <class T> struct Layer {
  std::string name;
  Vec<T> cache;
  virtual ~Layer() {}
  virtual Vec<T> forward(const Vec<T> &in) = 0;
};
template <class T> struct Dense : Layer<T> {
  Vec<Vec<T>> w;
  Vec<T> b;
  Dense(const T *&p, const T *end, const T *begin, int in, int out)
      : w(out, Vec<T>(in)), b(out) {
    for (auto &r : w)
      for (auto &e : r) {
        e = *p * T(0.4);
        if (++p == end)
          p = begin;
      }
    for (int i = 0; i < out; ++i)
      b[i] = T(0.01) * i;
  }
  Vec<T> forward(const Vec<T> &in) override {
    Vec<T> o = b;
    for (size_t i = 0; i < w.size(); ++i)
      for (size_t j = 0; j < in.size(); ++j)
        o[i] += w[i][j] * in[j];
    this->cache = in;
    return o;
  }
};
template <class T> struct Act : Layer<T> {
  T (*fn)(T);
  Act(T (*f)(T)) : fn(f) {}
  Vec<T> forward(const Vec<T> &in) override {
    Vec<T> o;
    o.reserve(in.size());
    for (T e : in)
      o.push_back(fn(e));
    this->cache.swap(o);
    return this->cache;
  }
};
template <class T> struct Norm : Layer<T> {
  Vec<T> forward(const Vec<T> &in) override {
    T m = 0, v = 0;
    for (T e : in)
      m += e;
    m /= in.size();
    for (T e : in)
      v += (e - m) * (e - m);
    v = std::sqrt(v / in.size() + T(0.1));
    Vec<T> o(in);
    for (T &e : o)
      e = (e - m) / v;
    return o;
  }
};
template <class T> struct Skip : Layer<T> {
  std::unique_ptr<Layer<T>> inner;
  Skip(std::unique_ptr<Layer<T>> l) : inner(std::move(l)) {}
  Vec<T> forward(const Vec<T> &in) override {
    auto o = inner->forward(in);
    for (size_t i = 0; i < o.size(); ++i)
      o[i] += in[i % in.size()];
    return o;
  }
};
template <class T> static T soft(T a) {
  return a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a));
}
template <class T> static T th(T a) { return std::tanh(a); }
template <class T> double f(const T *x, int n) {
  Vec<std::unique_ptr<Layer<T>>> net;
  const T *p = x;
  net.push_back(std::make_unique<Dense<T>>(p, x + n, x, 3, 5));
  net.push_back(std::make_unique<Act<T>>(th<T>));
  net.push_back(
      std::make_unique<Skip<T>>(std::make_unique<Dense<T>>(p, x + n, x, 5, 5)));
  net.push_back(std::make_unique<Norm<T>>());
  net.push_back(std::make_unique<Act<T>>(soft<T>));
  net.push_back(std::make_unique<Dense<T>>(p, x + n, x, 5, 2));
  std::unordered_map<std::string, T> stat;
  T loss = 0;
  for (int s = 0; s < 2; ++s) {
    Vec<T> a = {T(0.3) + s, x[0], T(-0.5)};
    for (auto &l : net) {
      a = l->forward(a);
      l->name += "x";
      stat[l->name] += a[0] * T(0.01);
    }
    T m = *std::max_element(a.begin(), a.end()), z = 0;
    for (T e : a)
      z += std::exp(e - m);
    loss += m + std::log(z) - a[s];
    if (s == 0)
      std::swap(net[1], net[4]);
  }
  for (auto &l : net)
    if (!l->cache.empty())
      loss += l->cache.back() * T(0.1);
  for (auto &[k, v] : stat)
    loss += v;
  return loss / n;
}
DERIVED_FLOAT(f)
