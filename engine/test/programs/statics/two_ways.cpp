// Pointers to both ends of one memory, behind static variables, that other code
// has made: nothing in what is differentiated says that what is read from the
// end is what was written from the begin.
#include "../check.h"

#include <deque>
#include <vector>

template <typename T, typename... A> T __enzyme_autodiff(void *, A...);
template <typename T, typename... A> T __enzyme_fwddiff(void *, A...);

namespace {

std::vector<double> flat;
std::vector<std::vector<double>> nested;
std::deque<double> both_ends;
struct Range {
  double *begin, *end;
} range, *on_heap;
struct Node {
  double value;
  Node *next;
} *head, *tail;

template <typename V> double through(V &v, const double *x) {
  v[0] = x[0];
  for (size_t i = 1; i < v.size(); i++)
    v[i] = v[i - 1] * x[1];
  return v.back() * v.front();
}

double of_flat(const double *x) { return through(flat, x); }
double of_nested(const double *x) { return through(nested[1], x); }
double of_deque(const double *x) { return through(both_ends, x); }

double between(const Range &r, const double *x) {
  r.begin[0] = x[0];
  for (double *p = r.begin + 1; p != r.end; p++)
    p[0] = p[-1] * x[1];
  return r.end[-1] * x[0];
}
double of_range(const double *x) { return between(range, x); }
double of_heap(const double *x) { return between(*on_heap, x); }

double of_list(const double *x) {
  double last = x[0];
  for (Node *p = head; p; p = p->next) {
    p->value = last;
    last *= x[1];
  }
  return tail->value * x[0];
}

/// What the one pointer leads to is overwritten through the other.
double *one, *other;
double of_both(const double *x) {
  const int k = x[1] < 0;
  other[0] = x[1];
  one[k] = x[0] * x[1];
  one[1 - k] = one[0] * x[1];
  return one[1 - k] * x[0] * (other[0] / one[k]);
}

/// Into a vector that the program knows by its name, too.
double *middle;
double of_middle(const double *x) {
  for (size_t i = 0; i < flat.size(); i++)
    flat[i] = i ? flat[i - 1] * x[1] : x[0];
  return middle[x[0] < 0] * x[1] * x[0];
}

/// All are x0 x0 x1^2.
void check(double (*f)(const double *)) {
  const double x[2] = {3, 5}, t[2] = {1, 2};
  for (int round = 0; round < 3; round++) {
    double d[2] = {};
    __enzyme_autodiff<void>(reinterpret_cast<void *>(f), enzyme_dup, x, d);
    NEAR(d[0], 150, 0);
    NEAR(d[1], 90, 0);
    NEAR(
        __enzyme_fwddiff<double>(reinterpret_cast<void *>(f), enzyme_dup, x, t),
        330, 0);
    NEAR(f(x), 225, 0);
  }
}

} // namespace

int main() {
  flat.resize(3);
  nested.assign(2, flat);
  both_ends.resize(3);
  range.begin = new double[3];
  range.end = range.begin + 3;
  on_heap = new Range{new double[3], nullptr};
  on_heap->end = on_heap->begin + 3;
  for (int i = 0; i < 3; i++) {
    Node *made = new Node{0, nullptr};
    (tail ? tail->next : head) = made;
    tail = made;
  }
  check(of_flat);
  check(of_nested);
  check(of_deque);
  check(of_range);
  check(of_heap);
  check(of_list);
  one = other = range.begin;
  check(of_both);
  middle = &flat[1];
  check(of_middle);
  delete[] range.begin;
  delete[] on_heap->begin;
  delete on_heap;
  while (head) {
    Node *const next = head->next;
    delete head;
    head = next;
  }
  return finish();
}
