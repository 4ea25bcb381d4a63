// A part of pointer.c.
typedef double function(double);
static double cube(double x) { return x * x * x; }
function *elsewhere(void) { return cube; }
