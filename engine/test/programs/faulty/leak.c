// Loses the only pointer to a block: LeakSanitizer must say so.
#include <stdlib.h>

static void *volatile kept;

int main(void) {
  kept = malloc(24);
  kept = NULL;
  return 0;
}
