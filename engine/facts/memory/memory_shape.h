// What memory holds and where pointers point, for a whole unit.
//
// A unification-based (Steensgaard 1996) points-to analysis with fields. Each
// pointer points at an offset of a memory class; a class keeps one cell per
// offset and kind of content, folded modulo a stride where it is indexed.
// LLVM's opaque pointers and integer-typed copies say nothing about contents,
// so what is stored, loaded, passed and copied is unified until it does.
#ifndef RETRO_FACTS_MEMORY_MEMORY_SHAPE_H
#define RETRO_FACTS_MEMORY_MEMORY_SHAPE_H

#include "base/unit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Value.h"
#include <map>
#include <optional>
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
  bool Varied = false; ///< holds a value that depends on an active input
  bool Useful = false; ///< a result depends on it
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
  unsigned Origins = 0;
  bool Shadowed = false; ///< has active contents, directly or via pointers
  bool Freed = false;
  /// Given to a function with a derivative of the user's own, which may keep
  /// numbers in it that nobody else accesses: their activity.
  bool Foreign = false, UnseenVaried = false, UnseenUseful = false;
  /// Such a function may return or store a pointer into it.
  bool Linked = false;
  /// Is there memory in it that exists before the unit is entered?
  bool fromOutside() const {
    return Origins &
           (FromDup | FromConst | FromUnknown | FromGlobal | FromNumber);
  }
  const llvm::Instruction *MadeAt = nullptr; ///< where FromNumber
  bool Needed = false;    ///< an argument whose contents the caller reads
  bool Exclusive = false; ///< an argument of the root points to it, noalias
  llvm::SmallVector<const llvm::GlobalVariable *, 1> Globals;
  /// Objects all of whose fields are known: what is no field is padding.
  std::vector<std::pair<int64_t, int64_t>> Described; ///< offset, bytes
  /// Layout evidence at unfolded offsets, from typed accesses and types.
  std::map<int64_t, std::pair<CellKind, llvm::Type *>> Exact;
};

class MemoryShape {
public:
  MemoryShape(Unit &U);

  /// Builds classes for the whole unit; Args: what the request says of the
  /// root's arguments.
  void run(llvm::ArrayRef<Activity> Args);

  /// Where a pointer (or an integer that holds one) points.
  Address addressOf(const llvm::Value *Ptr);
  /// The class that leaf Leaf of a first-class value points to, or -1.
  int classOfLeaf(const llvm::Value *V, unsigned Leaf);
  MemoryClass &classOf(const llvm::Value *Ptr) {
    return Classes[addressOf(Ptr).Class];
  }
  MemoryClass &classAt(unsigned Id) { return Classes[find(Id).Class]; }
  unsigned classId(const llvm::Value *Ptr) { return addressOf(Ptr).Class; }

  /// What a word is, and the type of a number.
  using WordKind = std::pair<CellKind, llvm::Type *>;
  /// What the program's types say that an integer is, if they all agree.
  std::optional<WordKind> declaredKind(const llvm::Value *V) const;
  /// The floating-point type whose bits an integer value carries, or null.
  llvm::Type *floatCarriedBy(const llvm::Value *V);
  /// V's type, with numbers in the place of the integers that carry them.
  llvm::Type *numbersOf(const llvm::Value *V);
  /// Is this an integer of which nothing says what it holds?
  bool isUntyped(const llvm::Value *V);
  /// Does this integer value carry a pointer?
  bool carriesPointer(const llvm::Value *V);

  /// The cells that an access of type T through Ptr touches. Integer accesses
  /// give the floating-point and pointer cells at their place.
  llvm::SmallVector<Cell *, 4> cellsOf(const llvm::Value *Ptr, llvm::Type *T);
  /// The cells that share a byte with an access.
  llvm::SmallVector<Cell *, 4> cellsOverlapping(const llvm::Value *Ptr,
                                                llvm::Type *T);
  /// The cells within [0, Size) bytes of Ptr; Size < 0: all that follow.
  llvm::SmallVector<Cell *, 8> cellsIn(const llvm::Value *Ptr, int64_t Size);
  /// What lies at byte Offset from Ptr: the layout for copies. Returns false
  /// where the evidence contradicts itself.
  bool layoutAt(const llvm::Value *Ptr, int64_t Offset, const Cell *&Out);
  /// The same for every period of a folded class.
  bool layoutOfPeriod(const llvm::Value *Ptr, int64_t Offset, const Cell *&Out);
  /// Is a number declared at byte Offset from Ptr of which nothing else is
  /// known, so that no copy is known to move it?
  bool isDeclaredOnly(const llvm::Value *Ptr, int64_t Offset);
  /// Is a type's element known to begin at Ptr, whatever is indexed around it?
  bool isDeclared(const llvm::Value *Ptr, llvm::Type *T);
  /// The class that a pointer cell points to.
  unsigned targetOf(const Cell &C);

  /// Buffers that the unit's functions receive into at some time after a call.
  llvm::ArrayRef<const llvm::Value *> receivedLater() const { return Later; }

  unsigned numClasses() const { return static_cast<unsigned>(Classes.size()); }
  bool isRepresentative(unsigned Id) { return find(Id).Class == Id; }

  /// A copy of bytes of which the program does not show what they are.
  struct UntypedMove {
    const llvm::Instruction *At;
    unsigned From, To; ///< classes
  };
  std::vector<UntypedMove> untypedMoves();
  /// Does this access an integer, or a pointer as one, at a place where other
  /// objects of the class, or other fields that folding put there, have a
  /// number?
  bool accessesOwnInteger(const llvm::Instruction &I);

  /// May a class hold numbers that only functions of the user's own
  /// derivatives access?
  bool holdsUnseen(unsigned Id);
  /// All classes that the pointers in these values lead to, but for memory
  /// that the request or the program says has no derivative.
  llvm::SmallVector<unsigned, 8>
  reachedFrom(llvm::ArrayRef<const llvm::Value *> Values);
  /// The same for what a call is given and what it returns.
  llvm::SmallVector<unsigned, 8> reachedBy(const llvm::CallBase &C);

  /// May memory of two classes be the same? Pointers from outside the unit
  /// may be equal, whether they are arguments or loaded.
  bool mayCoincide(unsigned A, unsigned B);

  /// For -retro-print-shape.
  std::string print();

  /// Constant byte count of a copy, or -1.
  static int64_t constantSize(const llvm::Value *N);

private:
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

  // Union-find.
  unsigned findContent(unsigned C);
  Address find(unsigned Class) { return find(Address{Class, 0}); }
  Address find(Address A);
  unsigned newContent();
  unsigned newClass();
  Address target(unsigned Content);
  void unifyContents(unsigned A, unsigned B);
  void unifyAddresses(Address A, Address B);
  void mergeClass(unsigned Into, unsigned From, int64_t Delta);
  void fold(unsigned Class, int64_t Stride);
  void settle();
  void assumeOverwrittenNumbers();
  void assumeNumbers(const llvm::Value *Ptr, int64_t Size);
  Cell &cell(Address A, CellKind K, llvm::Type *FloatTy, unsigned Size,
             bool Declared = false);
  Cell *findCell(MemoryClass &C, int64_t Offset, CellKind K,
                 llvm::Type *FloatTy, unsigned Size, bool Declared);
  static bool mayBeAt(const MemoryClass &C, const Cell &X, int64_t At);
  /// Is an offset from Ptr more than an offset modulo the stride of its class?
  bool placedExactly(const llvm::Value *Ptr, const MemoryClass &C) const;
  int64_t wrap(const MemoryClass &C, int64_t Offset) const;

  // Constraints.
  unsigned contentOf(const llvm::Value *V, unsigned Leaf = 0);
  llvm::Type *numbersAt(const llvm::Value *V, llvm::Type *T, unsigned &Leaf);
  llvm::Type *floatCarriedAt(const llvm::Value *V, llvm::Type *T,
                             unsigned Leaf);
  bool tracked(llvm::Type *T) const;
  void unifyValues(const llvm::Value *A, const llvm::Value *B);
  void visit(llvm::Instruction &I, UnitFunction &UF);
  void visitCall(llvm::CallBase &C);
  void visitMirror(llvm::CallBase &C, llvm::StringRef Links);
  void visitBlas(llvm::CallBase &C);
  void visitMpi(llvm::CallBase &C);
  void visitGEP(const llvm::User &G, unsigned Result);
  void access(const llvm::Value *Ptr, llvm::Type *T, const llvm::Value *V,
              const llvm::Instruction *At, int64_t Offset = 0,
              unsigned Leaf = 0);
  void evidence(const llvm::Instruction &At, unsigned Content);
  static std::optional<WordKind> declaredAccess(const llvm::Instruction &I);
  static bool declaredInteger(const llvm::Instruction &I);
  bool isUntyped(const llvm::Instruction &I) const;
  static bool saysTypes(const llvm::Function &F);
  bool isMixed(const llvm::Value *V);
  bool hasEvidence(unsigned Content);
  void copiedFields(const llvm::CallBase &C, const llvm::Value *Dst,
                    const llvm::Value *Src);
  void markField(Address A, llvm::Type *F, bool Pointer, unsigned Size);
  void markDebugType(const llvm::DIType *T, Address A,
                     const llvm::DenseSet<unsigned> &Wanted, unsigned Depth);
  bool addDebugEvidence();
  llvm::Type *onlyNumbers(const MemoryClass &C);
  bool copiesNumber(const Copy &C);
  bool assumeUniformCopies();
  llvm::BitVector knownBytes(Address A, int64_t Size, bool WithNumbers = true);
  bool movesUnknown(const Copy &C);
  unsigned narrowest();
  bool hasGap(const llvm::BitVector &Known);
  llvm::SmallVector<unsigned, 2> unseenWords(const llvm::Value *V,
                                             const llvm::Value *Ptr);
  void addGlobal(const llvm::GlobalVariable &G);
  void addInitializer(const llvm::Constant &C, unsigned Class, int64_t Off,
                      unsigned &Budget);
  bool declare(llvm::Type *T, unsigned Class, int64_t Offset, unsigned &Budget);
  void declareVariable(llvm::Type *T, unsigned Class);
  bool propagateCopies();
  bool linkIntegerCells();
  void findComputedPointers();
  bool unitesObjects(unsigned Class);
  bool isOwnInteger(const Cell &X);
  void markBits(const llvm::Value *V, llvm::Type *T);
  void noteArithmetic(const llvm::Instruction &I);
  bool sharesBits(const MemoryClass &C, const Cell &X);
  void followBits();
  void propagateOrigins();
  void forgetInactive();
  bool isInactive(const MemoryClass &C) const;
  void markForeign();

  Unit &U;
  const llvm::DataLayout &DL;
  std::vector<Content> Contents;
  std::vector<MemoryClass> Classes;
  std::vector<Address> ClassParent;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, unsigned>
      ValueContent;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> GlobalsSeen;
  std::vector<Copy> Copies;
  /// Functions of whose accesses the front end says what they are of.
  llvm::DenseSet<const llvm::Function *> Typed;
  /// Integers, and others that are computed of them with all bits kept: the
  /// bits of a number can come back from them.
  std::vector<std::pair<unsigned, unsigned>> Derived;
  std::vector<const llvm::CallBase *> Customs;
  /// Buffers of messages: of unknown types; that are received after the call.
  std::vector<const llvm::Value *> Messages, Later;
  std::vector<std::pair<unsigned, unsigned>> PendingContents;
  std::vector<std::pair<Address, Address>> PendingAddresses;
  unsigned Narrowest = 0;
  bool Settling = false;
  bool Changed = false;
};

} // namespace retro

#endif
