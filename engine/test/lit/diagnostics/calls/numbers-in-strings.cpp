// Numbers among the characters of a std::string: the library moves those, and
// knows nothing of a shadow.
// RUN: not %retro-clang++ -O2 -DKIND=0 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=AMONG %s
// RUN: not %retro-clang++ -O0 -DKIND=0 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=AMONG %s
// RUN: not %retro-clang++ -O2 -DKIND=1 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=APPEND %s
// RUN: not %retro-clang++ -O2 -DKIND=2 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BYTE %s
// RUN: not %retro-clang++ -O2 -DKIND=3 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=COPY %s
// RUN: %retro-clang++ -O2 -DKIND=4 -c %s -o %t.o
// RUN: %retro-clang++ -O2 -DKIND=5 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STREAM %s
// AMONG: error: the shadow of this memory is not known (it is among a string's characters)
// APPEND: error: no derivative is known for the function '{{.*}}basic_string{{.*}}append
// BYTE: error: integer arithmetic on the bits of an active floating-point value ('{{.*}}basic_string
// COPY: error: the shadow of this memory is not known (it is among a string's characters)
// STREAM: warning: an active number was written as text, or to a file or stream, and the derivative of the number that is read here is zero
#include <algorithm>
#include <sstream>
#include <string.h>
#include <string>

extern int enzyme_out;
double __enzyme_autodiff(void *, int, double);

static double f(double x) {
  double y = 2 * x, t = x;
#if KIND == 0 // and moved with the string
  std::string b(80, 0);
  memcpy(&b[32], &y, sizeof(y));
  std::string c = std::move(b);
  memcpy(&t, &c[32], sizeof(t));
#elif KIND == 1
  std::string c;
  c.append((const char *)&y, sizeof(y));
  memcpy(&t, c.data(), sizeof(t));
#elif KIND == 2 // byte by byte
  std::string c;
  for (unsigned i = 0; i < sizeof(y); ++i)
    c += ((const char *)&y)[i];
  memcpy(&t, c.data(), sizeof(t));
#elif KIND == 3
  double a[3] = {x, y, t};
  std::string c(24, 0);
  std::copy((char *)a, (char *)(a + 3), c.begin());
  c = c.substr(8);
  memcpy(&t, c.data(), sizeof(t));
#elif KIND == 5 // where a stream has put them
  std::ostringstream s;
  s.write((const char *)&y, sizeof(y));
  std::string c = s.str();
  memcpy(&t, c.data(), sizeof(t));
#else // text beside numbers
  struct {
    double value;
    std::string name;
  } c{x, "name"};
  c.name[0] = char('a' + int(x));
  c.name += c.name;
  t = c.value * double(c.name.size());
#endif
  return t * t;
}

double df(double x) { return __enzyme_autodiff((void *)f, enzyme_out, x); }
