// Clones functions so that they compute in another format of numbers. What
// cannot be changed is refused: left as it was, it would compute in the old
// format, and nobody would see it.
#include "formats/in_format.h"

#include "front/known/known_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// Is there a number of this type in a T?
bool contains(const Type *T, const Type *Number) {
  if (T->getScalarType() == Number)
    return true;
  return any_of(T->subtypes(),
                [&](const Type *E) { return contains(E, Number); });
}

/// A global variable with such numbers that V leads to, or null.
const GlobalVariable *variableWith(const Value *V, const Type *Number) {
  if (auto *G = dyn_cast<GlobalVariable>(V))
    return contains(G->getValueType(), Number) ? G : nullptr;
  if (auto *C = dyn_cast<Constant>(V); C && !isa<Function>(C))
    for (const Use &U : C->operands())
      if (auto *G = variableWith(U, Number))
        return G;
  return nullptr;
}

/// Does a call of a library's function leave numbers alone, but for moving
/// them?
bool leavesNumbers(const CallBase &C) {
  const KnownCall K = knownCall(C);
  return K.isAllocation() || K.isCopy() || K.Kind == KnownKind::Realloc ||
         K.Kind == KnownKind::Free || K.Kind == KnownKind::Set ||
         K.Kind == KnownKind::Inactive;
}

} // namespace

Function *FunctionsInFormat::of(Function &Source) {
  Function *&Clone = Clones[&Source];
  if (Clone)
    return Clone;
  ValueToValueMapTy Map;
  Clone = CloneFunction(&Source, Map);
  Clone->setName(Source.getName() + ".in_format");
  Clone->setLinkage(GlobalValue::InternalLinkage);
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setComdat(nullptr);
  R.setSource(*Clone, Source);
  Function *Result = Clone; // what it calls adds to the map
  rewrite(*Result);
  return Result;
}

void FunctionsInFormat::rewrite(Function &Clone) {
  SmallVector<Instruction *> Before;
  for (Instruction &I : instructions(Clone))
    Before.push_back(&I);
  for (Instruction *I : Before)
    if (!R.failed())
      visit(*I);
}

void FunctionsInFormat::refuse(Instruction &I, StringRef Reason) {
  StringRef Name;
  for (auto [Source, Clone] : Clones)
    if (Clone == I.getFunction())
      Name = Source->getName();
  R.error(Diag::NotInFormat, &I, {Name.str(), Reason.str()});
}

/// Is I computed, and not only moved?
bool FunctionsInFormat::isOperation(const Instruction &I) const {
  if (isa<BinaryOperator, UnaryOperator, FCmpInst>(I))
    return Compute.isFrom(I.getOperand(0)->getType());
  auto *C = dyn_cast<CastInst>(&I);
  return C && !isa<BitCastInst>(C) &&
         (Compute.isFrom(C->getSrcTy()) || Compute.isFrom(C->getDestTy()));
}

/// Why I has no counterpart in the format; empty: it has.
std::string FunctionsInFormat::reasonAgainst(const Instruction &I) const {
  if (contains(I.getType(), F.From) && isa<ScalableVectorType>(I.getType()))
    return "vectors of a length that only the machine knows";
  if (auto *A = dyn_cast<AtomicRMWInst>(&I);
      A && contains(A->getType(), F.From) &&
      A->getOperation() != AtomicRMWInst::Xchg)
    return "it adds to a number that threads share";
  // What MPFR computes is a double in memory, and rounded where it is used.
  if (!Memory || !F.Narrow)
    return "";
  if (isa<BitCastInst>(I) &&
      Compute.isFrom(I.getType()) != Compute.isFrom(I.getOperand(0)->getType()))
    return "it takes a number apart bit by bit";
  for (const Use &U : I.operands()) {
    if (auto *G = variableWith(U, F.From))
      return "the numbers in '" + G->getName().str() +
             "' are not kept in that format";
    auto *C = dyn_cast<Constant>(U);
    if (C && !C->isNullValue() && !isa<UndefValue, Function>(C) &&
        C->getType()->isAggregateType() && contains(C->getType(), F.From))
      return "it has a constant of several numbers";
  }
  return "";
}

void FunctionsInFormat::visit(Instruction &I) {
  if (std::string Reason = reasonAgainst(I); !Reason.empty())
    return refuse(I, Reason);
  if (auto *C = dyn_cast<CallBase>(&I))
    return visitCall(*C);
  if (isOperation(I))
    return replaceOperation(I);
  if (Memory)
    keepConstants(I);
}

/// A conversion. Other numbers than those of the format are as they were.
Value *FunctionsInFormat::cast(IRBuilder<> &B, CastInst &I) const {
  Value *V = I.getOperand(0);
  if (!Compute.isFrom(I.getSrcTy())) {
    if (!F.Narrow || V->getType()->isFPOrFPVectorTy())
      return Compute.rounded(
          B, V->getType()->isFPOrFPVectorTy()
                 ? V
                 : B.CreateCast(I.getOpcode(), V, I.getDestTy()));
    return B.CreateCast(I.getOpcode(), V, Compute.computed(I.getDestTy()));
  }
  V = F.Narrow ? Compute.taken(B, V) : Compute.rounded(B, V);
  return I.getType()->isFPOrFPVectorTy()
             ? B.CreateFPCast(V, I.getType())
             : B.CreateCast(I.getOpcode(), V, I.getType());
}

void FunctionsInFormat::replaceOperation(Instruction &I) {
  IRBuilder<> B(&I);
  Value *Result;
  if (auto *C = dyn_cast<CastInst>(&I)) {
    Result = cast(B, *C);
  } else {
    SmallVector<Value *> Operands;
    auto *Call = dyn_cast<CallBase>(&I);
    for (Use &U : Call ? make_range(Call->arg_begin(), Call->arg_end())
                       : make_range(I.op_begin(), I.op_end()))
      // A constant that is not kept in memory is as it is written.
      Operands.push_back(F.Narrow && isa<Constant>(U) &&
                                 Compute.isFrom(U->getType())
                             ? Compute.rounded(B, U)
                             : Compute.taken(B, U));
    Result = Compute.result(B, I, Operands);
  }
  if (!Result)
    return refuse(I, "there is no such function in that format");
  replace(I, Compute.isFrom(I.getType()) || I.getType()->isStructTy()
                 ? Compute.given(B, Result)
                 : Result);
}

void FunctionsInFormat::replace(Instruction &I, Value *With) {
  if (isa<Instruction>(With))
    With->takeName(&I);
  I.replaceAllUsesWith(With);
  I.eraseFromParent();
}

/// Constants of what is kept in the format are in it, too. They are made where
/// the function begins.
void FunctionsInFormat::keepConstants(Instruction &I) {
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Use &U : I.operands()) {
    auto *C = dyn_cast<Constant>(U.get());
    if (C && Compute.isFrom(C->getType()) && !isa<UndefValue>(C) &&
        !C->isNullValue())
      U.set(Compute.given(B, Compute.rounded(B, C)));
  }
}

/// Does C compute with numbers of the type, by a function that has a
/// counterpart?
bool FunctionsInFormat::computes(const CallBase &C) const {
  const KnownCall K = knownCall(C);
  const bool Numbers =
      contains(C.getType(), F.From) || any_of(C.args(), [&](const Use &U) {
        return Compute.isFrom(U->getType());
      });
  return Numbers && !C.getFunctionType()->isVarArg() &&
         (K.isRule() || K.Kind == KnownKind::Reduce ||
          (K.Kind == KnownKind::Inactive && K.Row->Effects <= SetsErrno));
}

std::string FunctionsInFormat::reasonAgainstCall(const CallBase &C) const {
  const Function *Callee = C.getCalledFunction();
  if (C.isInlineAsm())
    return "it has assembly code";
  if (!Callee)
    return "it calls a function by a pointer";
  const std::string Name = Callee->getName().str();
  if (Callee->isInterposable())
    return "the linker may put another definition in the place of '" + Name +
           "'";
  const bool Writes = any_of(
      C.args(), [](const Use &U) { return U->getType()->isPointerTy(); });
  // The exponent is an integer, whatever the number is.
  if (computes(C))
    return Writes && knownCall(C).Row->Rule != rules::RuleId::Frexp
               ? "'" + Name + "' gives a part of its result by address"
               : "";
  const bool Numbers = contains(C.getType(), F.From) ||
                       any_of(Callee->args(),
                              [&](const Argument &A) {
                                return contains(A.getType(), F.From);
                              }) ||
                       (Memory && any_of(C.args(), [&](const Use &U) {
                          return contains(U->getType(), F.From);
                        }));
  if (Numbers || !(leavesNumbers(C) || (!Writes && !Callee->isIntrinsic()) ||
                   Callee->isIntrinsic()))
    return "it calls '" + Name + "', whose body is not here";
  return "";
}

void FunctionsInFormat::visitCall(CallBase &C) {
  if (isa<DbgInfoIntrinsic>(C))
    return;
  Function *Callee = C.getCalledFunction();
  if (Callee && !Callee->isDeclaration() && !Callee->isInterposable() &&
      C.getFunctionType() == Callee->getFunctionType()) {
    C.setCalledFunction(of(*Callee));
    if (Memory)
      keepConstants(C);
    return;
  }
  if (std::string Reason = reasonAgainstCall(C); !Reason.empty())
    return refuse(C, Reason);
  if (computes(C))
    replaceOperation(C);
}

} // namespace retro
