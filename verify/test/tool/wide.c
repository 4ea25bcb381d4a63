// No program where double is another word.
double wide(double x) {
  long double y = x;
  return (double)(y * y) / 3;
}
