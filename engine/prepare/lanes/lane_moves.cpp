// Input: vectors of words that are moved from memory to memory, with nothing at
// them that says what the words are. Output: each word that is a pointer is
// moved as a pointer. What else is loaded from and stored to the same places
// tells which words these are; without it they would have no shadow.
#include "prepare/lanes/lane_moves.h"
#include "prepare/lanes/lanes.h"

#include "facts/memory/memory_shape.h"
#include "facts/types/declared_types.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace llvm;

namespace retro {
namespace {

/// What one round finds of a place, the next one knows where the word is moved
/// to.
constexpr unsigned MostRounds = 8;

/// What is known of a word. Several may be true of one.
enum Kind : unsigned { None = 0, IsPointer = 1, IsNumber = 2 };

class Mover {
public:
  Mover(Function &F, const MemoryShape &Shape) : Words(F), Shape(Shape) {}
  bool run();

private:
  using Place = Lanes::Place;
  unsigned kindAt(const Instruction &Access, unsigned Word);
  void join(StoreInst &S, unsigned Word);

  Lanes Words;
  const MemoryShape &Shape;
  /// Words of loads; those among which one word is chosen are of one kind.
  EquivalenceClasses<Place> Groups;
  std::map<Place, unsigned> Kinds;
};

unsigned Mover::kindAt(const Instruction &Access, unsigned Word) {
  const unsigned Bytes =
      Words.bits(getLoadStoreType(&Access)->getScalarType()) / 8;
  const Cell *C = nullptr;
  if (!Shape.layoutAt(getLoadStorePointerOperand(&Access),
                      int64_t(Word) * Bytes, C))
    return Access.hasMetadata(NotedNumbers) ? IsNumber : IsPointer | IsNumber;
  if (!C)
    return None;
  return C->Kind == CellKind::Pointer ? IsPointer
         : C->Kind == CellKind::Float ? IsNumber
                                      : None;
}

/// The words that may be stored as one are of one kind, and so is the place
/// that they are stored to.
void Mover::join(StoreInst &S, unsigned Word) {
  unsigned StoredKind = kindAt(S, Word);
  std::optional<Place> First;
  for (Place P : Words.wordsOf(*S.getValueOperand(), Word)) {
    auto *L = dyn_cast<LoadInst>(P.first);
    if (!L || !L->isSimple()) {
      StoredKind |= P.first->getType()->isPtrOrPtrVectorTy() ? IsPointer : None;
      continue;
    }
    Kinds[P] |= kindAt(*L, P.second);
    if (L->getType()->isPtrOrPtrVectorTy())
      Kinds[P] |= IsPointer;
    Groups.insert(P);
    if (First)
      Groups.unionSets(*First, P);
    First = P;
  }
  if (First)
    Kinds[*First] |= StoredKind;
}

bool Mover::run() {
  for (Instruction *I : Words.moves())
    if (auto *S = dyn_cast<StoreInst>(I))
      for (unsigned N = 0,
                    E = cast<FixedVectorType>(S->getValueOperand()->getType())
                            ->getNumElements();
           N < E; ++N)
        join(*S, N);
  std::map<Place, unsigned> Of;
  for (auto [P, K] : Kinds)
    Of[Groups.getLeaderValue(P)] |= K;
  bool Any = false;
  for (auto [P, K] : Kinds) {
    K = Of[Groups.getLeaderValue(P)];
    Type *T = P.first->getType();
    const bool Integers = T->isIntOrIntVectorTy();
    if (!Words.movesWords(*cast<LoadInst>(P.first)) ||
        T->isPtrOrPtrVectorTy() || K == None || (K == IsNumber && !Integers))
      continue;
    Words.note(*cast<LoadInst>(P.first), P.second, K == IsPointer);
    Any = true;
  }
  return Any && Words.run();
}

} // namespace

void moveBytesAsWords(Function &F) {
  SmallVector<LoadInst *> Loads;
  for (Instruction &I : instructions(F)) {
    auto *L = dyn_cast<LoadInst>(&I);
    auto *T = L ? dyn_cast<FixedVectorType>(L->getType()) : nullptr;
    if (T && T->getElementType()->isIntegerTy(8) &&
        T->getNumElements() % 8 == 0 && L->isSimple() &&
        all_of(L->uses(), [](const Use &U) {
          auto *S = dyn_cast<StoreInst>(U.getUser());
          return S && S->isSimple() && U.getOperandNo() == 0;
        }))
      Loads.push_back(L);
  }
  for (LoadInst *L : Loads) {
    IRBuilder<> B(L);
    const unsigned N = cast<FixedVectorType>(L->getType())->getNumElements();
    Type *T =
        N == 8
            ? B.getInt64Ty()
            : static_cast<Type *>(FixedVectorType::get(B.getInt64Ty(), N / 8));
    Value *Words =
        B.CreateAlignedLoad(T, L->getPointerOperand(), L->getAlign(), "words");
    for (User *U : make_early_inc_range(L->users())) {
      auto *S = cast<StoreInst>(U);
      B.SetInsertPoint(S);
      B.CreateAlignedStore(Words, S->getPointerOperand(), S->getAlign());
      S->eraseFromParent();
    }
    L->eraseFromParent();
  }
}

void followMovedLanes(Unit &U) {
  MDNode *Mark = MDNode::get(U.M.getContext(), {});
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    SmallVector<Instruction *> Moves;
    for (auto &UF : U.Functions)
      Moves.append(Lanes(*UF->F).moves());
    if (Moves.empty())
      return;
    for (Instruction *I : Moves)
      I->setMetadata(MovesWords, Mark);
    MemoryShape Shape(U);
    Shape.run({});
    for (Instruction *I : Moves)
      I->setMetadata(MovesWords, nullptr);
    bool Again = false;
    for (auto &UF : U.Functions)
      Again |= Mover(*UF->F, Shape).run();
    if (!Again)
      return;
  }
}

} // namespace retro
