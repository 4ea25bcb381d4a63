//===- event_kernel.h - One lookup is one thread ----------------*- C++ -*-===//
//
// The event order of XSBench and RSBench on a device. What a lookup finds is
// kept per lookup and summed on the host in the serial order.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_EVENT_KERNEL_H
#define SUITES_XSBENCH_EVENT_KERNEL_H

#include "../common/gpu.h"
#include "reactor.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace suites::reactor {
inline namespace RETRO_MODEL {

using retro::suite::OnDevice;

constexpr int event_threads = 256; ///< of a block

/// Lookups first to last - 1; evaluate(energy, material, macro) as a functor
/// that holds pointers of the device.
template <class Physics, class Evaluate>
__global__ void __launch_bounds__(event_threads)
    event_kernel(Evaluate evaluate, std::int64_t first, std::int64_t last,
                 double *all) {
  const std::int64_t i =
      first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= last)
    return;
  const Lookup at = event_lookup(static_cast<std::uint64_t>(i));
  double macro[Physics::channels];
  evaluate(at.energy, at.material, macro);
  for (int k = 0; k < Physics::channels; ++k)
    all[(i - first) * Physics::channels + k] = macro[k];
}

/// What measure(energy, material) gives for the lookup of which it is most.
template <class Measure>
__global__ void __launch_bounds__(event_threads)
    event_tape_kernel(Measure measure, std::int64_t first, std::int64_t last,
                      unsigned long long *most) {
  const std::int64_t i =
      first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= last)
    return;
  const Lookup at = event_lookup(static_cast<std::uint64_t>(i));
  retro::suite::note_tape(most, measure(at.energy, at.material));
}

inline unsigned event_blocks(std::int64_t count) {
  return static_cast<unsigned>((count + event_threads - 1) / event_threads);
}

/// Runs the lookups of `work`, which must be in event order, so many in a
/// launch, and adds up.
template <class Physics, class Totals, class Evaluate>
void sum_events(const Work &work, const Evaluate &evaluate, Totals *totals,
                std::int64_t at_once = INT64_MAX) {
  const std::int64_t count = work.last - work.first;
  constexpr int n = Physics::channels;
  const OnDevice<double> device(count * n);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t now = std::min(at_once, count - done);
    event_kernel<Physics><<<event_blocks(now), event_threads>>>(
        evaluate, work.first + done, work.first + done + now,
        device.data() + done * n);
    done += now;
  }
  retro::suite::finish_kernels();
  std::vector<double> all(count * n);
  device.get(all.data());

  double sum[n] = {};
  totals->scores = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double *macro = all.data() + i * n;
    totals->scores +=
        static_cast<std::uint64_t>(score(macro, n, Physics::lowest));
    for (int k = 0; k < n; ++k)
      sum[k] += macro[k];
  }
  for (int k = 0; k < n; ++k)
    totals->macro[k] = sum[k];
}

/// The same with a functor that has a pool for the tapes of a launch, of the
/// size that Measure asks for.
template <class Physics, class Totals, class Differentiate, class Measure>
void differentiate_events(const Work &work, Differentiate differentiate,
                          const Measure &measure, Totals *totals) {
  const std::int64_t count = work.last - work.first;
  unsigned long long bytes = 0;
  const OnDevice<unsigned long long> most(&bytes, 1);
  event_tape_kernel<<<event_blocks(count), event_threads>>>(
      measure, work.first, work.last, most.data());
  most.get(&bytes);
  const std::size_t threads =
      event_threads *
      retro::suite::blocks_at_once(bytes, event_blocks(count), event_threads);
  const OnDevice<char> memory(bytes * threads + 1);
  differentiate.pool = {memory.data(), bytes};
  sum_events<Physics>(work, differentiate, totals,
                      static_cast<std::int64_t>(threads));
}

} // namespace RETRO_MODEL
} // namespace suites::reactor

#endif // SUITES_XSBENCH_EVENT_KERNEL_H
