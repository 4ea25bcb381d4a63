// What loops carry from one iteration to the next, and the reverse pass finds
// again backwards. The order of the iterations matters in all of them.
#include "../check.h"

#include <stddef.h>

enum { N = 16 };

/// How often the loops run; places are those of N numbers.
static int turns;

/// A generator of pseudorandom numbers chooses.
NOINLINE static double random_places(const double *x, UNUSED int size) {
  const int n = turns;
  uint32_t s = 12345;
  double y = 0.7;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    y = sin(y * x[s >> 28]) + 0.5 * x[i];
  }
  return y;
}

/// The other sides of a difference and of a product, of other widths.
NOINLINE static double turned(const double *x, UNUSED int size) {
  const int n = turns;
  uint16_t a = 77;
  uint64_t b = 0x123456789abcdefull;
  double y = 0.3;
  for (int i = 0; i < n; ++i) {
    y = cos(y + x[a & 15]) * x[b >> 60];
    a = (uint16_t)(41113u - a * 30011u);
    b = (9176543210987654321u ^ (0xbadc0ffee0ddf00du * b)) - 17;
  }
  return y;
}

/// Rotations, and a table of keys.
NOINLINE static double keyed(const double *x, UNUSED int size) {
  const int n = turns;
  static const uint32_t keys[5] = {0x9e3779b9, 0x7f4a7c15, 3, 0xf39cc060, 1};
  uint32_t s = 1, t = 0x51ed270b, w = 9;
  double y = 0.4;
  for (int i = 0; i < n; ++i) {
    y = cos(y * y * x[s & 15]) * x[t & 15] + 0.01 * x[w & 15] * y;
    s = ((s << 7) | (s >> 25)) ^ keys[i % 5];
    t = __builtin_bswap32(t + (uint32_t)i * 77u);
    w = (w >> (i & 31)) | (w << (-i & 31));
  }
  return y;
}

/// Three numbers change places.
NOINLINE static double swapped(const double *x, UNUSED int size) {
  const int n = turns;
  int a = size - 1, b = 3, c = 5;
  double sign = 1, y = 0.2;
  for (int i = 0; i < n; ++i) {
    y = sign * y * y + x[a] * x[b] - 0.3 * y * x[c];
    const int t = a;
    a = b;
    b = c ^ 1;
    c = t;
    sign = -sign;
  }
  return y;
}

/// The one before the last is the last of the iteration before.
NOINLINE static double three_terms(const double *x, UNUSED int size) {
  const int n = turns;
  double before = 0.3, y = 0.5;
  for (int i = 0; i < n; ++i) {
    const double next = sin(y) * before + x[i] * y * y;
    before = y;
    y = next;
  }
  return y * before;
}

/// Two arrays take turns; what is read of one is overwritten later.
NOINLINE static double taking_turns(const double *x, UNUSED int size) {
  const int n = turns;
  double u[N], v[N], *from = u, *to = v, sum = 0;
  for (int i = 0; i < size; ++i)
    u[i] = x[i], v[i] = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < size; ++i)
      to[i] = 0.6 * sin(from[i] * from[(i + 1) % size]) + 0.4 * from[i];
    double *was = from;
    from = to;
    to = was;
  }
  for (int i = 0; i < size; ++i)
    sum += from[i];
  return sum;
}

/// The sum of all that a table says, as a pointer and as a number.
NOINLINE static double steps(const double *x, UNUSED int size) {
  const int n = turns;
  static const int length[4] = {3, 1, 0, 2};
  const double *p = x;
  int at = size - 1;
  double y = 0.6;
  for (int i = 0; i < n; ++i) {
    y = y * p[0] + sin(y * x[at & 15]);
    p += length[i & 3];
    at -= length[(i * 3) & 3];
    if (p - x > size - 4)
      return y * p[0];
  }
  return y;
}

/// Loops in loops: each keeps its last number for every turn of the outer.
NOINLINE static double nested(const double *x, UNUSED int size) {
  const int n = turns;
  uint32_t s = 1;
  double y = 0.4;
  for (int i = 0; i < n; ++i) {
    uint32_t t = s * 3u;
    const int inner = i % 4;
    for (int j = 0; j < inner; ++j) {
      y = sin(y) * x[t & 15] + 0.2 * x[s & 15] * y;
      t = t * 5u + s;
    }
    s += t ^ 11u;
    s = s * 7u + 1u;
  }
  return y;
}

/// Loops that are left in the middle, at one of two places.
NOINLINE static double broken_off(const double *x, UNUSED int size) {
  const int n = turns;
  uint32_t s = 5;
  double y = 0.9;
  for (int i = 0;; ++i) {
    y = y * y * x[s & 15] + 0.1 * x[i];
    if (y > 1.4 || i == n - 1)
      break;
    s = s * 13u + 7u;
    if ((s & 63) == 63)
      return y * y;
    y += 0.3 * sin(x[s & 15]);
  }
  return y + x[s & 15];
}

/// What the step reads is no longer there.
NOINLINE static double overwritten(const double *x, UNUSED int size) {
  const int n = turns;
  int table[N];
  uint32_t s = 3;
  double y = 0.5;
  for (int i = 0; i < size; ++i)
    table[i] = 3 * i + 1;
  for (int i = 0; i < n; ++i) {
    y = sin(y * x[s & 15]) + x[i] * y;
    s += (uint32_t)table[i];
    table[(i * 7) & 15] = i;
  }
  return y;
}

/// Called in a loop, with a pass of its own each.
NOINLINE static double step_of(const double *x, int n, uint32_t s) {
  double y = 0.5;
  if (n < 0)
    return step_of(x, n + 1, s);
  for (int i = 0; i < n; ++i) {
    y = sin(y * x[s & 15]) + 0.1 * x[i];
    s = s * 29u + 3u;
  }
  return y;
}

NOINLINE static double called(const double *x, UNUSED int size) {
  const int n = turns;
  double y = 0;
  for (int i = 0; i < n && i < size; ++i)
    y += step_of(x, i % 5, (uint32_t)i) * (1 + y);
  return y;
}

#define CHECK(f)                                                               \
  for (turns = 1; turns <= N; turns += 3) {                                    \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, N);                         \
    GRADIENT(f, x, g, N);                                                      \
  }

MARKERS(enzyme_width);

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i)
    x[i] = 0.6 + 0.37 * ((7 * i) % N) / N;
  CHECK(random_places)
  CHECK(turned)
  CHECK(keyed)
  CHECK(swapped)
  CHECK(three_terms)
  CHECK(taking_turns)
  CHECK(steps)
  CHECK(nested)
  CHECK(broken_off)
  CHECK(overwritten)
  CHECK(called)
  // Each lane has shadows that take turns.
  for (turns = 1; turns <= 4; ++turns) {
    double one[N] = {0}, other[N] = {0};
    __enzyme_autodiff((void *)taking_turns, enzyme_width, 2, enzyme_dup, x, one,
                      other, N);
    GRADIENT(taking_turns, x, one, N);
    GRADIENT(taking_turns, x, other, N);
  }
  return finish();
}
