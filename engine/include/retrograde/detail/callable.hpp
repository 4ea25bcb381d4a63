// What is called, and with which parameters.
#ifndef RETROGRADE_DETAIL_CALLABLE_HPP
#define RETROGRADE_DETAIL_CALLABLE_HPP

#include "values.hpp"

namespace retro {

/// A function or a member function as a type: Function<&Spring::energy>{} is
/// called with the object (or its address) first.
template <auto F> struct Function {
  template <class... A>
  constexpr auto operator()(A &&...Args) const
      -> decltype(F(std::forward<A>(Args)...)) {
    return F(std::forward<A>(Args)...);
  }
  template <class Object, class... A>
  constexpr auto operator()(Object &&Self, A &&...Args) const
      -> decltype((std::forward<Object>(Self).*F)(std::forward<A>(Args)...)) {
    return (std::forward<Object>(Self).*F)(std::forward<A>(Args)...);
  }
  template <class Object, class... A>
  constexpr auto operator()(Object *Self, A &&...Args) const
      -> decltype((Self->*F)(std::forward<A>(Args)...)) {
    return (Self->*F)(std::forward<A>(Args)...);
  }
};

namespace detail {

template <class... P> struct Parameters {
  static constexpr bool Known = true;
  static constexpr std::size_t Count = sizeof...(P);
  template <std::size_t I> using At = std::tuple_element_t<I, std::tuple<P...>>;
};
/// Those of overloaded functions and templates.
struct UnknownParameters {
  static constexpr bool Known = false;
  static constexpr std::size_t Count = 0;
  template <std::size_t> using At = void;
};

template <class M> struct OfMember {
  using Type = UnknownParameters;
  using WithObject = UnknownParameters;
};
#define RETRO_OF_MEMBER(...)                                                   \
  template <class R, class C, class... P>                                      \
  struct OfMember<R (C::*)(P...) __VA_ARGS__> {                                \
    using Type = Parameters<P...>;                                             \
    using WithObject = Parameters<void, P...>;                                 \
  };
RETRO_OF_MEMBER()
RETRO_OF_MEMBER(const)
RETRO_OF_MEMBER(noexcept)
RETRO_OF_MEMBER(const noexcept)
RETRO_OF_MEMBER(&)
RETRO_OF_MEMBER(const &)
RETRO_OF_MEMBER(& noexcept)
RETRO_OF_MEMBER(const & noexcept)
#undef RETRO_OF_MEMBER

template <class F, class = void> struct OfCallable {
  using Type = UnknownParameters;
};
template <class R, class... P> struct OfCallable<R (*)(P...)> {
  using Type = Parameters<P...>;
};
template <class R, class... P> struct OfCallable<R (*)(P...) noexcept> {
  using Type = Parameters<P...>;
};
template <auto F> struct OfCallable<Function<F>> {
  template <class M, bool Member> struct Pick {
    using Type = typename OfCallable<M>::Type;
  };
  template <class M> struct Pick<M, true> {
    using Type = typename OfMember<M>::WithObject;
  };
  using Type =
      typename Pick<decltype(F), std::is_member_pointer_v<decltype(F)>>::Type;
};
template <class F>
struct OfCallable<F, std::void_t<decltype(&F::operator())>>
    : OfMember<decltype(&F::operator())> {};

template <class F> using ParametersOf = typename OfCallable<F>::Type;

/// How a callable reaches the differentiated function: a function by value, an
/// object by address.
template <class F> struct Callee {
  using Raw = F *;
  using Callable = F &;
  static void *pass(F &Object) {
    return const_cast<void *>(
        static_cast<const void *>(std::addressof(Object)));
  }
};
template <class R, class... P> struct Callee<R (*)(P...)> {
  using Raw = R (*)(P...);
  using Callable = Raw;
  static Raw pass(Raw F) { return F; }
};
template <class R, class... P> struct Callee<R (*)(P...) noexcept> {
  using Raw = R (*)(P...);
  using Callable = Raw;
  static Raw pass(Raw F) { return F; }
};

} // namespace detail
} // namespace retro

#endif // RETROGRADE_DETAIL_CALLABLE_HPP
