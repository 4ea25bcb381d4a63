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

/// Runs the lookups of `work`, which must be in event order, and adds up.
template <class Physics, class Totals, class Evaluate>
void sum_events(const Work &work, const Evaluate &evaluate, Totals *totals) {
  const std::int64_t count = work.last - work.first;
  constexpr int n = Physics::channels;
  const OnDevice<double> device(count * n);
  event_kernel<Physics>
      <<<static_cast<unsigned>((count + event_threads - 1) / event_threads),
         event_threads>>>(evaluate, work.first, work.last, device.data());
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

} // namespace RETRO_MODEL
} // namespace suites::reactor

#endif // SUITES_XSBENCH_EVENT_KERNEL_H
