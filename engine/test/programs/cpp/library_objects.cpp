// Objects of the C++ library beside numbers, told apart from them: strings
// within structs, tables and lists within structs, whose nodes lead back to
// them, sorted structs of several types, trees of nodes of several kinds.
#include "../check.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Account {
  std::string name;
  float weight = 0.5f;
  double balance = 0;
  int trades = 0;
  std::vector<double> history;
};

std::string keyOf(int i) {
  std::string key = i % 3 ? "short" : "a name that does not fit into a string";
  key += std::to_string(i % 5);
  return key;
}

/// Strings as keys and as fields, made, joined, compared and erased.
double ledger(const double *x, int n) {
  std::map<std::string, Account> book;
  for (int i = 0; i < 3 * n; ++i) {
    Account &a = book[keyOf(i)];
    if (a.trades++ == 0)
      a.name = keyOf(i) + "/" + std::to_string(i);
    a.balance += x[i % n] * (i + 1);
    a.history.push_back(a.balance);
  }
  auto copy = book;
  book.erase(book.begin());
  double s = 0;
  for (auto &[key, a] : copy)
    if (a.name.substr(0, 5) == "short" || key.find("fit") != key.npos)
      s += a.balance * a.weight * static_cast<double>(a.name.size()) +
           a.history.back() * a.history.front() * 0.01;
  for (auto &[key, a] : book)
    s += a.balance * static_cast<double>(key.size());
  return s;
}

/// The fields beside a table are of other types than what is in the table.
struct Model {
  const double *x;
  int n;
  std::unordered_map<int, double> known;
  std::unordered_map<std::string, Account> accounts;
  std::list<std::pair<int, double>> recent;
  double scale = 1;
  int calls = 0;

  double at(int k) {
    ++calls;
    if (k < 2)
      return x[k % n];
    if (auto it = known.find(k); it != known.end())
      return it->second;
    double v = 0.5 * at(k - 1) + at(k - 2) * x[k % n];
    recent.emplace_front(k, v);
    if (recent.size() > 3)
      recent.pop_back();
    return known[k] = v;
  }
};

double tables(const double *x, int n) {
  Model m{x, n, {}, {}, {}};
  double s = m.at(9) * m.scale;
  m.scale = x[0];
  for (int i = 0; i < 2 * n; ++i) {
    Account &a = m.accounts[keyOf(i)];
    a.balance += x[i % n] * m.scale;
    a.trades = i;
    a.history.assign(2, a.balance);
  }
  Model moved = std::move(m);
  for (auto &[key, a] : moved.accounts)
    s += a.balance * a.weight * a.trades + a.history[1];
  moved.recent.sort(
      [](const auto &a, const auto &b) { return a.first < b.first; });
  double k = 1;
  for (auto &[i, v] : moved.recent)
    s += (k *= 1.5) * v;
  return s * moved.scale + moved.calls;
}

/// A function with a state stands before the table's own fields.
struct Salted {
  size_t salt = 3;
  size_t operator()(int k) const { return static_cast<size_t>(k) * 7 + salt; }
};
struct Cell {
  double value = 0;
  float weight = 1.5f;
  int uses = 0;
};
struct Grid {
  double scale;
  std::unordered_map<int, Cell, Salted> cells;
  int last = 0;
};

double salted(const double *x, int n) {
  Grid grid{x[0], {}};
  for (int i = 0; i < 4 * n; ++i) {
    Cell &c = grid.cells[(i * 5) % 9];
    c.value += x[i % n] * grid.scale;
    grid.last = ++c.uses;
  }
  Grid copy = grid;
  copy.cells.erase(0);
  copy.scale *= x[1];
  double s = grid.last;
  for (int k = 0; k < 9; ++k)
    if (auto it = copy.cells.find(k); it != copy.cells.end())
      s += it->second.value * it->second.weight * it->second.uses * copy.scale;
  return s + grid.cells[0].value;
}

/// Structs with a string, sorted and moved about.
double sorted(const double *x, int n) {
  std::vector<Account> all;
  for (int i = 0; i < n; ++i) {
    all.push_back({keyOf(7 * i), static_cast<float>((i * 5) % 7), x[i], i, {}});
    all.back().history.push_back(x[i] * x[i]);
  }
  std::sort(all.begin(), all.end(), [](const Account &a, const Account &b) {
    return a.name < b.name || (a.name == b.name && a.trades < b.trades);
  });
  double s = 0;
  for (size_t i = 0; i < all.size(); ++i)
    s += all[i].balance * static_cast<double>(i + 1);
  std::sort(all.begin(), all.end(), [](const Account &a, const Account &b) {
    return a.weight > b.weight ||
           (!(a.weight < b.weight) && a.trades < b.trades);
  });
  for (size_t i = 0; i < all.size(); ++i)
    s += all[i].history[0] * static_cast<double>(i * i);
  return s;
}

/// Where one kind of node has a character or an index, another has a number.
struct Node {
  virtual ~Node() = default;
  virtual double value(const double *v) const = 0;
  virtual std::unique_ptr<Node> copy() const = 0;
};
using Ref = std::unique_ptr<Node>;
struct Number : Node {
  double c;
  explicit Number(double c) : c(c) {}
  double value(const double *) const override { return c; }
  Ref copy() const override { return std::make_unique<Number>(c); }
};
struct Variable : Node {
  int i;
  explicit Variable(int i) : i(i) {}
  double value(const double *v) const override { return v[i]; }
  Ref copy() const override { return std::make_unique<Variable>(i); }
};
struct Pair : Node {
  char op;
  Ref a, b;
  Pair(char op, Ref a, Ref b) : op(op), a(std::move(a)), b(std::move(b)) {}
  double value(const double *v) const override {
    double p = a->value(v), q = b->value(v);
    return op == '+' ? p + q : p * q;
  }
  Ref copy() const override {
    return std::make_unique<Pair>(op, a->copy(), b->copy());
  }
};

double expressions(const double *x, int n) {
  Ref e = std::make_unique<Number>(x[0]);
  for (int i = 0; i < n; ++i) {
    Ref term = std::make_unique<Pair>('*', std::make_unique<Number>(x[i]),
                                      std::make_unique<Variable>(i % 2));
    e = std::make_unique<Pair>("+*"[i % 2], std::move(e), std::move(term));
  }
  double v[2] = {x[n - 1] * 0.5, 1.2};
  return e->copy()->value(v) + e->value(v) * x[0];
}

/// An allocator without functions of its own for what the library has defaults
/// for, which an ellipsis chooses.
template <class T> struct Plain {
  using value_type = T;
  Plain() = default;
  template <class U> Plain(const Plain<U> &) {}
  T *allocate(size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T *p, size_t n) { std::allocator<T>().deallocate(p, n); }
  bool operator==(const Plain &) const { return true; }
  bool operator!=(const Plain &) const { return false; }
};

double allocated(const double *x, int n) {
  std::map<int, double, std::less<int>, Plain<std::pair<const int, double>>> m;
  for (int i = 0; i < n; ++i)
    m[(i * 7) % 4] += x[i] * x[i];
  m.erase(0);
  double s = 0;
  for (auto &[k, v] : m)
    s += k * v;
  return s;
}

} // namespace

int main() {
  check_modes<ledger>();
  check_modes<tables>();
  check_modes<salted>();
  check_modes<sorted>();
  check_modes<expressions>();
  check_modes<allocated>();
  return finish();
}
