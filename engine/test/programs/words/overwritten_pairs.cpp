// FLAGS: -std=c++17
// Numbers of the caller, of which nothing else says what they are, are
// overwritten by constants in one piece: two floats, a struct of two, an array.
// What they were has no influence any more.
#include "../check.h"

namespace {

template <class T> struct Pair {
  T a, b;
};

template <class T, int How> double overwrite(const double *x, T *z, int n) {
  if constexpr (How == 0) {
    T zeros[2];
    memset(zeros, 0, sizeof zeros);
    memmove(z, zeros, sizeof zeros);
  } else if constexpr (How == 1) {
    T two[2] = {1, 2};
    memcpy(z, two, sizeof two);
  } else if constexpr (How == 2) {
    static const T table[6] = {1, 2, 3, 4, 5, 6};
    memcpy(z, table + n, 2 * sizeof(T));
  } else if constexpr (How == 3) {
    T computed[2];
    for (int i = 0; i < 2; ++i)
      computed[i] = T(i + n);
    memcpy(z, computed, sizeof computed);
  } else if constexpr (How == 4) {
    Pair<T> p = {1, T(n)};
    *reinterpret_cast<Pair<T> *>(z) = p;
  } else {
    memset(z, 0, size_t(n) * sizeof(T));
  }
  return x[0] * x[0];
}

template <class T, int How> void check_overwritten() {
  auto *f = reinterpret_cast<void *>(overwrite<T, How>);
  double x[1] = {0.5}, dx[1] = {0};
  T z[2] = {3, 4}, dz[2] = {1, 1};
  __enzyme_autodiff(f, enzyme_dup, x, dx, enzyme_dup, z, dz, enzyme_const, 2);
  NEAR(dx[0], 1.0, 1e-15);
  NEAR(dz[0], 0.0, 1e-15);
  NEAR(dz[1], 0.0, 1e-15);
  dx[0] = dz[0] = dz[1] = 1;
  NEAR(__enzyme_fwddiff(f, enzyme_dup, x, dx, enzyme_dup, z, dz, enzyme_const,
                        2),
       1.0, 1e-15);
  NEAR(dz[0], 0.0, 1e-15);
  NEAR(dz[1], 0.0, 1e-15);
}

template <class T> void check_all() {
  check_overwritten<T, 0>();
  check_overwritten<T, 1>();
  check_overwritten<T, 2>();
  check_overwritten<T, 3>();
  check_overwritten<T, 4>();
  check_overwritten<T, 5>();
}

} // namespace

int main() {
  check_all<float>();
  check_all<double>();
  return finish();
}
