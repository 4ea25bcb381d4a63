// Gradients of functions of plain arguments, and products with a vector.
#ifndef RETROGRADE_DETAIL_GRADIENT_HPP
#define RETROGRADE_DETAIL_GRADIENT_HPP

#include "autodiff.hpp"

namespace retro {

/// A function's value and its gradient.
template <class V, class G> struct ValueAndGradient {
  V value;
  G gradient;
};

namespace detail {

// ---- plain arguments

/// What a plain argument is taken for.
enum class Role { Wrapped, Number, Object, Constant, Pointer, Unclear };

template <class A> constexpr Role roleOf() {
  using T = Plain<A>;
  if constexpr (isWrapper<T> || Is<Seed, T>::value)
    return Role::Wrapped;
  else if constexpr (isNumber<T>)
    return Role::Number;
  else if constexpr (byValue<T>)
    return Role::Constant;
  else if constexpr (std::is_function_v<std::remove_pointer_t<T>>)
    return Role::Constant;
  else if constexpr (std::is_pointer_v<T> || std::is_array_v<T>)
    return Role::Pointer;
  else {
    constexpr Contents In = contentsOf<T>();
    if constexpr (In.value())
      return Role::Object;
    else
      return In.Pointers || In.Opaque ? Role::Unclear : Role::Constant;
  }
}

/// A wrapper for an argument that has none: numbers and objects of numbers are
/// differentiated, the rest is constant.
template <class A> decltype(auto) active(A &X) {
  constexpr Role R = roleOf<A>();
  if constexpr (R == Role::Wrapped)
    return static_cast<A &>(X);
  else if constexpr (R == Role::Number)
    return Active<Plain<A>>(X);
  else if constexpr (R == Role::Object)
    return Refer<Plain<A>>{X};
  else if constexpr (std::is_class_v<A>)
    return Const<const A &>(X);
  else
    return Const<std::decay_t<A>>(X);
}
/// The same, for arguments that are not differentiated.
template <class A> decltype(auto) constant(A &X) {
  if constexpr (roleOf<A>() == Role::Wrapped)
    return static_cast<A &>(X);
  else if constexpr (std::is_class_v<A>)
    return Const<const A &>(X);
  else
    return Const<std::decay_t<A>>(X);
}

template <class... A> constexpr bool rolesFit() {
  constexpr bool NoPointer = ((roleOf<A>() != Role::Pointer) && ...);
  static_assert(NoPointer,
                "retro::gradient: a pointer does not say how much memory it "
                "leads to. Pass a std::vector or a std::array, or say what it "
                "is: Duplicated{p, dp} or Const{p}");
  constexpr bool Clear = ((roleOf<A>() != Role::Unclear) && ...);
  static_assert(Clear,
                "retro::gradient: an argument of a class that has pointers in "
                "it, or members that cannot be seen. Say what it is: "
                "Duplicated<T &>{x, dx} or Const<const T &>{x}, or name its "
                "members in a function retro_visit (docs/cpp-api.md)");
  constexpr bool Some =
      !NoPointer || !Clear ||
      ((roleOf<A>() == Role::Wrapped || roleOf<A>() == Role::Number ||
        roleOf<A>() == Role::Object) ||
       ...);
  static_assert(Some, "retro::gradient: there is nothing to differentiate, no "
                      "argument has a floating-point number in it");
  return NoPointer && Clear && Some;
}

/// One gradient is returned as itself, several as a tuple.
template <class... G> auto alone(std::tuple<G...> &&All) {
  if constexpr (sizeof...(G) == 1)
    return std::get<0>(std::move(All));
  else
    return std::move(All);
}

template <class Back> auto onlyGradient(Back &&All) {
  if constexpr (std::is_same_v<Plain<Back>, Wrong>)
    return Wrong();
  else
    return alone(std::get<0>(std::move(All)));
}
template <class Back> auto bothOf(Back &&All) {
  if constexpr (std::is_same_v<Plain<Back>, Wrong>) {
    return Wrong();
  } else {
    auto Gradient = alone(std::get<0>(std::move(All)));
    using V = std::tuple_element_t<1, Plain<Back>>;
    return ValueAndGradient<V, decltype(Gradient)>{std::get<1>(std::move(All)),
                                                   std::move(Gradient)};
  }
}

} // namespace detail

/// The gradient of a function that returns one number, with respect to every
/// number in its arguments: a value of the argument's type, or a std::tuple of
/// such where several arguments hold numbers. Wrapped arguments are what they
/// say; a Seed may come first.
template <class R, class... P, class... A>
RETRO_THROUGH auto gradient(R (*F)(P...), A &&...X) {
  if constexpr (!detail::rolesFit<std::remove_reference_t<A>...>())
    return detail::Wrong();
  else
    return detail::onlyGradient(autodiff<Reverse>(F, detail::active(X)...));
}
template <class F, class... A>
RETRO_THROUGH auto gradient(F &&Callable, A &&...X) {
  if constexpr (!detail::rolesFit<std::remove_reference_t<A>...>())
    return detail::Wrong();
  else
    return detail::onlyGradient(
        autodiff<Reverse>(Callable, detail::active(X)...));
}

/// The same with the value of the function: {value, gradient}.
template <class R, class... P, class... A>
RETRO_THROUGH auto value_and_gradient(R (*F)(P...), A &&...X) {
  if constexpr (!detail::rolesFit<std::remove_reference_t<A>...>())
    return detail::Wrong();
  else
    return detail::bothOf(autodiff<ReverseWithPrimal>(F, detail::active(X)...));
}
template <class F, class... A>
RETRO_THROUGH auto value_and_gradient(F &&Callable, A &&...X) {
  if constexpr (!detail::rolesFit<std::remove_reference_t<A>...>())
    return detail::Wrong();
  else
    return detail::bothOf(
        autodiff<ReverseWithPrimal>(Callable, detail::active(X)...));
}

} // namespace retro

#endif // RETROGRADE_DETAIL_GRADIENT_HPP
