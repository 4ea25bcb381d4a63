// How the programs of docs/modes/ check what they print: each ends with
// `return finish();`, which is not zero if a derivative was wrong.
#ifndef RETROGRADE_EXAMPLES_MODES_CHECK_H
#define RETROGRADE_EXAMPLES_MODES_CHECK_H

#include <cmath>
#include <cstdio>

static int failures;

/// |got - want| <= tolerance max(|want|, 1); a NaN fails.
static inline void expect(const char *what, double got, double want,
                          double tolerance = 1e-12) {
  if (std::fabs(got - want) <= tolerance * std::fmax(std::fabs(want), 1))
    return;
  ++failures;
  std::printf("%s is %.17g, expected %.17g\n", what, got, want);
}

static inline int finish() {
  std::puts(failures ? "WRONG" : "all as expected");
  return failures != 0;
}

#endif // RETROGRADE_EXAMPLES_MODES_CHECK_H
