// Input: calls that print or write, and those that scan or read. Output: a
// warning where a number comes back by such a way. It comes back as a
// constant, and nobody would notice.
#include "facts/losses/read_back.h"

#include "facts/losses/characters.h"
#include "facts/losses/warnings.h"
#include "front/names/foreign.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// The operands of a function that writes or reads numbers.
struct Exchange {
  enum Place { None, Memory, Elsewhere };
  Place Kind = None;
  unsigned Medium = 0; ///< the text, or the file or stream
  unsigned First = 0;  ///< from here on, the numbers or where they are
  bool Bytes = false;  ///< the numbers are at First alone
};

constexpr Exchange text(unsigned Medium, unsigned First) {
  return {Exchange::Memory, Medium, First, false};
}
constexpr Exchange values(unsigned Medium, unsigned First) {
  return {Exchange::Elsewhere, Medium, First, false};
}
constexpr Exchange bytes(unsigned Medium, unsigned First) {
  return {Exchange::Elsewhere, Medium, First, true};
}

Exchange written(const Function &F) {
  StringRef Name = F.getName();
#define WRITES(Match, Known, Form, Medium, First)                              \
  if (matches(Name, NameMatch::Match, Known))                                  \
    return Form(Medium, First);
#include "front/names/foreign.def"
  return isA(Name, NameKind::ToString) && F.isVarArg() ? values(0, 0)
                                                       : Exchange();
}

Exchange read(const Function &F) {
  StringRef Name = F.getName();
#define READS(Match, Known, Form, Medium, First)                               \
  if (matches(Name, NameMatch::Match, Known))                                  \
    return Form(Medium, First);
#include "front/names/foreign.def"
  return {};
}

/// Is this a name for the program's terminal? Streams of C++ return
/// themselves.
bool isTerminal(const Value *Medium) {
  Medium = Medium->stripPointerCasts();
  if (auto *N = dyn_cast<ConstantInt>(Medium))
    return N->getZExtValue() == 1 || N->getZExtValue() == 2;
  if (auto *L = dyn_cast<LoadInst>(Medium))
    Medium = L->getPointerOperand();
  if (auto *G = dyn_cast<GlobalVariable>(Medium))
    return isA(G->getName(), NameKind::Terminal);
  auto *C = dyn_cast<CallBase>(Medium);
  if (!C || !C->getCalledFunction() || C->arg_empty())
    return false;
  const Value *First = C->getArgOperand(0);
  if (callsA(*C, NameKind::UnitOfFortran)) {
    auto *Unit = dyn_cast<ConstantInt>(First);
    return Unit && (Unit->isZero() || Unit->equalsInt(6));
  }
  return First->getType()->isPointerTy() && isTerminal(First);
}

class ReadBackCheck {
public:
  ReadBackCheck(const ActivityAnalysis &Act) : Act(Act), Shape(Act.shape()) {}
  void run();

private:
  using Flag = bool Cell::*;
  bool leadsTo(const CallBase &C, const Exchange &X, Flag What);
  bool loses(const CallBase &C);
  bool losesCharacters(Instruction &I, const ValueSet &Characters);

  const ActivityAnalysis &Act;
  const MemoryShape &Shape;
  DenseSet<unsigned> Texts; ///< classes of memory with text of active numbers
  bool Hidden = false;      ///< such text or bytes are elsewhere
};

/// Has a number that the call is given, or one in the memory that it is given,
/// this property?
bool ReadBackCheck::leadsTo(const CallBase &C, const Exchange &X, Flag What) {
  SmallVector<const Value *> Given;
  for (unsigned N = X.First; N < C.arg_size(); ++N) {
    const Value *A = C.getArgOperand(N);
    if (N == X.Medium || (isa<Constant>(A) && !isa<GlobalVariable>(A)))
      continue;
    if (What == &Cell::Varied && Act.varied(A))
      return true;
    if (A->getType()->isPointerTy())
      Given.push_back(A);
    if (X.Bytes)
      break;
  }
  return any_of(Shape.reachedFrom(Given), [&](unsigned Id) {
    return any_of(Shape.classAt(Id).Cells, [&](const Cell &Y) {
      return Y.Kind == CellKind::Float && Y.*What;
    });
  });
}

/// Does a result depend on what is read here from where an active number went?
bool ReadBackCheck::loses(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  Exchange X = F && F->isDeclaration() ? read(*F) : Exchange();
  if (X.Kind == Exchange::None)
    return false;
  if (X.Kind == Exchange::Memory && !Hidden &&
      !Texts.contains(Shape.classId(C.getArgOperand(X.Medium))))
    return false;
  return Act.useful(&C) || leadsTo(C, X, &Cell::Useful);
}

/// Does a result depend on a number that is read here from the characters of a
/// string, among which a stream may have put it?
bool ReadBackCheck::losesCharacters(Instruction &I,
                                    const ValueSet &Characters) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return Characters.contains(L->getPointerOperand()) && Act.useful(L) &&
           Act.adjointType(L);
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  return Copy && Characters.contains(Copy->getRawSource()) &&
         any_of(Shape.cellsIn(Copy->getRawDest(), 1), [](const Cell *X) {
           return X->Kind == CellKind::Float && X->Useful;
         });
}

void ReadBackCheck::run() {
  SmallVector<std::pair<CallBase *, const Function *>> Calls;
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F))
      if (auto *C = dyn_cast<CallBase>(&I); C && C->getCalledFunction())
        Calls.emplace_back(C, UF->Source);
  for (auto &[C, Source] : Calls) {
    Exchange X = written(*C->getCalledFunction());
    if (X.Kind == Exchange::None || !leadsTo(*C, X, &Cell::Varied))
      continue;
    const Value *Medium = C->getArgOperand(X.Medium);
    if (X.Kind == Exchange::Memory)
      Texts.insert(Shape.classId(Medium));
    else
      Hidden |= !isTerminal(Medium);
  }
  if (Hidden || !Texts.empty())
    for (auto &[C, Source] : Calls)
      if (loses(*C))
        warn(Warning::NumberReadBack, *C, *Source);
  if (!Hidden)
    return;
  const ValueSet Characters = charactersIn(Act.unit());
  for (auto &UF : Act.unit().Functions)
    for (Instruction &I : instructions(*UF->F))
      if (losesCharacters(I, Characters))
        warn(Warning::NumberReadBack, I, *UF->Source);
}

} // namespace

void warnOfReadBack(const ActivityAnalysis &Act) { ReadBackCheck(Act).run(); }

} // namespace retro
