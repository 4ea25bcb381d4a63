// Attributes that say nothing are clang's errors, at the attribute.
// RUN: not clang -fplugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s
double reverse(double x, double seed);
int flag;

__attribute__((enzyme("gradeint", reverse))) double f1(double x);
// CHECK: attributes.c:[[@LINE-1]]:16: error: there is no attribute 'enzyme' of kind 'gradeint'
__attribute__((enzyme(reverse))) double f2(double x);
// CHECK: attributes.c:[[@LINE-1]]:16: error: the first operand of the attribute 'enzyme' is a string
__attribute__((enzyme_function_like)) double f3(double x);
// CHECK: attributes.c:[[@LINE-1]]:16: error: the attribute 'function_like' takes the name of a function, as a string
__attribute__((enzyme_inactive(1))) double f4(double x);
// CHECK: attributes.c:[[@LINE-1]]:16: error: wrong number of operands of the attribute 'inactive'
__attribute__((enzyme("gradient"))) double f5(double x);
// CHECK: attributes.c:[[@LINE-1]]:16: error: wrong number of operands of the attribute 'gradient'
__attribute__((enzyme("function_like", "sin"))) double v6;
// CHECK: attributes.c:[[@LINE-1]]:16: error: the attribute 'function_like' is one of functions
double (*variable)(double x, double seed);
__attribute__((enzyme("gradient", flag))) double f7(double x);
// CHECK: attributes.c:[[@LINE-1]]:{{[0-9]+}}: error: 'enzyme' attribute requires parameter 1 to be a constant expression
