// Reversal of a loop with few snapshots: binomial checkpointing. Steps are run
// again instead of being taped together, as few as the number of snapshots
// allows.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace retro::suite {

/// How often steps are run forward in a reversal, those not counted that the
/// gradient of a step runs itself.
struct CheckpointCost {
  long long advances = 0, reversals = 0, snapshots = 0;
};

/// Reverses a loop. The caller gives
///   Snapshot save()               of the state
///   void restore(const Snapshot&) the state
///   void advance(int step)        one step of the state
///   void reverse(int step)        from the state before the step: turns the
///                                 adjoint after it into that before it
template <class Save, class Restore, class Advance, class Reverse>
class Checkpointing {
public:
  Checkpointing(Save s, Restore r, Advance a, Reverse b)
      : save(s), restore(r), advance(a), reverse(b) {}

  /// Steps 0 to n - 1, from the state before step 0, with at most `snapshots`
  /// (1 or more) states kept at a time.
  CheckpointCost run(int n, int snapshots) {
    cost = {};
    if (n > 0) {
      keep();
      reverse_range(0, n, std::max(snapshots, 1) - 1);
      kept.pop_back();
    }
    return cost;
  }

private:
  /// Largest number of steps that `free` further snapshots can reverse when no
  /// step is run more than `times` times before its reversal.
  static long long reach(int free, int times) {
    if (free < 0 || times < 0)
      return 0;
    long long result = 1; // binomial coefficient (free + 1 + times, times)
    for (int k = 1; k <= times; ++k) {
      result = result * (free + 1 + k) / k;
      if (result > 1'000'000'000)
        return 1'000'000'000;
    }
    return result;
  }

  /// Where to put the next snapshot: both parts stay within their reach.
  static int split(int n, int free) {
    int times = 1;
    while (reach(free, times) < n)
      ++times;
    const long long at = std::max(n - reach(free - 1, times),
                                  times >= 2 ? reach(free, times - 2) : 1);
    return static_cast<int>(std::clamp<long long>(at, 1, n - 1));
  }

  void keep() {
    kept.push_back(save());
    ++cost.snapshots;
  }

  /// Steps first to last - 1; the state before `first` is the last one kept.
  void reverse_range(int first, int last, int free) {
    while (last - first > 1) {
      const int middle =
          free > 0 ? first + split(last - first, free) : last - 1;
      restore(kept.back());
      for (int step = first; step < middle; ++step, ++cost.advances)
        advance(step);
      if (free > 0) {
        keep();
        reverse_range(middle, last, free - 1);
        kept.pop_back();
      } else {
        reverse(middle);
        ++cost.reversals;
      }
      last = middle;
    }
    restore(kept.back());
    reverse(first);
    ++cost.reversals;
  }

  using Snapshot = decltype(std::declval<Save>()());
  Save save;
  Restore restore;
  Advance advance;
  Reverse reverse;
  std::vector<Snapshot> kept;
  CheckpointCost cost;
};

} // namespace retro::suite
