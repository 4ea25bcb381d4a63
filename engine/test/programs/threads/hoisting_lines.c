// FLAGS: -fopenmp -g
// OPTIONS: -fsanitize-coverage=trace-pc
// With debug information a region is a function that calls another one: it is
// hoisted from as much.
#include "hoisting.c"
