// Input: a function of the unit before calls are inlined. Output: the same,
// with calls that allocate and free where it asked a resource of the library.
// Without this they are virtual calls into a library without derivatives.
#include "prepare/memory/memory_resources.h"

#include "facts/types/declared_types.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"
#include "prepare/memory/stack_memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// What functions that stand for a resource's are named, behind that name.
constexpr StringLiteral ForwardSuffix = ".retro.forward";
constexpr StringLiteral ReverseSuffix = ".retro.reverse";

/// Has the table a function by which a class of the program gives memory?
bool isTableOfResource(const GlobalVariable &G) {
  if (!G.hasInitializer() || !isA(G.getName(), NameKind::VirtualTable))
    return false;
  return any_of(G.getInitializer()->operands(), [](const Use &Part) {
    auto *Table = dyn_cast<ConstantArray>(Part);
    return Table && any_of(Table->operands(), [](const Use &Entry) {
             auto *F = dyn_cast<Function>(Entry->stripPointerCasts());
             return F && isA(F->getName(), NameKind::GivesOwnMemory);
           });
  });
}

/// Is what Resource points to of a class that the program defines? Null: there
/// is no such class.
Value *isOwnResource(IRBuilder<> &B, Module &M, Value *Resource) {
  Value *Is = nullptr, *Table = nullptr;
  for (GlobalVariable &G : M.globals()) {
    if (!isTableOfResource(G))
      continue;
    if (!Table)
      Table = B.CreatePtrToInt(B.CreateLoad(B.getPtrTy(), Resource, "table"),
                               B.getInt64Ty());
    Value *From = B.CreateSub(Table, B.CreatePtrToInt(&G, B.getInt64Ty()));
    Value *In = B.CreateICmpULT(
        From, B.getInt64(M.getDataLayout().getTypeAllocSize(G.getValueType())));
    Is = Is ? B.CreateOr(Is, In) : In;
  }
  return Is;
}

/// Writes what stands for F where the resource is the library's.
class StandFor {
public:
  StandFor(IRBuilder<> &B, const Function &F, Function &By)
      : B(B), F(F), By(By) {}

  Value *reverse() {
    if (isA(F.getName(), NameKind::ResourceFrees))
      return mark(B.CreateCall(named(Named::resource_keep), arguments()));
    if (!isA(F.getName(), NameKind::ResourceAllocates))
      return isSame();
    Value *Bytes = By.getArg(1), *Align = By.getArg(2);
    Align = B.CreateBinaryIntrinsic(Intrinsic::umax, Align, B.getInt64(16));
    // Whole multiples of the alignment are asked for.
    Value *Mask = B.CreateNeg(Align);
    Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.CreateNot(Mask)), Mask);
    CallInst *Memory = callForeign(B, Foreign::aligned_alloc, {Align, Bytes});
    Memory->setDoesNotThrow(); // an invoke would have no metadata
    Memory->setMetadata(FreedAtEnd, MDNode::get(B.getContext(), {}));
    return mark(Memory);
  }

  Value *forward() {
    if (isA(F.getName(), NameKind::ResourceCompares))
      return isSame();
    return mark(B.CreateCall(named(isA(F.getName(), NameKind::ResourceFrees)
                                       ? Named::resource_give
                                       : Named::resource_take),
                             arguments()));
  }

private:
  /// Two resources of the library are equal if they are one object: each can
  /// free what it has allocated itself.
  Value *isSame() { return B.CreateICmpEQ(By.getArg(0), By.getArg(1)); }
  FunctionCallee named(Named N) {
    return By.getParent()->getOrInsertFunction(nameOf(N), F.getFunctionType());
  }
  SmallVector<Value *> arguments() {
    return SmallVector<Value *>(make_pointer_range(By.args()));
  }
  static Value *mark(CallInst *C) {
    C->addFnAttr(Attribute::get(C->getContext(), OfResource));
    return C;
  }

  IRBuilder<> &B;
  const Function &F;
  Function &By;
};

/// The function that a unit calls in the place of F.
Function *standFor(Function &F, bool Forward) {
  Module &M = *F.getParent();
  const std::string Name =
      (F.getName() + (Forward ? ForwardSuffix : ReverseSuffix)).str();
  if (Function *Made = M.getFunction(Name))
    return Made;
  Function *By = Function::Create(F.getFunctionType(),
                                  GlobalValue::InternalLinkage, Name, M);
  By->addFnAttr(OfResource);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", By));
  auto Return = [&](Value *V) {
    By->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(V);
  };
  if (Value *IsOurs = isOwnResource(B, M, By->getArg(0))) {
    BasicBlock *Ask = BasicBlock::Create(M.getContext(), "own", By);
    BasicBlock *Library = BasicBlock::Create(M.getContext(), "library", By);
    B.CreateCondBr(IsOurs, Ask, Library);
    B.SetInsertPoint(Ask);
    SmallVector<Value *> Args(make_pointer_range(By->args()));
    CallInst *Given = B.CreateCall(&F, Args);
    Given->addFnAttr(Attribute::get(M.getContext(), OfResource));
    Return(Given);
    B.SetInsertPoint(Library);
  }
  StandFor Body(B, F, *By);
  Return(Forward ? Body.forward() : Body.reverse());
  return By;
}

} // namespace

bool isOfResource(const Function &F) {
  return any_of(ArrayRef{NameKind::ResourceAllocates, NameKind::ResourceFrees,
                         NameKind::ResourceCompares},
                [&](NameKind K) { return isA(F.getName(), K); });
}

bool lowerMemoryResources(Function &F, bool Forward) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (const Function *G = C->getCalledFunction();
          G && isOfResource(*G) && !C->hasFnAttr(OfResource))
        Calls.push_back(C);
  for (CallBase *C : Calls) {
    C->setCalledFunction(standFor(*C->getCalledFunction(), Forward));
    C->setAttributes(AttributeList());
  }
  if (!Calls.empty())
    F.addFnAttr(OfResource);
  return !Calls.empty();
}

void restoreMemoryResources(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if ((F.getName().ends_with(ForwardSuffix) ||
         F.getName().ends_with(ReverseSuffix)) &&
        F.use_empty())
      F.eraseFromParent();
  auto PutBack = [&](Named Stands, NameKind K) {
    Function *F = M.getFunction(nameOf(Stands));
    auto Of = F ? find_if(M, [&](Function &G) { return isA(G.getName(), K); })
                : M.end();
    if (Of == M.end())
      return;
    F->replaceAllUsesWith(&*Of);
    F->eraseFromParent();
  };
  PutBack(Named::resource_take, NameKind::ResourceAllocates);
  PutBack(Named::resource_give, NameKind::ResourceFrees);
  if (Function *Keep = M.getFunction(nameOf(Named::resource_keep))) {
    for (User *U : make_early_inc_range(Keep->users()))
      cast<Instruction>(U)->eraseFromParent();
    Keep->eraseFromParent();
  }
}

} // namespace retro
