// Vectors of numbers in static variables: tables and room to work in, which
// plain code fills, moves and makes longer between derivatives. Their shadows
// start at zero in each derivative, as long as the vectors are then.
#include "../check.h"

#include <vector>

namespace {

std::vector<double> &table() {
  static std::vector<double> t;
  return t;
}

/// Room that is made once, and written in each call.
double in_room(const double *x, int n) {
  auto &room = table();
  if (room.size() < size_t(n))
    room.resize(size_t(n));
  for (int i = 0; i < n; ++i)
    room[size_t(i)] = x[i] * x[(i + 1) % n];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += room[size_t(i)] * std::sin(x[i] + s);
  return s;
}

/// A table that is read through a pointer which may lead to the input as well.
std::vector<double> Weights;
double weighted(const double *x, int n) {
  for (size_t i = Weights.size(); i < size_t(n); ++i)
    Weights.push_back(0.3 * double(i) - 0.4);
  std::vector<double> own(x, x + n);
  const std::vector<double> *rows[2] = {&Weights, &own};
  double s = 0;
  for (int k = 0; k < 2 * n; ++k)
    s += (*rows[k % 2])[size_t(k / 2)] * x[k / 2] + 0.1 * s * s;
  return s;
}

/// Several of one variable, one of each thread: each grows while it is used.
struct Workspace {
  int calls = 0;
  std::vector<double> left, right;
};
thread_local Workspace Own;
double in_workspace(const double *x, int n) {
  Own.calls += 1;
  Own.left.assign(x, x + n);
  Own.right.resize(size_t(n) + 1);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Own.right[size_t(i) + 1] = Own.right[size_t(i)] * 0.5 + Own.left[size_t(i)];
    s += Own.right[size_t(i) + 1] * x[i];
  }
  return s;
}
double fresh_workspace(const double *x, int n) {
  Own.right.assign(1, 0.25);
  return in_workspace(x, n);
}

/// Plain code between derivatives has moved, filled, shortened it.
void disturb(std::vector<double> &v, int round) {
  switch (round % 4) {
  case 0:
    v.reserve(v.capacity() + 100);
    break;
  case 1:
    std::vector<double>(v.size() + 3, 0.5).swap(v);
    break;
  case 2:
    v.shrink_to_fit();
    break;
  default:
    v = std::vector<double>();
  }
}

template <double (*F)(const double *, int)>
void check_disturbed(std::vector<double> &v) {
  for (int round = 0; round < 5; ++round) {
    check_modes<F>();
    disturb(v, round);
  }
}

} // namespace

int main() {
  const double x[6] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  NEAR(in_room(x, 6) < 1e9, 1, 0); // a plain call makes the room
  check_disturbed<in_room>(table());
  table().assign(2, 7);
  check_modes<in_room>();

  check_disturbed<weighted>(Weights);
  check_disturbed<fresh_workspace>(Own.right);
  return finish();
}
