// FLAGS: -std=c++20
// Fields beside numbers that are no numbers: integers that LLVM loads early
// since a number is chosen instead, copies of integers by the library, the text
// of a small string, what is captured behind a gap, ends of arrays that are
// not there, and labels. And counters that are wider than a word.
#include "../check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace {

/// One of two fields, by a kind.
class Json {
public:
  enum Kind { Null, Int, Real };
  Json() = default;
  Json(long i) : kind(Int), integer(i) {}
  Json(double d) : kind(Real), number(d) {}
  double real() const { return kind == Int ? double(integer) : number; }

private:
  Kind kind = Null;
  long integer = 0;
  double number = 0;
  std::vector<Json> list;
  std::map<std::string, Json> named;
};

double chosen(const double *x, int n) {
  std::map<std::string, Json> all;
  all["steps"] = Json(7l);
  for (int i = 0; i < n; ++i)
    all["x" + std::to_string(i)] = Json(x[i]);
  double s = 1;
  for (int k = 0; k < 3; ++k)
    s *= all.at("x1").real() + all.at("x2").real() / all.at("steps").real();
  return s + all.at("x0").real() * all.at("x3").real();
}

struct Tensor {
  std::vector<int> shape;
  std::vector<double> data;
};

/// An array of integers, and numbers or pointers behind it.
struct Node {
  int count = 0;
  bool leaf = true;
  int keys[4];
  union {
    Node *child[5];
    double value[4];
  };
};

double copied(const double *x, int n) {
  std::vector<Tensor> all;
  for (int i = 0; i < n; ++i) {
    Tensor t;
    if (i % 3)
      t.shape.assign(2, i);
    if (i % 2)
      t.data.assign(x, x + i);
    all.push_back(t);
  }
  double s = 0;
  for (const Tensor &t : all) {
    Tensor r(t), q = r;
    for (size_t i = 0; i < q.data.size(); ++i)
      s += q.data[i] * q.data[i] * double(i + r.shape.size());
  }
  Node low, high, top;
  for (int i = 0; i < 4; ++i) {
    low.keys[i] = i;
    low.value[i] = x[i] * x[0];
    ++low.count;
  }
  std::copy(low.keys + 2, low.keys + low.count, high.keys);
  std::copy(low.value + 2, low.value + low.count, high.value);
  high.count = low.count - 2;
  top.leaf = false;
  top.child[0] = &low;
  top.child[1] = &high;
  const Node *p = top.child[n > 2];
  for (int i = 0; i < p->count; ++i)
    s += p->value[i] * p->keys[i];
  return s;
}

/// Bits of numbers in integers are copied as such, and are no integers.
double hidden(const double *x, int n) {
  std::vector<long> from, to;
  for (int i = 0; i < n; ++i) {
    long bits;
    const double v = x[i] * x[i];
    memcpy(&bits, &v, sizeof bits);
    from.push_back(i);
    from.push_back(bits);
  }
  to.resize(from.size());
  std::copy(from.begin(), from.end(), to.begin());
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v;
    memcpy(&v, &to[size_t(2 * i + 1)], sizeof v);
    s += v * (i + 1);
  }
  return s;
}

/// Up to 22 characters lie within it.
class Name {
  union {
    struct {
      char *text;
      size_t length;
    } outside;
    struct {
      char text[23];
      unsigned char length;
    } within;
  };
  bool is_outside() const { return within.length == 255; }

public:
  Name(const char *t = "") {
    const size_t n = strlen(t);
    if (n < sizeof(within.text)) {
      memcpy(within.text, t, n + 1);
      within.length = static_cast<unsigned char>(n);
      return;
    }
    outside.text = static_cast<char *>(malloc(n + 1));
    memcpy(outside.text, t, n + 1);
    outside.length = n;
    within.length = 255;
  }
  Name(const Name &o) : Name(o.text()) {}
  ~Name() {
    if (is_outside())
      free(outside.text);
  }
  const char *text() const { return is_outside() ? outside.text : within.text; }
  size_t size() const { return is_outside() ? outside.length : within.length; }
};

struct Term {
  double factor;
  Name name;
};

double terms(const double *x, int n) {
  std::vector<Term> all;
  for (int i = 0; i < n; ++i)
    all.push_back({x[i] * (i + 1),
                   i % 2 ? "short" : "a name that is longer than its buffer"});
  double s = 0;
  for (const Term &t : all)
    s += t.factor * t.factor * (1 + 0.01 * double(t.name.size()));
  return s;
}

/// As many numbers as a text has characters, and as many bytes of them.
double counted(const double *x, int n) {
  const char *kinds = "dddddd";
  char bytes[] = "a text of more than thirty-two characters";
  double a[6], b[6], c[6];
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    c[i] = 0;
  }
  bytes[32] = 0;
  memcpy(b, a, strlen(kinds) * sizeof(double));
  memcpy(c, a, strlen(bytes));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i] * (i + 1) + c[i] * a[n - 1 - i];
  return s;
}

struct Motion {
  double x, y, angle;
};
struct Store {
  std::vector<std::pair<int, Motion>> columns;
  std::vector<std::function<void()>> undo;
  Motion *find(int id) {
    for (auto &[at, m] : columns)
      if (at == id)
        return &m;
    return nullptr;
  }
  void set(int id, Motion m) {
    if (Motion *p = find(id)) {
      undo.push_back([this, id, old = *p] { *find(id) = old; });
      *p = m;
    } else
      columns.emplace_back(id, m);
  }
};

double undone(const double *x, int n) {
  Store store;
  for (int i = 0; i < n; ++i)
    store.set(i, Motion{x[i], 0.1 * i, x[i] * x[0]});
  store.set(1, Motion{1, 2, x[0]});
  store.set(2, Motion{x[1], x[2], x[0]});
  store.undo.front()();
  double s = 0;
  for (auto &[id, m] : store.columns)
    s += m.x * m.x + m.y * m.angle;
  return s;
}

/// A text beside a number and a pointer, whose characters are looked at by an
/// index, and overwritten while the derivative runs.
struct Row {
  double value;
  char label[12];
  double *data;
};

int length(const char *text, int room) {
  while (room > 0 && text[room - 1] == ' ')
    --room;
  return room;
}

double labelled(const double *x, int n) {
  Row row;
  row.data = new double[size_t(n)];
  memset(row.label, ' ', sizeof row.label);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    row.label[i] = 'a';
    row.value = x[i] * x[i];
    row.data[i] = sin(row.value);
    if (length(row.label, int(sizeof row.label)) % 2)
      s += row.data[i] * row.value;
    else
      s += row.value;
    if (i == 3)
      memset(row.label, ' ', 6);
    else if (i == 4)
      snprintf(row.label, sizeof row.label, "%.*s", i, "abcdefg");
  }
  delete[] row.data;
  return s;
}

/// The text is the caller's, and changed through another pointer.
double read_by(const char *text, char *other, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (text[i] == '+')
      s += x[i] * x[i];
    else
      s -= x[i] * x[i] * x[i];
    other[i + 1 < n ? i + 1 : 0] = i % 3 ? '+' : '-';
  }
  return s;
}

double through(const double *x, int n) {
  char text[16];
  memset(text, '+', sizeof text);
  return read_by(text, text, x, n);
}

void text_of_caller() {
  constexpr int n = 6;
  const double x[n] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  double g[n] = {};
  char text[n];
  memset(text, '+', sizeof text);
  __enzyme_autodiff(reinterpret_cast<void *>(read_by), enzyme_const, text,
                    enzyme_const, text, enzyme_dup, x, g, enzyme_const, n);
  for (int i = 0; i < n; ++i) // text[i] was changed when i - 1 ran
    NEAR(g[i], i == 0 || (i - 1) % 3 ? 2 * x[i] : -3 * x[i] * x[i], 1e-12);
}

/// The distance of a range of size_t is an integer of 128 bits.
double wide(const double *x, int n) {
  std::vector<double> v(x, x + n), up;
  auto squares = std::views::iota(size_t(0), v.size() - 1) |
                 std::views::transform([&](size_t i) {
                   return (v[i + 1] - v[i]) * (v[i + 1] - v[i]);
                 }) |
                 std::views::common;
  std::ranges::copy(squares, std::back_inserter(up));
  double s = up.front() * 2 + up.back();
  for (__int128 i = 0; i < n; i += 2)
    s += x[i] * x[i] * double(i);
  return s;
}

} // namespace

int main() {
  check_modes<chosen>();
  check_modes<copied>();
  check_modes<hidden>();
  check_modes<terms>();
  check_modes<counted>();
  check_modes<undone>();
  check_modes<labelled>();
  check_modes<through>();
  text_of_caller();
  check_modes<wide>();
  return finish();
}
