// The plan of a function as text: a line for each decision, a function for each
// kind of it. A decision without a line here could be neither tested nor asked
// about. Declared in planner.h.
#include "plan/planner.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<bool>
    PrintAll("retro-print-plan-all", cl::init(false),
             cl::desc("With -retro-print-plan: also what follows from other "
                      "decisions, such as loads that are repeated."));

constexpr const char *ItemKinds[] = {"value",       "shadow", "tape",    "base",
                                     "head",        "branch", "witness", "last",
                                     "last shadow", "copy"};
static_assert(std::size(ItemKinds) == Item::Copy + 1);

constexpr const char *Places[] = {"slot", "frame", "indexed", "record"};
static_assert(std::size(Places) == Storage::Record + 1);

constexpr const char *Sharings[] = {"atomic",
                                    "exclusive: overwritten",
                                    "exclusive: affine",
                                    "exclusive: affine, if apart",
                                    "exclusive: solved",
                                    "reduced",
                                    "combined"};
static_assert(std::size(Sharings) == size_t(Sharing::Combined) + 1);

constexpr const char *Reversals[] = {"end", "header", "skip", "single",
                                     "choose"};
static_assert(std::size(Reversals) == Reversal::Choose + 1);

/// Where an instruction, or a loop, stands in the source: " (file:line)".
std::string sourceOf(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (const auto *B = dyn_cast<BasicBlock>(V))
    I = B->getTerminator();
  const DebugLoc L = I ? I->getDebugLoc() : DebugLoc();
  if (!L || !L.getLine())
    return "";
  return (" (" + L->getFilename() + ":" + Twine(L.getLine()) + ")").str();
}

class PlanPrinter {
public:
  PlanPrinter(const UnitFunction &UF, const FunctionPlan &P, raw_ostream &OS)
      : UF(UF), P(P), OS(OS) {}
  void print();

private:
  void name(const Value *V);
  /// An instruction by its name, or as it is where it has none.
  void nameOrText(const Instruction &I);
  void printHead();
  void printKept();
  void printCached();
  void printCopies();
  void printFrame();
  void printLoops();
  void printInverted();
  void printShared();
  void printSettled();
  void printStores();
  void printInputs();
  void printBlocks();
  void printUpdates();
  void printRest();
  void printArguments(const BitVector &Set, const char *What);

  const UnitFunction &UF;
  const FunctionPlan &P;
  raw_ostream &OS;
};

/// A call without a result has no name, but may have a tape: the function that
/// it enters says which call it is.
void PlanPrinter::name(const Value *V) {
  if (!V->getType()->isVoidTy()) {
    V->printAsOperand(OS, false);
    return;
  }
  OS << "of " << cast<Instruction>(V)->getOpcodeName();
  if (auto *C = dyn_cast<CallBase>(V)) {
    OS << ' ';
    C->getCalledOperand()->printAsOperand(OS, false);
  }
}

void PlanPrinter::nameOrText(const Instruction &I) {
  if (I.getType()->isVoidTy()) {
    OS << I;
    return;
  }
  OS << ' ';
  name(&I);
}

void PlanPrinter::printHead() {
  OS << "plan for " << UF.Source->getName() << (UF.Root ? " (root)" : "")
     << (P.Combined ? " (combined)" : "") << "\n";
  if (!P.HasWork)
    OS << "  no reverse pass\n";
  if (P.GivesBack)
    OS << "  give the tape back\n";
  if (P.GivesResult)
    OS << "  return the result, too\n";
  for (auto &[C, Adjoint] : P.AtOnce) {
    OS << "  run forward and backward at once the call";
    nameOrText(*C);
    OS << sourceOf(C) << "\n";
  }
}

void PlanPrinter::printKept() {
  auto Bits = [&](unsigned Set, const char *When) {
    for (unsigned N = 0; Set >> N; ++N)
      if ((Set >> N) & 1)
        OS << When << N;
  };
  for (const CallBase *C : P.EitherCopies) {
    OS << "  note what the words are that are copied to ";
    name(C->getArgOperand(0));
    OS << sourceOf(C) << "\n";
  }
  for (const Instruction *I : P.OverPointers) {
    OS << "  take away the shadow of a pointer at ";
    name(isa<StoreInst>(I) ? I->getOperand(1) : I->getOperand(0));
    OS << sourceOf(I) << "\n";
  }
  if (P.OpensNotes)
    OS << "  notes of adjoints begin and end with the reverse pass\n";
  auto Each = [&](const SetVector<const Instruction *> &All, const char *What) {
    for (const Instruction *I : All) {
      OS << "  " << What << " of";
      nameOrText(*I);
      OS << sourceOf(I) << "\n";
    }
  };
  Each(P.NotedReads, "note where adjoints are added");
  Each(P.NotedWrites, "take noted adjoints alone");
  Each(P.AmongPointers, "notes are beside pointers in the shadow");
  Each(P.EndIfConstant, "end the program if the memory is constant");
  for (auto &[C, K] : P.Kept) {
    OS << "  copy arrays of ";
    name(C->getCalledOperand());
    Bits(K.Before, " before ");
    Bits(K.After, " after ");
    OS << "\n";
  }
}

void PlanPrinter::printCached() {
  for (auto &[I, S] : P.Cached) {
    OS << "  cache " << ItemKinds[I.K] << ' ';
    name(I.V);
    if (I.Lane)
      OS << " lane " << I.Lane;
    OS << " : " << *S.Ty << " in " << Places[S.Where];
    if (S.Loop) {
      OS << " of loop ";
      name(S.Loop);
    }
    if (S.Where == Storage::Indexed) {
      const LoopTape::Field &F = P.fieldOf(S);
      if (P.isOnStack(S))
        OS << " on the stack";
      if (F.Interleaved)
        OS << " interleaved";
      // The loops that index the field, where it is not that one alone.
      if (F.Nest.size() != 1 || F.Nest.front() != S.Loop)
        for (const BasicBlock *H : F.Nest) {
          OS << (H == F.Nest.front() ? " by " : " ");
          name(H);
        }
    }
    OS << sourceOf(I.V) << "\n";
  }
}

void PlanPrinter::printCopies() {
  for (auto &[First, R] : P.Copies) {
    OS << "  copy array at ";
    name(R.Base);
    OS << " before loop ";
    name(R.Nest);
    OS << " for";
    for (const Instruction &I : instructions(*UF.F))
      if (auto *L = dyn_cast<LoadInst>(&I);
          L && P.FromCopy.lookup(L).Of == First) {
        OS << ' ';
        name(L);
      }
    OS << sourceOf(First) << "\n";
  }
}

void PlanPrinter::printFrame() {
  if (P.FrameAfter) {
    OS << "  frame made after";
    nameOrText(*P.FrameAfter);
    OS << "\n";
  } else if (P.FrameMade) {
    OS << "  frame made at ";
    name(P.FrameMade);
    OS << "\n";
  }
}

void PlanPrinter::printLoops() {
  for (const BasicBlock *H : P.InOrder) {
    OS << (P.Fused.contains(H) ? "  fused: loop " : "  in order: loop ");
    name(H);
    if (P.Awaited.contains(H))
      OS << ", awaited";
    for (const PHINode *X : P.Rerun)
      if (X->getParent() == H) {
        OS << ", again ";
        name(X);
      }
    for (const Item &I : P.Fixed.lookup(H)) {
      OS << ", with ";
      name(I.V);
    }
    OS << "\n";
  }
}

void PlanPrinter::printInverted() {
  for (auto &[I, Back] : P.Inverted) {
    OS << "  backwards: " << ItemKinds[I.K] << ' ';
    name(I.V);
    OS << " from ";
    name(Back.From);
    for (const Inversion::Step &S : Back.Steps)
      OS << " less " << S.I->getOpcodeName();
    OS << "\n";
  }
}

void PlanPrinter::printShared() {
  for (auto [I, How] : P.Shared) {
    OS << "  add to shadow of ";
    name(I->getOperand(isa<LoadInst>(I) ? 0 : 1));
    OS << ": " << Sharings[static_cast<size_t>(How)] << "\n";
  }
  for (auto [A, C] : P.ApartIf) {
    OS << "  if apart: the shadows of ";
    name(P.Extents[A].Base);
    OS << " and ";
    name(P.Extents[C].Base);
    OS << "\n";
  }
}

void PlanPrinter::printSettled() {
  for (const Instruction *I : P.Settled) {
    OS << "  hand over ";
    if (auto *S = dyn_cast<StoreInst>(I)) {
      OS << "the shadow of ";
      name(S->getPointerOperand());
    } else {
      OS << "all: " << I->getOpcodeName();
    }
    OS << "\n";
  }
}

void PlanPrinter::printStores() {
  for (const StoreInst *S : P.LateStores) {
    OS << "  late store to ";
    name(S->getPointerOperand());
    OS << "\n";
  }
  for (const StoreInst *S : P.DroppedStores) {
    OS << "  drop store to ";
    name(S->getPointerOperand());
    OS << "\n";
  }
}

void PlanPrinter::printInputs() {
  for (unsigned N : P.Inputs.set_bits()) {
    OS << "  input ";
    name(UF.F->getArg(N));
    OS << "\n";
  }
}

void PlanPrinter::printBlocks() {
  for (auto &[B, V] : P.Blocks) {
    OS << "  reverse ";
    name(B);
    OS << ": " << Reversals[V.K];
    for (const BasicBlock *To : V.To) {
      OS << ' ';
      name(To);
    }
    if (auto Way = P.Ways.find(B);
        Way != P.Ways.end() && !P.Cached.count({Item::Branch, B})) {
      OS << " by";
      Way->second->forEachCondition([&](const Value *C) {
        OS << ' ';
        name(C);
      });
    }
    OS << "\n";
  }
}

void PlanPrinter::printUpdates() {
  for (const Instruction *I : P.Updates)
    if (auto *S = dyn_cast<StoreInst>(I)) {
      OS << "  update ";
      name(S->getPointerOperand());
      if (P.ReadEarly.contains(S))
        OS << ", read early";
      OS << "\n";
    }
}

void PlanPrinter::printArguments(const BitVector &Set, const char *What) {
  for (unsigned N : Set.set_bits()) {
    OS << "  " << What << ' ';
    name(UF.F->getArg(N));
    OS << "\n";
  }
}

/// In the order of the code: what the plan keeps in sets has none.
void PlanPrinter::printRest() {
  printArguments(P.PrimalArgs, "reads argument");
  printArguments(P.ShadowArgs, "reads shadow of");
  printArguments(P.MeasuredArgs, "measures by");
  if (P.HasTape)
    OS << "  takes memory of the pool\n";
  for (const BasicBlock &B : *UF.F)
    for (const Instruction &I : B) {
      auto Line = [&](bool Is, const char *What) {
        if (!Is)
          return;
        OS << "  " << What;
        nameOrText(I);
        OS << "\n";
      };
      auto *L = dyn_cast<LoadInst>(&I);
      Line(L && P.StableLoads.contains(L), "stable load");
      Line(P.TapedAllocas.contains(&I), "variable on the tape");
      Line(
          any_of(I.operands(), [&](auto &U) { return P.Guarded.contains(&U); }),
          "guarded");
      Line(P.Measured.contains(&I), "measured");
      auto *C = dyn_cast<CallBase>(&I);
      Line(C && P.SeenByCaller.contains(C), "keeps shadows of pointers");
    }
}

void PlanPrinter::print() {
  printHead();
  printKept();
  printCached();
  printCopies();
  printFrame();
  printLoops();
  printInverted();
  printShared();
  printSettled();
  printStores();
  printInputs();
  printBlocks();
  printUpdates();
  if (PrintAll)
    printRest();
}

} // namespace

std::string printPlan(const UnitFunction &UF, const FunctionPlan &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  PlanPrinter(UF, P, OS).print();
  return Text;
}

static void printPool(const Unit &U, const PoolPlan &P, raw_ostream &OS) {
  if (U.Pool == PoolWish::None)
    return;
  if (!P.Used)
    OS << "tape: from malloc: " << P.WhyNot << "\n";
  else
    OS << "tape: in the pool; its bytes "
       << (P.WhyNotMeasured.empty() ? "can be measured"
                                    : "are not known: " + P.WhyNotMeasured)
       << "\n";
}

/// What is in @v, @v at 8 leads to, argument 0 leads to, or a pointer in it.
static void printBegin(raw_ostream &OS, const KnownBegin &X) {
  if (auto *A = dyn_cast<Argument>(X.Base))
    OS << "argument " << A->getArgNo();
  else
    OS << "@" << X.Base->getName();
  if (X.Pointer)
    OS << " at " << *X.Pointer;
  OS << (X.Pointer || isa<Argument>(X.Base) ? " leads to" : " holds");
}

std::string printPlan(const Unit &U, const UnitPlan &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  printPool(U, P.pool(), OS);
  if (P.hasOpenMpTeams())
    OS << "teams: of OpenMP\n";
  for (auto &UF : U.Functions)
    if (!UF->Root && !P.needsDerived(*UF))
      OS << "no derivative: of " << UF->Source->getName() << "\n";
  for (auto &[G, All] : P.allForgotten())
    for (const ForgottenPointers &F : All) {
      OS << "forget: shadows of pointers in @" << G->getName() << " at "
         << F.Offset;
      if (F.Count != 1)
        OS << ", " << F.Count << " by " << F.Stride << " bytes";
      OS << "\n";
    }
  for (const SeparateMemory &S : P.separate())
    for (const KnownBegin &X : S.Others) {
      OS << "end the program if the same: what ";
      printBegin(OS, S.Static);
      OS << " and ";
      printBegin(OS, X);
      OS << "\n";
    }
  for (auto &[Class, All] : P.allImagedVariables())
    for (const ImagedVariable &X : All)
      OS << "images in class " << Class << ": of @" << X.Begin.Base->getName()
         << (X.HasShadow ? ", its shadow\n" : ", which end the program\n");
  for (const KnownBegin &X : P.withoutImages()) {
    OS << "end the program if it has an image: what ";
    printBegin(OS, X);
    OS << "\n";
  }
  return Text;
}

} // namespace retro
