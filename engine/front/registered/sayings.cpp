// Makes functions of the declarations by which a program says something. They
// are registered as inactive, so that their calls stay until all requests are
// answered; one that was inlined before would say nothing to the analyses.
#include "front/registered/sayings.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

constexpr const char *SayingAttribute = "retro-says";

struct SayingName {
  const char *Text;
  Saying Kind;
};
const SayingName Names[] = {
#define SAYING(Kind, Name) {Name, Saying::Kind},
#include "front/known/entry_points.def"
};

/// Returns the first parameter, or all of them as the struct that they are.
bool returnOperand(Function &F) {
  Type *T = F.getReturnType();
  auto *S = dyn_cast<StructType>(T);
  bool Whole = F.arg_size() > 0 && F.getArg(0)->getType() == T;
  bool Parts = S && S->getNumElements() == F.arg_size() &&
               all_of(F.args(), [&](const Argument &A) {
                 return A.getType() == S->getElementType(A.getArgNo());
               });
  // Objects with constructors of their own are not copied byte by byte.
  bool Memory = F.arg_size() == 2 && F.getArg(0)->hasStructRetAttr() &&
                F.getArg(1)->hasByValAttr();
  if (!Whole && !Parts && !Memory)
    return false;
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
  if (Memory) {
    uint64_t Bytes =
        F.getDataLayout().getTypeAllocSize(F.getParamStructRetType(0));
    B.CreateMemCpy(F.getArg(0), Align(1), F.getArg(1), Align(1), Bytes);
    B.CreateRetVoid();
    return true;
  }
  Value *R = PoisonValue::get(T);
  if (Whole)
    R = F.getArg(0);
  for (unsigned I = 0; !Whole && I < F.arg_size(); ++I)
    R = B.CreateInsertValue(R, F.getArg(I), I);
  B.CreateRet(R);
  return true;
}

void define(Function &F, const SayingName &Name) {
  F.addFnAttr(SayingAttribute, Name.Text);
  F.setDoesNotThrow();
  F.setWillReturn();
  if (isOfMemory(Name.Kind)) {
    // A call without an effect would be dropped.
    F.setOnlyAccessesInaccessibleMemory();
    return;
  }
  if (!returnOperand(F))
    return;
  F.setSubprogram(nullptr); // that of a declaration
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setDSOLocal(true);
  if (!F.getReturnType()->isVoidTy())
    F.setDoesNotAccessMemory();
}

} // namespace

Saying sayingOf(const Function &F) {
  StringRef Text = F.getFnAttribute(SayingAttribute).getValueAsString();
  for (const SayingName &N : Names)
    if (Text == N.Text)
      return N.Kind;
  return Saying::Nothing;
}

Saying sayingOf(const CallBase &C) {
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  return F ? sayingOf(*F) : Saying::Nothing;
}

bool defineSayings(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (!F.isDeclaration() || sayingOf(F) != Saying::Nothing)
      continue;
    auto *N = find_if(Names, [&](const SayingName &K) {
      return F.getName().contains(K.Text);
    });
    if (N == std::end(Names))
      continue;
    define(F, *N);
    Changed = true;
  }
  return Changed;
}

bool dropSayings(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *C = dyn_cast<CallInst>(&I); C && isOfMemory(sayingOf(*C))) {
        C->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

void growIterations(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<CallBase>(&I);
    if (!C || sayingOf(*C) != Saying::Iterations || C->arg_size() != 2)
      continue;
    IRBuilder<> B(C);
    Value *N = C->getArgOperand(0);
    C->setArgOperand(0, B.CreateAdd(N, B.CreateZExtOrTrunc(C->getArgOperand(1),
                                                           N->getType())));
  }
}

} // namespace retro
