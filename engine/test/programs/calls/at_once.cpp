// Recursions whose results are parts of sums: what a call's result is
// multiplied by is known before the call, which then runs forward and backward
// at once. Beside them those of which it is not known, or where the order of
// what is read and written matters. Each against differences.
#include "../check.h"

#include <functional>
#include <vector>

MARKERS(enzyme_width, enzyme_dupv);

int rows = 5; // nothing is known of it, which would unroll loops

namespace {

constexpr int N = 5;

/// What is multiplied comes before the call.
template <bool Unrolled>
double factorBefore(const double *x, int row, unsigned columns) {
  const int n = Unrolled ? N : rows;
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; ++j)
    if (columns & 1u << j) {
      sum += sign * x[row * n + j] *
             factorBefore<Unrolled>(x, row + 1, columns & ~(1u << j));
      sign = -sign;
    }
  return sum;
}

/// And after it, with a division; two parts of the sum in an iteration.
template <bool Unrolled>
double factorAfter(const double *x, int row, unsigned columns) {
  const int n = Unrolled ? N : rows;
  if (row == n)
    return x[0];
  double sum = x[row];
  for (int j = 0; j < n; ++j) {
    if (!(columns & 1u << j))
      continue;
    const double a = x[row * n + j];
    sum -= factorAfter<Unrolled>(x, row + 1, columns & ~(1u << j)) * a * a /
           (3 + a);
    sum += sin(a);
  }
  return sum;
}

/// A number that is passed on by value has an adjoint, too.
double byValue(const double *x, double t, int depth) {
  if (depth == 0)
    return t * t;
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    sum += x[j] * t * byValue(x, t * x[j + 3] + x[depth], depth - 1);
  return sum;
}

/// Without a loop: B-splines, whose calls are told a number, too.
double basis(const double *x, int i, int k, double t) {
  if (k == 0)
    return t >= x[i] && t < x[i + 1] ? x[i] : 0;
  return (t - x[i]) / (x[i + k] - x[i]) * basis(x, i, k - 1, t) +
         basis(x, i + 1, k - 1, t) * (x[i + k + 1] - t) /
             (x[i + k + 1] - x[i + 1]);
}

/// On some ways only, and one after the other.
double inATree(const double *x, int i, int j) {
  if (i == rows - 1 && j == rows - 1)
    return x[i * N + j];
  double v = x[i];
  if (i + 1 < rows)
    v += x[i * N + j] * inATree(x, i + 1, j);
  if (j + 1 < rows)
    v -= x[i * N + j] * x[j * N + i] * inATree(x, i, j + 1);
  if (v > 1.5 * x[3])
    v += inATree(x, rows - 1, rows - 1) * x[2];
  return v;
}

/// The result of one call is a factor of another's: of the first call the
/// adjoint is not known.
double factorOfEachOther(const double *x, int depth) {
  if (depth == 0)
    return x[0] + x[1];
  double sum = 0;
  for (int j = 0; j < 2; ++j)
    sum += x[j + depth] * factorOfEachOther(x, depth - 1) *
           factorOfEachOther(x + j, depth - 1);
  return sum;
}

double notLinear(const double *x, int depth) {
  if (depth == 0)
    return x[0];
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    sum += cos(x[j] * notLinear(x + j, depth - 1));
  return sum;
}

/// The result is used twice.
double usedTwice(const double *x, int depth) {
  if (depth == 0)
    return x[0];
  double sum = 0, last = 0;
  for (int j = 0; j < 3; ++j) {
    const double v = usedTwice(x + j, depth - 1);
    sum += x[j] * v + last;
    last = v * x[1];
  }
  return sum;
}

/// Not all that is added is kept.
double dropped(const double *x, int depth) {
  if (depth == 0)
    return x[0];
  double sum = 0;
  for (int j = 0; j < 4; ++j) {
    const double with = sum + x[j] * dropped(x + (j & 1), depth - 1);
    if (x[j] > 0.5)
      sum = with;
  }
  return sum;
}

/// The sum is a factor, too.
double grows(const double *x, int depth) {
  if (depth == 0)
    return x[0];
  double sum = 1;
  for (int j = 0; j < 3; ++j)
    sum += sum * x[j] * grows(x + j, depth - 1);
  return sum;
}

/// A loop in a loop, and a loop that ends early.
double nested(const double *x, int depth) {
  if (depth == 0)
    return x[0] * x[1];
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    double part = 0;
    for (int j = 0; j < 2; ++j)
      part += x[2 * i + j] * nested(x + i, depth - 1);
    sum += part * part;
  }
  return sum;
}

double endsEarly(const double *x, int depth) {
  if (depth == 0)
    return x[0] * x[1];
  double sum = 0;
  for (int j = 0; j < 4; ++j) {
    if (x[j] < 0)
      break;
    sum += x[j] * endsEarly(x + 1, depth - 1);
  }
  return sum;
}

/// What is called reads what the loop writes.
double written(const double *x, double *room, int depth) {
  if (depth == 0)
    return room[0] * room[0] + room[1];
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    room[depth % 2] = x[j] * x[depth];
    sum += x[j + 1] * written(x, room, depth - 1);
  }
  return sum;
}

/// What is called writes to what is read after it.
double writes(const double *x, double *room, int depth) {
  if (depth == 0)
    return room[0] += x[1] * x[2];
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    sum += writes(x, room, depth - 1) * room[0] * x[j];
  return sum;
}

/// Rows that are left out are marked in an array of each call's own.
double ownArray(const double *x, const int *columns, int left) {
  if (left == 1)
    return x[(N - 1) * N + columns[0]];
  int rest[N];
  double sum = 0;
  for (int j = 0; j < left; ++j) {
    for (int l = 0, to = 0; l < left; ++l)
      if (l != j)
        rest[to++] = columns[l];
    const double minor = ownArray(x, rest, left - 1);
    sum += (j % 2 ? -1 : 1) * x[(N - left) * N + columns[j]] * minor;
  }
  return sum;
}

/// Two functions that call each other.
double odd(const double *x, int depth);
double even(const double *x, int depth) {
  if (depth == 0)
    return x[0] * x[0];
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    sum += x[j] * odd(x + j, depth - 1);
  return sum;
}
double odd(const double *x, int depth) {
  double product = 0;
  for (int j = 0; j < 2; ++j)
    product -= even(x + j, depth - 1) * x[j + 1] / x[j + 2];
  return product;
}

double ofFactorBefore(const double *x) { return factorBefore<false>(x, 0, 31); }
double ofFactorAfter(const double *x) { return factorAfter<false>(x, 0, 31); }
double ofFactorBeforeUnrolled(const double *x) {
  return factorBefore<true>(x, 0, 31);
}
double ofFactorAfterUnrolled(const double *x) {
  return factorAfter<true>(x, 0, 31);
}
double ofByValue(const double *x) { return byValue(x, x[0], 4); }
double ofFactorOfEachOther(const double *x) { return factorOfEachOther(x, 3); }
double ofBasis(const double *x) {
  double knots[N * N];
  for (int i = 0; i < N * N; ++i)
    knots[i] = i + x[i];
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += basis(knots, i, 4, 5.4 + x[i]) * x[i];
  return sum;
}
double ofInATree(const double *x) { return inATree(x, 0, 0); }
double ofNotLinear(const double *x) { return notLinear(x, 4); }
double ofUsedTwice(const double *x) { return usedTwice(x, 4); }
double ofDropped(const double *x) { return dropped(x, 4); }
double ofGrows(const double *x) { return grows(x, 3); }
double ofNested(const double *x) { return nested(x, 3); }
double ofEndsEarly(const double *x) { return endsEarly(x, 4); }
double ofWritten(const double *x) {
  double room[2] = {0, 0};
  return written(x, room, 3);
}
double ofWrites(const double *x) {
  double room[2] = {x[0], 0};
  return writes(x, room, 3);
}
double ofOwnArray(const double *x) {
  const int columns[N] = {0, 1, 2, 3, 4};
  return ownArray(x, columns, N);
}
double ofEven(const double *x) { return even(x, 4); }

/// The root has the loop, and what is called is called from two places.
double inTheRoot(const double *x) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += x[i] * factorBefore<false>(x, 2, 7u << i);
  return sum * factorAfter<false>(x, 3, 25);
}

/// What the reverse pass would read late is overwritten by the root.
double overwritten(double *x) {
  double y[N * N];
  for (int i = 0; i < N * N; ++i)
    y[i] = x[i] * x[i];
  const double first = factorBefore<false>(y, 1, 30);
  for (int i = 0; i < N * N; ++i)
    y[i] = sin(y[i]);
  return first * factorBefore<false>(y, 1, 15);
}

std::vector<double> point() {
  std::vector<double> x(N * N);
  for (int i = 0; i < N * N; ++i)
    x[i] = 0.7 + 0.5 * sin(1.7 * i + 1);
  return x;
}

template <auto F> void check(const char *what) {
  std::vector<double> x = point(), dx(N * N, 0.25);
  __enzyme_autodiff_void(reinterpret_cast<void *>(F), enzyme_dup, x.data(),
                         dx.data());
  for (int i = 0; i < N * N; ++i) {
    const double h = 1e-5;
    auto At = [&](double d) {
      std::vector<double> y = x;
      y[i] += d;
      return F(y.data());
    };
    const double want =
        (8 * (At(h) - At(-h)) - (At(2 * h) - At(-2 * h))) / (12 * h);
    near_at(i, what, dx[i] - 0.25, want, 1e-7);
  }
}

/// Several directions share one run.
void checkLanes() {
  std::vector<double> x = point(), one(N * N), two(2 * N * N);
  __enzyme_autodiff_void(reinterpret_cast<void *>(ofFactorAfter), enzyme_dup,
                         x.data(), one.data());
  __enzyme_autodiff_void(reinterpret_cast<void *>(ofFactorAfter), enzyme_width,
                         2, enzyme_dupv, sizeof(double) * N * N, x.data(),
                         two.data());
  for (int i = 0; i < N * N; ++i) {
    near_at(__LINE__, "lane 0", two[i], one[i], 1e-12);
    near_at(__LINE__, "lane 1", two[N * N + i], one[i], 1e-12);
  }
}

} // namespace

int main() {
  check<ofFactorBefore>("factorBefore");
  check<ofFactorAfter>("factorAfter");
  check<ofFactorBeforeUnrolled>("factorBefore, unrolled");
  check<ofFactorAfterUnrolled>("factorAfter, unrolled");
  check<ofByValue>("byValue");
  check<ofBasis>("basis");
  check<ofInATree>("inATree");
  check<ofFactorOfEachOther>("factorOfEachOther");
  check<ofNotLinear>("notLinear");
  check<ofUsedTwice>("usedTwice");
  check<ofDropped>("dropped");
  check<ofGrows>("grows");
  check<ofNested>("nested");
  check<ofEndsEarly>("endsEarly");
  check<ofWritten>("written");
  check<ofWrites>("writes");
  check<ofOwnArray>("ownArray");
  check<ofEven>("even and odd");
  check<inTheRoot>("inTheRoot");
  check<overwritten>("overwritten");
  checkLanes();
  return finish();
}
