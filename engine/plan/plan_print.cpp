#include "plan/planner.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {

/// Where an instruction, or a loop, stands in the source: " (file:line)".
static std::string sourceOf(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (const auto *B = dyn_cast<BasicBlock>(V))
    I = B->getTerminator();
  const DebugLoc L = I ? I->getDebugLoc() : DebugLoc();
  if (!L || !L.getLine())
    return "";
  return (" (" + L->getFilename() + ":" + Twine(L.getLine()) + ")").str();
}

std::string printPlan(const UnitFunction &UF, const FunctionPlan &P) {
  static const char *const Kinds[] = {"value",   "shadow", "tape",
                                      "base",    "head",   "branch",
                                      "witness", "last",   "last shadow"};
  static const char *const Places[] = {"slot", "frame", "indexed", "record"};
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "plan for " << UF.Source->getName() << (UF.Root ? " (root)" : "")
     << (P.Combined ? " (combined)" : "") << "\n";
  if (!P.HasWork)
    OS << "  no reverse pass\n";
  if (P.GivesBack)
    OS << "  give the tape back\n";
  auto Name = [&](const Value *V) { V->printAsOperand(OS, false); };
  auto Bits = [&](unsigned Set, const char *When) {
    for (unsigned N = 0; Set >> N; ++N)
      if ((Set >> N) & 1)
        OS << When << N;
  };
  for (auto &[C, K] : P.Kept) {
    OS << "  copy arrays of ";
    C->getCalledOperand()->printAsOperand(OS, false);
    Bits(K.Before, " before ");
    Bits(K.After, " after ");
    OS << "\n";
  }
  for (auto &[I, S] : P.Cached) {
    OS << "  cache " << Kinds[I.K] << ' ';
    Name(I.V);
    if (I.Lane)
      OS << " lane " << I.Lane;
    OS << " : " << *S.Ty << " in " << Places[S.Where];
    if (S.Loop) {
      OS << " of loop ";
      Name(S.Loop);
    }
    if (S.Where == Storage::Indexed &&
        P.Tapes.find(S.Loop)->second.Fields[S.Field].Interleaved)
      OS << " interleaved";
    // The loops that index the field, where it is not that one alone.
    if (S.Where == Storage::Indexed) {
      const auto &Nest = P.Tapes.find(S.Loop)->second.Fields[S.Field].Nest;
      if (Nest.size() != 1 || Nest.front() != S.Loop)
        for (const BasicBlock *H : Nest) {
          OS << (H == Nest.front() ? " by " : " ");
          Name(H);
        }
    }
    OS << sourceOf(I.V) << "\n";
  }
  if (P.FrameAfter) {
    OS << "  frame made after";
    if (P.FrameAfter->getType()->isVoidTy()) {
      OS << *P.FrameAfter;
    } else {
      OS << ' ';
      Name(P.FrameAfter);
    }
    OS << "\n";
  } else if (P.FrameMade) {
    OS << "  frame made at ";
    Name(P.FrameMade);
    OS << "\n";
  }
  for (const BasicBlock *H : P.InOrder) {
    OS << (P.Fused.contains(H) ? "  fused: loop " : "  in order: loop ");
    Name(H);
    if (P.Awaited.contains(H))
      OS << ", awaited";
    for (const PHINode *X : P.Rerun)
      if (X->getParent() == H) {
        OS << ", again ";
        Name(X);
      }
    for (const Item &I : P.Fixed.lookup(H)) {
      OS << ", with ";
      Name(I.V);
    }
    OS << "\n";
  }
  for (auto &[I, Back] : P.Inverted) {
    OS << "  backwards: " << Kinds[I.K] << ' ';
    Name(I.V);
    OS << " from ";
    Name(Back.From);
    for (const Inversion::Step &S : Back.Steps)
      OS << " less " << S.I->getOpcodeName();
    OS << "\n";
  }
  for (auto [I, How] : P.Shared) {
    static const char *const Ways[] = {"atomic",
                                       "exclusive: overwritten",
                                       "exclusive: affine",
                                       "exclusive: affine, if apart",
                                       "exclusive: solved",
                                       "reduced",
                                       "combined"};
    OS << "  add to shadow of ";
    Name(I->getOperand(isa<LoadInst>(I) ? 0 : 1));
    OS << ": " << Ways[static_cast<int>(How)] << "\n";
  }
  for (auto [A, C] : P.ApartIf) {
    OS << "  if apart: the shadows of ";
    Name(P.Extents[A].Base);
    OS << " and ";
    Name(P.Extents[C].Base);
    OS << "\n";
  }
  for (const Instruction *I : P.Settled) {
    OS << "  hand over ";
    if (auto *S = dyn_cast<StoreInst>(I)) {
      OS << "the shadow of ";
      Name(S->getPointerOperand());
      OS << "\n";
    } else {
      OS << "all: " << I->getOpcodeName() << "\n";
    }
  }
  for (const StoreInst *S : P.LateStores) {
    OS << "  late store to ";
    Name(S->getPointerOperand());
    OS << "\n";
  }
  for (const StoreInst *S : P.DroppedStores) {
    OS << "  drop store to ";
    Name(S->getPointerOperand());
    OS << "\n";
  }
  for (unsigned N : P.Inputs.set_bits()) {
    OS << "  input ";
    Name(UF.F->getArg(N));
    OS << "\n";
  }
  for (auto &[B, V] : P.Blocks) {
    static const char *const How[] = {"end", "header", "skip", "single",
                                      "choose"};
    OS << "  reverse ";
    Name(B);
    OS << ": " << How[V.K];
    for (const BasicBlock *To : V.To) {
      OS << ' ';
      Name(To);
    }
    if (auto Way = P.Ways.find(B);
        Way != P.Ways.end() && !P.Cached.count({Item::Branch, B})) {
      OS << " by";
      Way->second->forEachCondition([&](const Value *C) {
        OS << ' ';
        Name(C);
      });
    }
    OS << "\n";
  }
  for (const Instruction *I : P.Updates)
    if (isa<StoreInst>(I)) {
      OS << "  update ";
      Name(I->getOperand(1));
      if (P.ReadEarly.contains(cast<StoreInst>(I)))
        OS << ", read early";
      OS << "\n";
    }
  return Text;
}

std::string printPlan(const Unit &U, const PoolPlan &P) {
  std::string Text = "tape: ";
  if (U.Pool == PoolWish::None)
    return "";
  if (!P.Used)
    return Text + "from malloc: " + P.WhyNot + "\n";
  return Text + "in the pool; its bytes " +
         (P.WhyNotMeasured.empty() ? "can be measured"
                                   : "are not known: " + P.WhyNotMeasured) +
         "\n";
}

} // namespace retro
