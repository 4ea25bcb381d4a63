// A signed sum that does not fit: UndefinedBehaviorSanitizer must say so.
#include <limits.h>

int main(int argc, char **argv) {
  int large = INT_MAX - 1;
  (void)argv;
  return large + argc + argc == 0;
}
