// Input: a unit whose loads of pointers to characters are marked, from when
// they stood in functions of strings. Output: where those pointers go. Without
// it a number could go among the characters of a string, and lose its
// derivative silently.
#include "facts/losses/characters.h"

#include "facts/types/declared_types.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

/// What By, which uses a pointer, makes of it or passes it on as.
static void follow(Unit &U, const Use &X, ValueSet &Out) {
  auto *By = cast<Instruction>(X.getUser());
  if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(By)) {
    Out.insert(By);
  } else if (auto *C = dyn_cast<CallBase>(By)) {
    UnitFunction *Callee = U.callee(*C);
    if (Callee && C->isArgOperand(&X) &&
        C->getArgOperandNo(&X) < Callee->F->arg_size())
      Out.insert(Callee->F->getArg(C->getArgOperandNo(&X)));
  } else if (UnitFunction *In = U.find(By->getFunction());
             In && isa<ReturnInst>(By)) {
    for (const User *Call : In->F->users())
      if (auto *C = dyn_cast<CallBase>(Call); C && U.callee(*C) == In)
        Out.insert(C);
  }
}

ValueSet charactersIn(Unit &U) {
  ValueSet Out;
  for (auto &UF : U.Functions)
    for (const Instruction &I : instructions(*UF->F))
      if (I.hasMetadata(NotedCharacters))
        Out.insert(&I);
  for (size_t N = 0; N < Out.size(); ++N)
    for (const Use &X : Out[N]->uses())
      follow(U, X, Out);
  return Out;
}

} // namespace retro
