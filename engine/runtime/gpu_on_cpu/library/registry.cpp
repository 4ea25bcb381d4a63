// What the emulated device knows of the program: the kernels and variables that
// its modules register before main(), by name; the settings, which it reads of
// the environment; how errors end it; and the order in which the blocks of a
// launch run, which the settings may turn around to find races. Without it a
// launch would not know what to run. Declared in state.h.
#include "memory.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <unordered_map>

using namespace retro::gpu;

namespace {

struct Registry {
  std::unordered_map<std::string, KernelOf> Kernels;
  std::unordered_map<std::string, const VariableEntry *> Variables;
};
/// Modules register before main(), in no known order.
Registry &registry() {
  static Registry R;
  return R;
}

Settings fromEnvironment() {
  Settings S;
  auto number = [](const char *Name, uint64_t Default) {
    const char *Text = std::getenv(Name);
    return Text && *Text ? std::strtoull(Text, nullptr, 10) : Default;
  };
  if (const char *Text = std::getenv("RETRO_GPU_ORDER")) {
    std::string Name = Text;
    if (Name == "reverse")
      S.ThreadOrder = Order::Reverse;
    else if (Name.rfind("random", 0) == 0)
      S.ThreadOrder = Order::Random;
    else if (Name != "forward" && !Name.empty())
      fail("RETRO_GPU_ORDER is forward, reverse, random or random:SEED, not '" +
           Name + "'");
    if (Name.rfind("random:", 0) == 0)
      S.Seed = std::strtoull(Text + 7, nullptr, 10);
  }
  S.Workers = unsigned(number("RETRO_GPU_WORKERS", 1));
  S.StackBytes = number("RETRO_GPU_STACK_KB", 256) << 10;
  S.Races = number("RETRO_GPU_RACES", 0);
  S.EndedMayMiss = number("RETRO_GPU_ENDED_MAY_MISS", 0);
  return S;
}

} // namespace

Settings &retro::gpu::settings() {
  static Settings S = fromEnvironment();
  return S;
}

void retro::gpu::fail(const std::string &Text) {
  std::fflush(stdout);
  if (auto *Handler = settings().Handler)
    Handler(Text.c_str());
  std::fprintf(stderr, "gpu on cpu: %s\n", Text.c_str());
  std::abort();
}

std::string retro::gpu::inWords(const uint32_t I[3]) {
  return "(" + std::to_string(I[0]) + "," + std::to_string(I[1]) + "," +
         std::to_string(I[2]) + ")";
}

std::string retro::gpu::inWords(const Site *S) {
  return S && S->Line
             ? " at " + std::string(S->File) + ":" + std::to_string(S->Line)
             : "";
}

const KernelOf *retro::gpu::findKernel(const std::string &Name) {
  auto It = registry().Kernels.find(Name);
  return It == registry().Kernels.end() ? nullptr : &It->second;
}

const VariableEntry *retro::gpu::findVariable(const std::string &Name) {
  auto It = registry().Variables.find(Name);
  return It == registry().Variables.end() ? nullptr : It->second;
}

/// Runs blocks in the order that the setting asks for, by as many threads of
/// the host.
void retro::gpu::runLaunch(const Launch &L) {
  uint64_t Count = L.Grid.count();
  const Settings &S = settings();
  std::vector<uint64_t> Order(Count);
  for (uint64_t I = 0; I < Count; ++I)
    Order[I] = S.ThreadOrder == Order::Reverse ? Count - 1 - I : I;
  if (S.ThreadOrder == Order::Random) {
    std::mt19937_64 Random(S.Seed + L.Number);
    std::shuffle(Order.begin(), Order.end(), Random);
  }
  std::atomic<uint64_t> Next{0};
  auto work = [&] {
    static thread_local Block Room;
    for (uint64_t I; (I = Next++) < Count;) {
      uint64_t N = Order[I];
      Room.run(L, {uint32_t(N % L.Grid.X), uint32_t(N / L.Grid.X % L.Grid.Y),
                   uint32_t(N / L.Grid.X / L.Grid.Y)});
    }
  };
  std::vector<std::thread> Workers;
  for (unsigned W = 1; W < S.Workers && W < Count; ++W)
    Workers.emplace_back(work);
  work();
  for (std::thread &W : Workers)
    W.join();
}

extern "C" {

void retro_gpu_register(const ModuleEntry *M) {
  for (uint32_t K = 0; K < M->Kernels; ++K)
    registry().Kernels[M->Kernel[K].Name] = {&M->Kernel[K], M->WarpSize};
  for (uint64_t V = 0; V < M->Variables; ++V) {
    registry().Variables[M->Variable[V].Name] = &M->Variable[V];
    rememberVariable(M->Variable[V]);
  }
}

void retro_gpu_set_order(RetroGpuOrder Order, uint64_t Seed) {
  settings().ThreadOrder = retro::gpu::Order(Order);
  settings().Seed = Seed;
}
void retro_gpu_set_workers(unsigned Count) { settings().Workers = Count; }
void retro_gpu_set_race_check(int Wanted) { settings().Races = Wanted != 0; }
void retro_gpu_set_error_handler(void (*Handler)(const char *)) {
  settings().Handler = Handler;
}

} // extern "C"
