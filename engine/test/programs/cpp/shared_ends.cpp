// Containers of one function that are destroyed where an exception leaves it:
// LLVM gives back the memory of several by one call, which takes them for one
// kind of memory. An image that the request marks constant would be active.
#include "../check.h"

#include <functional>
#include <numeric>
#include <vector>

namespace {

struct Image {
  int width, height;
  std::vector<double> pixels;
};

std::vector<Image> pyramid(Image base, int levels, double factor) {
  std::vector<Image> out;
  for (int l = 0; l < levels; ++l) {
    Image soft = base;
    soft.pixels[0] *= factor;
    Image half = soft;
    out.push_back(base);
    base = half;
  }
  return out;
}

double energy(const double *x, const Image *image) {
  auto images = pyramid(*image, 3, x[0]);
  double sum = 0;
  for (size_t l = 0; l < images.size(); ++l)
    for (int i = 0; i < images[l].width * images[l].height; ++i)
      sum += images[l].pixels[size_t(i)] * images[l].pixels[size_t(i)];
  std::vector<double> more(3, x[0]);
  return sum + std::transform_reduce(more.begin(), more.end(), 0.0,
                                     std::plus<>(),
                                     [](double v) { return v * v; });
}

} // namespace

int main() {
  const Image image{2, 2, {0.3, 0.4, 0.5, 0.6}};
  double x[1] = {0.7}, dx[1] = {}, v[1] = {2};
  // The first pixel is 0.3, 0.3 x and 0.3 x^2.
  const double want = 0.09 * (2 * 0.7 + 4 * 0.7 * 0.7 * 0.7) + 6 * 0.7;
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, &image);
  NEAR(dx[0], want, 1e-13);
  const double tangent =
      __enzyme_fwddiff((void *)energy, enzyme_dup, x, v, enzyme_const, &image);
  NEAR(tangent, 2 * want, 1e-13);
  NEAR(image.pixels[0], 0.3, 0);
  return finish();
}
