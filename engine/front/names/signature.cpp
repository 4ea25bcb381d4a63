// Makes a function's type of the words in a row of a table. A word that is not
// known is a mistake in the table: every row is declared by some test.
#include "front/names/signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace retro {
namespace {

Type *typeNamed(LLVMContext &C, StringRef Word) {
  Type *T = StringSwitch<Type *>(Word)
                .Case("void", Type::getVoidTy(C))
                .Case("ptr", PointerType::getUnqual(C))
                .Case("i32", Type::getInt32Ty(C))
                .Case("i64", Type::getInt64Ty(C))
                .Case("float", Type::getFloatTy(C))
                .Case("double", Type::getDoubleTy(C))
                .Default(nullptr);
  assert(T && "a row of a table has a type that is not known");
  return T;
}

} // namespace

FunctionType *signatureOf(LLVMContext &C, StringRef Result,
                          StringRef Parameters) {
  SmallVector<Type *> Types;
  const bool More = Parameters.consume_back("...");
  for (StringRef Word : split(Parameters, ","))
    if (!Word.trim().empty())
      Types.push_back(typeNamed(C, Word.trim()));
  return FunctionType::get(typeNamed(C, Result), Types, More);
}

} // namespace retro
