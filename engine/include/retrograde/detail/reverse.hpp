// Requests in reverse mode.
#ifndef RETROGRADE_DETAIL_REVERSE_HPP
#define RETROGRADE_DETAIL_REVERSE_HPP

#include "checks.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace retro::detail {

/// How a result is differentiated in reverse mode.
template <class Result, class Return> constexpr Yield reverseYield() {
  constexpr Yield Y = yieldOf<Result>();
  return Y == Yield::Pointer || Is<Const, Return>::value ? Yield::Nothing : Y;
}

template <class Result, class SeedArgument, std::size_t Lanes>
constexpr bool seedFits() {
  if constexpr (std::is_same_v<SeedArgument, NoSeed>)
    return true;
  else if constexpr (isNumber<Result> && Lanes == 1)
    return std::is_arithmetic_v<typename SeedArgument::Value>;
  else
    return std::is_same_v<typename SeedArgument::Value, PerLane<Result, Lanes>>;
}

template <class Result, class Return, class Mode, class SeedArgument>
constexpr bool reverseResultFits() {
  constexpr Yield Y = reverseYield<Result, Return>();
  constexpr bool Seeded = !std::is_same_v<SeedArgument, NoSeed>;
  constexpr std::size_t Lanes = ModeOf<Mode>::Lanes;
  constexpr bool Activity = std::is_same_v<Return, Deduced> ||
                            Is<Const, Return>::value ||
                            Is<Active, Return>::value;
  static_assert(Activity, "retro::autodiff: in reverse mode the result is "
                          "Active<R> or Const<R>");
  constexpr bool Value = !ModeOf<Mode>::Primal || !std::is_void_v<Result>;
  static_assert(Value, "retro::autodiff: the function returns nothing, so "
                       "there is no value to return. Use Reverse");
  constexpr bool Sown = !Seeded || Y != Yield::Nothing;
  static_assert(Sown, "retro::autodiff: a Seed, but the result has no "
                      "derivative. Seed the shadows of output arguments");
  constexpr bool Single = Seeded || Y != Yield::Object;
  static_assert(Single,
                "retro::autodiff: the function returns more than one number. "
                "Say which combination of them to differentiate, "
                "autodiff<Reverse>(f, Seed{weights}, …), or that none is, "
                "autodiff<Reverse, Const<R>>(f, …)");
  constexpr bool Typed = !Sown || seedFits<Result, SeedArgument, Lanes>();
  constexpr bool SameType = Typed || Lanes != 1;
  static_assert(SameType,
                "retro::autodiff: the type of the Seed is not the type of the "
                "function's result");
  constexpr bool OneForEachLane = Typed || Lanes == 1;
  static_assert(OneForEachLane,
                "retro::autodiff: in vector mode the Seed is a std::array with "
                "a value of the result's type for each lane");
  constexpr bool Simple =
      Y != Yield::Object || std::is_trivially_copyable_v<Result>;
  constexpr bool Seen =
      Simple || !Typed || !Single || contentsOf<Result>().value();
  static_assert(Seen,
                "retro::autodiff: the function returns a class whose members "
                "cannot be seen. Let it return a struct of numbers or a "
                "container, or write into an argument that is Duplicated<T &>");
  constexpr bool Flat = Simple || Lanes == 1 || !Seen || !Typed || !Single;
  static_assert(Flat,
                "retro::autodiff: reverse vector mode of a function that "
                "returns a container. Let it write into an argument that is "
                "BatchDuplicated");
  return Activity && Value && Sown && Single && Typed && Seen && Flat;
}

/// A result whose numbers are on the heap is differentiated as the sum of its
/// numbers, each times that of the seed.
template <class F, class Result, class... Slot> struct Weighted {
  using Sum = WidestNumber<Result>;
  static Sum sum(typename Callee<F>::Raw Callable, typename Slot::Raw... X,
                 const Sum *Weights, std::size_t Count, std::size_t *Seen,
                 Result *Out) {
    *Out = (*Callable)(Slot::give(X)...);
    Sum Total = 0;
    std::size_t I = 0;
    forEachNumber(*Out, [&](auto &Number) {
      if (I < Count)
        Total += Weights[I] * Number;
      ++I;
    });
    *Seen = I;
    return Total;
  }
};

inline void checkSeed(std::size_t Got, std::size_t Want) {
  if (Got == Want)
    return;
  std::fprintf(stderr,
               "retro::autodiff: the Seed holds %zu numbers, but the function "
               "returned %zu\n",
               Got, Want);
  std::abort();
}

inline void refuseReadOnly(bool ReadOnly) {
  if (!ReadOnly)
    return;
  std::fputs("retro::autodiff: the shadow of a const reference is const, and "
             "reverse mode writes it\n",
             stderr);
  std::abort();
}

/// The gradient of one argument before the request: zero, or nothing.
template <class Slot, class W> auto zeroGradient(W &Argument) {
  using G = typename Slot::Gradient;
  if constexpr (isShadowed<Plain<W>>)
    refuseReadOnly(Argument.readOnly);
  if constexpr (std::is_void_v<G>)
    return std::tuple<>();
  else if constexpr (std::is_same_v<G, Plain<decltype(Argument.value)>>)
    return std::tuple<G>(zeroLike(Argument.value));
  else {
    G Lanes;
    Lanes.fill(zeroLike(Argument.value));
    return std::tuple<G>(std::move(Lanes));
  }
}

/// Where the request adds a derivative, and what it returns.
template <class... Slot> struct Gradients {
  static constexpr typename Places<Slot...>::Table At = Places<Slot...>::At;
  static constexpr std::size_t End = At.Cell[sizeof...(Slot)];
  template <class S>
  using ReturnedBy =
      std::conditional_t<S::InResult, Cells<typename S::Gradient>, Cells<>>;

  template <std::size_t J, class S, class All> static auto address(All &Of) {
    if constexpr (std::is_void_v<typename S::Gradient> || S::InResult)
      return nullptr;
    else
      return std::addressof(std::get<At.Gradient[J]>(Of));
  }
  template <std::size_t J, std::size_t Skip, class S, class All, class T>
  static void keep(All &To, T &From) {
    if constexpr (S::InResult)
      std::get<At.Gradient[J]>(To) = returnedAt<Skip + At.Returned[J]>(From);
  }
};

template <class Mode>
using WidthOption =
    std::conditional_t<ModeOf<Mode>::Lanes == 1, Cells<>,
                       Cells<MarkWidth, Literal<ModeOf<Mode>::Lanes>>>;

template <class Mode, class F, class C, class Return, class Sequence,
          class Slots>
struct ReverseRequest;
template <class Mode, class F, class C, class Return, std::size_t... I,
          class... Slot>
struct ReverseRequest<Mode, F, C, Return, std::index_sequence<I...>,
                      SlotList<Slot...>> {
  using Result = typename C::Result;
  using G = Gradients<Slot...>;
  using Calls = Thunk<F, Result, Slot...>;
  using Sums = Weighted<F, Result, Slot...>;
  static constexpr Yield Y = reverseYield<Result, Return>();
  static constexpr bool Primal = ModeOf<Mode>::Primal;
  static constexpr std::size_t Lanes = ModeOf<Mode>::Lanes, End = G::End;

  static constexpr auto plain() {
    return Calls::template forResult<C::Direct>();
  }
  static constexpr auto effect() {
    return Calls::template forEffect<C::Direct>();
  }

  /// The cells of the arguments, and room for Extra.
  template <class Extra, class All, class... W>
  static auto row(All &To, W &...Arguments) {
    Row<Joined<typename Slot::Marks..., Extra>> Cells;
    (Slot::template place<G::At.Cell[I]>(Cells, Arguments,
                                         G::template address<I, Slot>(To)),
     ...);
    return Cells;
  }

  /// Makes the request and keeps the derivatives that it returns. First is the
  /// value that it returns before them, if it does.
  template <auto Calling, class First, class... Option, class Passed,
            class AllCells, class All>
  RETRO_THROUGH static auto fire(Passed Callable, AllCells &Of, All &To) {
    using R = Returned<First, typename G::template ReturnedBy<Slot>...>;
    Joined<WidthOption<Mode>, Cells<Option...>> Options;
    if constexpr (std::is_void_v<R>) {
      Of.template reverse<void, Calling>(Options, Callable);
    } else {
      R Back = Of.template reverse<R, Calling>(Options, Callable);
      (G::template keep<I, First::Count, Slot>(To, Back), ...);
      if constexpr (First::Count != 0)
        return returnedAt<0>(Back);
    }
  }

  template <class Passed, class SeedArgument, class... W>
  RETRO_THROUGH static auto run(Passed Callable, SeedArgument &Start,
                                W &...Arguments) {
    auto All = std::tuple_cat(zeroGradient<Slot>(Arguments)...);
    using Tuple = decltype(All);
    constexpr bool Unseeded = std::is_same_v<SeedArgument, NoSeed>;
    if constexpr (Y == Yield::Number && Unseeded) {
      auto Row = row<Cells<>>(All, Arguments...);
      if constexpr (Primal) {
        Result Value =
            fire<plain(), Cells<Result>, MarkPrimalReturn>(Callable, Row, All);
        return std::tuple<Tuple, Result>(std::move(All), Value);
      } else {
        fire<plain(), Cells<>>(Callable, Row, All);
        return std::tuple<Tuple>(std::move(All));
      }
    } else if constexpr (Y == Yield::Nothing && !Primal) {
      auto Row = row<Cells<>>(All, Arguments...);
      fire<effect(), Cells<>>(Callable, Row, All);
      return std::tuple<Tuple>(std::move(All));
    } else if constexpr (Y == Yield::Object &&
                         !std::is_trivially_copyable_v<Result>) {
      using Sum = typename Sums::Sum;
      std::vector<Sum> Weights;
      forEachNumber(Start.value,
                    [&](auto &Number) { Weights.push_back(Number); });
      Result Out{}, Shadow{};
      std::size_t Seen = 0;
      auto Row =
          row<Cells<MarkConst, Datum<void *>, MarkConst, Datum<std::size_t>,
                    MarkConst, Datum<void *>, MarkDup, Datum<void *>,
                    Datum<void *>>>(All, Arguments...);
      set<End + 1>(Row, static_cast<void *>(Weights.data()));
      set<End + 3>(Row, Weights.size());
      set<End + 5>(Row, static_cast<void *>(&Seen));
      set<End + 7>(Row, static_cast<void *>(std::addressof(Out)));
      set<End + 8>(Row, static_cast<void *>(std::addressof(Shadow)));
      fire<&Sums::sum, Cells<>>(Callable, Row, All);
      checkSeed(Weights.size(), Seen);
      return withValue(std::move(All), std::move(Out));
    } else {
      // The result is one more argument, and the seed its shadow.
      using Result = typename C::Result;
      Result Out{};
      PerLane<Result, Lanes> Shadow{};
      if constexpr (!Unseeded)
        Shadow = static_cast<PerLane<Result, Lanes>>(Start.value);
      auto Row =
          row<DupMarks<MarkDup, Datum<void *>, Lanes>>(All, Arguments...);
      set<End + 1>(Row, static_cast<void *>(std::addressof(Out)));
      setLanes<End + 2>(Row, Shadow, std::make_index_sequence<Lanes>());
      fire<&Calls::store, Cells<>>(Callable, Row, All);
      return withValue(std::move(All), std::move(Out));
    }
  }

  template <class Tuple, class V>
  static auto withValue(Tuple &&All, V &&Value) {
    if constexpr (Primal)
      return std::tuple<Tuple, V>(std::move(All), std::move(Value));
    else
      return std::tuple<Tuple>(std::move(All));
  }
};

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_REVERSE_HPP
