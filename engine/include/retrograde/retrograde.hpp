// The typed C++ interface (C++17). A program that includes it is compiled with
// the plugin; nothing needs to be linked. docs/cpp-api.md has the manual.
//
//   retro::gradient(f, x, y)            gradients of plain arguments
//   retro::value_and_gradient(f, x, y)
//   retro::directional(f, x, v)         a derivative along a direction
//   retro::jacobian(f, x)               matrices of first
//   retro::hessian(f, x)                and second derivatives
//   retro::hessian_vector_product(f, x, v)
//   retro::autodiff<Mode>(f, Active{x}, Duplicated{&a, &da}, Const{n})
//   retro::augmented(f, Active{x})      the value now, the gradient later
#ifndef RETROGRADE_RETROGRADE_HPP
#define RETROGRADE_RETROGRADE_HPP

#include "detail/autodiff.hpp"
#include "detail/gradient.hpp"
#include "detail/products.hpp"
#include "detail/split.hpp"

#endif // RETROGRADE_RETROGRADE_HPP
