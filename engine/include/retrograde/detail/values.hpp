// What the numbers in a value are: visiting them, a zero of the same shape.
//
// A value is a floating-point number, or an array, struct, tuple or container
// of values. Integers, enumerations and the like are in it without being
// numbers of it. Pointers are not values: whose memory is it? A class of
// another kind takes part through a function found beside it,
//
//   template <class Visitor> void retro_visit(T &object, Visitor &&visit);
//
// that calls visit(member) for each of its members.
#ifndef RETROGRADE_DETAIL_VALUES_HPP
#define RETROGRADE_DETAIL_VALUES_HPP

#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace retro::detail {

template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class> inline constexpr bool never = false;

template <class T> inline constexpr bool isNumber = std::is_floating_point_v<T>;

// ---- how a type is made up

/// Converts to anything but T and what T derives from.
template <class T> struct Anything {
  template <class U, class = std::enable_if_t<!std::is_base_of_v<U, T>>>
  constexpr operator U() const noexcept;
};
/// Converts to what T derives from only.
template <class T> struct AnyBase {
  template <class U, class = std::enable_if_t<std::is_base_of_v<U, T> &&
                                              !std::is_same_v<U, T>>>
  constexpr operator U() const noexcept;
};
template <class T, std::size_t> using AnythingFor = Anything<T>;

template <class T, class Front, class Nested, class Back, class = void>
struct BracedImpl : std::false_type {};
template <class T, std::size_t... F, std::size_t... N, std::size_t... B>
struct BracedImpl<T, std::index_sequence<F...>, std::index_sequence<N...>,
                  std::index_sequence<B...>,
                  std::void_t<decltype(T{AnythingFor<T, F>{}...,
                                         {AnythingFor<T, N>{}...},
                                         AnythingFor<T, B>{}...})>>
    : std::true_type {};
/// T{front..., {nested...}, back...} is valid.
template <class T, std::size_t Front, std::size_t Nested, std::size_t Back>
inline constexpr bool braced =
    BracedImpl<T, std::make_index_sequence<Front>,
               std::make_index_sequence<Nested>,
               std::make_index_sequence<Back>>::value;

template <class T, class Sequence, class = void>
struct FillsImpl : std::false_type {};
template <class T, std::size_t... I>
struct FillsImpl<T, std::index_sequence<I...>,
                 std::void_t<decltype(T{AnythingFor<T, I>{}...})>>
    : std::true_type {};
/// T{n initializers} is valid.
template <class T, std::size_t N>
inline constexpr bool fills = FillsImpl<T, std::make_index_sequence<N>>::value;

inline constexpr std::size_t maxFields = 24, maxInitializers = 64;

/// How many initializers fill T; an array member takes one per element.
template <class T, std::size_t N = maxInitializers>
constexpr std::size_t initializers() {
  if constexpr (N == 0 || fills<T, N>)
    return N;
  else
    return initializers<T, N - 1>();
}

/// How many of the Total initializers the member at position At takes.
template <class T, std::size_t At, std::size_t Total, std::size_t Try>
constexpr std::size_t taken() {
  if constexpr (Try <= 1)
    return 1;
  else if constexpr (braced<T, At, Try, Total - At - Try> &&
                     !braced<T, At, Try, Total - At - 1>)
    return Try;
  else
    return taken<T, At, Total, Try - 1>();
}
template <class T, std::size_t Total, std::size_t At = 0>
constexpr std::size_t fieldsFrom() {
  if constexpr (At >= Total)
    return 0;
  else
    return 1 + fieldsFrom<T, Total, At + taken<T, At, Total, Total - At>()>();
}

template <class T, class = void> struct HasBase : std::false_type {};
template <class T>
struct HasBase<T, std::void_t<decltype(T{AnyBase<T>{}})>> : std::true_type {};

template <class T> constexpr std::size_t fieldCount() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>)
    return 0;
  else if constexpr (HasBase<T>::value)
    return 0;
  else if constexpr (fills<T, maxInitializers + 1>)
    return 0;
  else
    return fieldsFrom<T, initializers<T>()>();
}

template <class T, class = void> struct HasTupleSize : std::false_type {};
template <class T>
struct HasTupleSize<T, std::void_t<decltype(std::tuple_size<T>::value)>>
    : std::true_type {};

template <class T, class = void> struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<
    T, std::void_t<typename T::value_type, decltype(std::declval<T &>().real()),
                   decltype(std::declval<T &>().imag())>>
    : std::bool_constant<isNumber<typename T::value_type> &&
                         sizeof(T) == 2 * sizeof(typename T::value_type)> {};

/// A container owns its elements: in a constant one they are constant.
template <class T, class = void> struct IsRange : std::false_type {};
template <class T>
struct IsRange<T, std::void_t<decltype(*std::begin(std::declval<T &>())),
                              decltype(std::end(std::declval<T &>()))>>
    : std::bool_constant<
          std::is_copy_constructible_v<T> &&
          std::is_default_constructible_v<T> &&
          std::is_const_v<std::remove_reference_t<decltype(*std::begin(
              std::declval<const T &>()))>>> {};
template <class T>
using Element =
    std::remove_reference_t<decltype(*std::begin(std::declval<T &>()))>;

/// A matrix: its elements lie one behind the other.
template <class T, class = void> struct IsBlock : std::false_type {};
template <class T>
struct IsBlock<T, std::void_t<decltype(*std::declval<T &>().data()),
                              decltype(std::declval<T &>().size())>>
    : std::bool_constant<std::is_copy_constructible_v<T> &&
                         std::is_default_constructible_v<T> &&
                         !std::is_const_v<std::remove_pointer_t<
                             decltype(std::declval<T &>().data())>> &&
                         std::is_const_v<std::remove_pointer_t<
                             decltype(std::declval<const T &>().data())>>> {};

struct AnyVisitor {
  template <class U> void operator()(U &) const;
};
template <class T, class = void> struct HasVisit : std::false_type {};
template <class T>
struct HasVisit<
    T, std::void_t<decltype(retro_visit(std::declval<T &>(), AnyVisitor{}))>>
    : std::true_type {};

enum class Make {
  Number,
  Inert,
  Pointer,
  Custom,
  Complex,
  Array,
  Block,
  Range,
  Tuple,
  Struct,
  Opaque
};

template <class T> constexpr Make makeOf() {
  if constexpr (isNumber<T>)
    return Make::Number;
  else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
    return Make::Inert;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T> ||
                     std::is_member_pointer_v<T> || std::is_function_v<T>)
    return Make::Pointer;
  else if constexpr (std::is_array_v<T>)
    return Make::Array;
  else if constexpr (HasVisit<T>::value)
    return Make::Custom;
  else if constexpr (IsComplex<T>::value)
    return Make::Complex;
  else if constexpr (IsBlock<T>::value)
    return Make::Block;
  else if constexpr (IsRange<T>::value)
    return Make::Range;
  else if constexpr (HasTupleSize<T>::value)
    return Make::Tuple;
  else if constexpr (std::is_empty_v<T>)
    return Make::Inert;
  else if constexpr (std::is_aggregate_v<T> && fieldCount<T>() > 0 &&
                     fieldCount<T>() <= maxFields)
    return Make::Struct;
  else
    return Make::Opaque;
}

/// Calls F with the members of an aggregate.
template <class T, class F> constexpr decltype(auto) withFields(T &X, F &&Use) {
  constexpr std::size_t N = fieldCount<std::remove_cv_t<T>>();
#define RETRO_FIELDS(COUNT, ...)                                               \
  else if constexpr (N == COUNT) {                                             \
    auto &[__VA_ARGS__] = X;                                                   \
    return Use(__VA_ARGS__);                                                   \
  }
  if constexpr (N == 0)
    return Use();
  RETRO_FIELDS(1, a)
  RETRO_FIELDS(2, a, b)
  RETRO_FIELDS(3, a, b, c)
  RETRO_FIELDS(4, a, b, c, d)
  RETRO_FIELDS(5, a, b, c, d, e)
  RETRO_FIELDS(6, a, b, c, d, e, f)
  RETRO_FIELDS(7, a, b, c, d, e, f, g)
  RETRO_FIELDS(8, a, b, c, d, e, f, g, h)
  RETRO_FIELDS(9, a, b, c, d, e, f, g, h, i)
  RETRO_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  RETRO_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  RETRO_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  RETRO_FIELDS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  RETRO_FIELDS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  RETRO_FIELDS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  RETRO_FIELDS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  RETRO_FIELDS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  RETRO_FIELDS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  RETRO_FIELDS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  RETRO_FIELDS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  RETRO_FIELDS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
               u)
  RETRO_FIELDS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
               u, v)
  RETRO_FIELDS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
               u, v, w)
  RETRO_FIELDS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t,
               u, v, w, x)
#undef RETRO_FIELDS
}

// ---- what is in a type

struct Contents {
  bool Numbers = false;  ///< at least one
  bool Pointers = false; ///< or views of memory that is elsewhere
  bool Opaque = false;   ///< members that cannot be seen
  int Width = 0;         ///< of the widest number: float, double, long double
  constexpr Contents operator|(Contents Other) const {
    return {Numbers || Other.Numbers, Pointers || Other.Pointers,
            Opaque || Other.Opaque, Width < Other.Width ? Other.Width : Width};
  }
  constexpr bool value() const { return Numbers && !Pointers && !Opaque; }
};

template <class T> constexpr Contents contentsOf();

struct ContentsOfAll {
  template <class... U> constexpr auto operator()(U &...) const {
    struct Answer {
      static constexpr Contents get() {
        return (contentsOf<std::remove_cv_t<U>>() | ... | Contents{});
      }
    };
    return Answer{};
  }
};
template <class T, std::size_t... I>
constexpr Contents contentsOfTuple(std::index_sequence<I...>) {
  return (contentsOf<Plain<std::tuple_element_t<I, T>>>() | ... | Contents{});
}

template <class T> constexpr Contents contentsOf() {
  constexpr Make M = makeOf<T>();
  if constexpr (M == Make::Number)
    return {true, false, false,
            sizeof(T) <= sizeof(float)    ? 1
            : sizeof(T) <= sizeof(double) ? 2
                                          : 3};
  else if constexpr (M == Make::Complex)
    return contentsOf<typename T::value_type>();
  else if constexpr (M == Make::Custom)
    return {true, false, false, 2};
  else if constexpr (M == Make::Inert)
    return {};
  else if constexpr (M == Make::Pointer)
    return {false, true, false, 0};
  else if constexpr (M == Make::Array)
    return contentsOf<std::remove_cv_t<std::remove_all_extents_t<T>>>();
  else if constexpr (M == Make::Block)
    return contentsOf<Plain<decltype(*std::declval<T &>().data())>>();
  else if constexpr (M == Make::Range)
    return contentsOf<std::remove_cv_t<Element<T>>>();
  else if constexpr (M == Make::Tuple)
    return contentsOfTuple<T>(
        std::make_index_sequence<std::tuple_size<T>::value>());
  else if constexpr (M == Make::Struct)
    return decltype(withFields(std::declval<T &>(), ContentsOfAll{}))::get();
  else
    return {false, false, true, 0};
}

/// A type that holds each number of a T.
template <class T>
using WidestNumber = std::conditional_t<
    contentsOf<T>().Width == 1, float,
    std::conditional_t<contentsOf<T>().Width == 3, long double, double>>;

/// How many numbers each T has, or 0 where that is not known from the type.
template <class T> constexpr std::size_t staticCount();
struct CountOfAll {
  template <class... U> constexpr auto operator()(U &...) const {
    struct Answer {
      static constexpr std::size_t get() {
        return sum<std::remove_cv_t<U>...>();
      }
    };
    return Answer{};
  }
  template <class... U> static constexpr std::size_t sum() {
    constexpr std::size_t All[] = {staticCount<U>()..., 0};
    constexpr bool Numbers[] = {contentsOf<U>().Numbers..., false};
    std::size_t Total = 0;
    for (std::size_t I = 0; I < sizeof...(U); ++I) {
      if (Numbers[I] && All[I] == 0)
        return 0;
      Total += All[I];
    }
    return Total;
  }
};
template <class T, std::size_t... I>
constexpr std::size_t countOfTuple(std::index_sequence<I...>) {
  return CountOfAll::sum<Plain<std::tuple_element_t<I, T>>...>();
}
template <class T> constexpr std::size_t staticCount() {
  constexpr Make M = makeOf<T>();
  if constexpr (M == Make::Number)
    return 1;
  else if constexpr (M == Make::Complex)
    return 2;
  else if constexpr (M == Make::Array)
    return sizeof(T) / sizeof(std::remove_all_extents_t<T>) *
           staticCount<std::remove_cv_t<std::remove_all_extents_t<T>>>();
  else if constexpr (HasTupleSize<T>::value)
    return countOfTuple<T>(
        std::make_index_sequence<std::tuple_size<T>::value>());
  else if constexpr (M == Make::Struct)
    return decltype(withFields(std::declval<T &>(), CountOfAll{}))::get();
  else
    return 0;
}

// ---- walking through a value

/// Calls Visit for each number of X, always in the same order.
template <class T, class Visitor> void forEachNumber(T &X, Visitor &&Visit) {
  using U = std::remove_cv_t<T>;
  constexpr Make M = makeOf<U>();
  auto Deeper = [&Visit](auto &Member) { forEachNumber(Member, Visit); };
  if constexpr (std::is_const_v<T>)
    ; // the key of a map
  else if constexpr (M == Make::Number)
    Visit(X);
  else if constexpr (M == Make::Custom)
    retro_visit(X, Deeper);
  else if constexpr (M == Make::Complex) {
    // The standard says so for std::complex.
    auto *Parts = reinterpret_cast<typename U::value_type *>(std::addressof(X));
    Visit(Parts[0]);
    Visit(Parts[1]);
  } else if constexpr (M == Make::Block) {
    auto *Data = X.data();
    for (std::size_t I = 0, N = static_cast<std::size_t>(X.size()); I < N; ++I)
      Deeper(Data[I]);
  } else if constexpr (M == Make::Array || M == Make::Range) {
    for (auto &Member : X)
      Deeper(Member);
  } else if constexpr (M == Make::Tuple)
    std::apply([&](auto &...Members) { (Deeper(Members), ...); }, X);
  else if constexpr (M == Make::Struct)
    withFields(X, [&](auto &...Members) { (Deeper(Members), ...); });
}

/// As X, with 0 for each number.
template <class T> T zeroLike(const T &X) {
  if constexpr (isNumber<T>)
    return T(0);
  else {
    T Zero(X);
    forEachNumber(Zero, [](auto &Number) { Number = 0; });
    return Zero;
  }
}

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_VALUES_HPP
