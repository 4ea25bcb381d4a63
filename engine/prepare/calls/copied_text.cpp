// Input: calls of strdup and its kind, which return a text's copy. Output: the
// block is allocated by a call that is known to allocate, so that it has a
// shadow where the program's pointers lead to blocks of either kind, and the
// text is copied into it.
#include "prepare/calls/copied_text.h"

#include "front/known/known_functions.h"

#include "llvm/Analysis/TargetLibraryInfo.h"

using namespace llvm;

namespace retro {

bool allocateCopiedText(CallBase &C, const KnownFunction &Row) {
  const bool ReturnsCopy = Row.A < 0 && Row.B >= 0;
  if (!ReturnsCopy || !isa<CallInst>(C) || !C.getType()->isPointerTy())
    return false;
  Module &M = *C.getModule();
  IRBuilder<> B(&C);
  Type *Word = B.getIntPtrTy(C.getDataLayout()), *Address = B.getPtrTy();
  const TargetLibraryInfoImpl Library(M.getTargetTriple());
  const TargetLibraryInfo Names(Library);
  auto Call = [&](LibFunc Of, Type *Result, ArrayRef<Value *> Args) {
    SmallVector<Type *> Types;
    for (Value *A : Args)
      Types.push_back(A->getType());
    return B.CreateCall(
        M.getOrInsertFunction(Names.getName(Of),
                              FunctionType::get(Result, Types, false)),
        Args);
  };
  Value *Text = C.getArgOperand(static_cast<unsigned>(Row.B));
  Value *Length = C.arg_size() == 1
                      ? Call(LibFunc_strlen, Word, {Text})
                      : Call(LibFunc_strnlen, Word, {Text, C.getArgOperand(1)});
  // What is not copied of it is the zero at its end.
  Value *Size = B.CreateNUWAdd(Length, ConstantInt::get(Word, 1));
  CallInst *Block =
      Call(LibFunc_calloc, Address, {Size, ConstantInt::get(Word, 1)});
  Block->addRetAttr(Attribute::NoAlias);
  Value *Copied =
      B.CreateSelect(B.CreateIsNull(Block), ConstantInt::get(Word, 0), Length);
  Call(LibFunc_strncpy, Address, {Block, Text, Copied});
  C.replaceAllUsesWith(Block);
  C.eraseFromParent();
  return true;
}

} // namespace retro
