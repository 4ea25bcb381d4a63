// flags: -std=c++20
// unordered_map<string, Account>: a ledger with string keys, rehash, erase,
// nested vector and optional note
#include "../user.h"
#include <string>
#include <unordered_map>
#include <vector>
struct Account {
  std::string name;
  double balance = 0;
  std::vector<double> history;
  float rate = 0.01f;
  int trades = 0;
};
static std::string key(int i) {
  return i % 3 ? "short" + std::to_string(i % 6)
               : "a rather long account name, number " + std::to_string(i % 9);
}
static double f(const double *x, int n) {
  std::unordered_map<std::string, Account> book;
  for (int i = 0; i < 2 * n; ++i) {
    auto &a = book[key(i)];
    if (a.trades++ == 0)
      a.name = key(i), a.balance = 10 * x[i % n];
    a.balance += x[i % n] * (i % 2 ? 1 : -0.5);
    a.history.push_back(a.balance);
  }
  book.rehash(101);
  for (auto &[k, a] : book) {
    double w = 0;
    for (double h : a.history)
      w = 0.5 * w + h * h;
    a.balance *= 1 + 0.01 * w / a.trades;
  }
  Account moved;
  if (auto it = book.find("short1"); it != book.end()) {
    moved = std::move(it->second);
    book.erase(it);
  }
  Account copy = moved;
  copy.balance *= 2;
  book.emplace(copy.name + "-copy", copy);
  book["cash"] = {"cash", x[0] * x[n - 1], {x[0], 2.0}, 0.5f, 1};
  double s = 0;
  for (int i = 0; i < 12; ++i)
    if (auto it = book.find(key(i)); it != book.end())
      s += sqrt(1 + it->second.balance * it->second.balance) * (i + 1);
  auto second = book;
  book.clear();
  for (auto &[k, a] : second)
    s += a.balance * k.size() * a.rate;
  return s + (moved.history.empty() ? 0 : moved.history.back() * moved.balance);
}
DERIVED(f)
