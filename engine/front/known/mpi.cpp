#include "front/known/mpi.h"

#include "base/runtime.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

bool hasMpiRuntime(MpiLibrary L) {
#ifdef RETRO_HAS_OPENMPI
  if (L == MpiLibrary::OpenMpi)
    return true;
#endif
#ifdef RETRO_HAS_MPICH
  if (L == MpiLibrary::Mpich)
    return true;
#endif
  return false;
}

bool usesMpi(const Module &M) {
  return any_of(M, [](const Function &G) {
    const KnownFunction *Row = G.isDeclaration() ? lookupKnown(G) : nullptr;
    return Row && Row->Kind == KnownKind::Mpi && !G.use_empty();
  });
}

bool isMpi(const CallBase &C) { return knownCall(C).Kind == KnownKind::Mpi; }

/// The operands of a call as known_mpi.def has them: "Body Operands".
static StringRef rolesOf(const KnownCall &K) {
  return K.Row->Text.split(' ').second;
}

static bool isHandle(char Role) {
  return Role == 't' || Role == 'o' || Role == 'c';
}

/// A wait does not show what its handles are; other calls of the module do.
static MpiLibrary libraryOf(const Module &M) {
  for (const Function &F : M) {
    if (!F.getName().starts_with("MPI_"))
      continue;
    for (const User *U : F.users()) {
      auto *C = dyn_cast<CallBase>(U);
      if (!C || C->getCalledOperand() != &F || !isMpi(*C))
        continue;
      StringRef Roles = rolesOf(knownCall(*C));
      for (unsigned I = 0; I < Roles.size() && I < C->arg_size(); ++I)
        if (isHandle(Roles[I]))
          return C->getArgOperand(I)->getType()->isIntegerTy()
                     ? MpiLibrary::Mpich
                     : MpiLibrary::OpenMpi;
    }
  }
  return MpiLibrary::OpenMpi;
}

MpiCall::MpiCall(const CallBase &C) : Call(C) {
  KnownCall K = knownCall(C);
  if (K.Kind != KnownKind::Mpi)
    return;
  auto [Name, Operands] = K.Row->Text.split(' ');
  bool SeesHandle = false, Numbers = false;
  if (Operands.size() != C.arg_size())
    return;
  if (Name != "-")
    Body = Name;
  size_t Typed = 0, Counted = 0; // buffers that have one
  for (unsigned I = 0; I < Operands.size(); ++I) {
    char Role = Operands[I];
    const Type *T = C.getArgOperand(I)->getType();
    bool Fits = T->isPointerTy();
    if (isHandle(Role)) {
      if (SeesHandle && Numbers != T->isIntegerTy())
        return;
      SeesHandle = true;
      Numbers = T->isIntegerTy();
      Fits |= Numbers;
    }
    switch (Role) {
    case 's':
    case 'r':
    case 'R':
    case 'b':
    case 'B': {
      MpiBuffer B;
      B.Operand = I;
      B.Sent = Role == 's' || Role == 'b' || Role == 'B';
      B.Received = Role != 's';
      B.Later = Role == 'R' || Role == 'B';
      Buffers.push_back(B);
      break;
    }
    case 'n':
      for (; Counted < Buffers.size(); ++Counted)
        Buffers[Counted].Count = static_cast<int>(I);
      Fits = true;
      break;
    case 't':
      for (; Typed < Buffers.size(); ++Typed)
        Buffers[Typed].Type = static_cast<int>(I);
      Counted = Buffers.size();
      break;
    case 'o':
      Operation = static_cast<int>(I);
      break;
    case 'q':
    case 'Q':
      (Role == 'q' ? Completes : Starts) = true;
      [[fallthrough]];
    case 'w':
    case 'O':
      Written.push_back(I);
      break;
    case '.':
      Fits = true;
      break;
    default:
      break;
    }
    if (!Fits)
      return;
  }
  if (!SeesHandle)
    Library = libraryOf(*C.getModule());
  else if (Numbers)
    Library = MpiLibrary::Mpich;
  Valid = true;
}

bool MpiCall::isMemory(const MpiBuffer &B) const {
  const Value *V = pointer(B);
  return !isa<Constant>(V) || isa<GlobalVariable>(getUnderlyingObject(V));
}

MpiContents MpiCall::contents(const MpiBuffer &B) const {
  const Value *T = Call.getArgOperand(static_cast<unsigned>(B.Type));
  if (auto *Number = dyn_cast<ConstantInt>(T))
    switch (Number->getZExtValue()) {
#define MPICH_TYPE(Handle, Contents)                                           \
  case Handle:                                                                 \
    return MpiContents::Contents;
#include "front/known/known_functions.def"
    default:
      return MpiContents::Unknown;
    }
  auto *G = dyn_cast<GlobalVariable>(T->stripPointerCasts());
  if (!G)
    return MpiContents::Unknown;
  StringSwitch<MpiContents> Table(G->getName());
#define MPI_TYPE(Name, Contents) Table.Case(Name, MpiContents::Contents);
#include "front/known/known_functions.def"
  return Table.Default(MpiContents::Unknown);
}

Type *MpiCall::numberType(const MpiBuffer &B) const {
  LLVMContext &C = Call.getContext();
  switch (contents(B)) {
  case MpiContents::Float:
  case MpiContents::Floats:
    return Type::getFloatTy(C);
  case MpiContents::Double:
  case MpiContents::Doubles:
    return Type::getDoubleTy(C);
  case MpiContents::LongDouble:
  case MpiContents::LongDoubles:
    return Triple(Call.getModule()->getTargetTriple()).isX86()
               ? Type::getX86_FP80Ty(C)
               : Type::getFP128Ty(C);
  default:
    return nullptr;
  }
}

int64_t MpiCall::size(const MpiBuffer &B) const {
  MpiContents K = contents(B);
  bool Plain = K == MpiContents::Float || K == MpiContents::Double ||
               K == MpiContents::LongDouble;
  auto *N = B.Count < 0 ? nullptr
                        : dyn_cast<ConstantInt>(Call.getArgOperand(
                              static_cast<unsigned>(B.Count)));
  if (!Plain || !N)
    return -1;
  const DataLayout &DL = Call.getDataLayout();
  return N->getSExtValue() *
         static_cast<int64_t>(DL.getTypeAllocSize(numberType(B)));
}

/// Is a variable given an operation that the program makes?
static bool holdsOwnOperation(const Value &Variable) {
  return any_of(Variable.uses(), [](const Use &U) {
    auto *C = dyn_cast<CallBase>(U.getUser());
    if (!C || !C->isArgOperand(&U) || !isMpi(*C))
      return false;
    StringRef Operands = rolesOf(knownCall(*C));
    unsigned N = C->getArgOperandNo(&U);
    return N < Operands.size() && Operands[N] == 'O';
  });
}

bool MpiCall::hasOwnOperation() const {
  if (Operation < 0)
    return false;
  const Value *V =
      Call.getArgOperand(static_cast<unsigned>(Operation))->stripPointerCasts();
  if (auto *L = dyn_cast<LoadInst>(V))
    return holdsOwnOperation(*getUnderlyingObject(L->getPointerOperand()));
  auto *Number = dyn_cast<ConstantInt>(V);
  if (!Number && !isa<GlobalVariable>(V))
    return false;
#define MPI_OPERATION(Name, Handle)                                            \
  if (Number ? Number->equalsInt(Handle) : V->getName() == Name)               \
    return false;
#include "front/known/known_functions.def"
  return true;
}

bool MpiCall::carriesNumbers() const {
  if (!Valid || Body.empty())
    return false;
  if (Starts || Completes)
    return true;
  return any_of(Buffers, [&](const MpiBuffer &B) {
    return contents(B) != MpiContents::None;
  });
}

std::string MpiCall::runtime(StringRef Function) const {
  return nameOf(Library == MpiLibrary::Mpich ? Named::mpich : Named::openmpi,
                Function);
}

} // namespace retro
