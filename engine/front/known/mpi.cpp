// Reads a call of MPI by the letters of its row in known_mpi.def: which
// operands are buffers, counts, datatypes and handles. A buffer that is missed
// here would send numbers whose adjoints never come back.
#include "front/known/mpi.h"

#include "front/known/known_functions.h"
#include "front/names/runtime.h"

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

/// The letters of a call's operands, from "Body Operands" in known_mpi.def.
static StringRef rolesOf(const KnownCall &K) {
  return K.Row->Text.split(' ').second;
}

static bool isHandle(char Role) {
  return Role == 't' || Role == 'o' || Role == 'c';
}

/// The library whose handles the call takes; nothing where it takes none.
/// MPICH's are integers, OpenMPI's pointers.
static std::optional<MpiLibrary> libraryOf(const CallBase &C, StringRef Roles) {
  for (unsigned I = 0; I < Roles.size() && I < C.arg_size(); ++I)
    if (isHandle(Roles[I]))
      return C.getArgOperand(I)->getType()->isIntegerTy() ? MpiLibrary::Mpich
                                                          : MpiLibrary::OpenMpi;
  return std::nullopt;
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
      if (auto L = libraryOf(*C, rolesOf(knownCall(*C))))
        return *L;
    }
  }
  return MpiLibrary::OpenMpi;
}

/// Are the call's operands as one of the libraries declares them?
static bool fits(const CallBase &C, StringRef Roles) {
  if (Roles.size() != C.arg_size())
    return false;
  const std::optional<MpiLibrary> Library = libraryOf(C, Roles);
  for (unsigned I = 0; I < Roles.size(); ++I) {
    const Type *T = C.getArgOperand(I)->getType();
    if (isHandle(Roles[I])) {
      if (T->isIntegerTy() != (Library == MpiLibrary::Mpich) ||
          !(T->isIntegerTy() || T->isPointerTy()))
        return false;
    } else if (!T->isPointerTy() && Roles[I] != 'n' && Roles[I] != '.') {
      return false;
    }
  }
  return true;
}

MpiCall::MpiCall(const CallBase &C) : Call(C) {
  KnownCall K = knownCall(C);
  if (K.Kind != KnownKind::Mpi || !fits(C, rolesOf(K)))
    return;
  Valid = true;
  if (StringRef Name = K.Row->Text.split(' ').first; Name != "-")
    Body = Name;
  for (auto [I, Role] : enumerate(rolesOf(K)))
    readOperand(Role, static_cast<unsigned>(I));
  auto Seen = libraryOf(C, rolesOf(K));
  Library = Seen ? *Seen : libraryOf(*C.getModule());
}

/// Notes what operand I is, from its letter in known_mpi.def. A count, and the
/// datatype behind it, are those of all buffers before them that have none.
void MpiCall::readOperand(char Role, unsigned I) {
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
    for (MpiBuffer &B : Buffers)
      if (B.Count < 0 && B.Type < 0)
        B.Count = static_cast<int>(I);
    break;
  case 't':
    for (MpiBuffer &B : Buffers)
      if (B.Type < 0)
        B.Type = static_cast<int>(I);
    break;
  case 'o':
    Operation = static_cast<int>(I);
    break;
  case 'q':
  case 'Q':
    (Role == 'q' ? Completes : Starts) = true;
    [[fallthrough]];
  case 'w':
  case 'p':
  case 'O':
    Packs |= Role == 'p';
    Written.push_back(I);
    break;
  default:
    break;
  }
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

/// Does the variable get an operation that the program itself makes?
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
  if (Starts || Completes || Packs)
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
