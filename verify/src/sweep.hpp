// The step sweep behind every check by differences.
#ifndef RETROGRADE_VERIFY_SWEEP_HPP
#define RETROGRADE_VERIFY_SWEEP_HPP

#include "line.hpp"

namespace retro::verify {
Estimate sweep(Line &Along, const StepOptions &Options);
} // namespace retro::verify

#endif // RETROGRADE_VERIFY_SWEEP_HPP
