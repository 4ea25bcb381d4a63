// Input: the classes of memory of a unit. Output: addresses that its root knows
// where memory begins that is older than the derivative, and which classes
// static variables lead to there (MemoryClass::LedBy). What the unit does
// cannot tell which of these are the same, for other code has made them:
// classes may coincide, or the running program holds them against each other.
#include "facts/memory/known_begins.h"

#include "facts/types/declared_types.h"
#include "front/known/known_functions.h"
#include "front/registered/registrations.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

/// Does the module keep the address of V, in what is no local variable of a
/// function?
bool isKept(const Value &V) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work = {&V};
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    for (const Use &Of : X->uses()) {
      const User *Y = Of.getUser();
      if (auto *S = dyn_cast<StoreInst>(Y)) {
        if (S->getValueOperand() != X)
          continue;
        if (!isa<AllocaInst>(S->getPointerOperand()))
          return true;
        for (const User *L : S->getPointerOperand()->users())
          if (isa<LoadInst>(L))
            Work.push_back(L);
      } else if (isa<GlobalVariable>(Y)) {
        if (!Y->getName().starts_with("llvm."))
          return true;
      } else if (auto *C = dyn_cast<CallBase>(Y)) {
        const Function *F = C->getCalledFunction();
        if (F && !F->isDeclaration() && C->isArgOperand(&Of) &&
            C->getArgOperandNo(&Of) < F->arg_size())
          Work.push_back(F->getArg(C->getArgOperandNo(&Of)));
      } else if (!isa<LoadInst, CmpInst, ReturnInst>(Y)) {
        Work.push_back(Y); // arithmetic, choices, constants
      }
    }
  }
  return false;
}

/// Marks the classes to which static variables lead (MemoryClass::LedBy): with
/// the number of the one pointer that leads there, or as such to which any of
/// them may lead.
class LedMarker {
public:
  LedMarker(Unit &U, MemoryShape &Shape, IsBlockOf IsBlock)
      : U(U), Shape(Shape), IsBlock(IsBlock) {}
  void run();

private:
  void fromVariable(const GlobalVariable &G);
  void mark(unsigned Id, unsigned By);

  Unit &U;
  MemoryShape &Shape;
  IsBlockOf IsBlock;
  DenseMap<std::pair<const GlobalVariable *, int64_t>, unsigned> Numbers;
  SmallVector<unsigned> Work;
};

void LedMarker::mark(unsigned Id, unsigned By) {
  unsigned &Led = Shape.classAt(Id).LedBy;
  const unsigned Next = !Led || Led == By ? By : MemoryClass::LedAnywhere;
  if (Led == Next)
    return;
  Led = Next;
  Work.push_back(Id);
}

/// The pointers in one container lead to the same memory, and a block of the
/// allocator is of the one pointer that begins it. All others may lead into
/// what any of them does; that none leads to an argument's memory the running
/// program finds out (SeparateMemory), but where it cannot tell which pointer
/// is loaded.
void LedMarker::fromVariable(const GlobalVariable &G) {
  const MemoryClass &M = Shape.classOf(&G);
  const SmallVector<int64_t> Vectors = notedVectors(G);
  const int64_t Bytes = 3 * int64_t(G.getDataLayout().getPointerSize());
  const SmallVector<Cell> Cells(M.Cells.begin(), M.Cells.end());
  for (const Cell &X : Cells) {
    if (X.Kind != CellKind::Pointer)
      continue;
    const int64_t At = X.Offset - Shape.addressOf(&G).Offset;
    auto *In = find_if(Vectors, [&](int64_t Start) {
      return At >= Start && At < Start + Bytes;
    });
    unsigned By = MemoryClass::LedDirectly;
    if (M.Stride)
      By = MemoryClass::LedAnywhere;
    else if (const bool Block = IsBlock(G, At); Block || In != Vectors.end())
      By = (Block ? MemoryClass::LedAlone : 0) |
           Numbers
               .try_emplace({&G, In == Vectors.end() ? At : *In},
                            MemoryClass::LedDirectly + 1 + Numbers.size())
               .first->second;
    mark(Shape.targetOf(X), By);
  }
}

void LedMarker::run() {
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id))
      for (const GlobalVariable *G : Shape.classAt(Id).Globals)
        // No two of Fortran's arrays are the same.
        if (mayKeep(*G, U.Registered) && !holdsDescriptor(G->getValueType())) {
          fromVariable(*G);
          if (isKept(*G)) // pointers may lead to the variable itself
            mark(Id, MemoryClass::LedAnywhere);
        }
  while (!Work.empty()) {
    const MemoryClass &M = Shape.classAt(Work.pop_back_val());
    const SmallVector<Cell> Cells(M.Cells.begin(), M.Cells.end());
    for (const Cell &X : Cells)
      if (X.Kind == CellKind::Pointer)
        mark(Shape.targetOf(X), MemoryClass::LedAnywhere);
  }
}

} // namespace

bool holdsDescriptor(const Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return holdsDescriptor(A->getElementType());
  auto *S = dyn_cast<StructType>(T);
  if (!S)
    return false;
  constexpr unsigned Bits[] = {64, 32, 8, 8, 8, 8}; // behind the address
  auto Is = [&](unsigned N) {
    return S->getElementType(N + 1)->isIntegerTy(Bits[N]);
  };
  return (S->getNumElements() > std::size(Bits) &&
          S->getElementType(0)->isPointerTy() &&
          all_of(seq<unsigned>(0, std::size(Bits)), Is)) ||
         any_of(S->elements(), holdsDescriptor);
}

bool mayKeep(const GlobalVariable &G, const Registrations &Registered) {
  return !G.isConstant() && !Registered.shadowOf(G);
}

void markLed(Unit &U, MemoryShape &Shape, IsBlockOf IsBlock) {
  if (!isGpu(U.M))
    LedMarker(U, Shape, IsBlock).run();
}

std::vector<KnownBegin> givenMemory(Unit &U, const MemoryShape &Shape) {
  std::vector<KnownBegin> Out;
  const auto Word = int64_t(U.M.getDataLayout().getPointerSize());
  for (Argument &A : U.root().F->args()) {
    if (!A.getType()->isPointerTy() || A.getType()->getPointerAddressSpace())
      continue;
    const Address At = Shape.addressOf(&A);
    const MemoryClass &M = Shape.classAt(At.Class);
    const uint64_t There = A.getDereferenceableBytes();
    Out.push_back({&A, std::nullopt, std::max<uint64_t>(There, 1), At.Class});
    if (M.Stride)
      continue;
    for (const Cell &X : M.Cells)
      if (const int64_t Place = X.Offset - At.Offset;
          X.Kind == CellKind::Pointer && Place >= 0 &&
          Place + Word <= int64_t(There))
        Out.push_back({&A, Place, 1, Shape.targetOf(X)});
  }
  return Out;
}

bool isGivenDeeper(const MemoryShape &Shape, ArrayRef<KnownBegin> Given) {
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) &&
        (Shape.classAt(Id).Origins & (FromDup | FromConst)) &&
        !Shape.classAt(Id).Cells.empty() &&
        none_of(Given, [&](const KnownBegin &X) { return X.Class == Id; }))
      return true;
  return false;
}

bool holdAlike(const MemoryShape &Shape, unsigned A, unsigned B,
               std::initializer_list<CellKind> Kinds) {
  return any_of(Shape.classAt(A).Cells, [&](const Cell &X) {
    return is_contained(Kinds, X.Kind) &&
           any_of(Shape.classAt(B).Cells, [&](const Cell &Y) {
             return X.Kind == Y.Kind && X.Size == Y.Size;
           });
  });
}

std::vector<KnownBegin> variables(Unit &U, const MemoryShape &Shape,
                                  function_ref<bool(unsigned)> Wanted) {
  SmallPtrSet<const GlobalVariable *, 16> Accessed;
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && Wanted(Id))
      Accessed.insert_range(Shape.classAt(Id).Globals);
  std::vector<KnownBegin> Out;
  for (GlobalVariable &G : U.M.globals())
    if (!G.isConstant() && !G.isThreadLocal() && Accessed.contains(&G))
      Out.push_back({&G, std::nullopt,
                     U.M.getDataLayout().getTypeAllocSize(G.getValueType()),
                     Shape.classId(&G)});
  return Out;
}

std::optional<KnownBegin> staticPointer(Instruction &Access,
                                        const MemoryShape &Shape) {
  Value *Ptr = getLoadStorePointerOperand(&Access);
  if (!Ptr || !getLoadStoreType(&Access)->isPointerTy())
    return std::nullopt;
  int64_t Offset = 0;
  auto *G = dyn_cast<GlobalVariable>(
      GetPointerBaseWithConstantOffset(Ptr, Offset, Access.getDataLayout()));
  if (!G || G->isConstant())
    return std::nullopt;
  return KnownBegin{G, Offset, 1,
                    isa<LoadInst>(Access) ? Shape.classId(&Access) : 0};
}

} // namespace retro
