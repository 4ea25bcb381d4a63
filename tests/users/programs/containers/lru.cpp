// flags: -std=c++20
#include "../user.h"
#include <concepts>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>
template <class K, class V> class LruCache {
  size_t cap_;
  std::list<std::pair<K, V>> items_;
  std::unordered_map<K, typename std::list<std::pair<K, V>>::iterator> index_;

public:
  int misses = 0;
  double evicted = 0;
  explicit LruCache(size_t c) : cap_(c) {}
  template <std::invocable F> const V &get(const K &k, F make) {
    if (auto it = index_.find(k); it != index_.end()) {
      items_.splice(items_.begin(), items_, it->second);
      return it->second->second;
    }
    ++misses;
    items_.emplace_front(k, make());
    index_[k] = items_.begin();
    if (items_.size() > cap_) {
      evicted += items_.back().second.cost;
      index_.erase(items_.back().first);
      items_.pop_back();
    }
    return items_.front().second;
  }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
};
struct Tile {
  double cost;
  std::vector<double> pixels;
  int zoom;
  bool dirty;
  std::string source;
};
static double f(const double *x, int n) {
  LruCache<std::string, Tile> cache(5);
  LruCache<int, Tile> byid(3);
  double s = 0;
  for (int t = 0; t < 3 * n; ++t) {
    int i = (t * 7 + t / 3) % n;
    std::string key =
        "tile/" + std::to_string(i) + (i % 2 ? "/high-resolution-variant" : "");
    const Tile &tile = cache.get(key, [&] {
      Tile u{x[i] * x[i], {}, i % 4, false, "server" + key};
      for (int k = 0; k < 4; ++k)
        u.pixels.push_back(x[(i + k) % n] * cos(k + x[i]));
      return u;
    });
    for (double p : tile.pixels)
      s += p * (1 + 0.01 * t);
    const Tile &b = byid.get(i % 6, [&] {
      Tile u = tile;
      u.dirty = true;
      u.cost *= 1.5;
      return u;
    });
    s += 0.1 * b.cost * b.pixels[t % 4];
  }
  for (auto &[k, t] : cache)
    s += t.cost * k.size() * 0.01;
  for (auto &[k, t] : byid)
    s += t.cost * (t.dirty ? k + 1 : 0) + 0.01 * t.source.size() * t.pixels[0];
  return s + cache.evicted + 0.5 * byid.evicted + 1e-3 * cache.misses;
}
DERIVED(f)
