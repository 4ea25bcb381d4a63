// Input: a loop that computes a few numbers from one or two, such as an
// integrator of a scalar equation or Newton's method. Its Jacobian has one or
// two columns, and carrying these along costs less than to tape every iteration
// and to come back. Output: a function with a gradient of its own, whose
// forward pass is the loop's tangent, its tape the Jacobian, and its reverse
// pass a product.
#include "prepare/loops/preaccumulate.h"

#include "front/known/known_functions.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <functional>

using namespace llvm;

namespace retro {
namespace {

/// A loop with more columns or results than this is reversed.
constexpr unsigned MostColumns = 2, MostResults = 4;
/// If more than this is computed before the loop, all of it counts as varying.
constexpr unsigned MostLookedAt = 100;

bool isNumber(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

/// Does Ptr point to memory that nothing writes, whatever is done to the unit?
bool isConstantPlace(const Value *Ptr) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Ptr));
  return G && G->isConstant();
}

/// May a derivative flow into V from outside of the loop at hand?
bool mayVary(const Unit &U, const UnitFunction &UF, const Value *V) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work{V};
  while (!Work.empty()) {
    V = Work.pop_back_val();
    if (isa<Constant>(V) || !Seen.insert(V).second)
      continue;
    if (auto *A = dyn_cast<Argument>(V);
        A && UF.Root && is_contained(U.Fixed, A->getArgNo()))
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isNumber(I->getType()) || Seen.size() > MostLookedAt)
      return true;
    if (isa<SIToFPInst, UIToFPInst>(I))
      continue;
    auto *C = dyn_cast<CallBase>(I);
    if (I->mayReadFromMemory() || isa<BitCastInst>(I) ||
        (C && knownCall(*C).Kind != KnownKind::Math))
      return true;
    for (const Use &O : I->operands())
      if (!O->getType()->isIntegerTy() && !isa<BasicBlock, Function>(O))
        Work.push_back(O);
  }
  return false;
}

/// One loop, and whether it can be derived forward.
class Candidate {
public:
  Candidate(Unit &U, UnitFunction &UF, const LoopInfo &LI, Loop &L)
      : U(U), UF(UF), LI(LI), L(L) {}

  /// Does the loop do nothing but arithmetic with numbers?
  bool isAllowed() const {
    return all_of(L.blocks(), [&](const BasicBlock *B) {
      return all_of(*B, [&](const Instruction &I) { return isAllowed(I); });
    });
  }
  bool isEligible();
  PreaccumulatedLoop outline();

private:
  bool isAllowed(const Instruction &I) const;
  bool takeInputs(const Instruction &I);
  Value *rootOf(Value *V) const;
  bool mayVary(const Value *V) const {
    return isNumber(V->getType()) && retro::mayVary(U, UF, V);
  }
  void absorb();
  bool hasFittingResults();
  void findVarying();
  bool readsFactor(const Instruction &I, const Value &V) const;
  bool needsTape() const;
  bool varies(const Value *V) const { return Varying.contains(V); }
  Function *makeFunction(const Twine &Name, Type *Result, bool Primal,
                         ArrayRef<Type *> More) const;
  Type *resultType() const;
  Function *moveLoop();
  Function *makeReverse(const PreaccumulatedLoop &Out) const;

  Unit &U;
  UnitFunction &UF;
  const LoopInfo &LI;
  Loop &L;
  BasicBlock *Exit = nullptr;
  SmallSetVector<Value *, 8> Inputs;
  SmallSetVector<Instruction *, 8> Absorbed; ///< from before the loop, in order
  SmallVector<PHINode *, 4> Results;
  SmallPtrSet<const Value *, 32> Varying;
};

/// Do both modes derive instructions like I, which read and write no memory?
bool Candidate::isAllowed(const Instruction &I) const {
  Type *T = I.getType();
  if (I.isTerminator())
    return isa<BranchInst, SwitchInst>(I);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && (isNumber(T) || T->isIntegerTy()) &&
           isConstantPlace(Load->getPointerOperand());
  if (isa<GetElementPtrInst>(I))
    return !T->isVectorTy() && isConstantPlace(&I);
  if (!isNumber(T) && !T->isIntegerTy())
    return false;
  auto Scalar = [](const Value *V) {
    return isNumber(V->getType()) || V->getType()->isIntegerTy();
  };
  if (auto *C = dyn_cast<CallInst>(&I)) {
    if (C->isMustTailCall() || !all_of(C->args(), Scalar))
      return false;
    if (knownCall(*C).Kind == KnownKind::Math)
      return true;
    return isa<IntrinsicInst>(C) && T->isIntegerTy() &&
           C->doesNotAccessMemory() && none_of(C->args(), [](const Value *A) {
             return isNumber(A->getType());
           });
  }
  if (isa<BitCastInst>(I))
    return false;
  return isa<PHINode, SelectInst, BinaryOperator, UnaryOperator, CmpInst,
             CastInst, FreezeInst>(I) &&
         all_of(I.operands(),
                [&](const Use &O) { return isa<BasicBlock>(O) || Scalar(O); });
}

/// Makes parameters of operands from outside.
bool Candidate::takeInputs(const Instruction &I) {
  for (Value *O : I.operands()) {
    auto *J = dyn_cast<Instruction>(O);
    if (!isa<Argument>(O) && (!J || L.contains(J)))
      continue;
    if (!isNumber(O->getType()) && !O->getType()->isIntegerTy())
      return false;
    Inputs.insert(O);
  }
  return true;
}

/// The one varying number that V is computed from, or null.
Value *Candidate::rootOf(Value *V) const {
  for (;;) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || isa<PHINode>(I) || !isAllowed(*I) || I->mayReadFromMemory() ||
        I->mayWriteToMemory())
      return V;
    Value *Next = nullptr;
    for (Value *O : I->operands())
      if (mayVary(O)) {
        if (Next && Next != O)
          return V;
        Next = O;
      }
    if (!Next)
      return V;
    V = Next;
  }
}

/// Where several inputs are computed from one number, the function gets the
/// number and computes them.
void Candidate::absorb() {
  SmallSetVector<Value *, 8> From, Roots;
  for (Value *V : Inputs)
    if (mayVary(V)) {
      From.insert(V);
      Roots.insert(rootOf(V));
    }
  if (Roots.size() >= From.size())
    return;
  std::function<void(Value *)> Take = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (Roots.contains(V) || !I || Absorbed.contains(I) || !mayVary(V))
      return void(isa<Constant>(V) || Absorbed.contains(I) || Inputs.insert(V));
    for (Value *O : I->operands())
      Take(O);
    Absorbed.insert(I);
  };
  for (Value *V : From) {
    if (!Roots.contains(V))
      Inputs.remove(V);
    Take(V);
  }
}

/// Is it only a few numbers that are read behind the loop?
bool Candidate::hasFittingResults() {
  for (PHINode &P : Exit->phis()) {
    if (!isNumber(P.getType()) || !takeInputs(P))
      return false;
    Results.push_back(&P);
  }
  return !Results.empty() && Results.size() <= MostResults;
}

/// Finds what in the loop depends on the columns' numbers.
void Candidate::findVarying() {
  SmallVector<const Value *> Work;
  for (Value *V : Inputs)
    if (mayVary(V))
      Work.push_back(V);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Varying.insert(V).second)
      continue;
    for (const User *X : V->users())
      if (auto *I = dyn_cast<Instruction>(X);
          I && (L.contains(I) || Absorbed.contains(I)) &&
          isNumber(I->getType()))
        Work.push_back(I);
  }
}

/// Is V an operand of I that branches, or the adjoints of other operands,
/// depend on?
bool Candidate::readsFactor(const Instruction &I, const Value &V) const {
  auto IsFactor = [&] {
    return (I.getOperand(0) == &V && varies(I.getOperand(1))) ||
           (I.getOperand(1) == &V && varies(I.getOperand(0)));
  };
  auto *C = dyn_cast<IntrinsicInst>(&I);
  if (C && (C->getIntrinsicID() == Intrinsic::fma ||
            C->getIntrinsicID() == Intrinsic::fmuladd))
    return IsFactor();
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return IsFactor();
  case Instruction::FDiv:
    return varies(I.getOperand(1));
  default:
    return isa<CallInst, CmpInst>(I);
  }
}

/// Would the reverse pass read what one iteration computes from the one before?
bool Candidate::needsTape() const {
  SmallPtrSet<const Value *, 32> Carried;
  SmallVector<const Value *> Work;
  for (BasicBlock *B : L.blocks())
    if (LI.isLoopHeader(B))
      for (PHINode &P : B->phis())
        if (varies(&P))
          Work.push_back(&P);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Carried.insert(V).second)
      continue;
    for (const User *X : V->users()) {
      auto *I = dyn_cast<Instruction>(X);
      if (!I || !L.contains(I))
        continue;
      if (isNumber(I->getType()))
        Work.push_back(I);
      if (readsFactor(*I, *V))
        return true;
    }
  }
  return false;
}

bool Candidate::isEligible() {
  Exit = L.getUniqueExitBlock();
  if (!Exit || !L.isLoopSimplifyForm() || !L.hasDedicatedExits() ||
      !isAllowed())
    return false;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (!takeInputs(I))
        return false;
  if (!hasFittingResults())
    return false;
  absorb();
  findVarying();
  auto Columns = static_cast<unsigned>(
      count_if(Inputs, [&](Value *V) { return varies(V); }));
  return Columns >= 1 && Columns <= MostColumns && needsTape();
}

Type *Candidate::resultType() const {
  if (Results.size() == 1)
    return Results[0]->getType();
  SmallVector<Type *> Types;
  for (PHINode *P : Results)
    Types.push_back(P->getType());
  return StructType::get(Exit->getContext(), Types);
}

/// Declares a function of the inputs. A derivative takes what is no number
/// twice, as the calling convention has it.
Function *Candidate::makeFunction(const Twine &Name, Type *Result, bool Primal,
                                  ArrayRef<Type *> More) const {
  SmallVector<Type *> Types;
  for (Value *V : Inputs)
    Types.append(Primal || isNumber(V->getType()) ? 1 : 2, V->getType());
  Types.append(More.begin(), More.end());
  Function *G = Function::Create(
      FunctionType::get(Result, Types, false), GlobalValue::InternalLinkage,
      UF.Source->getName() + Name, UF.F->getParent());
  for (Attribute A : UF.F->getAttributes().getFnAttrs())
    if (A.isStringAttribute() && !A.getKindAsString().starts_with("retro"))
      G->addFnAttr(A);
  G->addFnAttr(Attribute::NoUnwind);
  return G;
}

Value *resultOf(IRBuilder<> &B, ArrayRef<Value *> Parts, Type *T) {
  if (!T->isStructTy())
    return Parts[0];
  Value *R = PoisonValue::get(T);
  for (unsigned I = 0; I < Parts.size(); ++I)
    R = B.CreateInsertValue(R, Parts[I], I);
  return R;
}

/// Moves the loop's blocks to the function, together with the exit's phis.
Function *Candidate::moveLoop() {
  Function *G = makeFunction(".loop", resultType(), true, {});
  LLVMContext &C = G->getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", G);
  BasicBlock *Before = L.getLoopPreheader(), *Header = L.getHeader();
  DebugLoc At = L.getStartLoc();
  SmallVector<BasicBlock *> Blocks(L.blocks());
  // Reading constant memory counts as no effect, and errno may be set.
  if (none_of(Blocks, [](BasicBlock *B) {
        return any_of(*B, [](Instruction &I) { return I.mayWriteToMemory(); });
      }))
    G->setDoesNotAccessMemory();
  for (BasicBlock *B : Blocks) {
    G->splice(G->end(), UF.F, B->getIterator());
    for (Instruction &I : *B)
      I.dropDbgRecords();
  }
  BasicBlock *Done = BasicBlock::Create(C, "done", G);
  Done->splice(Done->end(), Exit, Exit->begin(), Exit->getFirstNonPHIIt());
  for (BasicBlock *B : Blocks)
    B->getTerminator()->replaceSuccessorWith(Exit, Done);
  IRBuilder<> EB(Entry);
  SmallVector<Instruction *> Copies;
  for (Instruction *I : Absorbed)
    Copies.push_back(EB.Insert(I->clone()));
  auto IsInCopy = [&](Use &X) {
    auto *I = dyn_cast<Instruction>(X.getUser());
    return I && I->getFunction() == G;
  };
  for (size_t N = 0; N < Copies.size(); ++N)
    Absorbed[N]->replaceUsesWithIf(Copies[N], IsInCopy);
  EB.CreateBr(Header);
  Header->replacePhiUsesWith(Before, Entry);
  for (size_t N = 0; N < Inputs.size(); ++N)
    Inputs[N]->replaceUsesWithIf(G->getArg(static_cast<unsigned>(N)), IsInCopy);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  CallInst *Call = B.CreateCall(G, Inputs.getArrayRef());
  Call->setDebugLoc(At ? At : DebugLoc());
  SmallVector<Value *> Parts;
  for (unsigned N = 0; N < Results.size(); ++N) {
    Results[N]->replaceAllUsesWith(
        Results.size() == 1 ? Call : B.CreateExtractValue(Call, N));
    Parts.push_back(Results[N]);
  }
  B.CreateBr(Exit);
  IRBuilder<> DB(Done);
  DB.CreateRet(resultOf(DB, Parts, G->getReturnType()));
  return G;
}

/// Makes the reverse pass. An adjoint of 0 stays 0, even where the Jacobian has
/// overflowed.
Function *Candidate::makeReverse(const PreaccumulatedLoop &Out) const {
  Type *Result = Out.Primal->getReturnType();
  SmallVector<Type *> Adjoints, More{Result};
  for (Argument &A : Out.Primal->args())
    if (isNumber(A.getType()))
      Adjoints.push_back(A.getType());
  const unsigned Rows = static_cast<unsigned>(Results.size());
  for (size_t I = 0; I < Out.Columns.size(); ++I)
    for (PHINode *P : Results)
      More.push_back(P->getType());
  LLVMContext &C = Out.Primal->getContext();
  Type *T = Adjoints.size() == 1 ? Adjoints[0] : StructType::get(C, Adjoints);
  Function *G = makeFunction(".loop.reverse", T, false, More);
  IRBuilder<> B(BasicBlock::Create(C, "entry", G));
  unsigned Next = static_cast<unsigned>(G->arg_size() - More.size());
  Value *Seed = G->getArg(Next++);
  SmallVector<Value *> Parts;
  for (Argument &A : Out.Primal->args()) {
    if (!isNumber(A.getType()))
      continue;
    Value *Sum = Constant::getNullValue(A.getType());
    for (unsigned R = 0; is_contained(Out.Columns, A.getArgNo()) && R < Rows;
         ++R) {
      Value *S = Rows == 1 ? Seed : B.CreateExtractValue(Seed, R);
      Value *Zero = Constant::getNullValue(S->getType());
      Value *Product = B.CreateSelect(B.CreateFCmpOEQ(S, Zero), Zero,
                                      B.CreateFMul(S, G->getArg(Next++)));
      Product = B.CreateFPCast(Product, A.getType());
      Sum = R ? B.CreateFAdd(Sum, Product) : Product;
    }
    Parts.push_back(Sum);
  }
  B.CreateRet(resultOf(B, Parts, T));
  return G;
}

PreaccumulatedLoop Candidate::outline() {
  PreaccumulatedLoop Out;
  Out.Outermost = L.isOutermost();
  for (size_t N = 0; N < Inputs.size(); ++N)
    if (varies(Inputs[N]))
      Out.Columns.push_back(static_cast<unsigned>(N));
  Out.Primal = moveLoop();
  Out.Reverse = makeReverse(Out);
  SmallVector<Type *> Tape;
  for (size_t I = 0; I < Out.Columns.size(); ++I)
    for (PHINode *P : Results)
      Tape.push_back(P->getType());
  LLVMContext &C = Out.Primal->getContext();
  Type *TapeTy = Tape.size() == 1 ? Tape[0] : StructType::get(C, Tape);
  Out.Augmented = makeFunction(
      ".loop.augmented",
      StructType::get(C, {TapeTy, Out.Primal->getReturnType()}), false, {});
  return Out;
}

/// Registers the loop's function and its derivative, as if the user had written
/// them.
Registration registrationOf(const PreaccumulatedLoop &L) {
  Registration Out;
  Out.Primal = L.Primal;
  CustomRule Rule;
  std::string Problem =
      bindGradient(PrimalSignature(*L.Primal), L.Augmented, L.Reverse, Rule);
  if (!Problem.empty())
    report_fatal_error(Twine("preaccumulation: ") + Problem);
  Out.Gradient = std::move(Rule);
  L.Primal->addFnAttr(RegisteredAttribute, registeredText(Out));
  return Out;
}

} // namespace

/// Has a loop of F a recurrence of numbers, and nothing in it that forbids
/// preaccumulation?
static bool hasCandidates(Unit &U, UnitFunction &UF) {
  const LoopInfo &LI = U.FAM.getResult<LoopAnalysis>(*UF.F);
  return any_of(LI.getLoopsInPreorder(), [&](Loop *L) {
    return any_of(L->getHeader()->phis(),
                  [](PHINode &P) { return isNumber(P.getType()); }) &&
           Candidate(U, UF, LI, *L).isAllowed();
  });
}

unsigned preaccumulateLoops(Unit &U, UnitFunction &UF) {
  if (!hasCandidates(U, UF))
    return 0;
  Function &F = *UF.F;
  FunctionPassManager Form;
  Form.addPass(LoopSimplifyPass());
  Form.addPass(LCSSAPass());
  unsigned Count = 0;
  for (bool Again = true; Again;) {
    Again = false;
    U.FAM.invalidate(F, Form.run(F, U.FAM));
    const LoopInfo &LI = U.FAM.getResult<LoopAnalysis>(F);
    for (Loop *L : LI.getLoopsInPreorder()) {
      Candidate C(U, UF, LI, *L);
      if (!C.isEligible())
        continue;
      U.Preaccumulated.push_back(C.outline());
      U.Registered.add(registrationOf(U.Preaccumulated.back()));
      U.FAM.invalidate(F, PreservedAnalyses::none());
      ++Count;
      Again = true;
      break;
    }
  }
  return Count;
}

Request tangentRequest(const PreaccumulatedLoop &L) {
  Request Req;
  Req.Kind = Entry::Fwddiff;
  Req.Target = L.Primal;
  Req.Width = static_cast<unsigned>(L.Columns.size());
  Req.PrimalReturn = true;
  Req.Args.resize(L.Primal->arg_size());
  for (unsigned N : L.Columns)
    Req.Args[N].Act = Activity::Dup;
  return Req;
}

void complete(const PreaccumulatedLoop &L, Function &Tangent) {
  Function &G = *L.Augmented;
  // The recurrence and its tangent are two chains side by side, each bound by
  // latency. Packed into vectors they would wait for each other.
  if (L.Outermost && L.Columns.size() == 1) {
    Tangent.addFnAttr(Attribute::NoImplicitFloat);
    Tangent.addFnAttr(Attribute::NoInline);
  }
  IRBuilder<> B(BasicBlock::Create(G.getContext(), "entry", &G));
  SmallVector<Value *> Args;
  unsigned Next = 0;
  for (Argument &A : L.Primal->args()) {
    Args.push_back(G.getArg(Next));
    Next += isNumber(A.getType()) ? 1 : 2;
  }
  const auto Width = static_cast<unsigned>(L.Columns.size());
  for (unsigned N : L.Columns)
    for (unsigned Lane = 0; Lane < Width; ++Lane)
      Args.push_back(ConstantFP::get(L.Primal->getArg(N)->getType(),
                                     L.Columns[Lane] == N ? 1 : 0));
  Value *ValueAndTangents = B.CreateCall(&Tangent, Args);
  Value *Tangents = B.CreateExtractValue(ValueAndTangents, 1);
  auto *Result = cast<StructType>(G.getReturnType());
  SmallVector<Value *> Tape;
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    Value *Column =
        Width == 1 ? Tangents : B.CreateExtractValue(Tangents, Lane);
    auto *S = dyn_cast<StructType>(Column->getType());
    for (unsigned R = 0; R < (S ? S->getNumElements() : 1); ++R)
      Tape.push_back(S ? B.CreateExtractValue(Column, R) : Column);
  }
  Value *Out = PoisonValue::get(Result);
  Out =
      B.CreateInsertValue(Out, resultOf(B, Tape, Result->getElementType(0)), 0);
  B.CreateRet(
      B.CreateInsertValue(Out, B.CreateExtractValue(ValueAndTangents, 0), 1));
}

} // namespace retro
