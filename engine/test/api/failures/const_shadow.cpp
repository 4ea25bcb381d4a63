// Reverse mode writes the shadow of a const reference, which is const here.
#include <enzyme/enzyme>

static double square(const double &x) { return x * x; }

int main() {
  const double x = 3, dx = 0;
  enzyme::autodiff<enzyme::Reverse>(square,
                                    enzyme::Duplicated<const double &>{x, dx});
}
