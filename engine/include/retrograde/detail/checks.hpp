// Wrong requests are told apart here, one sentence each, before any of the
// machinery is instantiated.
#ifndef RETROGRADE_DETAIL_CHECKS_HPP
#define RETROGRADE_DETAIL_CHECKS_HPP

#include "slots.hpp"

namespace retro::detail {

/// What a mode is.
template <class M> struct ModeOf {
  static constexpr bool Known = false, Forward = false, Primal = false;
  static constexpr std::size_t Lanes = 1;
};
template <bool P, std::size_t L> struct ModeOf<ReverseMode<P, L>> {
  static constexpr bool Known = true, Forward = false, Primal = P;
  static constexpr std::size_t Lanes = L;
};
template <bool P, std::size_t L> struct ModeOf<ForwardMode<P, L>> {
  static constexpr bool Known = true, Forward = true, Primal = P;
  static constexpr std::size_t Lanes = L;
};

template <template <class> class Wrapper, class W>
struct Is : std::false_type {};
template <template <class> class Wrapper, class T>
struct Is<Wrapper, Wrapper<T>> : std::true_type {};

template <class W>
inline constexpr bool isShadowed =
    Is<Duplicated, W>::value || Is<DuplicatedNoNeed, W>::value;
/// The number of shadows of a batch, or 0.
template <class W> inline constexpr std::size_t batchOf = 0;
template <class T, std::size_t N>
inline constexpr std::size_t batchOf<BatchDuplicated<T, N>> = N;
template <class T, std::size_t N>
inline constexpr std::size_t batchOf<BatchDuplicatedNoNeed<T, N>> = N;
template <class W>
inline constexpr bool isWrapper =
    isShadowed<W> || batchOf<W> != 0 || Is<Const, W>::value ||
    Is<Active, W>::value || Is<Refer, W>::value;

/// What the mode says of one argument.
enum class Fit {
  Good,
  Plain,
  SeedInside,
  Forward,
  Lost,
  Pointers,
  Unseen,
  OneShadow,
  Batch
};

template <class T> constexpr Fit fitOfObject() {
  constexpr Contents In = contentsOf<T>();
  if (In.Pointers)
    return Fit::Pointers;
  return In.Opaque ? Fit::Unseen : Fit::Good;
}
template <class Mode, class W> constexpr Fit fitOf() {
  using M = ModeOf<Mode>;
  if constexpr (Is<Seed, W>::value)
    return Fit::SeedInside;
  else if constexpr (!isWrapper<W>)
    return Fit::Plain;
  else if constexpr (isShadowed<W> && M::Lanes != 1)
    return Fit::OneShadow;
  else if constexpr (batchOf<W> != 0 && M::Lanes != batchOf<W>)
    return Fit::Batch;
  else if constexpr (Is<Active, W>::value) {
    using X = typename W::Value;
    if constexpr (M::Forward)
      return Fit::Forward;
    else if constexpr (std::is_pointer_v<X> || std::is_integral_v<X> ||
                       std::is_enum_v<X>)
      return Fit::Good; // Active itself has said so.
    else
      return fitOfObject<X>();
  } else if constexpr ((isShadowed<W> || batchOf<W> != 0) && !M::Forward) {
    using X = typename W::Value;
    // Of a copy nobody reads the shadow; a view leads to memory elsewhere.
    if constexpr (std::is_pointer_v<X> || std::is_reference_v<X>)
      return Fit::Good;
    else
      return contentsOf<X>().Numbers || !std::is_trivially_copyable_v<X>
                 ? Fit::Lost
                 : Fit::Good;
  } else
    return Fit::Good;
}

template <Fit... F> constexpr Fit firstOf() {
  constexpr Fit All[] = {F..., Fit::Good};
  for (Fit One : All)
    if (One != Fit::Good)
      return One;
  return Fit::Good;
}

/// Is every argument one that this mode takes? The sentence if not.
template <class Mode, class... W> constexpr bool argumentsFit() {
  constexpr Fit F = firstOf<fitOf<Mode, W>()...>();
  constexpr bool Wrapped = F != Fit::Plain;
  static_assert(Wrapped,
                "retro::autodiff: an argument without a wrapper. Say what each "
                "one is: Active{x}, Const{n}, Duplicated{&x, &dx}, …");
  constexpr bool SeedFirst = F != Fit::SeedInside;
  static_assert(SeedFirst,
                "retro::autodiff: a Seed that does not come first. It is given "
                "in reverse mode, before the arguments of the function");
  constexpr bool WithTangent = F != Fit::Forward;
  static_assert(WithTangent,
                "retro::autodiff: Active in forward mode. There a tangent is "
                "given with the value: Duplicated{x, dx}");
  constexpr bool InMemory = F != Fit::Lost;
  static_assert(InMemory,
                "retro::autodiff: Duplicated by value in reverse mode. The "
                "derivative would be added to a copy: write Active{x}, or "
                "Duplicated<T *>{&x, &dx}, or Duplicated<T &>{x, dx}");
  constexpr bool WithoutPointers = F != Fit::Pointers;
  static_assert(
      WithoutPointers,
      "retro::autodiff: Active of a type that has pointers in it. Its "
      "shadow must point to memory of its own: make one, and write "
      "Duplicated<T &>{x, dx}");
  constexpr bool Visible = F != Fit::Unseen;
  static_assert(Visible,
                "retro::autodiff: Active of a class whose members cannot be "
                "seen. Write Duplicated<T &>{x, dx}, or define retro_visit(T "
                "&, visitor) beside the class");
  constexpr bool EnoughShadows = F != Fit::OneShadow;
  static_assert(
      EnoughShadows,
      "retro::autodiff: Duplicated in vector mode, which needs a "
      "shadow for each lane. Write BatchDuplicated<T *, N>{&x, {&dx0, "
      "&dx1, …}}");
  constexpr bool LaneForLane = F != Fit::Batch;
  static_assert(LaneForLane,
                "retro::autodiff: a BatchDuplicated with another number of "
                "shadows than the mode has lanes");
  return F == Fit::Good;
}

// ---- the call

template <class Mode, class W, class P>
using SlotOf =
    typename std::conditional_t<ModeOf<Mode>::Forward,
                                ForwardSlot<W, P, ModeOf<Mode>::Lanes>,
                                ReverseSlot<W, P, ModeOf<Mode>::Lanes>>::Type;

/// Parameter At of a function that has N, or void where that is not known.
template <class Of, std::size_t N, std::size_t At, class = void>
struct ParameterAt {
  using Type = void;
};
template <class Of, std::size_t N, std::size_t At>
struct ParameterAt<Of, N, At, std::enable_if_t<Of::Known && Of::Count == N>> {
  using Type = typename Of::template At<At>;
};

template <class Callable, class = void, class... Slot>
struct ResultImpl : std::false_type {
  using Type = void;
};
template <class Callable, class... Slot>
struct ResultImpl<Callable,
                  std::void_t<decltype(std::declval<Callable>()(
                      Slot::give(std::declval<typename Slot::Raw>())...))>,
                  Slot...> : std::true_type {
  using Type = decltype(std::declval<Callable>()(
      Slot::give(std::declval<typename Slot::Raw>())...));
};

template <class... Slot> struct SlotList {};

/// The slots of a request, and the call that its thunk makes.
template <class Mode, class F, class Sequence, class... W> struct CallImpl;
template <class Mode, class F, std::size_t... I, class... W>
struct CallImpl<Mode, F, std::index_sequence<I...>, W...> {
  using Of = ParametersOf<std::remove_const_t<F>>;
  template <std::size_t At, class X>
  using SlotAt =
      SlotOf<Mode, X, typename ParameterAt<Of, sizeof...(W), At>::Type>;
  using Slots = SlotList<SlotAt<I, W>...>;
  using Answer =
      ResultImpl<typename Callee<F>::Callable, void, SlotAt<I, W>...>;
  static constexpr bool Possible = Answer::value;
  using Result = Plain<typename Answer::Type>;
  /// Can the function be named in the request, without a thunk?
  static constexpr bool Direct =
      std::is_pointer_v<F> && Possible &&
      (std::is_void_v<typename Answer::Type> ||
       isNumber<typename Answer::Type>) &&
      (SlotAt<I, W>::template passesAs<
           typename ParameterAt<Of, sizeof...(W), I>::Type>() &&
       ...);
  static constexpr bool TooFew = Of::Known && sizeof...(W) < Of::Count;
  static constexpr bool TooMany = Of::Known && sizeof...(W) > Of::Count;
};
template <class Mode, class F, class... W>
using Call = CallImpl<Mode, F, std::index_sequence_for<W...>, W...>;

/// Can F be called with these arguments? The sentence if not.
template <class Mode, class F, class... W> constexpr bool callFits() {
  using C = Call<Mode, F, W...>;
  constexpr bool Callable = !std::is_member_pointer_v<F>;
  static_assert(Callable,
                "retro::autodiff: a pointer to a member function. Write "
                "retro::Function<&Class::method>{}, and give the object first");
  constexpr bool Right = !Callable || C::Possible;
  constexpr bool Enough = Right || !C::TooFew;
  static_assert(Enough,
                "retro::autodiff: too few arguments. The function has more "
                "parameters");
  constexpr bool NoneLeft = Right || !C::TooMany;
  static_assert(NoneLeft,
                "retro::autodiff: too many arguments. The function has fewer "
                "parameters");
  constexpr bool Fitting = Right || !Enough || !NoneLeft;
  static_assert(Fitting,
                "retro::autodiff: the function cannot be called with these "
                "arguments. Active and Const numbers are values, Duplicated<T "
                "*> is a T *, Duplicated<T &> is a T &");
  return Callable && C::Possible;
}

// ---- the result

/// How the result of the function is differentiated.
enum class Yield { Nothing, Number, Object, Pointer };

template <class Result> constexpr Yield yieldOf() {
  if constexpr (std::is_void_v<Result>)
    return Yield::Nothing;
  else if constexpr (isNumber<Result>)
    return Yield::Number;
  else if constexpr (std::is_pointer_v<Result>)
    return Yield::Pointer;
  else {
    constexpr Contents In = contentsOf<Result>();
    return In.Numbers || In.Pointers || In.Opaque ? Yield::Object
                                                  : Yield::Nothing;
  }
}

/// Reverse mode starts from 1.
struct NoSeed {};
/// The activity of the result follows from its type.
struct Deduced {};

/// Stands for a result, after an error has been reported.
struct Wrong {
  template <class T> operator T() const;
};

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_CHECKS_HPP
