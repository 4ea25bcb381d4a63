// Input: a call of a function with '...', whose body reads a list. Output: the
// same function for this list of types, with a parameter for each argument. It
// stores them one behind the other, and its list says that there they are: so
// the target's ABI has it for arguments that found no register. What va_arg
// reads is then memory like other memory, with a shadow.
#include "prepare/calls/variadic.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// System V ABI of AMD64, 3.5.7: a list is two offsets into the saved
/// registers, the next argument on the stack, and the saved registers. Offsets
/// behind the last register send each read to the stack.
constexpr uint64_t ListBytes = 24, AreaAt = 8, SavedAt = 16, SlotBytes = 8;
constexpr unsigned GeneralEnd = 48, FloatEnd = 176;

bool hasKnownLists(const Module &M) {
  const Triple &T = M.getTargetTriple();
  return T.isX86_64() && !T.isX32() && !T.isOSWindows() && !T.isUEFI();
}

/// May a value of type T lie in slots of eight bytes, as on the stack?
bool fitsSlots(Type *T) {
  return T->isDoubleTy() || T->isPointerTy() || T->isX86_FP80Ty() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

/// Where each of the arguments behind the named ones lies, and where they end.
struct Area {
  SmallVector<uint64_t> Offsets;
  uint64_t Size = 0;
};

Area layOut(const DataLayout &DL, ArrayRef<Type *> Types) {
  Area Out;
  for (Type *T : Types) {
    Out.Size = alignTo(Out.Size, T->isX86_FP80Ty() ? 16 : SlotBytes);
    Out.Offsets.push_back(Out.Size);
    Out.Size +=
        alignTo(DL.getTypeAllocSize(T).getFixedValue(), uint64_t(SlotBytes));
  }
  return Out;
}

/// The types of all that Call gives: those of structs by value are theirs.
bool typesOf(const CallBase &Call, const Function &G,
             SmallVectorImpl<Type *> &Out) {
  for (unsigned N = static_cast<unsigned>(G.arg_size()); N < Call.arg_size();
       ++N) {
    Type *T = Call.getArgOperand(N)->getType();
    if (Call.isByValArgument(N)) {
      T = Call.getParamByValType(N);
      if (Call.getParamAlign(N).valueOrOne() > Align(SlotBytes))
        return false;
    } else if (!fitsSlots(T)) {
      return false;
    }
    Out.push_back(T);
  }
  return true;
}

Value *at(IRBuilder<> &B, Value *P, uint64_t Offset) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), P, Offset);
}

/// The arguments behind Named, stored side by side at F's entry.
AllocaInst *storeRest(Function &F, size_t Named, ArrayRef<Type *> Types) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  const DataLayout &DL = F.getDataLayout();
  const Area A = layOut(DL, Types);
  AllocaInst *Rest =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), A.Size), nullptr, "rest");
  Rest->setAlignment(Align(16));
  for (auto [N, T] : enumerate(Types)) {
    Argument *V = F.getArg(static_cast<unsigned>(Named + N));
    Value *Place = at(B, Rest, A.Offsets[N]);
    if (V->getType() == T)
      B.CreateAlignedStore(V, Place, Align(SlotBytes));
    else // a struct by value
      B.CreateMemCpy(Place, Align(SlotBytes), V, Align(SlotBytes),
                     DL.getTypeAllocSize(T).getFixedValue());
  }
  return Rest;
}

/// Each list of F begins with Rest.
void startLists(Function &F, Value *Rest) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Start = dyn_cast<VAStartInst>(&I);
    if (!Start)
      continue;
    IRBuilder<> B(Start);
    Value *List = Start->getArgList();
    B.CreateStore(B.getInt32(GeneralEnd), List);
    B.CreateStore(B.getInt32(FloatEnd), at(B, List, 4));
    B.CreateStore(Rest, at(B, List, AreaAt));
    B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), at(B, List, SavedAt));
    Start->eraseFromParent();
  }
}

/// May an argument behind the named ones be active? Integers, literals and what
/// is constant in the whole program are not.
bool mayBeActive(const Value *Argument) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Argument));
  return !Argument->getType()->isIntegerTy() && !isa<ConstantData>(Argument) &&
         !(G && G->isConstant());
}

/// Does F read its lists by itself, and not only pass them on?
bool readsItself(const Function &F) {
  auto IsPassedOn = [](const Value *List) {
    return all_of(List->users(), [](const User *U) {
      return isa<CallBase>(U) ||
             (isa<GetElementPtrInst>(U) &&
              cast<GetElementPtrInst>(U)->hasAllZeroIndices() &&
              all_of(U->users(), IsaPred<CallBase>));
    });
  };
  return any_of(instructions(F), [&](const Instruction &I) {
    auto *Start = dyn_cast<VAStartInst>(&I);
    return Start && !IsPassedOn(getUnderlyingObject(Start->getArgList()));
  });
}

} // namespace

bool readsVariadic(const Function &F) {
  return F.isVarArg() && any_of(instructions(F), [](const Instruction &I) {
           return isa<VAStartInst>(I);
         });
}

bool readsActive(const Function &G, const CallBase &Call) {
  return any_of(drop_begin(Call.args(), G.arg_size()), mayBeActive) &&
         readsItself(G);
}

Function *nameParameters(Function &G, const CallBase &Call) {
  SmallVector<Type *> Rest;
  if (!hasKnownLists(*G.getParent()) || Call.isMustTailCall() ||
      !typesOf(Call, G, Rest))
    return nullptr;
  SmallVector<Type *> Params;
  for (const Use &A : Call.args())
    Params.push_back(A->getType());
  auto *New = Function::Create(
      FunctionType::get(G.getReturnType(), Params, false),
      GlobalValue::InternalLinkage, G.getName(), G.getParent());
  ValueToValueMapTy VM;
  for (Argument &A : G.args()) {
    VM[&A] = New->getArg(A.getArgNo());
    New->getArg(A.getArgNo())->setName(A.getName());
  }
  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(New, &G, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  New->setComdat(nullptr);
  New->setLinkage(GlobalValue::InternalLinkage);
  New->setVisibility(GlobalValue::DefaultVisibility);
  for (unsigned N = static_cast<unsigned>(G.arg_size()); N < Call.arg_size();
       ++N)
    if (Call.isByValArgument(N))
      New->addParamAttr(N, Attribute::getWithByValType(
                               New->getContext(), Call.getParamByValType(N)));
  startLists(*New, storeRest(*New, G.arg_size(), Rest));
  return New;
}

CallBase *callNamed(CallBase &Call, Function &To) {
  SmallVector<Value *> Args(Call.args());
  SmallVector<OperandBundleDef> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallBase *New;
  if (auto *I = dyn_cast<InvokeInst>(&Call))
    New = InvokeInst::Create(To.getFunctionType(), &To, I->getNormalDest(),
                             I->getUnwindDest(), Args, Bundles, "",
                             Call.getIterator());
  else
    New = CallInst::Create(To.getFunctionType(), &To, Args, Bundles, "",
                           Call.getIterator());
  New->setAttributes(Call.getAttributes());
  New->setCallingConv(Call.getCallingConv());
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return New;
}

void lowerListCopies(Function &F) {
  if (!hasKnownLists(*F.getParent()))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *C = dyn_cast<VACopyInst>(&I)) {
      IRBuilder<> B(C);
      B.CreateMemCpy(C->getDest(), Align(8), C->getSrc(), Align(8), ListBytes);
      C->eraseFromParent();
    } else if (isa<VAEndInst>(I)) {
      I.eraseFromParent();
    }
  }
}

} // namespace retro
