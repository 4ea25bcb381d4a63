// What memory holds and where pointers point, for a whole unit.
//
// A unification-based (Steensgaard 1996) points-to analysis with fields. Each
// pointer points at an offset of a memory class; a class keeps one cell per
// offset and kind of content, folded modulo a stride where it is indexed.
// LLVM's opaque pointers and integer-typed copies say nothing about contents,
// so what is stored, loaded, passed and copied is unified until it does.
//
// A ShapeBuilder does that, and run() freezes what it has made: a query creates
// nothing. Of the classes only the marks of activity are written later.
//
// Queries: memory_shape.cpp; register_kinds.cpp (what values hold),
// memory_unknown.cpp (of what nothing is known), shape_print.cpp. Those on one
// subject of the builder stand beside it: memory_evidence.cpp,
// memory_foreign.cpp, memory_propagation.cpp.
#ifndef RETRO_FACTS_MEMORY_MEMORY_SHAPE_H
#define RETRO_FACTS_MEMORY_MEMORY_SHAPE_H

#include "base/unit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Value.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace retro {

/// A place in a memory class.
struct Address {
  unsigned Class = ~0u;
  int64_t Offset = 0;
};

/// What a cell is accessed as. Int is also the kind of untyped copies.
enum class CellKind { Float, Pointer, Int };

/// One field of a memory class.
struct Cell {
  int64_t Offset;
  CellKind Kind;
  llvm::Type *FloatTy; ///< for Float
  unsigned Size;       ///< bytes
  unsigned Content;    ///< what pointers and integers in it are
  /// Loaded or stored as what it is (a pointer: or copied from where it is).
  /// Int: the program's types say so.
  bool Declared = false;
  /// Number, pointer: also where the program's types say that it is an integer.
  bool AsInteger = false;
  unsigned Aligned = 16; ///< bytes, of the least aligned access
  bool Varied = false;   ///< holds a value that depends on an active input
  bool Useful = false;   ///< a result depends on it
  bool active() const { return Varied && Useful; }
};

/// Where the memory of a class comes from (bits).
enum Origin : unsigned {
  FromStack = 1,
  FromHeap = 2,
  FromGlobal = 4,
  FromDup = 8,      ///< reachable from a duplicated argument of the request
  FromConst = 16,   ///< reachable from a constant argument of the request
  FromUnknown = 32, ///< returned by or loaded from something unknown
  FromNumber = 64,  ///< an integer was computed and made a pointer
};

struct MemoryClass {
  std::vector<Cell> Cells;
  int64_t Stride = 0; ///< 0: not indexed; else offsets are modulo Stride
  /// The address that made the stride what it is, if a single one did.
  const llvm::Value *FoldedBy = nullptr;
  unsigned Origins = 0;
  bool Shadowed = false; ///< has active contents, directly or via pointers
  bool Freed = false;
  /// Some of it is constant and some is not: a shadow pointer that is the
  /// primal's says which, when the derivative runs.
  bool MayBeConstant = false;
  /// Where the shadow is (ActivityAnalysis::findImaged): in memory of its own,
  /// at the image of the address, or there if no pointer to a shadow is known.
  enum class Shadows { Own, Images, ImagesElse } Where = Shadows::Own;
  /// Given to a function with a derivative of the user's own, which may keep
  /// numbers in it that nobody else accesses: their activity.
  bool Foreign = false, UnseenVaried = false, UnseenUseful = false;
  /// Such a function may return or store a pointer into it.
  bool Linked = false;
  /// Static variables lead to it before the derivative begins: those of one
  /// number may lead to the same memory, those of LedDirectly to what all of
  /// them do, but for numbers with LedAlone, and those of LedAnywhere to any
  /// that is there before. 0: none does.
  unsigned LedBy = 0;
  enum : unsigned { LedAnywhere = 1, LedDirectly = 2, LedAlone = 1u << 31 };
  /// Nodes that a library's function links, which reads integers of them: it
  /// does the same to the shadow.
  bool Mirrored = false;
  bool CopiedTo = false; ///< a copy writes to it
  /// Bytes, of the least aligned copy, and of that of a part of an object.
  unsigned MoveAlign = 16, PartAlign = 16;
  /// Is there memory in it that exists before the unit is entered?
  bool fromOutside() const { return LedBy || isOthers(); }
  /// Or is it a variable, or what the caller knows?
  bool isOthers() const {
    return Origins &
           (FromDup | FromConst | FromUnknown | FromGlobal | FromNumber);
  }
  const llvm::Instruction *MadeAt = nullptr; ///< where FromNumber
  bool Needed = false;    ///< an argument whose contents the caller reads
  bool Exclusive = false; ///< an argument of the root points to it, noalias
  llvm::SmallVector<const llvm::GlobalVariable *, 1> Globals;
  /// Objects all of whose fields are known: what is no field is padding.
  std::vector<std::pair<int64_t, int64_t>> Described; ///< offset, bytes
  using Evidence = std::map<int64_t, std::pair<CellKind, llvm::Type *>>;
  /// Layout evidence at unfolded offsets, from typed accesses and types.
  Evidence Exact;
  /// Evidence from accesses of memory that is indexed. The access may have been
  /// of another element, so it only counts against what stands in Exact.
  Evidence Indexed;
  /// The offsets at which the evidence contradicts itself: objects of the class
  /// differ there, or the place is room for one thing and then for another.
  std::set<int64_t> Disputed;
  /// Offsets of which copies alone say what lies there: of memory that has
  /// numbers at one time and pointers at another, each copy says one of them.
  std::set<int64_t> Passed;

  enum class By { Access, Index, Copy };
  void noteExact(int64_t Offset, CellKind K, llvm::Type *T,
                 By Says = By::Access);
};

/// What the analysis of a unit has found, by numbers of classes and contents.
struct ShapeTables {
  struct Content {
    unsigned Parent;
    bool Int = false, Pointer = false;
    bool Computed = false; ///< an integer that arithmetic made
    bool OfBits = false;   ///< the bits of a number, or made of them
    llvm::Type *Float = nullptr;
    Address Target = {~0u, 0}; ///< valid when Class is not ~0u
  };
  struct Copy {
    const llvm::CallBase *At;
    const llvm::Value *Dst, *Src;
    int64_t Size;
  };

  std::vector<Content> Contents;
  std::vector<MemoryClass> Classes;
  std::vector<Address> ClassParent;
  /// Of each leaf of a value.
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, unsigned>
      ValueContent;
  std::vector<Copy> Copies;
  /// Functions of whose accesses the front end says what they are of.
  llvm::DenseSet<const llvm::Function *> Typed;
  /// Buffers of messages that are received after the call.
  std::vector<const llvm::Value *> Later;
  /// Objects that are thrown, and those that handlers are given; and whether
  /// the latter are the former, so that both have shadows.
  std::vector<const llvm::Value *> Exceptions;
  bool FollowsExceptions = false;
  /// The classes of pointers that lead to no memory, and of those of which
  /// nothing is known. Made when all values of the unit have been seen.
  unsigned Nowhere = ~0u, Anywhere = ~0u;
  /// Nodes and buckets that containers hold themselves are in the same memory
  /// as the containers.
  llvm::EquivalenceClasses<unsigned> SameMemory;
  mutable unsigned Narrowest = 0; ///< of numbers, in bytes; 0: not asked yet
};

class MemoryShape : protected ShapeTables {
public:
  MemoryShape(Unit &U);

  /// Builds classes for the whole unit; Args: what the request says of the
  /// root's arguments.
  void run(llvm::ArrayRef<Activity> Args);

  /// Where a pointer (or an integer that holds one) points.
  Address addressOf(const llvm::Value *Ptr, unsigned Leaf = 0) const;
  /// The class that leaf Leaf of a first-class value points to, or -1.
  int classOfLeaf(const llvm::Value *V, unsigned Leaf) const;
  MemoryClass &classOf(const llvm::Value *Ptr) {
    return Classes[addressOf(Ptr).Class];
  }
  const MemoryClass &classOf(const llvm::Value *Ptr) const {
    return Classes[addressOf(Ptr).Class];
  }
  MemoryClass &classAt(unsigned Id) { return Classes[find(Id).Class]; }
  const MemoryClass &classAt(unsigned Id) const {
    return Classes[find(Id).Class];
  }
  unsigned classId(const llvm::Value *Ptr) const {
    return addressOf(Ptr).Class;
  }

  /// What a word is, and the type of a number.
  using WordKind = std::pair<CellKind, llvm::Type *>;
  /// What the program's types say that an integer is, if they all agree.
  std::optional<WordKind> declaredKind(const llvm::Value *V) const;
  /// The floating-point type whose bits an integer value carries, or null.
  llvm::Type *floatCarriedBy(const llvm::Value *V) const;
  /// V's type, with numbers in the place of the integers that carry them.
  llvm::Type *numbersOf(const llvm::Value *V) const;
  /// Is this an integer of which nothing says what it holds?
  bool isUntyped(const llvm::Value *V) const;
  /// Does this integer value carry a pointer?
  bool carriesPointer(const llvm::Value *V) const;

  /// The cells that an access of type T through Ptr touches. Integer accesses
  /// give the floating-point and pointer cells at their place.
  llvm::SmallVector<Cell *, 4> cellsOf(const llvm::Value *Ptr, llvm::Type *T);
  llvm::SmallVector<const Cell *, 4> cellsOf(const llvm::Value *Ptr,
                                             llvm::Type *T) const;
  /// The cells that share a byte with an access.
  llvm::SmallVector<const Cell *, 4> cellsOverlapping(const llvm::Value *Ptr,
                                                      llvm::Type *T) const;
  /// The cells within [0, Size) bytes of Ptr; Size < 0: all that follow.
  llvm::SmallVector<Cell *, 8> cellsIn(const llvm::Value *Ptr, int64_t Size);
  llvm::SmallVector<const Cell *, 8> cellsIn(const llvm::Value *Ptr,
                                             int64_t Size) const;
  /// Is an integer access of Size bytes, at a place of a class that is not
  /// indexed, of another field than the number or pointer X that other objects
  /// have there? It leaves the last two bytes alone, where a number's sign and
  /// exponent lie; the other ones alone say nothing of it.
  static bool missesExponent(const Cell &X, int64_t At, int64_t Size) {
    return X.Size <= 8 && At + Size <= X.Offset + int64_t(X.Size) - 2;
  }
  /// What lies at byte Offset from Ptr: the layout for copies. Returns false
  /// where the evidence contradicts itself.
  bool layoutAt(const llvm::Value *Ptr, int64_t Offset, const Cell *&Out) const;
  /// Does the same for every period of a folded class.
  bool layoutOfPeriod(const llvm::Value *Ptr, int64_t Offset,
                      const Cell *&Out) const;
  /// What may lie in the word at byte Offset from Ptr, which is aligned to
  /// Known bytes: active numbers of one type, pointers, or both. None: also
  /// what is no whole word.
  struct Either {
    llvm::Type *Number = nullptr; ///< a vector: numbers in halves of the word
    bool Pointer = false;
  };
  std::optional<Either> wordAt(const llvm::Value *Ptr, int64_t Offset,
                               llvm::Align Known) const;
  /// Can code outside of the derivative reach memory of the class, or make
  /// pointers of its own that lead there?
  static bool isReachable(const MemoryClass &C);
  /// May a load, of its place, be of a part of X or of all of it? Of a pointer
  /// or number whose other part nobody accesses by itself, it takes no part.
  bool mayMove(const Cell &X, const llvm::LoadInst &L) const;
  /// Is what lies in words with a part of the Size bytes at Ptr (negative: and
  /// what follows) settled when the program runs: halves that are active
  /// numbers, or a pointer?
  bool hasHalves(const llvm::Value *Ptr, int64_t Size) const;
  /// May a pointer begin at this offset from Ptr?
  bool pointerBeginsAt(const llvm::Value *Ptr, int64_t Offset) const;
  /// Does Ptr lead into a number that matters, to where nothing begins?
  bool isWithinNumber(const llvm::Value *Ptr, bool Cell::*Matters) const;
  /// Is there a pointer, or an active number, that has a byte of the word at
  /// byte Offset from Ptr?
  bool holdsAt(const llvm::Value *Ptr, int64_t Offset, CellKind K) const;
  unsigned originsOf(const llvm::Value *Ptr) const {
    return Classes[addressOf(Ptr).Class].Origins;
  }
  /// May V be the bits of a number, or a pointer?
  bool isMixed(const llvm::Value *V) const;
  /// Does the type of the variable that Ptr points to say which number or
  /// pointer lies at byte Offset from there? An integer may be room for either.
  bool isTyped(const llvm::Value *Ptr, int64_t Offset) const;
  /// Is a number declared at byte Offset from Ptr of which nothing else is
  /// known, so that no copy is known to move it?
  bool isDeclaredOnly(const llvm::Value *Ptr, int64_t Offset) const;
  /// Is a type's element known to begin at Ptr, whatever is indexed around it?
  bool isDeclared(const llvm::Value *Ptr, llvm::Type *T) const;
  /// The class that a pointer cell points to.
  unsigned targetOf(const Cell &C) const;

  /// Buffers that the unit's functions receive into at some time after a call.
  llvm::ArrayRef<const llvm::Value *> receivedLater() const { return Later; }
  llvm::ArrayRef<const llvm::Value *> exceptions() const { return Exceptions; }
  bool followsExceptions() const { return FollowsExceptions; }

  unsigned numClasses() const { return static_cast<unsigned>(Classes.size()); }
  bool isRepresentative(unsigned Id) const { return find(Id).Class == Id; }

  /// A copy of bytes of which the program does not show what they are.
  struct UntypedMove {
    const llvm::Instruction *At;
    unsigned From, To; ///< classes
  };
  std::vector<UntypedMove> untypedMoves() const;
  /// Does this access an integer, or a pointer as one, at a place where other
  /// objects of the class, or other fields that folding put there, have a
  /// number?
  bool accessesOwnInteger(const llvm::Instruction &I) const;
  /// Is the memory one of bytes, with numbers among them wherever the program
  /// has put them?
  bool isLoose(const llvm::Value *Ptr) const { return isLoose(classOf(Ptr)); }
  bool isLoose(const MemoryClass &C) const;
  /// Is there an integer of the program at byte Offset from Ptr, of Size bytes,
  /// that never holds the bits of something else?
  bool ownsIntegerAt(const llvm::Value *Ptr, int64_t Offset,
                     unsigned Size) const;
  /// Is there an integer of 4 bytes in other objects, in memory where places
  /// tell more than words from each other?
  bool holdsHalf(const llvm::Value *Ptr) const;

  /// May a class hold numbers that only functions of the user's own
  /// derivatives access?
  bool holdsUnseen(unsigned Id) const;
  /// All classes that the pointers in these values lead to, but for memory
  /// that the request or the program says has no derivative.
  llvm::SmallVector<unsigned, 8>
  reachedFrom(llvm::ArrayRef<const llvm::Value *> Values) const;
  /// All classes that the operands and the result of a call lead to, as
  /// reachedFrom finds them.
  llvm::SmallVector<unsigned, 8> reachedBy(const llvm::CallBase &C) const;

  /// May memory of two classes be the same? Pointers from outside the unit
  /// may be equal, whether they are arguments or loaded.
  bool mayCoincide(unsigned A, unsigned B) const;

  /// For -retro-print-shape.
  std::string print() const;

  /// Constant byte count of a copy, or -1.
  static int64_t constantSize(const llvm::Value *N);

protected:
  /// What is known of a leaf of a value that the analysis has seen, or null.
  const Content *contentSeen(const llvm::Value *V, unsigned Leaf = 0) const;
  unsigned findContent(unsigned C) const;
  Address find(unsigned Class) const { return find(Address{Class, 0}); }
  Address find(Address A) const;
  int64_t wrap(const MemoryClass &C, int64_t Offset) const;
  const Cell *findCell(const MemoryClass &C, int64_t Offset, CellKind K,
                       llvm::Type *FloatTy, unsigned Size, bool Declared) const;
  static bool mayBeAt(const MemoryClass &C, const Cell &X, int64_t At);
  /// Is an offset from Ptr more than an offset modulo the stride of its class?
  bool overlapsWord(const MemoryClass &C, const Cell &X, int64_t At) const;
  bool settlesHalves(const MemoryClass &C, llvm::Align Known) const;
  bool placedExactly(const llvm::Value *Ptr, const MemoryClass &C) const;
  bool tracked(llvm::Type *T) const;
  llvm::Type *numbersAt(const llvm::Value *V, llvm::Type *T,
                        unsigned &Leaf) const;
  llvm::Type *floatCarriedAt(const llvm::Value *V, llvm::Type *T,
                             unsigned Leaf) const;
  static std::optional<WordKind> declaredAccess(const llvm::Instruction &I);
  static bool declaredInteger(const llvm::Instruction &I);
  bool isUntyped(const llvm::Instruction &I) const;
  static bool isEvident(const Content &C) {
    return C.Int || C.Pointer || C.Float;
  }
  /// Does an access of type T at A touch X?
  bool isTouched(const MemoryClass &C, const Cell &X, Address A,
                 llvm::Type *T) const;
  /// Does X begin within [0, Size) bytes of A? Size < 0: behind it.
  bool beginsIn(const MemoryClass &C, const Cell &X, Address A,
                int64_t Size) const;
  bool copiesNumber(const Copy &C) const;
  unsigned narrowest() const;
  llvm::BitVector knownBytes(Address A, int64_t Size,
                             bool WithNumbers = true) const;
  bool movesUnknown(const Copy &C) const;
  bool hasGap(const llvm::BitVector &Known) const;
  llvm::SmallVector<unsigned, 2> unseenWords(const llvm::Value *V,
                                             const llvm::Value *Ptr) const;
  bool unitesObjects(unsigned Class) const;
  bool isOwnInteger(const Cell &X) const;
  bool isInactive(const MemoryClass &C) const;

  Unit &U;
  const llvm::DataLayout &DL;
};

} // namespace retro

#endif
