// flags: -std=c++20
#include "../user.h"
#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>
// strided views, zipped iteration and a hand-written hash-free linked structure
template <class T> class Strided {
  T *p_;
  std::ptrdiff_t stride_;
  size_t n_;

public:
  class iterator {
    T *p_ = nullptr;
    std::ptrdiff_t s_ = 1;

  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    iterator() = default;
    iterator(T *p, std::ptrdiff_t s) : p_(p), s_(s) {}
    reference operator*() const { return *p_; }
    reference operator[](difference_type k) const { return p_[k * s_]; }
    iterator &operator++() {
      p_ += s_;
      return *this;
    }
    iterator operator++(int) {
      auto t = *this;
      ++*this;
      return t;
    }
    iterator &operator--() {
      p_ -= s_;
      return *this;
    }
    iterator operator--(int) {
      auto t = *this;
      --*this;
      return t;
    }
    iterator &operator+=(difference_type k) {
      p_ += k * s_;
      return *this;
    }
    iterator &operator-=(difference_type k) { return *this += -k; }
    friend iterator operator+(iterator a, difference_type k) { return a += k; }
    friend iterator operator+(difference_type k, iterator a) { return a += k; }
    friend iterator operator-(iterator a, difference_type k) { return a -= k; }
    friend difference_type operator-(const iterator &a, const iterator &b) {
      return (a.p_ - b.p_) / a.s_;
    }
    bool operator==(const iterator &o) const { return p_ == o.p_; }
    auto operator<=>(const iterator &o) const { return (p_ - o.p_) / s_ <=> 0; }
  };
  Strided(T *p, std::ptrdiff_t s, size_t n) : p_(p), stride_(s), n_(n) {}
  iterator begin() const { return {p_, stride_}; }
  iterator end() const { return {p_ + stride_ * (std::ptrdiff_t)n_, stride_}; }
  size_t size() const { return n_; }
};
template <class A, class B> class Zip {
  A &a_;
  B &b_;

public:
  Zip(A &a, B &b) : a_(a), b_(b) {}
  struct iterator {
    decltype(std::begin(std::declval<A &>())) i;
    decltype(std::begin(std::declval<B &>())) j;
    auto operator*() const {
      return std::pair<decltype(*i), decltype(*j)>(*i, *j);
    }
    iterator &operator++() {
      ++i;
      ++j;
      return *this;
    }
    bool operator!=(const iterator &o) const { return i != o.i && j != o.j; }
  };
  iterator begin() const { return {std::begin(a_), std::begin(b_)}; }
  iterator end() const { return {std::end(a_), std::end(b_)}; }
};
struct Cell {
  double v;
  int hits;
  Cell *next;
};
class Chain {
  Cell *head_ = nullptr;
  size_t n_ = 0;

public:
  ~Chain() {
    while (head_) {
      Cell *c = head_;
      head_ = c->next;
      delete c;
    }
  }
  void push(double v) {
    Cell **p = &head_;
    while (*p && (*p)->v < v)
      p = &(*p)->next;
    *p = new Cell{v, 0, *p};
    ++n_;
  }
  struct iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = double;
    using difference_type = std::ptrdiff_t;
    using pointer = double *;
    using reference = double &;
    Cell *c;
    double &operator*() const {
      c->hits++;
      return c->v;
    }
    iterator &operator++() {
      c = c->next;
      return *this;
    }
    iterator operator++(int) {
      auto t = *this;
      c = c->next;
      return t;
    }
    bool operator==(const iterator &o) const = default;
  };
  iterator begin() { return {head_}; }
  iterator end() { return {nullptr}; }
};
static double f(const double *x, int n) {
  std::vector<double> grid(n * 4);
  for (size_t i = 0; i < grid.size(); ++i)
    grid[i] = x[i % n] * (1 + 0.1 * (i / n));
  Strided<double> col(grid.data() + 1, 4, n), other(grid.data() + 2, 4, n);
  for (auto [a, b] : Zip(col, other)) {
    a = a * b + 0.1;
    b = sin(a);
  }
  double s = std::accumulate(col.begin(), col.end(), 0.0);
  s += std::inner_product(other.begin(), other.end(), col.begin(), 0.0);
  std::sort(col.begin(), col.end());
  s += col.begin()[n / 2] * 2 + *(col.end() - 1);
  Chain c;
  for (double v : col)
    c.push(v * 0.7);
  for (auto it = c.begin(); it != c.end(); ++it)
    *it *= 1.2;
  std::transform(c.begin(), c.end(), c.begin(),
                 [](double v) { return v / (1 + v); });
  double w = 1;
  for (double v : c) {
    s += w * v;
    w *= 0.9;
  }
  return s;
}
DERIVED(f)
