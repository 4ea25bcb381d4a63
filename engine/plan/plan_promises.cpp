// The plan of a unit, held to what emission takes for granted: a way back from
// each block, a place for each kept item, a tape for each call that makes one.
// What is missing there would be a wrong derivative, or a crash in an emitter.
#include "plan/plan_promises.h"

#include "plan/planner.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Of one function.
class PlanCheck {
public:
  PlanCheck(const Unit &U, const UnitPlan &Plans, const UnitFunction &UF)
      : U(U), Plans(Plans), UF(UF), P(Plans.of(UF)) {}
  void run() const;

private:
  void check(bool Holds, StringRef Promise) const {
    retroAssert(Holds, "plan", UF.F, Promise);
  }
  void checkWay(const BasicBlock &B, const Reversal &V) const;
  void checkWays() const;
  void checkLoops() const;
  void checkStorage(const Item &I, const Storage &S) const;
  void checkTapes() const;
  void checkCopies() const;
  void checkFrame() const;
  void checkStores() const;
  void checkShadows() const;
  void checkCall(const CallBase &C) const;

  const Unit &U;
  const UnitPlan &Plans;
  const UnitFunction &UF;
  const FunctionPlan &P;
};

/// The reverse pass has a way on, and knows which.
void PlanCheck::checkWay(const BasicBlock &B, const Reversal &V) const {
  for (const BasicBlock *To : V.To)
    check(P.Blocks.contains(To), "the reverse pass goes on from where it goes");
  switch (V.K) {
  case Reversal::Entry:
    check(V.To.empty() && &B == &UF.F->getEntryBlock(),
          "the reverse pass ends where the function begins");
    return;
  case Reversal::Header:
    check(V.To.size() == 2 && P.ReversedLoops.contains(&B),
          "from a header the reverse pass goes to the latch or out");
    return;
  case Reversal::Skip:
    check(V.To.size() == 1 && UF.DT.dominates(V.To.front(), &B),
          "what is skipped ends at a dominator");
    return;
  case Reversal::Single:
    check(V.To.size() == 1, "a single way is one");
    return;
  case Reversal::Choose:
    check(V.To.size() > 1, "there are ways to choose from");
    check(P.Cached.count({Item::Branch, &B}) || P.Ways.count(&B),
          "the way is kept, or found by conditions");
    return;
  }
}

void PlanCheck::checkWays() const {
  check(isa<ReturnInst>(P.exitBlock->getTerminator()),
        "the reverse pass begins where the function returns");
  check(P.Blocks.contains(P.exitBlock) &&
            P.Blocks.contains(&UF.F->getEntryBlock()),
        "the reverse pass comes from the return to the entry");
  for (auto &[B, V] : P.Blocks)
    checkWay(*B, V);
  for (auto &[B, Way] : P.Ways)
    check(Way && P.reversalOf(B).K == Reversal::Choose,
          "conditions tell ways apart where there are several");
}

void PlanCheck::checkLoops() const {
  for (const BasicBlock *H : P.ReversedLoops)
    check(UF.loopAt(H).Counter, "a loop that is reversed has a counter");
  for (const BasicBlock *H : P.InOrder)
    check(P.ReversedLoops.contains(H), "a loop in order is reversed");
  for (const BasicBlock *H : P.Fused)
    check(P.InOrder.contains(H), "a fused loop is in order");
  for (auto &[C, Adjoint] : P.AtOnce) {
    const Loop *L = UF.LI.getLoopFor(C->getParent());
    check(L ? P.Fused.contains(L->getHeader()) && L->contains(Adjoint.Of)
            : P.Combined && !Adjoint.Of,
          "a call that runs where the primal comes to it is in a fused loop, "
          "or its adjoint follows from the function's");
    check(Plans.isCombined(*U.callee(*C)),
          "who runs forward and backward at once is combined");
  }
  for (const BasicBlock *H : P.Awaited)
    check(P.Fused.contains(H), "a loop that is awaited is fused");
  for (const PHINode *X : P.Rerun)
    check(P.InOrder.contains(X->getParent()),
          "a recurrence is run again where its loop is in order");
  for (auto &[H, Items] : P.Fixed)
    check(any_of(P.Rerun, [&](auto *X) { return X->getParent() == H; }),
          "what is fixed for a loop is of its recurrences");
  for (auto &[I, Back] : P.Inverted)
    check(Back.From &&
              Back.From->getParent() == cast<PHINode>(I.V)->getParent(),
          "what is found backwards follows from a value of the header");
}

void PlanCheck::checkStorage(const Item &I, const Storage &S) const {
  check(S.Ty, "what is kept has a type");
  switch (S.Where) {
  case Storage::Slot:
    check(!S.Loop && (UF.Root || P.Combined),
          "a slot is of a function with both passes");
    return;
  case Storage::Frame:
    check(S.Field < P.Frame.size() && P.Frame[S.Field] == I,
          "an item of the frame has a field of its own");
    return;
  case Storage::Indexed:
  case Storage::Record: {
    const LoopTape &Tape = P.tapeOf(S.Loop);
    check(Tape.Indexed == (S.Where == Storage::Indexed),
          "a tape is indexed, or one of records");
    check(S.Field < Tape.Fields.size() && Tape.Fields[S.Field].What == I &&
              Tape.Fields[S.Field].Ty == S.Ty,
          "an item of a tape has a field of its own");
    return;
  }
  }
}

void PlanCheck::checkTapes() const {
  for (auto &[I, S] : P.Cached)
    checkStorage(I, S);
  for (auto &[H, Tape] : P.Tapes) {
    check(UF.loopAt(H).Counter, "what has a tape is a loop");
    check(P.Cached.count({Tape.Indexed ? Item::Base : Item::Head, H}),
          "where a tape begins is kept");
    for (const LoopTape::Field &F : Tape.Fields) {
      check(F.Nest.empty() != Tape.Indexed, "an array has an index");
      for (const BasicBlock *X : F.Nest)
        check(UF.loopAt(X).Trips, "a loop that is an index has trips");
    }
  }
}

/// A copy is made before the nest, and all that is read from one was read
/// there.
void PlanCheck::checkCopies() const {
  for (auto &[First, R] : P.Copies) {
    check(P.Cached.count({Item::Copy, First}),
          "where the copy of an array lies is kept");
    check(R.Nest && UF.LI.getLoopFor(R.Nest)->getLoopPreheader(),
          "a copy of an array is made before a nest");
    check(!R.Apart.empty() && R.Size, "a copy of an array has a length");
    for (auto &[Header, Step] : R.Loops)
      check(UF.loopAt(Header).Trips && P.ReversedLoops.contains(Header),
            "the loops that read from a copy are reversed and have trips");
  }
  for (auto &[L, From] : P.FromCopy)
    check(P.Copies.contains(From.Of) && !P.Cached.count({Item::Primal, L}),
          "what is read from a copy has one, and is not kept beside it");
}

void PlanCheck::checkFrame() const {
  const bool Whole = UF.Root || P.Combined;
  check(P.Frame.empty() || !Whole, "a function with both passes has no frame");
  check(!(P.FrameMade || P.FrameAfter) || !P.Frame.empty(),
        "where a frame is made there is one");
  check(!P.GivesBack || P.Combined, "who gives the tape back is combined");
  check(P.PrimalArgs.size() == UF.F->arg_size() &&
            P.ShadowArgs.size() == UF.F->arg_size(),
        "of each argument it is known whether the reverse pass reads it");
}

void PlanCheck::checkStores() const {
  for (const StoreInst *S : P.LateStores)
    check(UF.Root && S->isSimple() && S->getFunction() == UF.F &&
              !P.DroppedStores.contains(S),
          "a store that waits is one of the root that is made");
  for (const StoreInst *S : P.DroppedStores)
    check(S->isSimple() && S->getFunction() == UF.F,
          "a store that is left out is a plain one");
  for (const LoadInst *L : P.StableLoads)
    check(L->getFunction() == UF.F, "a load that is stable is its own");
  for (const StoreInst *S : P.ReadEarly)
    check(P.Updates.contains(S), "what is read early is an update");
}

void PlanCheck::checkShadows() const {
  for (auto [A, B] : P.ApartIf)
    check(A < P.Extents.size() && B < P.Extents.size() && P.Extents[A].Base &&
              P.Extents[B].Base,
          "what is compared has an extent");
  for (auto &[I, How] : P.Shared) {
    check(I->mayReadOrWriteMemory(), "what is shared is memory");
    check(How != Sharing::Apart || !P.ApartIf.empty(),
          "what is added plainly if apart is compared");
  }
  for (auto &[C, K] : P.Kept)
    check((K.Before | K.After) && P.Cached.count({Item::Tape, C}),
          "copies of arrays have a place");
  for (const CallBase *C : P.EitherCopies)
    check(P.Cached.count({Item::Tape, C}) || !Plans.needs().hasWork(*C),
          "what copied words are has a place");
}

/// A call that makes a tape is one of which the caller keeps it.
void PlanCheck::checkCall(const CallBase &C) const {
  const UnitFunction *G = U.callee(C);
  if (!G || !Plans.needs().functionHasWork(*G) || Plans.isCombined(*G))
    return;
  check(Plans.of(*G).Frame.empty() || P.Cached.count({Item::Tape, &C}),
        "the plan has a row for each call that makes a tape");
}

void PlanCheck::run() const {
  check(P.Combined == Plans.isCombined(UF), "it is known what is combined");
  if (P.Blocks.empty()) // never returns, or has nothing to do
    return check(!P.exitBlock || !P.HasWork,
                 "what has work and returns is reversed");
  checkWays();
  checkLoops();
  checkTapes();
  checkCopies();
  checkFrame();
  checkStores();
  checkShadows();
  for (auto &[B, V] : P.Blocks)
    if (V.Works)
      for (const Instruction &I : *B)
        if (auto *C = dyn_cast<CallBase>(&I))
          checkCall(*C);
}

/// The tape of a call lies where that of the caller does.
void checkPool(const Unit &U, const UnitPlan &Plans) {
  for (auto &UF : U.Functions)
    for (const Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      const UnitFunction *G = C ? U.callee(*C) : nullptr;
      retroAssert(!G || !Plans.of(*G).HasTape || Plans.of(*UF).HasTape, "plan",
                  UF->F, "who calls what takes memory of the pool takes some");
    }
}

} // namespace

void checkPlans(const Unit &U, const UnitPlan &Plans) {
  if (!ChecksPromises)
    return;
  for (auto &UF : U.Functions)
    PlanCheck(U, Plans, *UF).run();
  if (Plans.pool().Used)
    checkPool(U, Plans);
}

} // namespace retro
