// From wrapped arguments to one call of an entry point.
//
// A request is a call __enzyme_…(thunk, marker, value, marker, value, …). The
// thunk is a function whose parameters are numbers and pointers only; it calls
// the user's function with what those stand for. Markers are read, and the
// thunk is named, in the function that makes the call: the request is complete
// where nothing has been inlined yet.
#ifndef RETROGRADE_DETAIL_REQUEST_HPP
#define RETROGRADE_DETAIL_REQUEST_HPP

#include "activity.hpp"
#include "callable.hpp"

/// The functions between the user's call and the request leave no trace: not
/// in the program, not in messages, which name the user's line.
#define RETRO_THROUGH __attribute__((always_inline, nodebug)) inline

namespace retro::detail {

// They are named with their namespace: beside the program's own declarations
// of the same names a call would be ambiguous.
template <class Result, class... A> Result __enzyme_autodiff(void *, A...);
template <class Result, class... A> Result __enzyme_fwddiff(void *, A...);
template <class Result, class... A> Result __enzyme_augmentfwd(void *, A...);
template <class Result, class... A> Result __enzyme_reverse(void *, A...);

// ---- the row of values of a request

/// A cell holds one value, in a member that is called the same in each: so one
/// pack expansion reads markers, constants and values in their order.
struct MarkConst {
  static int it __asm__("enzyme_const");
};
struct MarkDup {
  static int it __asm__("enzyme_dup");
};
struct MarkDupNoNeed {
  static int it __asm__("enzyme_dupnoneed");
};
struct MarkOut {
  static int it __asm__("enzyme_out");
};
struct MarkPrimalReturn {
  static int it __asm__("enzyme_primal_return");
};
struct MarkConstReturn {
  static int it __asm__("enzyme_const_return");
};
struct MarkWidth {
  static int it __asm__("enzyme_width");
};
template <std::size_t N> struct Literal {
  static constexpr int it = static_cast<int>(N);
};
template <class T> struct Datum {
  T it;
};

template <class... C> struct Cells {
  static constexpr std::size_t Count = sizeof...(C);
};
template <class... A, class... B>
constexpr Cells<A..., B...> operator+(Cells<A...>, Cells<B...>) {
  return {};
}
/// The cells of several slots, one behind the other.
template <class... C> using Joined = decltype((Cells<>{} + ... + C{}));

template <std::size_t I, class C> struct Cell : C {};

template <auto Thunk>
inline constexpr bool isItself = std::is_null_pointer_v<decltype(Thunk)>;

template <class Sequence, class AllCells> struct RowImpl;
/// Thunk is the function to differentiate and Callable its first argument, a
/// constant; a null Thunk stands for Callable itself.
template <std::size_t... I, class... C>
struct RowImpl<std::index_sequence<I...>, Cells<C...>> : Cell<I, C>... {
  template <class Result, auto Thunk, class... Option, class F>
  RETRO_THROUGH Result reverse(Cells<Option...>, F Callable) {
    if constexpr (isItself<Thunk>)
      return detail::__enzyme_autodiff<Result>(
          reinterpret_cast<void *>(Callable), Option::it...,
          static_cast<Cell<I, C> &>(*this).it...);
    else
      return detail::__enzyme_autodiff<Result>(
          reinterpret_cast<void *>(Thunk), Option::it..., MarkConst::it,
          Callable, static_cast<Cell<I, C> &>(*this).it...);
  }
  template <class Result, auto Thunk, class... Option, class F>
  RETRO_THROUGH Result forward(Cells<Option...>, F Callable) {
    if constexpr (isItself<Thunk>)
      return detail::__enzyme_fwddiff<Result>(
          reinterpret_cast<void *>(Callable), Option::it...,
          static_cast<Cell<I, C> &>(*this).it...);
    else
      return detail::__enzyme_fwddiff<Result>(
          reinterpret_cast<void *>(Thunk), Option::it..., MarkConst::it,
          Callable, static_cast<Cell<I, C> &>(*this).it...);
  }
  /// The two passes of split mode; Tail: seeds and tape.
  template <class Result, auto Thunk, class... Option, class F>
  RETRO_THROUGH Result augment(Cells<Option...>, F Callable) {
    return detail::__enzyme_augmentfwd<Result>(
        reinterpret_cast<void *>(Thunk), Option::it..., MarkConst::it, Callable,
        static_cast<Cell<I, C> &>(*this).it...);
  }
  template <class Result, auto Thunk, class... Option, class F, class... Tail>
  RETRO_THROUGH Result back(Cells<Option...>, F Callable, Tail... Last) {
    return detail::__enzyme_reverse<Result>(
        reinterpret_cast<void *>(Thunk), Option::it..., MarkConst::it, Callable,
        static_cast<Cell<I, C> &>(*this).it..., Last...);
  }
};
template <class AllCells>
using Row = RowImpl<std::make_index_sequence<AllCells::Count>, AllCells>;

template <std::size_t I, class C> Cell<I, C> &cellAt(Cell<I, C> &Found) {
  return Found;
}
/// Sets cell I of a row.
template <std::size_t I, class Row, class T> void set(Row &To, T Value) {
  cellAt<I>(To).it = Value;
}

// ---- what a request returns

template <std::size_t I, class T> struct Leaf {
  T value;
};
template <class Sequence, class... T> struct FlatImpl;
template <std::size_t... I, class... T>
struct FlatImpl<std::index_sequence<I...>, T...> : Leaf<I, T>... {};
/// A struct with a member of each type in this order, laid out as in C.
template <class... T>
using Flat = FlatImpl<std::index_sequence_for<T...>, T...>;

template <std::size_t I, class T> T &leafAt(Leaf<I, T> &Found) {
  return Found.value;
}
template <class T> inline constexpr bool isFlat = false;
template <class Sequence, class... T>
inline constexpr bool isFlat<FlatImpl<Sequence, T...>> = true;

template <class AllCells> struct ReturnedImpl;
template <class... T> struct ReturnedImpl<Cells<T...>> {
  using Type = Flat<T...>;
};
template <class T> struct ReturnedImpl<Cells<T>> {
  using Type = T;
};
template <> struct ReturnedImpl<Cells<>> {
  using Type = void;
};
/// A struct of these types; the type itself if it is one, void if none.
template <class... AllCells>
using Returned = typename ReturnedImpl<Joined<AllCells...>>::Type;

template <std::size_t I, class T> auto returnedAt(T &All) {
  if constexpr (isFlat<T>)
    return leafAt<I>(All);
  else
    return All;
}

// ---- the differentiated function

/// Calls F with what the arguments of the request stand for.
template <class F, class Result, class... Slot> struct Thunk {
  static Result result(typename Callee<F>::Raw Callable,
                       typename Slot::Raw... X) {
    return (*Callable)(Slot::give(X)...);
  }
  static void effect(typename Callee<F>::Raw Callable,
                     typename Slot::Raw... X) {
    static_cast<void>((*Callable)(Slot::give(X)...));
  }
  static void store(typename Callee<F>::Raw Callable, typename Slot::Raw... X,
                    Result *Out) {
    *Out = (*Callable)(Slot::give(X)...);
  }

  /// What a request names for its result, or for what it does alone; null where
  /// that is the function itself, which can be named directly.
  template <bool Direct> static constexpr auto forResult() {
    if constexpr (Direct)
      return nullptr;
    else
      return &Thunk::result;
  }
  template <bool Direct> static constexpr auto forEffect() {
    if constexpr (Direct && std::is_void_v<Result>)
      return nullptr;
    else
      return &Thunk::effect;
  }
};

} // namespace retro::detail

#endif // RETROGRADE_DETAIL_REQUEST_HPP
