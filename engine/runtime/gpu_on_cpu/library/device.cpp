// The functions that calls of device code become: barriers, operations of
// warps, printing. Without one of them the code of a kernel would not link for
// the host. The pass calls them by name, so no header declares them.
#include "state.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace retro::gpu;

namespace {

Block &block() { return *Block::Now; }
ThreadContext &context() { return *retro_gpu_context; }

uint64_t bit(unsigned Lane) { return uint64_t(1) << Lane; }

/// The value of lane From; 0 if that does not take part.
uint64_t valueOf(const WarpOperation &Op, unsigned From) {
  return From < 64 && (Op.Present & bit(From)) ? Op.Value[From] : 0;
}

// The lane that a shuffle reads, as PTX defines it. The operand's high part
// says where the parts of the warp end.
uint64_t shuffleIdx(const WarpOperation &Op, unsigned Lane) {
  unsigned B = Op.Operand[Lane] & 31, C = Op.Operand[Lane] >> 8;
  unsigned Segment = C >> 8 & 31, Clamp = C & 31;
  unsigned Low = Lane & Segment, Max = Low | (Clamp & ~Segment);
  unsigned From = Low | (B & ~Segment);
  return valueOf(Op, From <= Max ? From : Lane);
}
uint64_t shuffleUp(const WarpOperation &Op, unsigned Lane) {
  unsigned B = Op.Operand[Lane] & 31, C = Op.Operand[Lane] >> 8;
  unsigned Segment = C >> 8 & 31, Clamp = C & 31;
  int Max = int((Lane & Segment) | (Clamp & ~Segment)), From = int(Lane - B);
  return valueOf(Op, From >= Max ? unsigned(From) : Lane);
}
uint64_t shuffleDown(const WarpOperation &Op, unsigned Lane) {
  unsigned B = Op.Operand[Lane] & 31, C = Op.Operand[Lane] >> 8;
  unsigned Segment = C >> 8 & 31, Clamp = C & 31;
  unsigned Max = (Lane & Segment) | (Clamp & ~Segment), From = Lane + B;
  return valueOf(Op, From <= Max ? From : Lane);
}
uint64_t shuffleXor(const WarpOperation &Op, unsigned Lane) {
  unsigned B = Op.Operand[Lane] & 31, C = Op.Operand[Lane] >> 8;
  unsigned Segment = C >> 8 & 31, Clamp = C & 31;
  unsigned Max = (Lane & Segment) | (Clamp & ~Segment), From = Lane ^ B;
  return valueOf(Op, From <= Max ? From : Lane);
}
uint64_t gather(const WarpOperation &Op, unsigned Lane) {
  return valueOf(Op, (Op.Operand[Lane] >> 2) & 63);
}
uint64_t fromLane(const WarpOperation &Op, unsigned Lane) {
  return valueOf(Op, Op.Operand[Lane] & 63);
}
uint64_t firstLane(const WarpOperation &Op, unsigned) {
  return Op.Value[std::countr_zero(Op.Present)];
}
uint64_t ballot(const WarpOperation &Op, unsigned) {
  uint64_t Set = 0;
  for (unsigned L = 0; L < 64; ++L)
    if (valueOf(Op, L))
      Set |= bit(L);
  return Set;
}
uint64_t all(const WarpOperation &Op, unsigned Lane) {
  return ballot(Op, Lane) == Op.Present;
}
uint64_t any(const WarpOperation &Op, unsigned Lane) {
  return ballot(Op, Lane) != 0;
}
uint64_t uniform(const WarpOperation &Op, unsigned Lane) {
  return all(Op, Lane) || !any(Op, Lane);
}
uint64_t match(const WarpOperation &Op, unsigned Lane) {
  uint64_t Same = 0;
  for (unsigned L = 0; L < 64; ++L)
    if ((Op.Present & bit(L)) && Op.Value[L] == Op.Value[Lane])
      Same |= bit(L);
  return Same;
}
uint64_t present(const WarpOperation &Op, unsigned) { return Op.Present; }

template <typename F> uint64_t fold(const WarpOperation &Op, F Combine) {
  bool First = true;
  int32_t Result = 0;
  for (unsigned L = 0; L < 64; ++L)
    if (Op.Present & bit(L)) {
      Result =
          First ? int32_t(Op.Value[L]) : Combine(Result, int32_t(Op.Value[L]));
      First = false;
    }
  return uint32_t(Result);
}
uint64_t sum(const WarpOperation &Op, unsigned) {
  return fold(Op, [](int32_t A, int32_t B) {
    return int32_t(uint32_t(A) + uint32_t(B));
  });
}
uint64_t least(const WarpOperation &Op, unsigned) {
  return fold(Op, [](int32_t A, int32_t B) { return A < B ? A : B; });
}
uint64_t greatest(const WarpOperation &Op, unsigned) {
  return fold(Op, [](int32_t A, int32_t B) { return A > B ? A : B; });
}

uint32_t operand(uint32_t B, uint32_t C) { return (B & 31) | C << 8; }

} // namespace

extern "C" {

void retro_gpu_barrier(uint32_t, const Site *S) { block().barrier(S, 0); }
void retro_gpu_barrier_of_group(const Site *S) { block().barrier(S, 0); }
uint32_t retro_gpu_barrier_count(uint32_t, uint32_t V, const Site *S) {
  return uint32_t(block().barrier(S, V));
}
uint32_t retro_gpu_barrier_and(uint32_t, uint32_t V, const Site *S) {
  block().barrier(S, V);
  return block().All;
}
uint32_t retro_gpu_barrier_or(uint32_t, uint32_t V, const Site *S) {
  block().barrier(S, V);
  return block().Any;
}

void retro_gpu_warp_sync(uint32_t Mask, const Site *S) {
  block().warp(S, "__syncwarp()", Mask, 0, 0, present);
}
void retro_gpu_wave_barrier(const Site *S) {
  block().warp(S, "a wave barrier", 0, 0, 0, present);
}

#define SHUFFLE(Mode, Lane)                                                    \
  uint32_t retro_gpu_shuffle_##Mode(uint32_t Mask, uint32_t V, uint32_t B,     \
                                    uint32_t C, const Site *S) {               \
    return uint32_t(                                                           \
        block().warp(S, "a shuffle", Mask, V, operand(B, C), Lane));           \
  }                                                                            \
  float retro_gpu_shuffle_##Mode##_float(uint32_t Mask, float V, uint32_t B,   \
                                         uint32_t C, const Site *S) {          \
    return std::bit_cast<float>(                                               \
        retro_gpu_shuffle_##Mode(Mask, std::bit_cast<uint32_t>(V), B, C, S));  \
  }
SHUFFLE(idx, shuffleIdx)
SHUFFLE(up, shuffleUp)
SHUFFLE(down, shuffleDown)
SHUFFLE(xor, shuffleXor)
#undef SHUFFLE

#define VOTE(Name, Function)                                                   \
  uint32_t retro_gpu_vote_##Name(uint32_t Mask, uint32_t V, const Site *S) {   \
    return uint32_t(block().warp(S, "a vote", Mask, V != 0, 0, Function));     \
  }
VOTE(all, all)
VOTE(any, any)
VOTE(uniform, uniform)
VOTE(ballot, ballot)
#undef VOTE
uint32_t retro_gpu_match_any(uint32_t Mask, uint32_t V, const Site *S) {
  return uint32_t(block().warp(S, "a match", Mask, V, 0, match));
}
uint32_t retro_gpu_match_any64(uint32_t Mask, uint64_t V, const Site *S) {
  return uint32_t(block().warp(S, "a match", Mask, V, 0, match));
}
uint32_t retro_gpu_warp_add(uint32_t V, uint32_t Mask, const Site *S) {
  return uint32_t(block().warp(S, "a reduction", Mask, V, 0, sum));
}
uint32_t retro_gpu_warp_min(uint32_t V, uint32_t Mask, const Site *S) {
  return uint32_t(block().warp(S, "a reduction", Mask, V, 0, least));
}
uint32_t retro_gpu_warp_max(uint32_t V, uint32_t Mask, const Site *S) {
  return uint32_t(block().warp(S, "a reduction", Mask, V, 0, greatest));
}
uint32_t retro_gpu_active_mask(const Site *S) {
  return uint32_t(block().warp(S, "__activemask()", 0, 0, 0, present));
}

// In a wavefront, the lanes that are there take part.
uint32_t retro_gpu_lane_gather(uint32_t Byte, uint32_t V, const Site *S) {
  return uint32_t(block().warp(S, "a shuffle", 0, V, Byte, gather));
}
#define BROADCAST(Suffix, T, Word)                                             \
  T retro_gpu_first_lane##Suffix(T V, const Site *S) {                         \
    return std::bit_cast<T>(Word(block().warp(                                 \
        S, "a broadcast", 0, std::bit_cast<Word>(V), 0, firstLane)));          \
  }                                                                            \
  T retro_gpu_read_lane##Suffix(T V, uint32_t Lane, const Site *S) {           \
    return std::bit_cast<T>(Word(block().warp(                                 \
        S, "a broadcast", 0, std::bit_cast<Word>(V), Lane, fromLane)));        \
  }
BROADCAST(, uint32_t, uint32_t)
BROADCAST(_float, float, uint32_t)
BROADCAST(64, uint64_t, uint64_t)
BROADCAST(_double, double, uint64_t)
#undef BROADCAST
uint64_t retro_gpu_ballot(uint32_t V, const Site *S) {
  return block().warp(S, "a vote", 0, V != 0, 0, ballot);
}
uint32_t retro_gpu_ballot32(uint32_t V, const Site *S) {
  return uint32_t(retro_gpu_ballot(V, S));
}
uint32_t retro_gpu_count_lanes_low(uint32_t Mask, uint32_t Add, const Site *) {
  unsigned L = context().Lane;
  uint32_t Below = L >= 32 ? ~0u : (1u << L) - 1;
  return Add + uint32_t(std::popcount(Mask & Below));
}
uint32_t retro_gpu_count_lanes_high(uint32_t Mask, uint32_t Add, const Site *) {
  unsigned L = context().Lane;
  uint32_t Below = L < 32 ? 0 : (1u << (L - 32)) - 1;
  return Add + uint32_t(std::popcount(Mask & Below));
}

uint32_t retro_gpu_lanes_equal(const Site *) { return 1u << context().Lane; }
uint32_t retro_gpu_lanes_below(const Site *) {
  return (1u << context().Lane) - 1;
}
uint32_t retro_gpu_lanes_up_to(const Site *S) {
  return retro_gpu_lanes_below(S) | retro_gpu_lanes_equal(S);
}
uint32_t retro_gpu_lanes_above(const Site *S) {
  return ~retro_gpu_lanes_up_to(S);
}
uint32_t retro_gpu_lanes_from(const Site *S) {
  return ~retro_gpu_lanes_below(S);
}

uint64_t retro_gpu_clock(const Site *) {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}
void retro_gpu_fence(const Site *) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

double retro_gpu_sqrt(double X, const Site *) { return std::sqrt(X); }
float retro_gpu_sqrtf(float X, const Site *) { return std::sqrt(X); }
double retro_gpu_rsqrt(double X, const Site *) { return 1 / std::sqrt(X); }
float retro_gpu_rsqrtf(float X, const Site *) { return 1 / std::sqrt(X); }
double retro_gpu_reciprocal(double X, const Site *) { return 1 / X; }
float retro_gpu_reciprocalf(float X, const Site *) { return 1 / X; }

void *retro_gpu_allocate(uint64_t Bytes, const Site *) {
  return allocateGlobal(Bytes, true);
}
void *retro_gpu_free(void *Address, const Site *S) {
  if (Address && !freeGlobal(Address, true))
    fail("free() of an address that malloc() of a kernel did not give: " +
         block().place(&block().current()) + inWords(S));
  return nullptr;
}

[[noreturn]] void retro_gpu_trap(const Site *S) {
  fail("trap: " + block().place(&block().current()) + inWords(S));
}
[[noreturn]] void retro_gpu_trap_of(uint32_t, const Site *S) {
  retro_gpu_trap(S);
}
[[noreturn]] void retro_gpu_assert(const char *Text, const char *File,
                                   uint32_t Line, const char *Function,
                                   uint64_t, const Site *) {
  fail("assertion '" + std::string(Text) + "' at " + File + ":" +
       std::to_string(Line) + " in '" + Function +
       "' does not hold: " + block().place(&block().current()));
}

} // extern "C"
