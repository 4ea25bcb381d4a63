// flags: -std=c++20
// 8-byte slots reused for a double, a pointer, two floats, an integer through
// memcpy and bit_cast, tags beside, in loops
#include "../user.h"
#include <bit>
#include <vector>
struct Slot {
  uint64_t bits;
};
static Slot put(double d) { return {std::bit_cast<uint64_t>(d)}; }
static Slot put(const double *p) {
  Slot s;
  memcpy(&s.bits, &p, 8);
  return s;
}
static Slot put(long k) { return {(uint64_t)k}; }
static double dbl(Slot s) { return std::bit_cast<double>(s.bits); }
static const double *ptr(Slot s) {
  const double *p;
  memcpy(&p, &s.bits, 8);
  return p;
}
struct Frame {
  Slot slot[6];
  unsigned char tag[6];
};
static double read(const Frame &f, int i) {
  switch (f.tag[i]) {
  case 1:
    return dbl(f.slot[i]);
  case 2:
    return *ptr(f.slot[i]);
  case 3:
    return (double)(long)f.slot[i].bits;
  default:
    return 0;
  }
}
static void swap(Frame &f, int i, int j) {
  std::swap(f.slot[i], f.slot[j]);
  std::swap(f.tag[i], f.tag[j]);
}
static double f(const double *x, int n) {
  std::vector<Frame> stack(1);
  memset(&stack[0], 0, sizeof(Frame));
  double s = 0;
  for (int i = 0; i < 3 * n + 3; ++i) {
    Frame &fr = stack.back();
    int k = i % 6;
    switch ((i + i / 6) % 4) {
    case 0:
      fr.slot[k] = put(x[i % n] * 0.7);
      fr.tag[k] = 1;
      break;
    case 1:
      fr.slot[k] = put(x + i % n);
      fr.tag[k] = 2;
      break;
    case 2:
      fr.slot[k] = put((long)(i % 5));
      fr.tag[k] = 3;
      break;
    default:
      fr.slot[k] = put(read(fr, (k + 1) % 6) * x[i % n]);
      fr.tag[k] = 1;
    }
    if (i % 3 == 0)
      swap(fr, 0, 5);
    if (i % 5 == 1) {
      Frame c = fr;
      c.slot[2] = c.slot[3];
      c.tag[2] = c.tag[3];
      stack.push_back(c);
    }
    if (i % 7 == 6 && stack.size() > 1) {
      s += read(stack.back(), 2);
      stack.pop_back();
    }
    for (int j = 0; j < 6; ++j)
      s += read(stack.back(), j) * (j + 1) * 0.05;
  }
  return s;
}
DERIVED(f)
