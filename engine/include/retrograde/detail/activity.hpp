// The modes of retro::autodiff, and the wrappers that say what an argument is.
#ifndef RETROGRADE_DETAIL_ACTIVITY_HPP
#define RETROGRADE_DETAIL_ACTIVITY_HPP

#include "values.hpp"

#include <array>

namespace retro {

// ---- modes

template <bool Primal, std::size_t Lanes = 1> struct ReverseMode {};
template <bool Primal, std::size_t Lanes = 1> struct ForwardMode {};

/// Adjoints: the gradient of one result with respect to every active argument.
using Reverse = ReverseMode<false>;
/// The same, and the value of the function.
using ReverseWithPrimal = ReverseMode<true>;
/// Tangents: the derivative of every result along one direction.
using Forward = ForwardMode<false>;
/// The same, and the value of the function.
using ForwardWithPrimal = ForwardMode<true>;

/// Several adjoints or tangents in one pass over the function.
template <std::size_t Lanes> using ReverseVector = ReverseMode<false, Lanes>;
template <std::size_t Lanes>
using ReverseVectorWithPrimal = ReverseMode<true, Lanes>;
template <std::size_t Lanes> using ForwardVector = ForwardMode<false, Lanes>;
template <std::size_t Lanes>
using ForwardVectorWithPrimal = ForwardMode<true, Lanes>;

// ---- arguments

/// Differentiated, by value: its derivative is in the result (reverse mode).
template <class T> struct Active {
  using Value = std::decay_t<T>;
  Value value;

  constexpr Active(Value V) : value(std::move(V)) {}

private:
  static constexpr bool Held =
      !std::is_pointer_v<Value> && !std::is_null_pointer_v<Value>;
  static_assert(Held,
                "retro::Active of a pointer: the derivative with respect to "
                "what it points to needs memory of its own. Write "
                "Duplicated<T *>{&x, &dx}");
  static constexpr bool Divisible =
      !std::is_integral_v<Value> && !std::is_enum_v<Value>;
  static_assert(Divisible,
                "retro::Active of an integer: only floating-point numbers have "
                "derivatives. Write Const");
};
template <class T> Active(T) -> Active<T>;

/// Not differentiated.
template <class T> struct Const {
  using Value = std::remove_const_t<T>;
  Value value;

  constexpr Const(Value V) : value(static_cast<Value &&>(V)) {}
};
/// Objects are referred to; numbers and pointers are copied.
template <class T>
Const(T &&)
    -> Const<std::conditional_t<std::is_lvalue_reference_v<T> &&
                                    std::is_class_v<std::remove_reference_t<T>>,
                                T, std::decay_t<T>>>;

/// The derivative of a result that reverse mode starts from, where it is not 1.
template <class T> struct Seed {
  using Value = std::decay_t<T>;
  Value value;

  constexpr Seed(Value V) : value(std::move(V)) {}
};
template <class T> Seed(T) -> Seed<T>;

namespace detail {

/// Stands for a parameter that nothing can be given for.
struct Nobody {
  explicit Nobody(Nobody *) = delete;
};

/// A value and its shadow. T is a pointer, a reference or, in forward mode, a
/// value. Of what is only read forward mode only reads the shadow, too, which
/// may be const then; reverse mode writes it.
template <class T> struct WithShadow {
  using Value = std::remove_const_t<T>;
  using Shadow =
      std::conditional_t<std::is_reference_v<T>,
                         std::remove_const_t<std::remove_reference_t<T>> &,
                         Value>;
  using ConstShadow =
      std::conditional_t<std::is_reference_v<T> &&
                             std::is_const_v<std::remove_reference_t<T>>,
                         T, Nobody>;
  Value value;
  Shadow shadow;
  bool readOnly = false; ///< the shadow of a const reference is const

  constexpr WithShadow(Value V, Shadow D)
      : value(static_cast<Value &&>(V)), shadow(static_cast<Shadow &&>(D)) {}
  constexpr WithShadow(Value V, ConstShadow D)
      : value(static_cast<Value &&>(V)), shadow(const_cast<Shadow>(D)),
        readOnly(true) {}

  template <class V, class = std::enable_if_t<
                         !std::is_base_of_v<WithShadow, std::decay_t<V>>>>
  constexpr WithShadow(V &&X) : value(X), shadow(X) {
    static_assert(
        never<V>,
        "retro::Duplicated without a shadow: it takes a value and the "
        "place of its derivative, Duplicated<T *>{&x, &dx}");
  }
};

/// Two lvalues are referred to, by a const reference where one is const;
/// anything else is copied.
template <class T, class U>
using ShadowedType = std::conditional_t<
    std::is_lvalue_reference_v<T> && std::is_lvalue_reference_v<U> &&
        !std::is_pointer_v<std::remove_reference_t<T>> &&
        !std::is_array_v<std::remove_reference_t<T>>,
    std::conditional_t<std::is_const_v<std::remove_reference_t<U>>,
                       const std::remove_reference_t<T> &, T>,
    std::decay_t<T>>;

} // namespace detail

/// Differentiated, in memory: the shadow has the shape of the value. Reverse
/// mode adds the gradient to the shadow; in forward mode it holds the tangent.
template <class T> struct Duplicated : detail::WithShadow<T> {
  using detail::WithShadow<T>::WithShadow;
};
template <class T, class U>
Duplicated(T &&, U &&) -> Duplicated<detail::ShadowedType<T, U>>;
template <class T> Duplicated(T &&) -> Duplicated<std::decay_t<T>>;

/// The same, for memory that is only written and whose value nobody needs.
template <class T> struct DuplicatedNoNeed : detail::WithShadow<T> {
  using detail::WithShadow<T>::WithShadow;
};
template <class T, class U>
DuplicatedNoNeed(T &&, U &&) -> DuplicatedNoNeed<detail::ShadowedType<T, U>>;
template <class T> DuplicatedNoNeed(T &&) -> DuplicatedNoNeed<std::decay_t<T>>;

/// In vector mode: one shadow for each lane, Lanes of them. T is a pointer, a
/// number or an object.
template <class T, std::size_t Lanes> struct BatchDuplicated {
  using Value = std::remove_const_t<T>;
  Value value;
  std::array<std::remove_reference_t<Value>, Lanes> shadow;

  static constexpr bool ByAddress = !std::is_reference_v<T>;
  static_assert(ByAddress,
                "retro::BatchDuplicated of a reference: give the addresses, "
                "BatchDuplicated<T *, N>{&x, {&dx0, &dx1, …}}");
};
template <class T, std::size_t Lanes> struct BatchDuplicatedNoNeed {
  using Value = std::remove_const_t<T>;
  Value value;
  std::array<Value, Lanes> shadow;
};

} // namespace retro

#endif // RETROGRADE_DETAIL_ACTIVITY_HPP
