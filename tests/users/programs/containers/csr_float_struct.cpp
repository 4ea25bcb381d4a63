// flags: -std=c++20
// {int, float} entries packed in 8 bytes: COO to CSR by counting, transposed
// product, compacted with memmove, swapped rows
#include "../user.h"
#include <algorithm>
#include <vector>
template <class T> struct Nz {
  int col;
  T val;
};
template <class T> struct Coo {
  int row;
  Nz<T> e;
};
template <class T> double f(const T *x, int n) {
  int m = n + 1;
  std::vector<Coo<T>> coo;
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < 3; ++k)
      coo.push_back({(i * 5 + k) % m,
                     {(i + 2 * k) % m, x[(i + k) % n] * T(0.3 + 0.1 * k)}});
  std::vector<int> start(m + 1);
  for (auto &c : coo)
    ++start[c.row + 1];
  for (int i = 0; i < m; ++i)
    start[i + 1] += start[i];
  std::vector<Nz<T>> nz(coo.size());
  auto pos = start;
  for (auto &c : coo)
    nz[pos[c.row]++] = c.e;
  for (int i = 0; i < m; ++i)
    std::stable_sort(nz.begin() + start[i], nz.begin() + start[i + 1],
                     [](Nz<T> a, Nz<T> b) { return a.col < b.col; });
  int w = 0; // merge duplicates in place
  for (int i = 0; i < m; ++i) {
    int b = start[i], e = start[i + 1];
    start[i] = w;
    for (int k = b; k < e; ++k) {
      if (w > start[i] && nz[w - 1].col == nz[k].col)
        nz[w - 1].val += nz[k].val;
      else
        nz[w++] = nz[k];
    }
  }
  start[m] = w;
  nz.resize(w);
  memmove(&nz[0], &nz[0], sizeof(Nz<T>) * w);
  std::swap(nz[0], nz[w - 1]);
  std::swap(nz[0], nz[w - 1]);
  std::vector<T> v(m, T(1)), u(m);
  for (int it = 0; it < 3; ++it) {
    for (int i = 0; i < m; ++i) {
      T s = 0;
      for (int k = start[i]; k < start[i + 1]; ++k)
        s += nz[k].val * v[nz[k].col];
      u[i] = s / (1 + s * s);
    }
    std::fill(v.begin(), v.end(), T(0.1));
    for (int i = 0; i < m; ++i)
      for (int k = start[i]; k < start[i + 1]; ++k)
        v[nz[k].col] += nz[k].val * u[i];
  }
  T s = 0;
  for (int i = 0; i < m; ++i)
    s += v[i] * (i % 3 + 1);
  return s / m;
}
DERIVED_FLOAT(f)
