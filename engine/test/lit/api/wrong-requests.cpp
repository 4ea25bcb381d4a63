// Wrong requests of the typed interface: each is one sentence, at the user's
// line in a note, and nothing of the machinery behind it.
// RUN: not clang++ -std=c++17 -fsyntax-only -ferror-limit=0 -I%include %s > %t 2>&1
// RUN: FileCheck %s < %t && FileCheck --check-prefix=COUNT %s < %t
// RUN: not clang++ -std=c++20 -fsyntax-only -ferror-limit=0 -I%include %s 2>&1 | FileCheck %s
// COUNT-COUNT-31: error:
// COUNT-NOT: error:
#include <retrograde/retrograde.hpp>
#include <array>
#include <string>
#include <vector>
using namespace retro;

double scaled(double x, int n) { return x * n; }
double total(const double *x, int n) { return x[0] * n; }
double cube(double x) { return x * x * x; }
void fill(double *x) { x[0] = 1; }
int whole(double x) { return static_cast<int>(x); }
std::array<double, 2> both(double x) { return {x, x * x}; }
std::vector<double> many(double x) { return {x, x * x}; }
struct View { double *data; int n; };
double first(const View &v) { return v.data[0]; }
class Closed { public: explicit Closed(double x) : x(x) {} double get() const { return x; } private: double x; };
double open(const Closed &c) { return c.get(); }
struct Spring { double k; double energy(double x) const { return k * x; } };
struct NoDefault { explicit NoDefault(double x) : x(x) {} double x; };
NoDefault wrap(double x) { return NoDefault(x); }

void count() {
  autodiff<Reverse>(scaled, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: too few arguments. The function has more parameters
  // CHECK: wrong-requests.cpp:[[@LINE-2]]:
  autodiff<Reverse>(scaled, Active{1.0}, Const{2}, Const{3});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: too many arguments. The function has fewer parameters
  // CHECK: wrong-requests.cpp:[[@LINE-2]]:
  autodiff<Reverse>(scaled, Active{1.0}, Const{"two"});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the function cannot be called with these arguments.
  // CHECK: wrong-requests.cpp:[[@LINE-2]]:
  autodiff<Reverse>([](auto x) { return x; }, Active{1.0}, Active{2.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the function cannot be called with these arguments.
  autodiff<Reverse>(&Spring::energy, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: a pointer to a member function. Write retro::Function<&Class::method>{}, and give the object first
}

void wrappers(double *x) {
  autodiff<Reverse>(total, Active<const double *>{x}, Const{3});
  // CHECK: error: static assertion failed{{.*}}retro::Active of a pointer: {{.*}}Duplicated<T *>{&x, &dx}
  // CHECK: wrong-requests.cpp:[[@LINE-2]]:
  autodiff<Reverse>(scaled, Active{1.0}, Active{3});
  // CHECK: error: static assertion failed{{.*}}retro::Active of an integer: only floating-point numbers have derivatives. Write Const
  autodiff<Reverse>(total, Duplicated{x}, Const{3});
  // CHECK: error: static assertion failed{{.*}}retro::Duplicated without a shadow: {{.*}}Duplicated<T *>{&x, &dx}
  autodiff<Reverse>(scaled, 1.0, 3);
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: an argument without a wrapper. Say what each one is:
  autodiff<Forward>(scaled, Active{1.0}, Const{3});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: Active in forward mode. There a tangent is given with the value: Duplicated{x, dx}
  autodiff<Reverse>(cube, Duplicated{1.0, 0.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: Duplicated by value in reverse mode.
  autodiff<Reverse>(first, Active{View{x, 3}});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: Active of a type that has pointers in it.
  autodiff<Reverse>(open, Active{Closed(1)});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: Active of a class whose members cannot be seen.
  autodiff<ForwardVector<2>>(cube, Duplicated{1.0, 1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: Duplicated in vector mode, which needs a shadow for each lane.
  autodiff<ForwardVector<3>>(cube, BatchDuplicated<double, 2>{1.0, {1, 0}});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: a BatchDuplicated with another number of shadows than the mode has lanes
}

void results() {
  autodiff<int>(cube, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the first template argument is no mode.
  autodiff<Reverse>(both, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the function returns more than one number.
  autodiff<Reverse>(both, Seed{1.0}, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the type of the Seed is not the type of the function's result
  autodiff<Reverse>(cube, Active{1.0}, Seed{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: a Seed that does not come first.
  autodiff<Reverse>(whole, Seed{1.0}, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: a Seed, but the result has no derivative.
  autodiff<Forward>(cube, Seed{1.0}, Duplicated{1.0, 1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: a Seed in forward mode.
  autodiff<ReverseVector<2>>(cube, Seed{1.0}, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: in vector mode the Seed is a std::array
  autodiff<ReverseVector<2>>(many, Seed{std::array<std::vector<double>, 2>{}}, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: reverse vector mode of a function that returns a container.
  double x = 0, dx = 0;
  autodiff<ReverseWithPrimal>(fill, Duplicated{&x, &dx});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the function returns nothing, so there is no value to return. Use Reverse
  autodiff<Forward>(wrap, Duplicated{1.0, 1.0});
  // CHECK: error: static assertion failed{{.*}}retro::autodiff: the function returns an object of a class that has no default constructor.
  (void)augmented(cube, Active{1.0});
  // CHECK: error: static assertion failed{{.*}}retro::augmented: the two passes must agree on the function at compile time. Write retro::Function<f>{}
}

void conveniences(double *x) {
  gradient(total, x, 3);
  // CHECK: error: static assertion failed{{.*}}retro::gradient: a pointer does not say how much memory it leads to.
  gradient(first, View{x, 3});
  // CHECK: error: static assertion failed{{.*}}retro::gradient: an argument of a class that has pointers in it, or members that cannot be seen.{{.*}}or name its members in a function retro_visit
  gradient([](int n) { return 1.0 * n; }, 3);
  // CHECK: error: static assertion failed{{.*}}retro::gradient: there is nothing to differentiate
  directional(cube, 2.0, std::string("1"));
  // CHECK: error: static assertion failed{{.*}}retro: the direction is not of the type of the argument that it belongs to
  jacobian(first, View{x, 3});
  // CHECK: error: static assertion failed{{.*}}retro: the first argument is not a number, nor an array, container or struct of numbers alone
}
