// Adjoints of operations that move values between the lanes of a warp. What a
// lane has of the result goes to the lane that it read, and each lane gets the
// sum over all that read it, itself included where it kept its own value. All
// lanes that took part in the operation call this together. Which lane reads
// which is found out here, so that any pattern is right; a step, an exchange
// and a broadcast take a few moves, others one for each lane. And the sum, over
// a warp, of what its lanes add to one place in memory.

typedef unsigned lane_t;

#ifdef __NVPTX__

// Mask, By and Ends are the operands of the primal's operation: the lanes that
// take part, the distance or number of a lane, and where parts of the warp end.
// IsConstant: By and Ends are constants.
#define ADJOINT static inline __attribute__((always_inline))
#define ENTRY __attribute__((always_inline))

ADJOINT lane_t self(void) { return __nvvm_read_ptx_sreg_laneid(); }
ADJOINT lane_t first(lane_t Lane, unsigned Ends) {
  return Lane & (Ends >> 8 & 31);
}
ADJOINT lane_t last(lane_t Lane, unsigned Ends) {
  return first(Lane, Ends) | (31 & ~(Ends >> 8));
}

// Values of 64 bits move as two of 32.
#define MOVES(Mode, Operation)                                                 \
  ADJOINT float Mode##_f32(unsigned Mask, float V, unsigned By,                \
                           unsigned Ends) {                                    \
    return __builtin_bit_cast(                                                 \
        float,                                                                 \
        Operation(Mask, __builtin_bit_cast(int, V), (int)By, (int)Ends));      \
  }                                                                            \
  ADJOINT double Mode##_f64(unsigned Mask, double V, unsigned By,              \
                            unsigned Ends) {                                   \
    unsigned long long Bits = __builtin_bit_cast(unsigned long long, V);       \
    unsigned Low = (unsigned)Operation(Mask, (int)Bits, (int)By, (int)Ends);   \
    unsigned High =                                                            \
        (unsigned)Operation(Mask, (int)(Bits >> 32), (int)By, (int)Ends);      \
    return __builtin_bit_cast(double, (unsigned long long)High << 32 | Low);   \
  }
MOVES(idx, __nvvm_shfl_sync_idx_i32)
MOVES(up, __nvvm_shfl_sync_up_i32)
MOVES(down, __nvvm_shfl_sync_down_i32)
MOVES(bfly, __nvvm_shfl_sync_bfly_i32)

/// The lanes of Mask that are there.
ADJOINT unsigned members(unsigned Mask) {
  return (unsigned)__nvvm_vote_ballot_sync(Mask, 1);
}
ADJOINT int has(unsigned Members, lane_t Lane) {
  return Lane < 32 && (Members >> Lane & 1);
}

/// Does Plain hold, and is V the same, in all members?
ADJOINT int uniform(unsigned Mask, int IsConstant, int Plain, unsigned V) {
  if (IsConstant)
    return Plain;
  int One = __builtin_ctz(members(Mask));
  unsigned Of = (unsigned)__nvvm_shfl_sync_idx_i32(Mask, (int)V, One, 31);
  return __nvvm_vote_all_sync(Mask, Plain && Of == V);
}

#define ADJOINTS(T, S)                                                         \
  /* From: the lane that this one read. */                                     \
  static __attribute__((noinline)) T any_##S(unsigned Mask, T G,               \
                                             lane_t From) {                    \
    T Sum = 0;                                                                 \
    for (unsigned Remaining = members(Mask); Remaining;                        \
         Remaining &= Remaining - 1) {                                         \
      unsigned Lane = (unsigned)__builtin_ctz(Remaining);                      \
      T Theirs = idx_##S(Mask, G, Lane, 31);                                   \
      lane_t Read =                                                            \
          (lane_t)__nvvm_shfl_sync_idx_i32(Mask, (int)From, (int)Lane, 31);    \
      Sum += Read == self() ? Theirs : 0;                                      \
    }                                                                          \
    return Sum;                                                                \
  }                                                                            \
  /* KeptOwn: this lane was left its own value. Theirs: what Reader has, which \
     read this one if Reads. */                                                \
  ADJOINT T both_##S(unsigned Mask, T G, int KeptOwn, T Theirs, lane_t Reader, \
                     int Reads) {                                              \
    unsigned Members = members(Mask);                                          \
    return (KeptOwn ? G : 0) + (Reads && has(Members, Reader) ? Theirs : 0);   \
  }                                                                            \
  ENTRY T __retro_adjoint_up_##S(unsigned Mask, T G, unsigned By,              \
                                 unsigned Ends, int IsConstant) {              \
    lane_t L = self(), Low = first(L, Ends) | (Ends & 31 & ~(Ends >> 8));      \
    By &= 31;                                                                  \
    lane_t From = (int)(L - By) >= (int)Low ? L - By : L;                      \
    if (!uniform(Mask, IsConstant, (Ends & 31) == 0, By | Ends << 8))          \
      return any_##S(Mask, G, From);                                           \
    return both_##S(Mask, G, L - Low < By,                                     \
                    down_##S(Mask, G, By, (Ends & 0x1f00) | 31), L + By,       \
                    L + By <= last(L, Ends));                                  \
  }                                                                            \
  ENTRY T __retro_adjoint_down_##S(unsigned Mask, T G, unsigned By,            \
                                   unsigned Ends, int IsConstant) {            \
    lane_t L = self(), High = first(L, Ends) | (Ends & 31 & ~(Ends >> 8));     \
    By &= 31;                                                                  \
    lane_t From = L + By <= High ? L + By : L;                                 \
    if (!uniform(Mask, IsConstant, (Ends & 31) == 31, By | Ends << 8))         \
      return any_##S(Mask, G, From);                                           \
    return both_##S(Mask, G, L + By > High,                                    \
                    up_##S(Mask, G, By, Ends & 0x1f00), L - By,                \
                    L - first(L, Ends) >= By);                                 \
  }                                                                            \
  ENTRY T __retro_adjoint_bfly_##S(unsigned Mask, T G, unsigned By,            \
                                   unsigned Ends, int IsConstant) {            \
    lane_t L = self(), High = first(L, Ends) | (Ends & 31 & ~(Ends >> 8));     \
    By &= 31;                                                                  \
    lane_t From = (L ^ By) <= High ? L ^ By : L;                               \
    if (!uniform(Mask, IsConstant, (Ends & 31) == 31, By | Ends << 8))         \
      return any_##S(Mask, G, From);                                           \
    return both_##S(Mask, G, (L ^ By) > High, bfly_##S(Mask, G, By, 31),       \
                    L ^ By, L <= last(L ^ By, Ends));                          \
  }                                                                            \
  ENTRY T __retro_adjoint_idx_##S(unsigned Mask, T G, unsigned By,             \
                                  unsigned Ends, int IsConstant) {             \
    unsigned Within = 31 & ~(Ends >> 8);                                       \
    lane_t L = self(), Low = first(L, Ends),                                   \
           High = Low | (Ends & 31 & ~(Ends >> 8));                            \
    lane_t From = Low | (By & Within);                                         \
    From = From <= High ? From : L;                                            \
    /* All lanes of a part read one lane: it gets their sum. */                \
    int Plain = (Ends & 31) == 31 && !(Within & (Within + 1));                 \
    if (!uniform(Mask, IsConstant, Plain, By | Ends << 8) || ~members(Mask))   \
      return any_##S(Mask, G, From);                                           \
    for (unsigned Step = 1; Step <= Within; Step *= 2)                         \
      G += bfly_##S(Mask, G, Step, 31);                                        \
    return L == From ? G : 0;                                                  \
  }

#define WARP_SUM(T, S)                                                         \
  /* Are all lanes here, with one P? Then G becomes their sum. */              \
  ADJOINT int add_up_##S(T *P, T *G) {                                         \
    unsigned long long At = (unsigned long long)P;                             \
    if (~__nvvm_activemask())                                                  \
      return 0;                                                                \
    unsigned Low = (unsigned)__nvvm_shfl_sync_idx_i32(~0u, (int)At, 0, 31);    \
    unsigned High =                                                            \
        (unsigned)__nvvm_shfl_sync_idx_i32(~0u, (int)(At >> 32), 0, 31);       \
    unsigned long long One = (unsigned long long)High << 32 | Low;             \
    if (!__nvvm_vote_all_sync(~0u, At == One))                                 \
      return 0;                                                                \
    for (unsigned Step = 1; Step < 32; Step *= 2)                              \
      *G += bfly_##S(~0u, *G, Step, 31);                                       \
    return 1;                                                                  \
  }

#else // amdgcn

// A lane that is not active reads nothing, and others read 0 from it.
#define ADJOINT static inline __attribute__((always_inline))
#define ENTRY __attribute__((noinline))
typedef unsigned long long lanes_t;

ADJOINT lane_t self(void) {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
ADJOINT lanes_t lanesWith(int Holds) {
  return __builtin_amdgcn_ballot_w64(Holds);
}
ADJOINT lane_t firstOf(lanes_t Lanes) { return (lane_t)__builtin_ctzll(Lanes); }

#define MOVES(Name, Operation)                                                 \
  ADJOINT float Name##_f32(float V, lane_t Lane) {                             \
    int Bits = __builtin_bit_cast(int, V);                                     \
    return __builtin_bit_cast(float, Operation(Bits, Lane));                   \
  }                                                                            \
  ADJOINT double Name##_f64(double V, lane_t Lane) {                           \
    unsigned long long Bits = __builtin_bit_cast(unsigned long long, V);       \
    unsigned Low = (unsigned)Operation((int)Bits, Lane);                       \
    unsigned High = (unsigned)Operation((int)(Bits >> 32), Lane);              \
    return __builtin_bit_cast(double, (unsigned long long)High << 32 | Low);   \
  }
#define FROM_EACH(V, Lane) __builtin_amdgcn_ds_bpermute((int)((Lane) << 2), V)
#define FROM_ONE(V, Lane) __builtin_amdgcn_readlane(V, (int)(Lane))
MOVES(gather, FROM_EACH)
MOVES(read, FROM_ONE)

// From: the lane that this one read.
#define ADJOINTS(T, S)                                                         \
  ADJOINT T any_##S(T G, lane_t From) {                                        \
    T Sum = 0;                                                                 \
    for (lanes_t Remaining = lanesWith(1); Remaining;                          \
         Remaining &= Remaining - 1) {                                         \
      lane_t Lane = firstOf(Remaining);                                        \
      T Theirs = read_##S(G, Lane);                                            \
      Sum += (lane_t)FROM_ONE((int)From, Lane) == self() ? Theirs : 0;         \
    }                                                                          \
    return Sum;                                                                \
  }                                                                            \
  ADJOINT T broadcast_##S(T G, lane_t From) {                                  \
    if (~lanesWith(1))                                                         \
      return any_##S(G, From);                                                 \
    for (unsigned Step = 1; Step < 64; Step *= 2)                              \
      G += gather_##S(G, self() ^ Step);                                       \
    return self() == From ? G : 0;                                             \
  }                                                                            \
  ADJOINT T adjoint_##S(T G, lane_t From) {                                    \
    lane_t L = self();                                                         \
    int Moved = From != L;                                                     \
    lanes_t Movers = lanesWith(Moved);                                         \
    if (!Movers)                                                               \
      return G;                                                                \
    lane_t One = firstOf(Movers);                                              \
    lane_t Read = (lane_t)FROM_ONE((int)From, One);                            \
    int Shifted = !lanesWith(Moved && From - L != Read - One);                 \
    int Exchanged = !lanesWith(Moved && (From ^ L) != (Read ^ One));           \
    if (Shifted || Exchanged) {                                                \
      lane_t Reader = Shifted ? L - (Read - One) : L ^ (Read ^ One);           \
      T Theirs = gather_##S(G, Reader);                                        \
      lane_t ReadThere = (lane_t)FROM_EACH((int)From, Reader);                 \
      int Active = (int)(lanesWith(1) >> (Reader & 63) & 1);                   \
      int Reads = Reader < 64 && Active && ReadThere == L;                     \
      return (Moved ? 0 : G) + (Reads ? Theirs : 0);                           \
    }                                                                          \
    if (!lanesWith(From != Read))                                              \
      return broadcast_##S(G, From);                                           \
    return any_##S(G, From);                                                   \
  }                                                                            \
  ENTRY T __retro_adjoint_gather_##S(T G, unsigned Byte) {                     \
    return adjoint_##S(G, Byte >> 2 & 63);                                     \
  }                                                                            \
  ENTRY T __retro_adjoint_lane_##S(T G, unsigned Lane) {                       \
    return broadcast_##S(G, Lane & 63);                                        \
  }                                                                            \
  ENTRY T __retro_adjoint_first_##S(T G) {                                     \
    return broadcast_##S(G, firstOf(lanesWith(1)));                            \
  }

#define WARP_SUM(T, S)                                                         \
  ADJOINT int add_up_##S(T *P, T *G) {                                         \
    unsigned long long At = (unsigned long long)P;                             \
    if (~lanesWith(1))                                                         \
      return 0;                                                                \
    int Low = __builtin_amdgcn_readfirstlane((int)At);                         \
    int High = __builtin_amdgcn_readfirstlane((int)(At >> 32));                \
    if (lanesWith((int)At != Low || (int)(At >> 32) != High))                  \
      return 0;                                                                \
    for (unsigned Step = 1; Step < 64; Step *= 2)                              \
      *G += gather_##S(*G, self() ^ Step);                                     \
    return 1;                                                                  \
  }

#endif

#define WARP_ADD(T, S)                                                         \
  WARP_SUM(T, S)                                                               \
  __attribute__((noinline)) void __retro_warp_add_##S(T *P, T G) {             \
    if (!add_up_##S(P, &G) || self() == 0)                                     \
      __atomic_fetch_add(P, G, __ATOMIC_RELAXED);                              \
  }

ADJOINTS(float, f32)
ADJOINTS(double, f64)
WARP_ADD(float, f32)
WARP_ADD(double, f64)
