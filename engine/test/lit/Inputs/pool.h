// As much of what oneTBB's headers define as a loop needs.
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

namespace tbb {
namespace detail {
namespace d1 {
struct task_group_context {};
struct task {
  virtual ~task() = default;
  virtual task *execute() = 0;
};
} // namespace d1
namespace r1 {
void execute_and_wait(d1::task &, d1::task_group_context &);
} // namespace r1
namespace d1 {
inline void execute_and_wait(task &t, task_group_context &c) {
  r1::execute_and_wait(t, c);
}

template <typename Value> class blocked_range {
public:
  blocked_range(Value begin, Value end) : my_end(end), my_begin(begin), my_grainsize(1) {}
  Value begin() const { return my_begin; }
  Value end() const { return my_end; }
  bool empty() const { return !(my_begin < my_end); }

private:
  Value my_end, my_begin;
  size_t my_grainsize;
};

template <typename Range, typename Body, typename Partitioner>
struct start_for : task {
  Range my_range;
  const Body my_body;
  start_for(const Range &r, const Body &b) : my_range(r), my_body(b) {}
  task *execute() override {
    run_body(my_range);
    return nullptr;
  }
  void run_body(Range &r) {
    my_body(r);
#ifdef UNKNOWN
    my_body(r);
#endif
  }
  static void run(const Range &r, const Body &b, Partitioner &p) {
    task_group_context context;
    run(r, b, p, context);
  }
  static void run(const Range &r, const Body &b, Partitioner &,
                  task_group_context &c) {
    if (!r.empty()) {
      start_for t(r, b);
      execute_and_wait(t, c);
    }
  }
};
} // namespace d1
} // namespace detail
} // namespace tbb

#endif
