// Input: what a unit adds to shadow memory on a device. Output: whether two
// threads can meet there, by their terms or by the solver. Where that is wrong
// a sum is lost; where nothing is proven the addition is atomic.
#include "facts/threads/device_races.h"

#include "base/toggles.h"
#include "facts/parallel/synchronization.h"
#include "facts/threads/solver.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// Calls of this many functions are looked into for what they do.
constexpr size_t MostFunctions = 64;

/// The solver's limit: a number of steps, the same on every machine.
constexpr unsigned StepsOfSolver = 2'000'000;

/// Marks a function with a request that has been answered: what two requests of
/// one kernel add may meet.
constexpr StringLiteral AnsweredMark = "retro-answered";

} // namespace

void markAnswered(Function &F) { F.addFnAttr(AnsweredMark); }
bool isAnswered(const Function &F) { return F.hasFnAttribute(AnsweredMark); }

DeviceProof::DeviceProof(const ActivityAnalysis &Act, UnitFunction &UF)
    : Act(Act), UF(UF), PDT(*UF.F) {
  if (!Act.unit().Site) {
    Obstacle = "the derivative is not for one request";
    return;
  }
  Terms.emplace(Act.unit(), *Act.unit().Site);
  if (Terms->chain().empty()) {
    Obstacle = "the request is in no kernel, nor in a function that one place "
               "of a kernel calls";
    return;
  }
  findObstacles();
  if (Obstacle.empty()) {
    for (const Function *F : Kernel)
      findOrder(*F);
    for (auto &G : Act.unit().Functions)
      findOrder(*G->F);
    findStores();
  }
}

/// Is there more in the kernel that may add to shadows beside others?
void DeviceProof::findObstacles() {
  Kernel.insert(Terms->chain().begin(), Terms->chain().end());
  for (size_t N = 0; N < Kernel.size(); ++N) {
    const Function *F = Kernel[N];
    if (isAnswered(*F) || Kernel.size() > MostFunctions) {
      Obstacle = "the kernel makes another request, too";
      return;
    }
    for (const Instruction &I : instructions(*F)) {
      auto *C = dyn_cast<CallBase>(&I);
      if (C == Act.unit().Site->Call)
        continue;
      if (C && isRequest(*C)) {
        Obstacle = "the kernel makes another request, too";
        return;
      }
      if (I.isAtomic() && !isa<FenceInst>(I)) {
        Obstacle = "the kernel itself uses atomic operations";
        return;
      }
      if (!C || isa<IntrinsicInst>(C))
        continue;
      const Function *G = C->getCalledFunction();
      if (G && !G->isDeclaration())
        Kernel.insert(G);
      else if (!C->onlyReadsMemory() && knownCall(*C).Kind == KnownKind::None) {
        Obstacle = "the kernel calls what is not known";
        return;
      }
    }
  }
}

/// Barriers, and what flags in memory can be made of: who waits for one reads
/// it atomically or as volatile. Shuffles order no memory; they are taken for
/// barriers all the same.
void DeviceProof::findOrder(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallBase>(&I);
    auto *L = dyn_cast<LoadInst>(&I);
    bool Barrier = C && (syncOf(*C) == Sync::BlockBarrier ||
                         knownCall(*C).Kind == KnownKind::Shuffle);
    Barriers |= Barrier;
    Flags |= isa<AtomicCmpXchgInst>(I) ||
             (isa<AtomicRMWInst>(I) && !I.use_empty()) ||
             (L && (L->isVolatile() || L->isAtomic()));
    if (!C || Barrier || C == Act.unit().Site->Call)
      continue;
    const Function *G = C->getCalledFunction();
    Flags |= !G || C->isInlineAsm() ||
             (isa<IntrinsicInst>(C) && C->isConvergent()) ||
             (G->isDeclaration() && !isa<IntrinsicInst>(C) &&
              knownCall(*C).Kind == KnownKind::None);
  }
}

/// The block that runs if and only if I does at least once: that before the
/// loops in every iteration of which it runs. Null: not known.
const BasicBlock *DeviceProof::firstRun(const Instruction &I) const {
  const BasicBlock *B = I.getParent();
  for (const Loop *L = UF.LI.getLoopFor(B); L; L = L->getParentLoop()) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || L->getExitingBlock() != Latch || !L->getLoopPreheader() ||
        !UF.DT.dominates(B, Latch))
      return nullptr;
    B = L->getLoopPreheader();
  }
  return B;
}

/// Does every thread that executes Read execute Store?
bool DeviceProof::accompanies(const Instruction &Store,
                              const Instruction &Read) const {
  const BasicBlock *B = firstRun(Store);
  return B && (UF.DT.dominates(B, Read.getParent()) ||
               PDT.dominates(B, Read.getParent()));
}

/// Stores of active numbers: of two threads that store one in the same place,
/// each would take the other's adjoint.
void DeviceProof::findStores() {
  if (Flags)
    return;
  const DataLayout &DL = UF.F->getDataLayout();
  for (const Instruction &I : instructions(*UF.F)) {
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S || !S->isSimple() ||
        !S->getValueOperand()->getType()->isFPOrFPVectorTy() ||
        !Act.touchesActive(S->getOperand(StoreInst::getPointerOperandIndex()),
                           S->getValueOperand()->getType()))
      continue;
    // With barriers, only what each thread executes once in one phase.
    if (Barriers &&
        (UF.LI.getLoopFor(S->getParent()) || !Terms->requestedOnce()))
      continue;
    auto P = Terms->place(S->getPointerOperand(), /*Shadow=*/false);
    if (P && !Terms->split(P->At).Varying.terms().empty())
      Stores.push_back({&I, *P,
                        static_cast<int64_t>(DL.getTypeStoreSize(
                            S->getValueOperand()->getType()))});
  }
}

bool DeviceProof::areSeparate(const Value *A, const Value *B) const {
  auto NoAlias = [](const Value *V) {
    auto *X = dyn_cast<Argument>(V);
    return X && X->hasNoAliasAttr();
  };
  return (isa<GlobalVariable>(A) && isa<GlobalVariable>(B)) || NoAlias(A) ||
         NoAlias(B);
}

DeviceProof::Verdict
DeviceProof::decide(const SharedRead &One,
                    ArrayRef<const SharedRead *> Together) {
  if (!Obstacle.empty())
    return {Sharing::Atomic, Obstacle};
  if (One.Ptr && Terms->isShared(One.Ptr))
    return {Sharing::Atomic, "it is the block's shared memory"};
  Accesses Reads;
  std::optional<Place> Mine = Terms->place(One.Ptr, /*Shadow=*/true);
  if (!Mine)
    return {Sharing::Atomic, "the address is no linear function of the "
                             "thread's values behind one shadow"};
  if (isOn(Toggle::warp_sums) && Terms->split(Mine->At).Varying.terms().empty())
    return {Sharing::Reduced, "it is the same place in all threads"};
  std::vector<const Instruction *> Key;
  for (const SharedRead *R : Together) {
    if (!R->Ptr || !R->Bytes || R->In != &UF)
      return {Sharing::Atomic, "a call adds to what may be the same shadow"};
    if (Terms->isShared(R->Ptr))
      continue;
    auto P = Terms->place(R->Ptr, /*Shadow=*/true);
    if (!P)
      return {Sharing::Atomic, "what else may be added to the same shadow has "
                               "an address that is no linear function of the "
                               "thread's values"};
    if (P->Base != Mine->Base) {
      if (areSeparate(P->Base, Mine->Base))
        continue;
      return {Sharing::Atomic, "another shadow may be the same memory: declare "
                               "the kernel's parameters __restrict__"};
    }
    Reads.push_back({R->At, *P, static_cast<int64_t>(R->Bytes)});
    Key.push_back(R->At);
  }
  auto [It, New] = Known.try_emplace(Key);
  if (New)
    It->second = prove(Reads);
  return It->second;
}

DeviceProof::Verdict DeviceProof::prove(const Accesses &Reads) {
  for (const Access &R : Reads) {
    auto Parts = Terms->split(R.Where.At);
    if (Parts.Varying.terms().empty())
      return {Sharing::Atomic, "it is the same place in all threads"};
  }
  Accesses With;
  for (const Access &S : Stores)
    if (all_of(Reads,
               [&](const Access &R) { return accompanies(*S.At, *R.At); }))
      With.push_back(S);
  if (isAffine(Reads, With))
    return {Sharing::Affine,
            "threads that store to different places add to different ones"};
  if (haveDigits(Reads, With))
    return {Sharing::Affine, "within the ranges of the threads' numbers no two "
                             "of them add to one place"};
  if (!isOn(Toggle::race_smt))
    return {Sharing::Atomic, "not proven by the affine test"};
  std::string Text = script(Reads, With, /*Multiply=*/false);
  Answer Is = solve(Text);
  if (Is == Answer::Sat)
    Is = solve(Text = script(Reads, With, /*Multiply=*/true));
  writeProof((UF.Source->getName() + "." + std::to_string(Known.size())).str(),
             Text, Is);
  if (Is == Answer::Unsat) {
    ++counters().race_smt;
    return {Sharing::Solved,
            "the solver finds no two threads that add to one place"};
  }
  return {Sharing::Atomic,
          Is == Answer::Sat
              ? "for all that is known two threads may add to one place"
          : Is == Answer::NoSolver
              ? "not proven by the affine test, and there is no solver (Z3)"
              : "not proven: the solver gave up"};
}

/// All addresses are Stride v + a uniform part. Two threads whose v differ by
/// a number that stores exclude do not meet there.
bool DeviceProof::isAffine(const Accesses &Reads, const Accesses &Stores) {
  Polynomial First = Terms->split(Reads[0].Where.At).Varying;
  int64_t Stride = First.content();
  Polynomial V = First.dividedBy(Stride);
  struct Excluded {
    Polynomial By; ///< Times (v - v') is never this
    int64_t Times;
  };
  std::vector<Excluded> Never;
  for (const Access &S : Stores)
    for (const Access &T : Stores) {
      auto P = Terms->split(S.Where.At), Q = Terms->split(T.Where.At);
      int64_t Times;
      if (S.Where.Base == T.Where.Base && P.Varying == Q.Varying &&
          P.Varying.isMultipleOf(V, Times))
        Never.push_back({Q.Uniform - P.Uniform, Times});
    }
  auto IsExcluded = [&](const Polynomial &Difference) {
    return any_of(
        Never, [&](const Excluded &X) { return Difference * X.Times == X.By; });
  };
  for (const Access &A : Reads)
    for (const Access &B : Reads) {
      auto P = Terms->split(A.Where.At), Q = Terms->split(B.Where.At);
      if (!(P.Varying == First) || !(Q.Varying == First))
        return false;
      // They meet where Stride (v - v') + D is in [Low, High].
      Polynomial D = P.Uniform - Q.Uniform;
      auto L = Terms->range(P.Counted), R = Terms->range(Q.Counted);
      if (!D.isKnown() || !L || !R)
        return false;
      int64_t Low = R->first - L->second - A.Bytes + 1;
      int64_t High = R->second - L->first + B.Bytes - 1;
      if (auto C = D.asConstant()) {
        Low -= *C, High -= *C;
        D = Polynomial();
      }
      if (D.content() % Stride)
        return false;
      // Which multiples of Stride are in [Low, High]?
      int64_t From = divideCeilSigned(Low, Stride);
      int64_t To = divideFloorSigned(High, Stride);
      if (To - From > 64)
        return false;
      for (int64_t N = From; N <= To; ++N)
        if (!IsExcluded(Polynomial(N) - D.dividedBy(Stride)))
          return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//

namespace {

/// SMT-LIB2 terms of one thread's view; counters have a copy an access.
class Writer {
public:
  using Access = DeviceProof::Access;
  using Accesses = DeviceProof::Accesses;

  Writer(ArrayRef<Variable> Variables, raw_ostream &OS)
      : Variables(Variables), OS(OS) {}

  std::string name(unsigned V, char Thread, unsigned Access) const {
    const Variable &X = Variables[V];
    std::string N = std::to_string(V);
    return X.Uniform ? "u" + N
           : X.Loop  ? std::string(1, Thread) + N + "_" + std::to_string(Access)
                     : std::string(1, Thread) + N;
  }
  static std::string number(int64_t N) {
    return N < 0 ? "(- " + std::to_string(-N) + ")" : std::to_string(N);
  }
  /// The term of P for a thread; with AtFirst all counters are 0.
  std::string term(const Polynomial &P, char Thread, unsigned Access,
                   bool AtFirst = false) const {
    std::string Text = "(+ 0";
    for (auto &[M, C] : P.terms()) {
      if (AtFirst && any_of(M, [&](unsigned V) { return Variables[V].Loop; }))
        continue;
      Text += M.empty()
                  ? " " + number(C)
                  : " (* " + number(C) + " " + product(M, Thread, Access) + ")";
    }
    return Text + ")";
  }
  /// A product of variables is a variable of its own.
  std::string product(const Monomial &M, char Thread, unsigned Access) const {
    if (M.size() == 1)
      return name(M[0], Thread, Access);
    std::string Name = "p", Value;
    for (unsigned V : M) {
      Name += "_" + name(V, Thread, Access);
      Value += " " + name(V, Thread, Access);
    }
    Products[Name] = "(*" + Value + ")";
    return Name;
  }
  /// Products that terms are made of, and what they are.
  mutable std::map<std::string, std::string> Products;
  std::string fact(const Comparison &C, char Thread, unsigned Access) const {
    const char *Op = C.Pred == CmpInst::ICMP_EQ    ? "="
                     : C.Pred == CmpInst::ICMP_NE  ? "distinct"
                     : C.Pred == CmpInst::ICMP_SLT ? "<"
                     : C.Pred == CmpInst::ICMP_SLE ? "<="
                     : C.Pred == CmpInst::ICMP_SGT ? ">"
                                                   : ">=";
    std::string Text = std::string("(") + Op + " " +
                       term(C.Left, Thread, Access) + " " +
                       term(C.Right, Thread, Access) + ")";
    if (C.NotNegative)
      Text = "(=> (>= " + term(*C.NotNegative, Thread, Access) + " 0) " + Text +
             ")";
    return Text;
  }
  void declare(unsigned V, char Thread, unsigned Access) const {
    const Variable &X = Variables[V];
    std::string N = name(V, Thread, Access);
    OS << "(declare-const " << N << " Int)";
    if (!X.Name.empty())
      OS << " ; " << X.Name;
    OS << "\n";
    if (X.Low)
      OS << "(assert (>= " << N << " " << number(*X.Low) << "))\n";
    if (X.High)
      OS << "(assert (<= " << N << " " << number(*X.High) << "))\n";
  }
  static std::string meet(const std::string &A, int64_t ABytes,
                          const std::string &B, int64_t BBytes) {
    return "(and (< (- " + A + " " + B + ") " + number(BBytes) + ") (< (- " +
           B + " " + A + ") " + number(ABytes) + "))";
  }

  /// The primal has no race: what different threads store does not meet.
  void claimStoresApart(const Accesses &Stores) const;
  /// The question: do two threads meet in what they add to? Where has what
  /// holds at each access.
  void askForMeeting(const Accesses &Reads,
                     ArrayRef<std::vector<Comparison>> Where) const;

private:
  ArrayRef<Variable> Variables;
  raw_ostream &OS;
};

void Writer::claimStoresApart(const Accesses &Stores) const {
  OS << "; The primal has no race: these are stored by different threads.\n";
  for (const Access &S : Stores)
    for (const Access &T : Stores)
      if (S.Where.Base == T.Where.Base)
        OS << "(assert (not "
           << meet(term(S.Where.At, 'a', 0, true), S.Bytes,
                   term(T.Where.At, 'b', 0, true), T.Bytes)
           << "))\n";
}

void Writer::askForMeeting(const Accesses &Reads,
                           ArrayRef<std::vector<Comparison>> Where) const {
  OS << "; Do they add to one place?\n(assert (or false";
  for (unsigned A = 0; A < Reads.size(); ++A)
    for (unsigned B = A; B < Reads.size(); ++B) {
      OS << "\n  (and "
         << meet(term(Reads[A].Where.At, 'a', A), Reads[A].Bytes,
                 term(Reads[B].Where.At, 'b', B), Reads[B].Bytes);
      for (const Comparison &C : Where[A])
        OS << " " << fact(C, 'a', A);
      for (const Comparison &C : Where[B])
        OS << " " << fact(C, 'b', B);
      OS << ")";
    }
  OS << "))\n";
}

} // namespace

/// Are there two threads, a and b, that add to one place?
/// Multiply: with what the products of variables are, which is harder.
std::string DeviceProof::script(const Accesses &Reads, const Accesses &With,
                                bool Multiply) {
  // Counters are bounded by nothing but their ranges.
  std::vector<std::vector<Comparison>> Where;
  for (const Access &R : Reads)
    Where.push_back(Terms->at(*R.At));
  std::string Text;
  raw_string_ostream OS(Text);
  ArrayRef<Variable> Variables = Terms->variables();
  OS << "; Two threads, a and b, of one launch; u: what is the same in both.\n"
     << "(set-option :rlimit " << StepsOfSolver << ")\n";
  Writer W(Variables, OS);
  for (unsigned V = 0; V < Variables.size(); ++V) {
    if (Variables[V].Uniform) {
      W.declare(V, 'u', 0);
      continue;
    }
    for (char T : {'a', 'b'})
      for (unsigned N = 0; N < (Variables[V].Loop ? Reads.size() : 1); ++N)
        W.declare(V, T, N);
  }
  // The claims are written first: they say which products there are.
  std::string Claims;
  raw_string_ostream CS(Claims);
  Writer Claiming(Variables, CS);
  CS << "; What holds where the derivative is requested.\n";
  for (const Comparison &C : Terms->atRequest())
    for (char T : {'a', 'b'})
      CS << "(assert " << Claiming.fact(C, T, 0) << ")\n";
  Claiming.claimStoresApart(With);
  Claiming.askForMeeting(Reads, Where);
  OS << "; Products.\n";
  for (auto &[Name, Value] : Claiming.Products) {
    OS << "(declare-const " << Name << " Int)\n";
    if (Multiply)
      OS << "(assert (= " << Name << " " << Value << "))\n";
  }
  OS << Claims << "(check-sat)\n";
  return Text;
}

} // namespace retro
