// Objects behind static variables to which several ways lead, as plain code has
// made them: nodes that know their neighbours, rows of one field, owners that
// share a part. What is written on one way is read on another.
#include "../check.h"

#include <list>
#include <memory>
#include <vector>

template <typename T, typename... A> T __enzyme_autodiff(void *, A...);
template <typename T, typename... A> T __enzyme_fwddiff(void *, A...);

static constexpr int n = 3;

namespace parents {
struct Node {
  double v;
  Node *child, *up;
};
static Node *root;
static void init() {
  root = new Node{0, new Node{0, nullptr, nullptr}, nullptr};
  root->child->up = root;
}
static double walk(Node *t, const double *x, int depth) {
  t->v = x[depth] * (t->up ? t->up->v : 1);
  return t->v + (t->child ? walk(t->child, x, depth + 1) : x[2]);
}
static double f(const double *x) { return walk(root, x, 0); }
static void end() {
  delete root->child;
  delete root;
}
} // namespace parents

namespace both_ends {
static std::list<double> state;
static void init() { state.assign(4, 0); }
static double f(const double *x) {
  int i = 0;
  for (double &v : state)
    v = x[i % n] * x[0], ++i;
  double s = 0;
  for (double v : state)
    s += v * state.back();
  return s * x[2];
}
static void end() { state.clear(); }
} // namespace both_ends

namespace shared {
struct Domain {
  std::vector<double> own;
  std::shared_ptr<std::vector<double>> part;
};
static std::shared_ptr<Domain> one;
static std::unique_ptr<Domain> two;
static void init() {
  one = std::make_shared<Domain>();
  two = std::make_unique<Domain>();
  one->part = two->part = std::make_shared<std::vector<double>>(n);
  two->own.resize(n);
}
static double f(const double *x) {
  for (int i = 0; i < n; i++) {
    (*two->part)[size_t(i)] = x[i] * 2;
    two->own[size_t(i)] = (*one->part)[size_t(i)] * x[i];
  }
  return two->own[0] * two->own[1] * two->own[2];
}
static void end() {
  one.reset();
  two.reset();
}
} // namespace shared

namespace rows {
static double field[n * n];
static double **row;
static void init() {
  row = static_cast<double **>(malloc(n * sizeof *row));
  for (int i = 0; i < n; i++)
    row[i] = field + n * i;
}
static double f(const double *x) {
  for (int i = 0; i < n * n; i++)
    field[i] = x[i % n] * (i + 1);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += row[i][0] * row[i][1] * row[i][2];
  return s;
}
static void end() { free(row); }
} // namespace rows

namespace views {
static std::vector<double> field(n *n);
static std::vector<double *> row;
static void init() {
  for (size_t i = 0; i < n; i++)
    row.push_back(&field[n * i]);
}
static double f(const double *x) {
  for (size_t i = 0; i < n * n; i++)
    field[i] = x[i % n] * double(i + 1);
  double s = 0;
  for (double *r : row)
    s += r[0] * r[1] * r[2];
  return s;
}
static void end() { row.clear(); }
} // namespace views

template <void init(), double f(const double *), void end()>
static void check() {
  init();
  double k[n] = {0.7, 1.3, 0.4}, d[n], t[n] = {};
  const auto plain = [](const double *x, int) { return f(x); };
  for (int round = 0; round < 3; round++) {
    for (double &x : d)
      x = 0;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(f), enzyme_dup, k, d);
    for (int i = 0; i < n; i++) {
      t[i] = 1;
      NEAR(d[i], slope(plain, k, t, n), 1e-8);
      NEAR(__enzyme_fwddiff<double>(reinterpret_cast<void *>(f), enzyme_dup, k,
                                    t),
           d[i], 1e-13);
      t[i] = 0;
    }
  }
  end();
}

int main() {
  check<parents::init, parents::f, parents::end>();
  check<both_ends::init, both_ends::f, both_ends::end>();
  check<shared::init, shared::f, shared::end>();
  check<rows::init, rows::f, rows::end>();
  check<views::init, views::f, views::end>();
  return finish();
}
