// Products of first and second derivatives with a vector, and whole matrices
// of them. All are with respect to the first argument of the function; the
// others are constant.
#ifndef RETROGRADE_DETAIL_PRODUCTS_HPP
#define RETROGRADE_DETAIL_PRODUCTS_HPP

#include "gradient.hpp"

namespace retro {

/// A dense matrix, row by row.
template <class T> class Matrix {
public:
  Matrix() = default;
  Matrix(std::size_t Rows, std::size_t Columns)
      : M(Rows), N(Columns), Data(Rows * Columns) {}
  std::size_t rows() const { return M; }
  std::size_t columns() const { return N; }
  T &operator()(std::size_t Row, std::size_t Column) {
    return Data[Row * N + Column];
  }
  const T &operator()(std::size_t Row, std::size_t Column) const {
    return Data[Row * N + Column];
  }
  T *data() { return Data.data(); }
  const T *data() const { return Data.data(); }

private:
  std::size_t M = 0, N = 0;
  std::vector<T> Data;
};

namespace detail {

template <class X, class V> constexpr bool directionFits() {
  constexpr bool Same =
      std::is_same_v<X, V> || (isNumber<X> && std::is_arithmetic_v<V>);
  static_assert(Same, "retro: the direction is not of the type of the argument "
                      "that it belongs to");
  return Same;
}
template <class X> constexpr bool isValue() {
  constexpr bool Value = contentsOf<X>().value();
  static_assert(Value,
                "retro: the first argument is not a number, nor an array, "
                "container or struct of numbers alone");
  return Value;
}

/// As many directions at a time as there are numbers, up to eight.
template <class X>
inline constexpr std::size_t lanesFor = staticCount<X>() == 0 ||
                                                staticCount<X>() > 8
                                            ? 8
                                            : staticCount<X>();

template <class X> std::size_t countNumbers(X &Of) {
  std::size_t N = 0;
  forEachNumber(Of, [&N](auto &) { ++N; });
  return N;
}
/// Makes Of the unit vector At, or zero where there is no such number.
template <class X> void makeUnit(X &Of, std::size_t At) {
  std::size_t I = 0;
  forEachNumber(Of, [&](auto &Number) { Number = I++ == At ? 1 : 0; });
}
template <class T, class Y>
void setColumn(Matrix<T> &To, std::size_t Column, Y &From) {
  std::size_t Row = 0;
  forEachNumber(From, [&](auto &Number) { To(Row++, Column) = Number; });
}

template <class T, class Y>
void setRow(Matrix<T> &To, std::size_t Row, Y &From) {
  std::size_t Column = 0;
  forEachNumber(From, [&](auto &Number) { To(Row, Column++) = Number; });
}
/// A copy of X in each lane.
template <std::size_t L, class X> PerLane<X, L> makeLanes(const X &Of) {
  if constexpr (L == 1) {
    return Of;
  } else {
    PerLane<X, L> All;
    All.fill(Of);
    return All;
  }
}
template <class A> auto &unwrapped(A &X) {
  if constexpr (isWrapper<Plain<A>>)
    return X.value;
  else
    return X;
}

// ---- first derivatives

template <class... T> auto onlyTangent(std::tuple<T...> &&Back) {
  if constexpr (sizeof...(T) != 0)
    return std::get<0>(std::move(Back));
}
inline Wrong onlyTangent(Wrong) { return {}; }

/// C is a pointer to a function, or a reference to another callable.
template <class C, class X, class V, class... Rest>
RETRO_THROUGH auto directionalOf(C F, X &At, V &Along, Rest &...Others) {
  using T = std::remove_cv_t<X>;
  if constexpr (!directionFits<T, std::remove_cv_t<V>>())
    return Wrong();
  else if constexpr (isNumber<T>)
    return onlyTangent(autodiff<Forward>(
        F, Duplicated<T>(At, static_cast<T>(Along)), constant(Others)...));
  else if constexpr (std::is_pointer_v<T> || std::is_array_v<T>)
    return onlyTangent(autodiff<Forward>(
        F, Duplicated<std::decay_t<X>>(At, Along), constant(Others)...));
  else // The tangent of what is only read is only read.
    return onlyTangent(
        autodiff<Forward>(F, Duplicated<const T &>(At, const_cast<T &>(Along)),
                          constant(Others)...));
}

/// The wrapper of an argument with a tangent for each lane.
template <class T, std::size_t L>
using Directions =
    std::conditional_t<L == 1, Duplicated<T>, BatchDuplicated<T, L>>;

template <class Back> constexpr bool hasTangent() {
  constexpr bool Right = !std::is_same_v<Back, Wrong>;
  constexpr bool Some = !std::is_same_v<Back, std::tuple<>>;
  static_assert(Some, "retro::jacobian: the function returns nothing that has "
                      "a derivative");
  return Right && Some;
}

/// Columns, some at a time, by forward mode.
template <class C, class X, class... Rest>
RETRO_THROUGH auto jacobianByColumns(C F, X &At, Rest &...Others) {
  using T = std::remove_cv_t<X>;
  constexpr std::size_t L = lanesFor<T>;
  using Mode = ForwardMode<false, L>;
  T Copy(At);
  const std::size_t N = countNumbers(Copy);
  Directions<T, L> Given{At, makeLanes<L>(Copy)};
  using Back = decltype(autodiff<Mode>(F, Given, constant(Others)...));
  if constexpr (!hasTangent<Back>()) {
    return Wrong();
  } else {
    using Lanes = std::tuple_element_t<0, Back>;
    using Y = Plain<decltype(laneOf<L>(std::declval<Lanes &>(), 0))>;
    Matrix<WidestNumber<Y>> J;
    for (std::size_t Column = 0; Column < N; Column += L) {
      for (std::size_t I = 0; I < L; ++I)
        makeUnit(laneOf<L>(Given.shadow, I), Column + I);
      auto Tangents =
          std::get<0>(autodiff<Mode>(F, Given, constant(Others)...));
      if (Column == 0)
        J = {countNumbers(laneOf<L>(Tangents, 0)), N};
      for (std::size_t I = 0; I < L && Column + I < N; ++I)
        setColumn(J, Column + I, laneOf<L>(Tangents, I));
    }
    return J;
  }
}

/// Rows, some at a time, by reverse mode.
template <class C, class X, class... Rest>
RETRO_THROUGH auto jacobianByRows(C F, X &At, Rest &...Others) {
  using T = std::remove_cv_t<X>;
  using Y = Plain<decltype(F(std::as_const(At), unwrapped(Others)...))>;
  constexpr std::size_t L =
      std::is_trivially_copyable_v<Y> ? lanesFor<Y> : std::size_t(1);
  if constexpr (!isValue<Y>()) {
    return Wrong();
  } else {
    Y Value = F(std::as_const(At), unwrapped(Others)...);
    T Copy(At);
    const std::size_t M = countNumbers(Value), N = countNumbers(Copy);
    Matrix<WidestNumber<Y>> J(M, N);
    Seed<PerLane<Y, L>> Start(makeLanes<L>(Value));
    for (std::size_t Row = 0; Row < M; Row += L) {
      for (std::size_t I = 0; I < L; ++I)
        makeUnit(laneOf<L>(Start.value, I), Row + I);
      auto Back = autodiff<ReverseMode<false, L>>(F, Start, active(Copy),
                                                  constant(Others)...);
      if constexpr (std::is_same_v<decltype(Back), Wrong>) {
        return Wrong();
      } else {
        auto &Gradients = std::get<0>(std::get<0>(Back));
        for (std::size_t I = 0; I < L && Row + I < M; ++I)
          setRow(J, Row + I, laneOf<L>(Gradients, I));
      }
    }
    return J;
  }
}

template <class Mode, class C, class X, class... Rest>
RETRO_THROUGH auto jacobianOf(C F, X &At, Rest &...Others) {
  if constexpr (!isValue<std::remove_cv_t<X>>())
    return Wrong();
  else if constexpr (ModeOf<Mode>::Forward)
    return jacobianByColumns<C>(F, At, Others...);
  else
    return jacobianByRows<C>(F, At, Others...);
}

// ---- second derivatives: forward mode over reverse mode

template <class C, class X, class... W>
RETRO_THROUGH void gradientInto(C F, const X &At, X &G, W... Others) {
  if constexpr (isNumber<X>)
    G = std::get<0>(
        std::get<0>(autodiff<Reverse>(F, Active<X>(At), Others...)));
  else
    autodiff<Reverse>(F, Duplicated<const X &>(At, G), Others...);
}
template <class Slot>
using Again = Const<decltype(Slot::give(std::declval<typename Slot::Raw>()))>;

/// The gradient of F as a function that adds it to *G.
template <class F, class X, class... Slot> struct GradientCall {
  static void call(typename Callee<F>::Raw Callable, const X *At, X *G,
                   typename Slot::Raw... Others) {
    if constexpr (std::is_class_v<F>)
      gradientInto<F &>(*Callable, *At, *G, Again<Slot>(Slot::give(Others))...);
    else
      gradientInto<F>(Callable, *At, *G, Again<Slot>(Slot::give(Others))...);
  }
};

template <class W>
using ConstSlotOf = typename ReverseSlot<Plain<W>, void, 1>::Type;
template <std::size_t At, class Row, class... W, std::size_t... I>
void placeConstants(Row &To, std::index_sequence<I...>, W &...From) {
  (ConstSlotOf<W>::template place<At + 2 * I>(To, From, nullptr), ...);
}

/// Products of the Hessian with the lanes of Along, in the lanes of Out.
template <std::size_t L, class F, class Passed, class X, class Lanes,
          class... W>
RETRO_THROUGH void secondOrder(Passed Callable, X &At, Lanes &Along, Lanes &Out,
                               W... Others) {
  using T = std::remove_cv_t<X>;
  using Marks = DupMarks<MarkDup, Datum<void *>, L>;
  using Width = WidthOption<ForwardMode<false, L>>;
  T G = zeroLike(At);
  Row<Joined<Marks, Marks, typename ConstSlotOf<W>::Marks...>> Cells;
  set<1>(Cells, cellValue(std::addressof(At)));
  setLanes<2>(Cells, Along, std::make_index_sequence<L>());
  set<L + 3>(Cells, static_cast<void *>(std::addressof(G)));
  setLanes<L + 4>(Cells, Out, std::make_index_sequence<L>());
  placeConstants<2 * L + 4>(Cells, std::index_sequence_for<W...>(), Others...);
  Cells.template forward<void, &GradientCall<F, T, ConstSlotOf<W>...>::call>(
      Width(), Callable);
}

template <class Back> constexpr bool hasGradient() {
  return !std::is_same_v<Back, Wrong>;
}

template <class F, class C, class Passed, class X, class V, class... Rest>
RETRO_THROUGH auto hessianTimes(C Callable, Passed Raw, X &At, V &Along,
                                Rest &...Others) {
  using T = std::remove_cv_t<X>;
  if constexpr (!isValue<T>())
    return Wrong();
  else if constexpr (!directionFits<T, std::remove_cv_t<V>>())
    return Wrong();
  else if constexpr (!hasGradient<decltype(gradient(Callable, active(At),
                                                    constant(Others)...))>())
    return Wrong();
  else {
    T Direction(static_cast<const T &>(static_cast<T>(Along)));
    T Out = zeroLike(At);
    secondOrder<1, F>(Raw, At, Direction, Out, constant(Others)...);
    return Out;
  }
}

template <class F, class C, class Passed, class X, class... Rest>
RETRO_THROUGH auto hessianOf(C Callable, Passed Raw, X &At, Rest &...Others) {
  using T = std::remove_cv_t<X>;
  if constexpr (!isValue<T>())
    return Wrong();
  else if constexpr (!hasGradient<decltype(gradient(Callable, active(At),
                                                    constant(Others)...))>())
    return Wrong();
  else {
    constexpr std::size_t L = lanesFor<T>;
    T Copy(At);
    const std::size_t N = countNumbers(Copy);
    Matrix<WidestNumber<T>> H(N, N);
    PerLane<T, L> Units = makeLanes<L>(Copy), Out = makeLanes<L>(Copy);
    for (std::size_t Column = 0; Column < N; Column += L) {
      for (std::size_t I = 0; I < L; ++I) {
        makeUnit(laneOf<L>(Units, I), Column + I);
        makeUnit(laneOf<L>(Out, I), N);
      }
      secondOrder<L, F>(Raw, At, Units, Out, constant(Others)...);
      for (std::size_t I = 0; I < L && Column + I < N; ++I)
        setColumn(H, Column + I, laneOf<L>(Out, I));
    }
    return H;
  }
}

} // namespace detail

/// The derivative of F along a direction: how the result changes when X moves
/// with speed V. X may also be a pointer to numbers.
template <class R, class... P, class X, class V, class... Rest>
RETRO_THROUGH auto directional(R (*F)(P...), X &&At, V &&Along,
                               Rest &&...Others) {
  return detail::directionalOf<R (*)(P...)>(F, At, Along, Others...);
}
template <class F, class X, class V, class... Rest>
RETRO_THROUGH auto directional(F &&Callable, X &&At, V &&Along,
                               Rest &&...Others) {
  return detail::directionalOf<F &>(Callable, At, Along, Others...);
}

/// The matrix of the derivatives of every number of the result (rows) with
/// respect to every number of the first argument (columns). By columns, which
/// is best for many results; jacobian<Reverse> goes by rows.
template <class Mode = Forward, class R, class... P, class X, class... Rest>
RETRO_THROUGH auto jacobian(R (*F)(P...), X &&At, Rest &&...Others) {
  return detail::jacobianOf<Mode, R (*)(P...)>(F, At, Others...);
}
template <class Mode = Forward, class F, class X, class... Rest>
RETRO_THROUGH auto jacobian(F &&Callable, X &&At, Rest &&...Others) {
  return detail::jacobianOf<Mode, F &>(Callable, At, Others...);
}

/// The Hessian of a function that returns one number, times a vector.
template <class R, class... P, class X, class V, class... Rest>
RETRO_THROUGH auto hessian_vector_product(R (*F)(P...), X &&At, V &&Along,
                                          Rest &&...Others) {
  return detail::hessianTimes<R (*)(P...)>(F, F, At, Along, Others...);
}
template <class F, class X, class V, class... Rest>
RETRO_THROUGH auto hessian_vector_product(F &&Callable, X &&At, V &&Along,
                                          Rest &&...Others) {
  using Object = std::remove_reference_t<F>;
  return detail::hessianTimes<Object, F &>(
      Callable, detail::Callee<Object>::pass(Callable), At, Along, Others...);
}

/// The Hessian of a function that returns one number.
template <class R, class... P, class X, class... Rest>
RETRO_THROUGH auto hessian(R (*F)(P...), X &&At, Rest &&...Others) {
  return detail::hessianOf<R (*)(P...)>(F, F, At, Others...);
}
template <class F, class X, class... Rest>
RETRO_THROUGH auto hessian(F &&Callable, X &&At, Rest &&...Others) {
  using Object = std::remove_reference_t<F>;
  return detail::hessianOf<Object, F &>(
      Callable, detail::Callee<Object>::pass(Callable), At, Others...);
}

} // namespace retro

#endif // RETROGRADE_DETAIL_PRODUCTS_HPP
