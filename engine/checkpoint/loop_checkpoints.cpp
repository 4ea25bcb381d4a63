// Input: a request for a function with loops that nobody marked. Output: a copy
// of the function, if a loop has a small and local state and may have a large
// tape. The copy has the loop twice, as it is and as a checkpointed loop over
// blocks of iterations; the number of iterations decides, when it is known,
// which of them runs. Without it only marked loops would be spared such a tape.
// Members of Checkpoints (checkpoint.h).
#include "base/toggles.h"
#include "checkpoint/checkpoint.h"
#include "facts/loops/local_loops.h"
#include "front/known/mpi.h"
#include "front/requests/checkpoint_marks.h"
#include "front/requests/wrappers.h"
#include "loops/strip_loop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// A tape that is not larger than this many times what the loop reads from
/// memory is not what fills the memory.
constexpr uint64_t TimesInput = 4;
/// How many states are kept at a time. The runtime goes one call deeper for
/// each, and with very few states it runs iterations again very often.
constexpr unsigned LogMostStates = 10, LeastStates = 16;
/// A block's tape has at least this size, which caches hold.
constexpr uint64_t LeastBlock = 1 << 18;
/// The runtime's bytes for a state beside those of the state itself, and for
/// each part.
constexpr uint64_t StateExtra = 112, PartExtra = 24, LeastParts = 16;

/// All functions that the roots' code names, and those that these name.
/// Indirect is set if other functions may be called as well.
SmallSetVector<Function *, 32> reachedFrom(ArrayRef<Function *> Roots,
                                           bool &Indirect) {
  SmallSetVector<Function *, 32> Seen(Roots.begin(), Roots.end());
  for (size_t N = 0; N < Seen.size(); ++N)
    for (Instruction &I : instructions(*Seen[N])) {
      if (auto *C = dyn_cast<CallBase>(&I))
        Indirect |= C->isIndirectCall();
      for (Value *V : I.operands())
        if (auto *G = dyn_cast<Function>(V->stripPointerCastsAndAliases()))
          Seen.insert(primalOf(*G));
    }
  return Seen;
}

/// May the derivative that F requests be differentiated itself? The runtime's
/// code cannot be.
bool mayBeDifferentiated(Function &F, const Registrations &Registered) {
  SmallVector<Function *> Targets;
  for (Function &G : *F.getParent())
    for (CallBase *C : requestsIn(G))
      if (Function *T = targetOf(*C))
        Targets.push_back(T);
      else if (!isRequestWrapper(G)) // of those the callers are known
        return true;
  bool Indirect = !Registered.all().empty();
  return reachedFrom(Targets, Indirect).contains(&F) ||
         (Indirect && F.hasAddressTaken());
}

/// May the request's target be changed, and is it one whose loops may be
/// checkpointed?
bool isFit(const Request &Req, const Surroundings &S) {
  Function &F = *Req.Target;
  return Req.Kind == Entry::Autodiff && Req.Call && !F.isDeclaration() &&
         !F.hasOptNone() && !F.hasFnAttribute(StepAttribute) &&
         !S.Registered.isOpaque(F, Mode::Reverse, false) &&
         mayHaveLocalLoop(F) && !hasRequests(F) &&
         none_of(instructions(F), [](const Instruction &I) {
           return isAnyCheckpointMark(I) || isa<IndirectBrInst>(I);
         });
}

/// A loop, and the tape of its iterations.
struct Choice {
  LocalLoop Found;
  /// The bytes of an iteration, by the inner loops (as numbers in preorder)
  /// whose trips they are multiplied by. Trips of other loops are counted
  /// already.
  std::map<std::vector<unsigned>, uint64_t> Bytes;
  uint64_t Assumed = 0; ///< of an iteration, in all

  // Values by which the program decides.
  Value *Large = nullptr, *Trips = nullptr, *Block = nullptr;
  BasicBlock *Blocks = nullptr; ///< header of the loop over blocks
};

class Chooser {
public:
  Chooser(const Request &Req, Function &Copy, const Surroundings &S)
      : Req(Req), F(Copy), S(S), LI(S.FAM.getResult<LoopAnalysis>(Copy)),
        SE(S.FAM.getResult<ScalarEvolutionAnalysis>(Copy)) {}

  /// Changes the copy. Returns what stands for the loops, if all of it can be
  /// differentiated.
  std::optional<std::vector<OutlinedLoop>> run();
  unsigned count() const { return static_cast<unsigned>(Choices.size()); }

private:
  std::optional<TapeEstimate> estimate();
  bool measure(Choice &X, ArrayRef<TapeTerm> Terms);
  bool mayBeLarge(const Choice &X) const;
  Value *bytesOf(const Choice &X, IRBuilder<> &B, SCEVExpander &E);
  void decide(Choice &X);
  uint64_t statesOf(const Choice &X) const;
  bool isDerivable(ArrayRef<OutlinedLoop> Outlined);

  const Request &Req;
  Function &F;
  const Surroundings &S;
  LoopInfo &LI;
  ScalarEvolution &SE;
  std::vector<Choice> Choices;
};

/// Estimates the tape, while labels on the loops tell which is which.
std::optional<TapeEstimate> Chooser::estimate() {
  auto Loops = LI.getLoopsInPreorder();
  SmallVector<MDNode *> Before;
  for (unsigned N = 0; N < Loops.size(); ++N) {
    Before.push_back(Loops[N]->getLoopID());
    addStringMetadataToLoop(Loops[N], LoopLabel, N);
  }
  Request OfCopy = Req;
  OfCopy.Target = &F;
  auto Out = estimateTape(OfCopy, S);
  for (unsigned N = 0; N < Loops.size(); ++N)
    for (BasicBlock *B : predecessors(Loops[N]->getHeader()))
      if (Loops[N]->contains(B))
        B->getTerminator()->setMetadata(LLVMContext::MD_loop, Before[N]);
  return Out;
}

/// Is the loop's tape large enough for a decision?
bool Chooser::measure(Choice &X, ArrayRef<TapeTerm> Terms) {
  auto Loops = LI.getLoopsInPreorder();
  Instruction *At = X.Found.L->getLoopPreheader()->getTerminator();
  for (const TapeTerm &T : Terms) {
    uint64_t Bytes = T.Bytes, Assumed = T.Bytes;
    std::vector<unsigned> Unknown;
    for (unsigned Label : T.Inner) {
      Loop *In = Label < Loops.size() ? Loops[Label] : nullptr;
      const SCEV *Back = In ? SE.getBackedgeTakenCount(In) : nullptr;
      uint64_t Trips = AssumedTrips;
      if (auto *C = dyn_cast_or_null<SCEVConstant>(Back)) {
        Trips = C->getAPInt().getLimitedValue(1 << 24) + 1;
      } else if (Back && !isa<SCEVCouldNotCompute>(Back) &&
                 Back->getType()->isIntegerTy() &&
                 Back->getType()->getIntegerBitWidth() <= 64 &&
                 SE.isLoopInvariant(Back, X.Found.L) &&
                 SCEVExpander(SE, "").isSafeToExpandAt(Back, At)) {
        Unknown.push_back(Label);
        Assumed = SaturatingMultiply(Assumed, AssumedTrips);
        continue;
      }
      Bytes = SaturatingMultiply(Bytes, Trips);
      Assumed = SaturatingMultiply(Assumed, Trips);
    }
    sort(Unknown);
    uint64_t &Sum = X.Bytes[Unknown];
    Sum = SaturatingAdd(Sum, Bytes);
    X.Assumed = SaturatingAdd(X.Assumed, Assumed);
  }
  return X.Assumed && X.Found.FreshBytes &&
         X.Assumed > SaturatingMultiply(TimesInput, *X.Found.FreshBytes) &&
         mayBeLarge(X);
}

/// May the loop have as many iterations as it takes?
bool Chooser::mayBeLarge(const Choice &X) const {
  if (X.Bytes.size() != 1 || !X.Bytes.begin()->first.empty())
    return true;
  uint64_t Most = SE.getUnsignedRangeMax(X.Found.Backedge).getLimitedValue();
  return SaturatingMultiply(SaturatingAdd(Most, uint64_t(1)), X.Assumed) >
         checkpointAbove();
}

/// Emits the bytes of an iteration, at least 1 and less than 2^62.
Value *Chooser::bytesOf(const Choice &X, IRBuilder<> &B, SCEVExpander &E) {
  Type *I64 = B.getInt64Ty();
  auto AtMost = [&](Value *V, uint64_t Most) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt64(Most));
  };
  auto Loops = LI.getLoopsInPreorder();
  Value *Sum = nullptr;
  for (auto &[Within, Bytes] : X.Bytes) {
    Value *Product = B.getInt64(1);
    for (unsigned N : Within) {
      // The inner loop may not be reached, and its number of iterations makes
      // no sense then.
      const SCEV *Back = SE.getBackedgeTakenCount(Loops[N]);
      Back = SE.getSMaxExpr(Back, SE.getZero(Back->getType()));
      Value *Trips = E.expandCodeFor(SE.getTruncateOrZeroExtend(Back, I64), I64,
                                     B.GetInsertPoint());
      Trips = AtMost(B.CreateFreeze(Trips), 1 << 20);
      Product = AtMost(B.CreateMul(Product, B.CreateAdd(Trips, B.getInt64(1))),
                       uint64_t(1) << 40);
    }
    const uint64_t Most = uint64_t(1) << (Within.empty() ? 60 : 20);
    Value *Term = B.CreateMul(Product, B.getInt64(std::min(Bytes, Most)));
    Sum = AtMost(Sum ? B.CreateAdd(Sum, Term) : Term, uint64_t(1) << 61);
  }
  return Sum;
}

/// Emits, in front of the loop, whether its tape is large, and how many
/// iterations a block has. There are as many blocks as states, but a block's
/// tape fills the caches at least, and a part of the memory at most.
void Chooser::decide(Choice &X) {
  IRBuilder<> B(X.Found.L->getLoopPreheader()->getTerminator());
  SCEVExpander E(SE, "retro.trips");
  Type *I64 = B.getInt64Ty();
  const uint64_t Above = checkpointAbove();
  Value *Back =
      E.expandCodeFor(SE.getTruncateOrZeroExtend(X.Found.Backedge, I64), I64,
                      B.GetInsertPoint());
  Value *Bytes = bytesOf(X, B, E);
  X.Trips = B.CreateAdd(Back, B.getInt64(1));
  X.Large = B.CreateICmpUGE(Back, B.CreateUDiv(B.getInt64(Above), Bytes));
  auto Fitting = [&](uint64_t Room) {
    return B.CreateBinaryIntrinsic(
        Intrinsic::umax, B.CreateUDiv(B.getInt64(Room), Bytes), B.getInt64(1));
  };
  Value *Even =
      B.CreateAdd(B.CreateLShr(X.Trips, LogMostStates), B.getInt64(1));
  Value *Least =
      B.CreateBinaryIntrinsic(Intrinsic::umax, Even, Fitting(LeastBlock));
  X.Block = B.CreateBinaryIntrinsic(Intrinsic::umin, Least, Fitting(Above / 4));
}

/// States take half of the memory at most.
uint64_t Chooser::statesOf(const Choice &X) const {
  uint64_t Parts = PowerOf2Ceil(std::max(LeastParts, X.Found.StateParts + 1));
  uint64_t Each = X.Found.StateBytes + 8 + StateExtra + PartExtra * Parts;
  return std::clamp<uint64_t>(checkpointAbove() / 2 / Each, LeastStates,
                              1 << LogMostStates);
}

/// Can the copy with its calls, and the step of each loop, be differentiated?
bool Chooser::isDerivable(ArrayRef<OutlinedLoop> Outlined) {
  Request OfCopy = Req;
  OfCopy.Target = &F;
  if (!estimateTape(OfCopy, S))
    return false;
  return all_of(Outlined, [&](const OutlinedLoop &X) {
    auto Calls = requestsIn(*X.Requester);
    Reporter Quiet(Calls[0]);
    Quiet.silence();
    auto Step = parseRequest(*Calls[0], {}, Quiet);
    return Step && !Quiet.failed() && estimateTape(*Step, S);
  });
}

void takeBack(ArrayRef<OutlinedLoop> Outlined, Registrations &Registered) {
  for (const OutlinedLoop &X : Outlined) {
    Registered.remove(X.Registered.Primal);
    for (GlobalObject *G : X.Parts)
      if (auto *F = dyn_cast<Function>(G))
        F->dropAllReferences();
      else
        cast<GlobalVariable>(G)->setInitializer(nullptr);
  }
  for (const OutlinedLoop &X : Outlined)
    for (GlobalObject *G : X.Parts) {
      G->replaceAllUsesWith(PoisonValue::get(G->getType()));
      G->eraseFromParent();
    }
}

std::optional<std::vector<OutlinedLoop>> Chooser::run() {
  for (const LocalLoop &X : findLocalLoops(F, S.FAM))
    Choices.push_back({X, {}, 0, nullptr, nullptr, nullptr, nullptr});
  if (Choices.empty())
    return std::nullopt;
  std::optional<TapeEstimate> Tape = estimate();
  if (!Tape)
    return std::nullopt;
  auto Loops = LI.getLoopsInPreorder();
  erase_if(Choices, [&](Choice &X) {
    auto N = static_cast<unsigned>(find(Loops, X.Found.L) - Loops.begin());
    return !measure(X, (*Tape)[N]);
  });
  if (Choices.empty())
    return std::nullopt;
  for (Choice &X : Choices) {
    if (printPlanRequested()) {
      errs() << "loop ";
      X.Found.L->getHeader()->printAsOperand(errs(), false);
      errs() << ": checkpointed above " << checkpointAbove() << " bytes, "
             << X.Assumed << " bytes an iteration\n";
    }
    decide(X);
  }
  auto &DT = S.FAM.getResult<DominatorTreeAnalysis>(F);
  for (Choice &X : Choices)
    formLCSSARecursively(*X.Found.L, DT, &LI, &SE);
  for (Choice &X : Choices)
    X.Blocks = stripCopy(*X.Found.L, X.Large, X.Trips, X.Block);
  S.FAM.invalidate(F, PreservedAnalyses::none());
  Reporter Quiet(Req.Call);
  Quiet.silence();
  std::vector<OutlinedLoop> Outlined;
  for (Choice &X : Choices) {
    auto One = outlineLoop(*X.Blocks, statesOf(X), Req.activities(), Quiet);
    if (!One)
      break; // not before anything was made: the form is known
    S.Registered.add(One->Registered);
    Outlined.push_back(std::move(*One));
  }
  if (Outlined.size() == Choices.size() && isDerivable(Outlined))
    return Outlined;
  takeBack(Outlined, S.Registered);
  return std::nullopt;
}

} // namespace

Function *Checkpoints::prepareUnmarked(const Request &Req, Traits Modes,
                                       const Surroundings &S) {
  Function *F = Req.Target;
  Module &M = *F->getParent();
  if (!applies(Toggle::loop_checkpoints, Modes) || !isFit(Req, S) ||
      usesMpi(M) || mayBeDifferentiated(*Req.Call->getFunction(), S.Registered))
    return F;
  auto [It, New] = Unmarked.try_emplace({F, Req.activities()}, F);
  if (!New)
    return It->second;
  Function *Copy = copyOf(*F);
  Chooser C(Req, *Copy, S);
  auto Outlined = C.run();
  S.FAM.clear(*Copy, Copy->getName());
  if (!Outlined) {
    Copy->eraseFromParent();
    return F;
  }
  counters().loop_checkpoints += C.count();
  for (OutlinedLoop &X : *Outlined)
    add(std::move(X));
  return It->second = Copies[{F, Req.activities()}] = Copy;
}

} // namespace retro
