// Two sources whose device code is linked: main.cu makes requests, and part.cu
// defines what they differentiate.
#pragma once
#include "../requests.h"

constexpr int Size = 32, Blocks = 2, N = Blocks * Size;

/// Of part.cu: a function that is called, one with shared memory and barriers
/// that a request names, and one with a derivative of its own.
__device__ double curve(double X, double A);
__device__ void turned(const double *X, double *Y);
__device__ double smoothed(double X);
/// Reads a variable of part.cu that has a shadow.
__device__ double weighted(double X);

/// On the host: sets what curve() reads, and the weight.
void setSecond(double Factor);
void setWeight(double Weight);
/// What was added to the weight's shadow.
double weightShadow();
/// A request of part.cu that needs nothing else: d(x²)/dx at each of X.
std::vector<double> squares(const std::vector<double> &X);
