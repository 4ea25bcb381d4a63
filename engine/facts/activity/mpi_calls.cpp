// Input: a call of MPI. Output, by the function's row: the buffers that it
// reads and writes, and what that does to activity. A receive that is missed
// here would be memory that nobody writes.
#include "facts/activity/mpi_calls.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace retro {

bool mpiHasWork(const CallBase &C) {
  return isMpi(C) && MpiCall(C).carriesNumbers();
}

void mpiNeeds(const CallBase &C, function_ref<void(Item)> Need) {
  if (mpiHasWork(C)) // shadows are in what the forward pass left
    Need({Item::Tape, &C});
}

void mpiWrites(const ActivityAnalysis &Act, const CallBase &C,
               SmallVectorImpl<unsigned> &Classes) {
  MpiCall X(C);
  const MemoryShape &Shape = Act.shape();
  auto Add = [&](const Value *V) {
    if (!isa<ConstantPointerNull, UndefValue>(V))
      Classes.push_back(Shape.classId(V));
  };
  for (unsigned N : X.Written)
    Add(C.getArgOperand(N));
  for (const MpiBuffer &B : X.Buffers)
    if (B.Received && X.isMemory(B))
      Add(X.pointer(B));
  if (X.Completes)
    for (const Value *V : Shape.receivedLater())
      Add(V);
}

/// Is it a number in the buffer, for all that is known?
static bool isNumberOf(const MpiCall &X, const MpiBuffer &B, const Cell &C) {
  if (X.contents(B) == MpiContents::None || C.Kind != CellKind::Float)
    return false;
  Type *T = X.numberType(B);
  return !T || C.FloatTy == T;
}

static bool holdsActive(const ActivityAnalysis &Act, const MpiCall &X,
                        const MpiBuffer &B) {
  return X.isMemory(B) && any_of(Act.shape().cellsIn(X.pointer(B), X.size(B)),
                                 [&](const Cell *C) {
                                   return isNumberOf(X, B, *C) && C->active();
                                 });
}

bool mpiTakesShadow(const ActivityAnalysis &Act, const MpiCall &X,
                    const MpiBuffer &B) {
  MpiContents K = X.contents(B);
  return X.isMemory(B) && Act.shadowed(X.pointer(B)) &&
         K != MpiContents::None &&
         (K != MpiContents::Bytes || holdsActive(Act, X, B));
}

void checkMpiCall(const ActivityAnalysis &Act, const CallBase &C, Reporter &R) {
  MpiCall X(C);
  const Unit &U = Act.unit();
  StringRef Name = C.getCalledOperand()->getName();
  if (!X)
    return R.error(Diag::Mpi, &C,
                   {Name.str(),
                    "it is declared neither as OpenMPI nor as MPICH "
                    "declare it"});
  if (!X.carriesNumbers())
    return;
  if (!hasMpiRuntime(X.Library))
    return R.error(Diag::Mpi, &C,
                   {Name.str(), X.Library == MpiLibrary::Mpich
                                    ? "the plugin was built where no MPICH was"
                                    : "the plugin was built where no OpenMPI "
                                      "was"});
  for (const MpiBuffer &B : X.Buffers)
    if (X.contents(B) == MpiContents::Bytes && holdsActive(Act, X, B))
      return R.error(Diag::Mpi, &C,
                     {Name.str(), "active numbers are passed as bytes; give "
                                  "their datatype"});
  bool Numbers = any_of(X.Buffers, [&](const MpiBuffer &B) {
    return X.contents(B) != MpiContents::None;
  });
  if (Numbers && X.hasOwnOperation())
    return R.error(Diag::Mpi, &C,
                   {Name.str(), "the operation of the reduction is not "
                                "MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, "
                                "MPI_MINLOC or MPI_MAXLOC"});
  if (U.Width > 1)
    return R.error(Diag::UnsupportedMode, &C,
                   {"vector mode with messages between processes"});
  if (U.Split && U.DerivMode == Mode::Forward)
    return R.error(Diag::UnsupportedMode, &C,
                   {"forward mode in two passes with messages between "
                    "processes"});
}

/// Marks what is in the buffers of one direction.
bool ActivityAnalysis::markMessages(CallBase &C, bool Sent, bool Cell::*Flag,
                                    bool MemoryClass::*Unseen) {
  MpiCall X(C);
  bool Changed = false;
  if (!X.carriesNumbers())
    return false;
  for (const MpiBuffer &B : X.Buffers) {
    if (!(Sent ? B.Sent : B.Received) || !X.isMemory(B))
      continue;
    MemoryClass &M = Shape.classOf(X.pointer(B));
    if ((M.Origins & FromConst) &&
        !(M.Origins & (FromStack | FromHeap | FromGlobal | FromDup)))
      continue;
    for (Cell *N : Shape.cellsIn(X.pointer(B), X.size(B)))
      if (isNumberOf(X, B, *N) && !(N->*Flag))
        N->*Flag = Changed = true;
    if (X.contents(B) == MpiContents::Unknown && !(M.*Unseen) &&
        Shape.holdsUnseen(Shape.classId(X.pointer(B))))
      M.*Unseen = Changed = true;
  }
  return Changed;
}

} // namespace retro
