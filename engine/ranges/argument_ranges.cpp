// Input: a unit whose plan tapes something only because arguments might
// overlap. Output: a function that asks the running program whether they do: it
// compares the ranges of memory that are accessed through each of them
// (reaches.cpp). What is not known for certain makes the answer no.
#include "ranges/argument_ranges.h"

#include "ir/inline_call.h"

#include "base/faults.h"
#include "plan/planner.h"
#include "ranges/finished_loads.h"
#include "ranges/reaches.h"
#include "ranges/remainders.h"
#include "ranges/take_calls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// Arrays and their shadows, by where they begin and end.
class Comparison {
public:
  Comparison(IRBuilder<> &B, Value *Holds) : B(B), Apart(Holds) {}

  /// Compares a range with all ranges so far. Addresses are signed here, as a
  /// range may begin below address 0.
  void add(Value *Ptr, std::pair<Value *, Value *> Offsets, bool Written) {
    Value *Base = B.CreatePtrToInt(Ptr, B.getInt64Ty());
    Memory M{B.CreateAdd(Base, Offsets.first),
             B.CreateAdd(Base, Offsets.second), Written};
    for (const Memory &O : All)
      if (Written || O.Written)
        Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpSLE(M.End, O.Begin),
                                              B.CreateICmpSLE(O.End, M.Begin)));
    All.push_back(M);
  }
  void require(Value *V) { Apart = B.CreateAnd(Apart, V); }
  Value *result() const { return Apart; }

private:
  struct Memory {
    Value *Begin, *End;
    bool Written;
  };
  IRBuilder<> &B;
  Value *Apart;
  SmallVector<Memory, 8> All;
};

bool hasShadow(const BoundArgument &A) {
  return A.Act == Activity::Dup || A.Act == Activity::DupNoNeed;
}

/// A copy of the root with parameters for shadows, which will return an i1.
Function *copyToAsk(const Unit &U, const Request &Req) {
  Function &F = *U.Functions.front()->F;
  LLVMContext &C = F.getContext();
  SmallVector<Type *> Params(F.getFunctionType()->params());
  for (const Argument &A : F.args())
    if (hasShadow(Req.Args[A.getArgNo()]))
      Params.append(Req.Width, A.getType());
  Function *Q =
      Function::Create(FunctionType::get(Type::getInt1Ty(C), Params, false),
                       GlobalValue::InternalLinkage, "apart", F.getParent());
  ValueToValueMapTy VM;
  for (Argument &A : F.args())
    VM[&A] = Q->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 2> Returns;
  CloneFunctionInto(Q, &F, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(*Q);
  Q->setAttributes({});
  return Q;
}

/// Returns V in front of the instruction, and removes what follows.
void returnAt(Value *V, Instruction &At) {
  BasicBlock *First = At.getParent();
  First->splitBasicBlock(&At);
  First->getTerminator()->eraseFromParent();
  ReturnInst::Create(V->getContext(), V, First);
  EliminateUnreachableBlocks(*First->getParent());
}

/// The first instruction that is not mere arithmetic: the question is asked
/// there.
Instruction &firstEffect(Function &Q) {
  return *find_if(Q.getEntryBlock(), [](Instruction &I) {
    return I.isTerminator() || I.mayReadOrWriteMemory() ||
           I.mayHaveSideEffects() || isa<CallBase>(I);
  });
}

/// Makes Q the question, asked before At. False if that is impossible.
bool makeQuestion(Function &Q, Instruction &At, const Request &Req, Reaches &Of,
                  const NumberBounds &Numbers) {
  IRBuilder<> B(&At);
  auto Bounds = Of.emitBounds(B);
  if (!Bounds)
    return false;
  Comparison Compare(B, *Bounds);
  for (unsigned N : Numbers.Arguments) {
    Argument *A = Q.getArg(N);
    Compare.require(B.CreateICmpULE(
        A,
        ConstantInt::get(A->getType(), static_cast<uint64_t>(Numbers.Most))));
  }
  for (auto &[A, R] : Of.All) {
    auto Offsets = Of.emit(R, B);
    if (!Offsets)
      return false;
    Compare.require(isWithin(Offsets->first, MostOffset, B));
    Compare.require(isWithin(Offsets->second, MostOffset, B));
    Compare.add(Q.getArg(A->getArgNo()), *Offsets, R.Written);
    unsigned Shadow = static_cast<unsigned>(Req.Args.size());
    for (unsigned N = 0; N < A->getArgNo(); ++N)
      Shadow += hasShadow(Req.Args[N]) ? Req.Width : 0;
    if (hasShadow(Req.Args[A->getArgNo()]))
      for (unsigned Lane = 0; Lane < Req.Width; ++Lane)
        Compare.add(Q.getArg(Shadow + Lane), *Offsets, true);
  }
  // Numbers that no loop depends on may overflow.
  for (Instruction &I : *At.getParent())
    if (&I == &At)
      break;
    else
      I.dropPoisonGeneratingFlags();
  returnAt(isPlanted(Fault::BlindRanges) ? B.getTrue()
                                         : B.CreateFreeze(Compare.result()),
           At);
  return true;
}

/// The argument of the root whose value A, of one of the unit's functions, is;
/// or null.
const Argument *argumentOfRoot(const Argument &A, const Unit &U) {
  const Function *F = A.getParent();
  if (F == U.Functions.front()->F)
    return &A;
  auto *C = F->hasOneUse() ? dyn_cast<CallBase>(*F->user_begin()) : nullptr;
  auto *Given = C && C->getCalledFunction() == F
                    ? dyn_cast<Argument>(
                          getUnderlyingObject(C->getArgOperand(A.getArgNo())))
                    : nullptr;
  return Given ? argumentOfRoot(*Given, U) : nullptr;
}

/// Does the plan tape a load, though the unit writes nothing under the load's
/// own name, because something under another name may overwrite it?
bool losesInputs(const Unit &U, const UnitPlan &Plan, const Reaches &Of) {
  if (Of.All.size() < 2)
    return false;
  auto Loses = [&](Instruction &I) {
    auto *L = dyn_cast<LoadInst>(&I);
    const Argument *A =
        L && !Plan.isStable(*L)
            ? dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand()))
            : nullptr;
    A = A && !A->hasNoAliasAttr() ? argumentOfRoot(*A, U) : nullptr;
    return A && !A->hasNoAliasAttr() && any_of(Of.All, [&](auto &X) {
             return X.first->getArgNo() == A->getArgNo() && !X.second.Written;
           });
  };
  return any_of(U.Functions,
                [&](auto &UF) { return any_of(instructions(*UF->F), Loses); });
}

} // namespace

uint64_t tapeWeight(const Unit &U, const UnitPlan &Plan) {
  uint64_t Weight = 0;
  // So often as a loop may run: what an inner one keeps weighs more than all
  // that is kept outside.
  auto Add = [&](size_t Loops) {
    Weight += uint64_t(1) << 8 * std::min<size_t>(Loops, 6);
  };
  for (auto &UF : U.Functions) {
    const FunctionPlan &P = Plan.of(*UF);
    for (auto &[Load, Copy] : P.Copies)
      Add(static_cast<size_t>(count_if(
          Copy.Loops, [](const auto &L) { return L.second != nullptr; })));
    for (auto &[Header, Tape] : P.Tapes)
      for (auto &Field : Tape.Fields)
        Add(Field.Nest.size());
  }
  return Weight;
}

ApartQuestion askWhetherApart(Unit &U, const UnitPlan &Plan,
                              const Request &Req) {
  if (!tapeWeight(U, Plan))
    return {};
  Function *Q = copyToAsk(U, Req);
  ApartQuestion Result;
  bool HasQuestion = false;
  if (takeCallsInto(*Q, U)) {
    Instruction &At = firstEffect(*Q);
    keepRemainders(*Q);
    Reaches Found(*Q, At, U.FAM), Nothing(*Q, At, U.FAM);
    Result.Numbers = boundsOfFinished(U, Plan);
    // Arrays that are looked up in say nothing of their ranges; those that the
    // program itself says to be apart need not be asked for.
    Reaches &Of = Found.find() ? Found : Nothing;
    HasQuestion =
        (!Result.Numbers.Arguments.empty() || losesInputs(U, Plan, Of)) &&
        makeQuestion(*Q, At, Req, Of, Result.Numbers);
    for (auto &[A, R] : Of.All)
      Result.Arguments.push_back(A->getArgNo());
  }
  U.FAM.clear(*Q, Q->getName());
  if (!HasQuestion)
    Q->eraseFromParent();
  forgetShares(U.M);
  if (!HasQuestion)
    return {};
  Result.Asks = Q;
  return Result;
}

Function *chooseGradient(const ApartQuestion &Q, Function &Apart,
                         Function &Overlapping) {
  LLVMContext &C = Apart.getContext();
  Function *W = Function::Create(
      Overlapping.getFunctionType(), GlobalValue::InternalLinkage,
      Overlapping.getName() + ".either", Apart.getParent());
  W->setAttributes(AttributeList::get(
      C, AttributeList::FunctionIndex,
      AttrBuilder(C, Overlapping.getAttributes().getFnAttrs())));
  auto *Entry = BasicBlock::Create(C, "entry", W);
  SmallVector<Value *> Args(make_pointer_range(W->args()));
  auto Way = [&](Function &G) {
    IRBuilder<> B(BasicBlock::Create(C, "way", W));
    B.CreateRet(B.CreateCall(&G, Args));
    return B.GetInsertBlock();
  };
  BasicBlock *Yes = Way(Apart), *No = Way(Overlapping);
  IRBuilder<> B(Entry);
  CallInst *Asks = B.CreateCall(Q.Asks, Args);
  B.CreateCondBr(Asks, Yes, No);
  inlineCall(*Asks);
  Q.Asks->eraseFromParent();
  return W;
}

} // namespace retro
