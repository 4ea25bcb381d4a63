// Input: a function as the front end wrote it. Output: the same, without
// promises that are broken when the function is run: flang says of the indices
// of a cshift that none of their additions and subtractions wraps, whichever of
// two numbers is the larger one. Where LLVM takes such a loop apart and
// believes it, what is shifted is undefined, and has no derivative.
//
// And flang's tags of accesses tell the variables of a procedure apart: what is
// reached by one argument is not reached by another, as long as the procedure
// runs. Inlined they say so of all its calls together, in which an array may be
// the one argument now and the other one later, as in 'call step(a, b)', 'call
// step(b, a)': what the reverse pass reads of the one would never seem to be
// overwritten.
#include "prepare/wrong_promises.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

bool isOfFlang(const Module &M) {
  const NamedMDNode *Idents = M.getNamedMetadata("llvm.ident");
  return Idents && any_of(Idents->operands(), [](const MDNode *N) {
           auto *Text = N->getNumOperands()
                            ? dyn_cast<MDString>(N->getOperand(0))
                            : nullptr;
           return Text && Text->getString().contains("flang");
         });
}

/// The name of the procedure that a tag of flang is of, or "".
static StringRef procedureOf(const MDNode &Tag) {
  const auto *Type = Tag.getNumOperands() > 1
                         ? dyn_cast_or_null<MDNode>(Tag.getOperand(1))
                         : nullptr;
  // A type has its name and its parent, but for the root, which has a name.
  while (Type && Type->getNumOperands() > 1)
    Type = dyn_cast_or_null<MDNode>(Type->getOperand(1));
  auto *Root = Type && Type->getNumOperands() == 1
                   ? dyn_cast_or_null<MDString>(Type->getOperand(0))
                   : nullptr;
  StringRef Name = Root ? Root->getString() : "";
  return Name.consume_front("Flang function root ") ? Name : "";
}

/// Is the procedure, by the name that it has in flang, the function of that
/// name, or is the function a region or another part of it? Procedures outside
/// of modules get another name when all tags are there: _QPstep is step_.
static bool isPartOf(StringRef Function, StringRef Procedure) {
  if (Procedure.consume_front("_QP"))
    return Function.consume_front(Procedure) &&
           (Function == "_" || Function.starts_with("_."));
  return Function.consume_front(Procedure) &&
         (Function.empty() || Function.starts_with("."));
}

void dropTagsOfInlined(Function &F, StringRef Name) {
  for (Instruction &I : instructions(F))
    if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa))
      if (StringRef Of = procedureOf(*Tag); !Of.empty() && !isPartOf(Name, Of))
        I.setMetadata(LLVMContext::MD_tbaa, nullptr);
}

/// Does F call itself where one can see it? LLVM makes a loop of such calls.
static bool callsItself(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    auto *C = dyn_cast<CallBase>(U);
    return C && C->getCalledFunction() == &F && C->getFunction() == &F;
  });
}

void dropWrongPromises(Function &F) {
  if (!isOfFlang(*F.getParent()))
    return;
  if (callsItself(F))
    dropTagsOfInlined(F, "");
  for (Instruction &I : instructions(F))
    if ((I.getOpcode() == Instruction::Add ||
         I.getOpcode() == Instruction::Sub) &&
        I.hasNoSignedWrap())
      I.setHasNoUnsignedWrap(false);
}

} // namespace retro
