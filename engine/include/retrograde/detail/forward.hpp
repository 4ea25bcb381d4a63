// Requests in forward mode.
#ifndef RETROGRADE_DETAIL_FORWARD_HPP
#define RETROGRADE_DETAIL_FORWARD_HPP

#include "reverse.hpp"

namespace retro::detail {

template <class Result, class Return, class Mode, class SeedArgument>
constexpr bool forwardResultFits() {
  constexpr bool Unseeded = std::is_same_v<SeedArgument, NoSeed>;
  static_assert(Unseeded, "retro::autodiff: a Seed in forward mode. There the "
                          "direction is given by the tangents: Duplicated{x, "
                          "dx}");
  constexpr bool Activity =
      std::is_same_v<Return, Deduced> || Is<Const, Return>::value ||
      Is<Duplicated, Return>::value || Is<DuplicatedNoNeed, Return>::value;
  static_assert(Activity, "retro::autodiff: in forward mode the result is "
                          "DuplicatedNoNeed<R>, Duplicated<R> or Const<R>");
  constexpr bool Value = !ModeOf<Mode>::Primal || !std::is_void_v<Result>;
  static_assert(Value, "retro::autodiff: the function returns nothing, so "
                       "there is no value to return. Use Forward");
  constexpr bool Object = yieldOf<Result>() == Yield::Object;
  constexpr bool Made = !Object || std::is_default_constructible_v<Result>;
  static_assert(Made, "retro::autodiff: the function returns an object of a "
                      "class that has no default constructor. Let it write "
                      "into an argument that is Duplicated<T &>");
  return Unseeded && Activity && Value && Made;
}

template <class Mode, class F, class C, class Return, class Sequence,
          class Slots>
struct ForwardRequest;
template <class Mode, class F, class C, class Return, std::size_t... I,
          class... Slot>
struct ForwardRequest<Mode, F, C, Return, std::index_sequence<I...>,
                      SlotList<Slot...>> {
  using Result = typename C::Result;
  using Calls = Thunk<F, Result, Slot...>;
  static constexpr typename Places<Slot...>::Table At = Places<Slot...>::At;
  static constexpr std::size_t End = At.Cell[sizeof...(Slot)];
  static constexpr Yield Y =
      Is<Const, Return>::value ? Yield::Nothing : yieldOf<Result>();
  static constexpr std::size_t Lanes = ModeOf<Mode>::Lanes;
  /// Duplicated<R> as the activity of the result asks for the value as well,
  /// Const<R> for nothing else.
  static constexpr bool Value =
      !std::is_void_v<Result> &&
      (ModeOf<Mode>::Primal || Is<Duplicated, Return>::value ||
       Is<Const, Return>::value);

  static constexpr auto plain() {
    return Calls::template forResult<C::Direct>();
  }
  static constexpr auto effect() {
    return Calls::template forEffect<C::Direct>();
  }

  template <class Extra, class... W> static auto row(W &...Arguments) {
    Row<Joined<typename Slot::Marks..., Extra>> Cells;
    (Slot::template place<At.Cell[I]>(Cells, Arguments, nullptr), ...);
    return Cells;
  }

  template <class Passed, class... W>
  RETRO_THROUGH static auto run(Passed Callable, W &...Arguments) {
    WidthOption<Mode> Options;
    if constexpr (Y == Yield::Number || Y == Yield::Pointer) {
      using Tangent = PerLane<Result, Lanes>;
      auto Row = row<Cells<>>(Arguments...);
      if constexpr (Value) {
        auto Back = Row.template forward<Flat<Result, Tangent>, plain()>(
            Options + Cells<MarkPrimalReturn>(), Callable);
        return std::tuple<Result, Tangent>(leafAt<0>(Back), leafAt<1>(Back));
      } else {
        return std::tuple<Tangent>(
            Row.template forward<Tangent, plain()>(Options, Callable));
      }
    } else if constexpr (Y == Yield::Nothing && !Value) {
      auto Row = row<Cells<>>(Arguments...);
      Row.template forward<void, effect()>(Options, Callable);
      return std::tuple<>();
    } else {
      // The result is one more argument, and its tangents the shadows.
      using Result = typename C::Result;
      Result Out{};
      PerLane<Result, Lanes> Shadow{};
      auto Row = row<DupMarks<MarkDup, Datum<void *>, Lanes>>(Arguments...);
      set<End + 1>(Row, static_cast<void *>(std::addressof(Out)));
      setLanes<End + 2>(Row, Shadow, std::make_index_sequence<Lanes>());
      Row.template forward<void, &Calls::store>(Options, Callable);
      if constexpr (Y == Yield::Nothing)
        return std::tuple<Result>(std::move(Out));
      else if constexpr (Value)
        return std::tuple<Result, PerLane<Result, Lanes>>(std::move(Out),
                                                          std::move(Shadow));
      else
        return std::tuple<PerLane<Result, Lanes>>(std::move(Shadow));
    }
  }
};

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_FORWARD_HPP
