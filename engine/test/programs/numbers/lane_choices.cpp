// Masks that choose between numbers in each lane, as code that is written in
// vectors has them: kept from one iteration to the next, combined, made of
// integers, and wider or narrower than the numbers while they travel.
#include "../check.h"

typedef double Numbers __attribute__((vector_size(16)));
typedef float Singles __attribute__((vector_size(16)));
typedef long long Lanes __attribute__((vector_size(16)));
typedef int Narrow __attribute__((vector_size(16)));
typedef int Pair __attribute__((vector_size(8)));

static Numbers either(Numbers clear, Numbers set, Lanes mask) {
  return (Numbers)(((Lanes)clear & ~mask) | ((Lanes)set & mask));
}
static Numbers exchanged(Numbers clear, Numbers set, Lanes mask) {
  return (Numbers)((Lanes)clear ^ (((Lanes)clear ^ (Lanes)set) & mask));
}
static Numbers two(const double *x, int i) { return (Numbers){x[i], x[i + 1]}; }
static double product(Numbers a) { return a[0] * (1 + a[1]) + a[1] * a[1]; }

/// Lanes that are still at work.
static double in_work(const double *x, int n) {
  Numbers sum = {0, 0};
  Lanes mask = {-1, -1};
  for (int k = 0; k < n; k += 2) {
    Numbers a = two(x, k);
    mask &= a > -0.5;
    sum += (Numbers)((Lanes)(a * a) & mask);
    sum = either(sum, sum * 0.5 + a, mask);
    mask &= sum < 2.0;
  }
  return product(sum);
}

static double of_integers(const double *x, int n) {
  Numbers sum = {0, 0};
  for (int k = 0; k < n; k += 2) {
    Numbers a = two(x, k);
    Narrow m = {k & 2 ? -1 : 0, k & 4 ? -1 : 0, 0, 0};
    m = __builtin_shufflevector(m, m, 0, 0, 1, 1);
    sum += exchanged(a, a * a, (Lanes)m);
  }
  return product(sum);
}

/// Comparisons of one width choose numbers of another.
static double converted(const double *x, int n) {
  double r = 0;
  for (int k = 0; k + 3 < n; ++k) {
    Pair m = __builtin_convertvector(two(x, k) > two(x, k + 2), Pair);
    Lanes wide = __builtin_convertvector(m, Lanes);
    r = r * 0.5 + product(either(two(x, k), two(x, k + 2) * 2.0, wide));
  }
  return r;
}

static double singles(const double *x, int n) {
  Singles sum = {0, 0, 0, 0};
  Narrow mask = {-1, 0, -1, 0};
  for (int k = 0; k + 3 < n; ++k) {
    Singles a = {(float)x[k], (float)x[k + 1], (float)x[k + 2],
                 (float)x[k + 3]};
    Singles b = (Singles)(((Narrow)a & ~mask) | ((Narrow)(a * a) & mask));
    mask ^= b > sum;
    sum += b;
  }
  return (double)sum[0] * sum[1] + (double)sum[2] * sum[3];
}

/// Of one number, by an integer that is all bits or none.
static double of_one(const double *x, int n) {
  double sum = 0;
  int64_t last = 0;
  for (int k = 0; k < n; ++k) {
    double y = x[k] * x[k];
    int64_t a, b, mask = (int64_t)(x[k] * 0x1p40) >> 63;
    memcpy(&a, &x[k], sizeof a);
    memcpy(&b, &y, sizeof b);
    a = (a & ~(mask | last)) | (b & (mask | last));
    last = mask;
    memcpy(&y, &a, sizeof y);
    sum += exp(y);
  }
  return sum;
}

int main() {
  check_modes<in_work>();
  check_modes<of_integers>();
  check_modes<converted>();
  check_modes<of_one>();
  const double x[6] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  double g[6] = {};
  __enzyme_autodiff((void *)singles, enzyme_dup, x, g, enzyme_const, 6);
  for (int i = 0; i < 6; ++i) {
    double v[6] = {};
    v[i] = 1;
    NEAR(
        g[i],
        central_difference([](double *y) { return singles(y, 6); }, x, i, 1e-2),
        2e-3);
    NEAR(__enzyme_fwddiff((void *)singles, enzyme_dup, x, v, enzyme_const, 6),
         g[i], 1e-6);
  }
  return finish();
}
