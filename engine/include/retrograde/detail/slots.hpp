// What each wrapped argument becomes in a request.
//
// A slot has
//   Raw, give(Raw)   the parameter of the thunk, and what the function receives
//   Marks            its cells in the row
//   Gradient         the derivative it adds to the result, or void
//   InResult         is that derivative returned by the request itself?
//   place<At>(row, wrapper, gradient)   fills its cells, from cell At on
#ifndef RETROGRADE_DETAIL_SLOTS_HPP
#define RETROGRADE_DETAIL_SLOTS_HPP

#include "request.hpp"

namespace retro::detail {

/// An object to differentiate that is referred to, not copied.
template <class T> struct Refer {
  const T &value;
};

// ---- how the function receives an argument

/// Does an X * stand for a parameter P that is a reference?
template <class X, class P, bool = std::is_void_v<X>>
inline constexpr bool dereferenced = false;
template <class X, class P>
inline constexpr bool dereferenced<X, P, false> =
    std::is_reference_v<P> && !std::is_convertible_v<X *, P> &&
    std::is_convertible_v<X &, P>;
/// Does an X & stand for a parameter P that is a pointer?
template <class X, class P>
inline constexpr bool addressed =
    std::is_pointer_v<P> && std::is_convertible_v<X *, P> &&
    !std::is_convertible_v<X &, P>;

/// Is what stands in the request what a parameter of type P is passed as?
template <class Raw> struct Passing {
  template <class P> static constexpr bool passesAs() {
    if constexpr (std::is_pointer_v<Raw> && std::is_reference_v<P>)
      return std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>,
                            std::remove_cv_t<std::remove_pointer_t<Raw>>>;
    else if constexpr (std::is_pointer_v<Raw> && std::is_pointer_v<P>)
      return std::is_same_v<std::remove_cv_t<std::remove_pointer_t<P>>,
                            std::remove_cv_t<std::remove_pointer_t<Raw>>>;
    else
      return std::is_same_v<std::remove_cv_t<P>, Raw>;
  }
};

/// Is an argument of this type given by itself, not by its address?
template <class X>
inline constexpr bool byValue =
    std::is_arithmetic_v<X> || std::is_enum_v<X> || std::is_null_pointer_v<X>;

/// Numbers travel as they are, objects by their address. P is the parameter
/// where it is known.
template <class X, class P, class = void> struct Receive : Passing<const X *> {
  using Raw = const X *;
  static const X &give(Raw At) { return *At; }
  static Raw raw(const X &Value) { return std::addressof(Value); }
};
template <class X, class P>
struct Receive<X, P, std::enable_if_t<byValue<X>>> : Passing<X> {
  using Raw = X;
  static X give(Raw Value) { return Value; }
  static Raw raw(X Value) { return Value; }
};
template <class X, class P> struct Receive<X *, P> : Passing<X *> {
  using Raw = X *;
  static decltype(auto) give(Raw At) {
    if constexpr (dereferenced<X, P>)
      return static_cast<X &>(*At);
    else
      return static_cast<X *>(At);
  }
  static Raw raw(X *Value) { return Value; }
};
template <class X, class P> struct Receive<X &, P> : Passing<X *> {
  using Raw = X *;
  static decltype(auto) give(Raw At) {
    if constexpr (addressed<X, P>)
      return static_cast<X *>(At);
    else
      return static_cast<X &>(*At);
  }
  static Raw raw(X &Value) { return std::addressof(Value); }
};

/// What stands in a cell: a type that every translation unit knows.
template <class T> auto cellValue(T X) {
  if constexpr (std::is_null_pointer_v<T>)
    return static_cast<void *>(nullptr);
  else if constexpr (std::is_enum_v<T>)
    return static_cast<std::underlying_type_t<T>>(X);
  else if constexpr (std::is_pointer_v<T> &&
                     !std::is_function_v<std::remove_pointer_t<T>>)
    return const_cast<void *>(static_cast<const volatile void *>(X));
  else
    return X;
}
template <class Raw>
using DatumOf = Datum<decltype(cellValue(std::declval<Raw>()))>;

// ---- slots

/// An argument that is not differentiated.
template <class X, class P> struct ConstSlot : Receive<X, P> {
  using typename Receive<X, P>::Raw;
  using Marks = Cells<MarkConst, DatumOf<Raw>>;
  using Gradient = void;
  static constexpr bool InResult = false;
  template <std::size_t At, class Row, class W>
  static void place(Row &To, W &From, void *) {
    set<At + 1>(To, cellValue(Receive<X, P>::raw(From.value)));
  }
};

/// One value for each lane; the value itself where there is one lane.
template <class T, std::size_t Lanes>
using PerLane = std::conditional_t<Lanes == 1, T, std::array<T, Lanes>>;
template <std::size_t Lanes, class T> auto &laneOf(T &All, std::size_t I) {
  if constexpr (Lanes == 1)
    return All;
  else
    return All[I];
}
template <class C, std::size_t> using Repeated = C;
template <class Mark, class C, class Sequence> struct MarksImpl;
template <class Mark, class C, std::size_t... Lane>
struct MarksImpl<Mark, C, std::index_sequence<Lane...>> {
  using Type = Cells<Mark, C, Repeated<C, Lane>...>;
};
/// Sets the cells from At on to the address of each lane.
template <std::size_t At, class Row, class T, std::size_t... Lane>
void setLanes(Row &To, T &All, std::index_sequence<Lane...>) {
  (set<At + Lane>(To, static_cast<void *>(
                          std::addressof(laneOf<sizeof...(Lane)>(All, Lane)))),
   ...);
}
/// A marker, the primal value, and a shadow for each lane.
template <class Mark, class C, std::size_t Lanes>
using DupMarks =
    typename MarksImpl<Mark, C, std::make_index_sequence<Lanes>>::Type;

/// A number whose derivative is returned.
template <class X, class P, std::size_t Lanes> struct OutSlot : Receive<X, P> {
  using Marks = Cells<MarkOut, Datum<X>>;
  using Gradient = PerLane<X, Lanes>;
  static constexpr bool InResult = true;
  template <std::size_t At, class Row, class W>
  static void place(Row &To, W &From, void *) {
    set<At + 1>(To, From.value);
  }
};

/// An object whose derivative is an object of the same shape.
template <class X, class P, std::size_t Lanes>
struct ObjectSlot : Receive<X, P> {
  using Marks = DupMarks<MarkDup, Datum<void *>, Lanes>;
  using Gradient = PerLane<X, Lanes>;
  static constexpr bool InResult = false;
  template <std::size_t At, class Row, class W>
  static void place(Row &To, W &From, Gradient *Zero) {
    set<At + 1>(To, cellValue(Receive<X, P>::raw(From.value)));
    setLanes<At + 2>(To, *Zero, std::make_index_sequence<Lanes>());
  }
};

/// A value, or memory, with its shadows.
template <class X, class P, class Mark, std::size_t Lanes>
struct ShadowSlot : Receive<X, P> {
  using typename Receive<X, P>::Raw;
  using Marks = DupMarks<Mark, DatumOf<Raw>, Lanes>;
  using Gradient = void;
  static constexpr bool InResult = false;
  template <std::size_t At, class Row, class W>
  static void place(Row &To, W &From, void *) {
    set<At + 1>(To, cellValue(Receive<X, P>::raw(From.value)));
    placeLanes<At + 2>(To, From.shadow, std::make_index_sequence<Lanes>());
  }
  template <std::size_t At, class Row, class S, std::size_t... Lane>
  static void placeLanes(Row &To, S &Of, std::index_sequence<Lane...>) {
    (set<At + Lane>(To, cellValue(Receive<X, P>::raw(laneOf<Lanes>(Of, Lane)))),
     ...);
  }
};

// ---- which wrapper becomes which slot

/// For what is no wrapper, or cannot be in this mode.
struct NoSlot {};

template <class W, class P, std::size_t Lanes> struct ReverseSlot {
  using Type = NoSlot;
};
template <class T, class P, std::size_t Lanes>
struct ReverseSlot<Const<T>, P, Lanes> {
  using Type = ConstSlot<typename Const<T>::Value, P>;
};
template <class T, class P, std::size_t Lanes>
struct ReverseSlot<Active<T>, P, Lanes> {
  using X = typename Active<T>::Value;
  using Type = std::conditional_t<isNumber<X>, OutSlot<X, P, Lanes>,
                                  ObjectSlot<X, P, Lanes>>;
};
template <class T, class P, std::size_t Lanes>
struct ReverseSlot<Refer<T>, P, Lanes> {
  using Type = ObjectSlot<T, P, Lanes>;
};
template <class T, class P> struct ReverseSlot<Duplicated<T>, P, 1> {
  using Type = ShadowSlot<typename Duplicated<T>::Value, P, MarkDup, 1>;
};
template <class T, class P> struct ReverseSlot<DuplicatedNoNeed<T>, P, 1> {
  using Type = ShadowSlot<typename Duplicated<T>::Value, P, MarkDupNoNeed, 1>;
};
template <class T, class P, std::size_t Lanes>
struct ReverseSlot<BatchDuplicated<T, Lanes>, P, Lanes> {
  using Type =
      ShadowSlot<typename BatchDuplicated<T, Lanes>::Value, P, MarkDup, Lanes>;
};
template <class T, class P, std::size_t Lanes>
struct ReverseSlot<BatchDuplicatedNoNeed<T, Lanes>, P, Lanes> {
  using Type = ShadowSlot<typename BatchDuplicated<T, Lanes>::Value, P,
                          MarkDupNoNeed, Lanes>;
};

template <class W, class P, std::size_t Lanes>
struct ForwardSlot : ReverseSlot<W, P, Lanes> {};
template <class T, class P, std::size_t Lanes>
struct ForwardSlot<Active<T>, P, Lanes> {
  using Type = NoSlot;
};

/// Where the cells, gradients and returned derivatives of each slot begin.
template <class... Slot> struct Places {
  static constexpr std::size_t N = sizeof...(Slot);
  struct Table {
    std::size_t Cell[N + 1] = {}, Gradient[N + 1] = {}, Returned[N + 1] = {};
  };
  static constexpr Table make() {
    Table T;
    constexpr std::size_t Cells[] = {Slot::Marks::Count..., 0};
    constexpr bool Has[] = {!std::is_void_v<typename Slot::Gradient>..., false};
    constexpr bool Returns[] = {Slot::InResult..., false};
    for (std::size_t I = 0; I < N; ++I) {
      T.Cell[I + 1] = T.Cell[I] + Cells[I];
      T.Gradient[I + 1] = T.Gradient[I] + Has[I];
      T.Returned[I + 1] = T.Returned[I] + Returns[I];
    }
    return T;
  }
  static constexpr Table At = make();
};

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_SLOTS_HPP
