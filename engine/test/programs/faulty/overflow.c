// Reads past the end of a block: AddressSanitizer must say so.
#include <stdlib.h>

int main(int argc, char **argv) {
  double *block = (double *)calloc(3, sizeof(double));
  double value = block[argc + 2];
  free(block);
  (void)argv;
  return value > 1;
}
