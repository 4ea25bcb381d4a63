// Requests that return what the program says.
#include "check.h"

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);
