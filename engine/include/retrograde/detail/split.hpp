// Split mode: the function now, its gradient later.
#ifndef RETROGRADE_DETAIL_SPLIT_HPP
#define RETROGRADE_DETAIL_SPLIT_HPP

#include "autodiff.hpp"

namespace retro {
namespace detail {

/// What the first pass of split mode does with the result of the function.
template <class Result> constexpr Yield splitYield() {
  constexpr Yield Y = yieldOf<Result>();
  return Y == Yield::Pointer ? Yield::Nothing : Y;
}

/// Copies the numbers of one object into those of another, in place.
template <class T> void copyNumbers(T &To, const T &From) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    To = From;
  } else {
    std::vector<WidestNumber<T>> Numbers;
    T Copy(From);
    forEachNumber(Copy, [&](auto &Number) { Numbers.push_back(Number); });
    std::size_t I = 0;
    forEachNumber(To, [&](auto &Number) {
      if (I < Numbers.size())
        Number = static_cast<Plain<decltype(Number)>>(Numbers[I]);
      ++I;
    });
    checkSeed(Numbers.size(), I);
  }
}

template <class Result, Yield Y> struct SplitResult {
  Result Value{};
};
template <class Result> struct SplitResult<Result, Yield::Object> {
  Result Value{}, Shadow{};
};
template <> struct SplitResult<void, Yield::Nothing> {};

template <class F, class C, class Sequence, class Slots, class... W>
class AugmentedPass;

/// The pass that has run, and what the other one needs. It refers to itself,
/// and to the objects that the wrappers refer to.
template <class F, class C, std::size_t... I, class... Slot, class... W>
class AugmentedPass<F, C, std::index_sequence<I...>, SlotList<Slot...>, W...> {
  using Object = std::remove_reference_t<F>;
  using Result = typename C::Result;
  using G = Gradients<Slot...>;
  using Calls = Thunk<Object, Result, Slot...>;
  static constexpr Yield Y = splitYield<Result>();
  static constexpr std::size_t End = G::End;
  static constexpr bool Void = std::is_void_v<Result>;
  /// Is the result returned? Else it is an argument, or dropped.
  static constexpr bool Direct =
      Y == Yield::Number || (Y == Yield::Nothing && !Void && byValue<Result>);
  using Extra =
      std::conditional_t<Y == Yield::Object,
                         DupMarks<MarkDup, Datum<void *>, 1>, Cells<>>;
  using Back = Returned<typename G::template ReturnedBy<Slot>...>;

public:
  RETRO_THROUGH AugmentedPass(F &&Callable, W &...Arguments)
      : Callable(static_cast<F &&>(Callable)), Arguments(Arguments...),
        All(std::tuple_cat(zeroGradient<Slot>(Arguments)...)) {
    (Slot::template place<G::At.Cell[I]>(Values, std::get<I>(this->Arguments),
                                         G::template address<I, Slot>(All)),
     ...);
    auto At = Callee<Object>::pass(this->Callable);
    if constexpr (Y == Yield::Object) {
      set<End + 1>(Values, static_cast<void *>(std::addressof(Out.Value)));
      set<End + 2>(Values, static_cast<void *>(std::addressof(Out.Shadow)));
      Tape = Values.template augment<void *, &Calls::store>(Cells<>(), At);
    } else if constexpr (Direct) {
      auto Both = Values.template augment<Flat<void *, Result>, &Calls::result>(
          Cells<>(), At);
      Tape = leafAt<0>(Both);
      Out.Value = leafAt<1>(Both);
    } else {
      Tape = Values.template augment<void *, &Calls::effect>(Cells<>(), At);
    }
  }
  AugmentedPass(const AugmentedPass &) = delete;
  AugmentedPass &operator=(const AugmentedPass &) = delete;

  /// The value of the function.
  const auto &primal() const {
    static_assert(Y == Yield::Object || Direct,
                  "retro::augmented: the function has no value to return");
    return Out.Value;
  }

  /// Runs the reverse pass, once. Seed: the derivative with respect to the
  /// result. Returns the gradients, one for each Active argument.
  template <class SeedValue = double>
  RETRO_THROUGH auto reverse(const SeedValue &Seed = 1) {
    if constexpr (Y == Yield::Number) {
      return run<&Calls::result>(static_cast<Result>(Seed));
    } else if constexpr (Y == Yield::Object) {
      static_assert(std::is_same_v<SeedValue, Result>,
                    "retro::augmented: reverse takes a value of the type that "
                    "the function returns, the weights of its numbers");
      copyNumbers(Out.Shadow, Seed);
      return run<&Calls::store>();
    } else if constexpr (Direct) {
      return run<&Calls::result>();
    } else {
      return run<&Calls::effect>();
    }
  }

private:
  template <auto Calling, class... Seed> RETRO_THROUGH auto run(Seed... Start) {
    if (!Tape) {
      std::fputs("retro::augmented: reverse was called twice\n", stderr);
      std::abort();
    }
    void *Used = Tape;
    Tape = nullptr;
    auto At = Callee<Object>::pass(Callable);
    if constexpr (std::is_void_v<Back>) {
      Values.template back<void, Calling>(Cells<>(), At, Start..., Used);
    } else {
      Back Returned =
          Values.template back<Back, Calling>(Cells<>(), At, Start..., Used);
      (G::template keep<I, 0, Slot>(All, Returned), ...);
    }
    return std::move(All);
  }

  F Callable;
  std::tuple<W...> Arguments;
  decltype(std::tuple_cat(zeroGradient<Slot>(std::declval<W &>())...)) All;
  Row<Joined<typename Slot::Marks..., Extra>> Values;
  SplitResult<Result, Y> Out;
  void *Tape = nullptr;
};

template <class F, class... W> constexpr bool splitFits() {
  using Object = std::remove_reference_t<F>;
  constexpr bool Known = std::is_class_v<Object>;
  static_assert(Known,
                "retro::augmented: the two passes must agree on the function "
                "at compile time. Write retro::Function<f>{} instead of f, or "
                "a lambda");
  return Known;
}

} // namespace detail

/// Runs F and keeps what its gradient needs: call reverse() on the result,
/// once, when the seeds are known.
template <class F, class... W>
[[nodiscard]] RETRO_THROUGH auto augmented(F &&Callable, W &&...Arguments) {
  using namespace detail;
  using Object = std::remove_reference_t<F>;
  if constexpr (!splitFits<F, W...>())
    return Wrong();
  else if constexpr (!argumentsFit<Reverse, Plain<W>...>())
    return Wrong();
  else if constexpr (!callFits<Reverse, Object, Plain<W>...>())
    return Wrong();
  else {
    using C = Call<Reverse, Object, Plain<W>...>;
    return AugmentedPass<F, C, std::index_sequence_for<W...>, typename C::Slots,
                         Plain<W>...>(std::forward<F>(Callable), Arguments...);
  }
}

} // namespace retro

#endif // RETROGRADE_DETAIL_SPLIT_HPP
