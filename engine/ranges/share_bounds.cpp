// Input: a copy of a function that asks a parallel runtime for its share of a
// loop's iterations. Output: the share is two numbers between those of all
// iterations, of which nothing else is known, so that ranges hold for every
// thread. Else the bounds would be what the runtime stored, and no range could
// be computed.
#include "ranges/share_bounds.h"

#include "front/known/known_functions.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// The prefix of the names. What follows says how the bounds are ordered, and
/// which end of the share it is: i32 or i64 (first of all, last of all).
constexpr StringLiteral Prefix = "retro.share.";

Value *numberBetween(Value *First, Value *Last, const Twine &What,
                     IRBuilder<> &B) {
  Type *T = First->getType();
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Name = (Prefix + What + Twine(T->getIntegerBitWidth())).str();
  FunctionCallee F =
      M.getOrInsertFunction(Name, FunctionType::get(T, {T, T}, false));
  CallInst *C = B.CreateCall(F, {First, Last});
  C->setMemoryEffects(MemoryEffects::none());
  C->setDoesNotThrow();
  return C;
}

/// Replaces what C stores to its variables by numbers from First to Last.
void giveShare(CallBase &C, const KnownFunction &Row, Value *First, Value *Last,
               ShareForm Form) {
  const StringRef Order = isUnsigned(Form) ? "unsigned" : "signed";
  IRBuilder<> B(C.getNextNode());
  for (auto [N, End] : {std::pair(Row.A, ".first.i"), {Row.B, ".last.i"}}) {
    Use &Place = C.getArgOperandUse(static_cast<unsigned>(N));
    B.CreateStore(numberBetween(First, Last, Order + Twine(End), B), Place);
    Place.set(Constant::getNullValue(Place->getType()));
  }
}

/// The call that V is. If V is the latest of several calls with the same
/// bounds, one of these; else null.
const CallInst *shareCall(const Value *V) {
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    auto *One = dyn_cast<CallInst>(Phi->getIncomingValue(0));
    return One && all_of(Phi->incoming_values(),
                         [&](const Use &X) {
                           auto *C = dyn_cast<CallInst>(X);
                           return C && C->isIdenticalTo(One);
                         })
               ? shareCall(One)
               : nullptr;
  }
  auto *C = dyn_cast<CallInst>(V);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && F->isDeclaration() && F->getName().starts_with(Prefix) ? C
                                                                     : nullptr;
}

bool isUnsigned(const CallInst &C) {
  return C.getCalledFunction()->getName().starts_with(
      (Prefix + "unsigned").str());
}

const CallInst *shareCall(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return U ? shareCall(U->getValue()) : nullptr;
}

/// Replaces one expression by another in all expressions.
struct Replacement : SCEVRewriteVisitor<Replacement> {
  Replacement(ScalarEvolution &SE, const SCEV *What, const SCEV *By)
      : SCEVRewriteVisitor(SE) {
    RewriteResults[What] = By;
  }
};

/// Is S a sum of terms without X, and of X times factors without X?
bool isAffineIn(const SCEV *S, const SCEV *X) {
  auto HasX = [&](const SCEV *Part) {
    return SCEVExprContains(Part, [&](const SCEV *P) { return P == X; });
  };
  if (S == X || !HasX(S))
    return true;
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S))
    return all_of(Sum->operands(),
                  [&](const SCEV *T) { return isAffineIn(T, X); });
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  return Product && count_if(Product->operands(), HasX) == 1 &&
         all_of(Product->operands(),
                [&](const SCEV *T) { return isAffineIn(T, X); });
}

} // namespace

void nameShares(Function &F) {
  // A static share is given at once. A dynamic loop begins with the bounds of
  // all its iterations, and asks for one share after the other.
  SmallVector<CallInst *> Static, Begun, Next;
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallInst>(&I);
    KnownCall Callee = C ? knownCall(*C) : KnownCall();
    if (Callee.Kind != KnownKind::Share)
      continue;
    if (Callee.Row->says(ShareForm::Next))
      Next.push_back(C);
    else if (hasValues(Callee.Row->word<ShareForm>()))
      Begun.push_back(C);
    else
      Static.push_back(C);
  }
  auto Operand = [](CallInst &C, int N) {
    return C.getArgOperand(static_cast<unsigned>(N));
  };
  for (CallInst *C : Static) {
    const KnownFunction &Row = *knownCall(*C).Row;
    IRBuilder<> B(C);
    // The last operand is a chunk's size: the next chunk is a stride away.
    Type *T = C->getArgOperand(C->arg_size() - 1)->getType();
    Value *First = B.CreateLoad(T, Operand(*C, Row.A)),
          *Last = B.CreateLoad(T, Operand(*C, Row.B));
    giveShare(*C, Row, First, Last, Row.word<ShareForm>());
  }
  // Of several loops it is not known whose share comes next.
  if (Begun.size() != 1)
    return;
  DominatorTree DT(F);
  const KnownFunction &Init = *knownCall(*Begun.front()).Row;
  for (CallInst *C : Next)
    if (DT.dominates(Begun.front(), C))
      giveShare(*C, *knownCall(*C).Row, Operand(*Begun.front(), Init.A),
                Operand(*Begun.front(), Init.B), Init.word<ShareForm>());
}

void joinClamps(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Least = dyn_cast<MinMaxIntrinsic>(&I);
    if (!Least)
      continue;
    for (unsigned N : {0, 1})
      if (auto *C = dyn_cast<CallInst>(Least->getArgOperand(N));
          C && shareCall(C) &&
          Least->getIntrinsicID() ==
              (isUnsigned(*C) ? Intrinsic::umin : Intrinsic::smin) &&
          C->getArgOperand(1) == Least->getArgOperand(1 - N)) {
        Least->replaceAllUsesWith(C);
        Least->eraseFromParent();
        break;
      }
  }
}

void forgetShares(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(Prefix) && F.use_empty())
      F.eraseFromParent();
}

bool ShareBounds::isShare(const Value *V) { return shareCall(V); }

bool ShareBounds::contains(const SCEV *S) {
  return SCEVExprContains(S, [](const SCEV *P) { return shareCall(P); });
}

const SCEV *ShareBounds::mostTaken(const Loop &L, const SCEV *Taken) const {
  auto *Sum = dyn_cast<SCEVAddExpr>(Taken);
  if (!Sum || Sum->getNumOperands() != 2)
    return nullptr;
  for (unsigned N : {0, 1}) {
    const SCEV *To = Sum->getOperand(N),
               *From = SE.getNegativeSCEV(Sum->getOperand(1 - N));
    const CallInst *Last = shareCall(To), *First = shareCall(From);
    if (!Last || !First)
      continue;
    const bool Unsigned = isUnsigned(*First);
    if (Unsigned != isUnsigned(*Last) ||
        !SE.isLoopEntryGuardedByCond(
            &L, Unsigned ? ICmpInst::ICMP_ULE : ICmpInst::ICMP_SLE, From, To))
      return nullptr;
    return Unsigned ? SE.getMinusSCEV(SE.getNoopOrZeroExtend(To, I64),
                                      SE.getNoopOrZeroExtend(From, I64))
                    : SE.getMinusSCEV(SE.getNoopOrSignExtend(To, I64),
                                      SE.getNoopOrSignExtend(From, I64));
  }
  return nullptr;
}

std::optional<ShareBounds::Bound> ShareBounds::boundOf(const SCEV *S) const {
  auto *Extended = dyn_cast<SCEVIntegralCastExpr>(S);
  const CallInst *C = shareCall(Extended ? Extended->getOperand() : S);
  if (!C || S->getType() != I64)
    return std::nullopt;
  auto *First = SE.getSCEV(C->getArgOperand(0)),
       *Last = SE.getSCEV(C->getArgOperand(1));
  if (!Extended)
    return Bound{S, First, Last};
  // Extended numbers are ordered like the numbers themselves.
  const bool Zero = isa<SCEVZeroExtendExpr>(S);
  if ((!Zero && !isa<SCEVSignExtendExpr>(S)) ||
      (Zero != isUnsigned(*C) && !(Zero && SE.isKnownNonNegative(First))))
    return std::nullopt;
  return Zero ? Bound{S, SE.getZeroExtendExpr(First, I64),
                      SE.getZeroExtendExpr(Last, I64)}
              : Bound{S, SE.getSignExtendExpr(First, I64),
                      SE.getSignExtendExpr(Last, I64)};
}

std::optional<ShareBounds::Bound> ShareBounds::boundIn(const SCEV *S) const {
  std::optional<Bound> Found;
  SCEVExprContains(S, [&](const SCEV *Part) {
    Found = boundOf(Part);
    return Found.has_value();
  });
  return Found;
}

const SCEV *ShareBounds::extreme(const SCEV *S, bool Most,
                                 SetVector<const SCEV *> &Counts,
                                 SetVector<const SCEV *> &Factors) const {
  while (auto X = boundIn(S)) {
    if (!isAffineIn(S, X->Of))
      return nullptr;
    auto At = [&](const SCEV *By) {
      return Replacement(SE, X->Of, By).visit(S);
    };
    const SCEV *Factor =
        SE.getMinusSCEV(At(SE.getOne(I64)), At(SE.getZero(I64)));
    if (contains(Factor))
      return nullptr;
    // Without iterations the code is not reached; with more iterations than
    // there are numbers it would not end.
    Counts.insert(
        SE.getSMaxExpr(SE.getMinusSCEV(X->Last, X->First), SE.getZero(I64)));
    Factors.insert(Factor);
    const SCEV *A = At(X->First), *B = At(X->Last);
    if (SE.isKnownNonNegative(Factor))
      S = Most ? B : A;
    else if (SE.isKnownNonPositive(Factor))
      S = Most ? A : B;
    else
      S = Most ? SE.getSMaxExpr(A, B) : SE.getSMinExpr(A, B);
  }
  return contains(S) ? nullptr : S;
}

} // namespace retro
