// retro::autodiff: a request in any mode.
#ifndef RETROGRADE_DETAIL_AUTODIFF_HPP
#define RETROGRADE_DETAIL_AUTODIFF_HPP

#include "forward.hpp"
#include "reverse.hpp"

namespace retro {
namespace detail {

template <class W> inline constexpr bool isSeed = Is<Seed, W>::value;

template <class Mode> constexpr bool modeFits() {
  constexpr bool Known = ModeOf<Mode>::Known;
  static_assert(Known,
                "retro::autodiff: the first template argument is no mode. "
                "Modes are Reverse, ReverseWithPrimal, Forward, "
                "ForwardWithPrimal, ReverseVector<N>, ForwardVector<N>, …");
  return Known;
}

/// Checks a request step by step and runs it; Passed is the callable as the
/// thunk receives it.
template <class Mode, class Return, class F, class SeedArgument, class Passed,
          class... W>
RETRO_THROUGH auto differentiate(Passed Callable, SeedArgument &Start,
                                 W &...Arguments) {
  if constexpr (!modeFits<Mode>())
    return Wrong();
  else if constexpr (!argumentsFit<Mode, std::remove_const_t<W>...>())
    return Wrong();
  else if constexpr (!callFits<Mode, F, std::remove_const_t<W>...>())
    return Wrong();
  else {
    using C = Call<Mode, F, std::remove_const_t<W>...>;
    using R = typename C::Result;
    using Indices = std::index_sequence_for<W...>;
    if constexpr (ModeOf<Mode>::Forward) {
      if constexpr (!forwardResultFits<R, Return, Mode, SeedArgument>())
        return Wrong();
      else
        return ForwardRequest<Mode, F, C, Return, Indices,
                              typename C::Slots>::run(Callable, Arguments...);
    } else {
      if constexpr (!reverseResultFits<R, Return, Mode, SeedArgument>())
        return Wrong();
      else
        return ReverseRequest<Mode, F, C, Return, Indices,
                              typename C::Slots>::run(Callable, Start,
                                                      Arguments...);
    }
  }
}

/// Takes a seed off the front of the arguments.
template <class Mode, class Return, class F, class Passed, class First,
          class... W>
RETRO_THROUGH auto withSeed(Passed Callable, First &Head, W &...Tail) {
  if constexpr (isSeed<std::remove_const_t<First>>) {
    return differentiate<Mode, Return, F>(Callable, Head, Tail...);
  } else {
    NoSeed None;
    return differentiate<Mode, Return, F>(Callable, None, Head, Tail...);
  }
}
template <class Mode, class Return, class F, class Passed>
RETRO_THROUGH auto withSeed(Passed Callable) {
  NoSeed None;
  return differentiate<Mode, Return, F>(Callable, None);
}

/// Calls its first argument with the others.
struct Apply {
  template <class F, class... A>
  auto operator()(F &&Callable, A &&...X) const
      -> decltype(std::forward<F>(Callable)(std::forward<A>(X)...)) {
    return std::forward<F>(Callable)(std::forward<A>(X)...);
  }
};
inline constexpr Apply apply;

/// A callable that is itself differentiated is an argument like the others.
template <class Mode, class Return, class F, class First, class... W>
RETRO_THROUGH auto withObject(F &Callable, First &Head, W &...Tail) {
  void *At = Callee<const Apply>::pass(apply);
  if constexpr (isSeed<std::remove_const_t<First>>) {
    return differentiate<Mode, Return, const Apply>(At, Head, Callable,
                                                    Tail...);
  } else {
    NoSeed None;
    return differentiate<Mode, Return, const Apply>(At, None, Callable, Head,
                                                    Tail...);
  }
}
template <class Mode, class Return, class F>
RETRO_THROUGH auto withObject(F &Callable) {
  NoSeed None;
  return differentiate<Mode, Return, const Apply>(
      Callee<const Apply>::pass(apply), None, Callable);
}

} // namespace detail

/// The derivatives of F with respect to what the wrappers say.
///
///   Reverse             ((gradients…))          std::tuple of a std::tuple
///   ReverseWithPrimal   ((gradients…), value)
///   Forward             (tangent)
///   ForwardWithPrimal   (value, tangent)
///
/// In vector mode each gradient and tangent is a std::array, of one a lane.
/// `gradients` has one entry for each Active argument, of its type. A function
/// without a result has no tangent and no value. In reverse mode a Seed may
/// come first. Return = Const<R> says that the result is not differentiated; in
/// forward mode it is (value) then, and (value, tangent) with Duplicated<R>.
/// What F captures or holds is constant, unless F itself is wrapped.
template <class Mode, class Return = detail::Deduced, class R, class... P,
          class... W>
RETRO_THROUGH auto autodiff(R (*F)(P...), W &&...Arguments) {
  return detail::withSeed<Mode, Return, R (*)(P...)>(F, Arguments...);
}
template <class Mode, class Return = detail::Deduced, class R, class... P,
          class... W>
RETRO_THROUGH auto autodiff(R (*F)(P...) noexcept, W &&...Arguments) {
  return detail::withSeed<Mode, Return, R (*)(P...)>(F, Arguments...);
}
template <class Mode, class Return = detail::Deduced, class F, class... W>
RETRO_THROUGH auto autodiff(F &&Callable, W &&...Arguments) {
  using Object = std::remove_reference_t<F>;
  if constexpr (detail::Is<Const, std::remove_const_t<Object>>::value)
    return autodiff<Mode, Return>(Callable.value, Arguments...);
  else if constexpr (detail::isWrapper<std::remove_const_t<Object>>)
    return detail::withObject<Mode, Return>(Callable, Arguments...);
  else
    return detail::withSeed<Mode, Return, Object>(
        detail::Callee<Object>::pass(Callable), Arguments...);
}

} // namespace retro

#endif // RETROGRADE_DETAIL_AUTODIFF_HPP
