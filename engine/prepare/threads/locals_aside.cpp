// Input: functions for amdgcn, whose local variables are in an address space of
// their own. Output: variables in the generic address space while derivatives
// are made, and the device's again at the end. Else a pointer and its shadow
// could be in different address spaces.
#include "prepare/threads/locals_aside.h"

#include "facts/parallel/device.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// Uses the generic address where Old, a cast of it, is used. The variable may
/// come to lie in memory that the cast could not point to.
void useGeneric(Instruction &Old, Value &Generic) {
  for (Use &U : make_early_inc_range(Old.uses())) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      auto *New = cast<GetElementPtrInst>(G->clone());
      New->setOperand(0, &Generic);
      New->mutateType(Generic.getType());
      New->insertBefore(G->getIterator());
      New->takeName(G);
      useGeneric(*G, *New);
    } else if (isa<LoadInst>(I) ||
               (isa<StoreInst>(I) &&
                U.getOperandNo() == StoreInst::getPointerOperandIndex())) {
      U.set(&Generic);
    } else if (isa<AddrSpaceCastInst>(I) && I->getType() == Generic.getType()) {
      I->replaceAllUsesWith(&Generic);
      I->eraseFromParent();
    } else if (auto *M = dyn_cast<MemIntrinsic>(I)) {
      // The intrinsic's name contains the address spaces of its operands.
      U.set(&Generic);
      SmallVector<Type *, 3> Types{M->getRawDest()->getType()};
      if (auto *T = dyn_cast<MemTransferInst>(M))
        Types.push_back(T->getRawSource()->getType());
      Types.push_back(M->getLength()->getType());
      M->setCalledFunction(Intrinsic::getOrInsertDeclaration(
          M->getModule(), M->getIntrinsicID(), Types));
    }
  }
  if (Old.use_empty())
    Old.eraseFromParent();
}

void move(Function &F, unsigned From, unsigned To) {
  SmallVector<AllocaInst *> Locals;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->getAddressSpace() == From)
      Locals.push_back(A);
    else if (isa<LifetimeIntrinsic>(&I))
      I.eraseFromParent(); // it takes the variable itself, not a cast of it
  }
  for (AllocaInst *A : Locals) {
    auto *New = new AllocaInst(A->getAllocatedType(), To, A->getArraySize(),
                               A->getAlign(), A->getName(), A->getIterator());
    IRBuilder<> B(A);
    auto *Cast = cast<Instruction>(B.CreateAddrSpaceCast(New, A->getType()));
    A->replaceAllUsesWith(Cast);
    A->eraseFromParent();
    if (To == 0)
      useGeneric(*Cast, *New);
  }
}

} // namespace

LocalsAside::LocalsAside(Module &M) : M(M) {
  if (!M.getTargetTriple().isAMDGPU())
    return;
  Layout = M.getDataLayoutStr();
  constexpr StringLiteral Locals = "-A5";
  if (size_t At = Layout.find(Locals); At != std::string::npos)
    M.setDataLayout(Layout.substr(0, At) + Layout.substr(At + Locals.size()));
}

LocalsAside::~LocalsAside() {
  if (Layout.empty())
    return;
  M.setDataLayout(Layout);
  for (Function &F : M)
    putLocalsBack(F);
}

void setLocalsAside(Function &F) {
  if (F.getParent()->getTargetTriple().isAMDGPU())
    move(F, PrivateSpace, 0);
}

void putLocalsBack(Function &F) {
  if (F.getParent()->getTargetTriple().isAMDGPU())
    move(F, 0, PrivateSpace);
}

} // namespace retro
