// Numbers that go through text in C++.
// RUN: %retro-clang++ -O2 -std=c++17 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O0 -std=c++17 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STREAM
#include <sstream>
#include <string>
template <typename R, typename... A> R __enzyme_autodiff(A...);

// CHECK: warning: {{.*}}[retro-number-read-back]
static double byString(double X) { return std::stod(std::to_string(X)) * 2; }
// CHECK: warning: {{.*}}[retro-number-read-back]
// STREAM: warning: {{.*}}[retro-number-read-back]
static double byStream(double X) {
  std::stringstream S;
  S << X;
  double D;
  S >> D;
  return D * 2;
}
// CHECK: warning: {{.*}}[retro-number-read-back]
// STREAM: warning: {{.*}}[retro-number-read-back]
static double asBytes(double X) {
  std::stringstream S;
  double D = 0;
  S.write(reinterpret_cast<char *>(&X), sizeof X);
  S.read(reinterpret_cast<char *>(&D), sizeof D);
  return D * 2;
}
// What is only written, or only read, is no such number.
// CHECK-NOT: warning:
static double log(double X) {
  std::stringstream S;
  S << X;
  return X * double(S.str().size());
}
double request(double X) {
  return __enzyme_autodiff<double>((void *)byString, X) +
         __enzyme_autodiff<double>((void *)byStream, X) +
         __enzyme_autodiff<double>((void *)asBytes, X) +
         __enzyme_autodiff<double>((void *)log, X);
}
