// Which values and which memory carry derivatives, for a whole unit.
//
// A value is active when it depends on an active input (varied) and a result
// depends on it (useful). Memory is judged per cell of its class, without
// regard to order. A class is shadowed when something active is in it or can be
// reached from it.
//
// Members: activity.cpp; unneeded.cpp (what only unneeded values read);
// constant_memory.cpp (memory that may be constant); noted_places.cpp (numbers
// among bytes); static_vectors.cpp and images.cpp (shadows of what static
// variables lead to); blas_calls.cpp and mpi_calls.cpp (calls of libraries).
#ifndef RETRO_FACTS_ACTIVITY_ACTIVITY_H
#define RETRO_FACTS_ACTIVITY_ACTIVITY_H

#include "base/diagnostics.h"
#include "base/scalars.h"
#include "facts/memory/memory_shape.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"

namespace retro {

struct KnownCall;

class ActivityAnalysis {
public:
  ActivityAnalysis(Unit &U, MemoryShape &Shape, Reporter &R)
      : U(U), Shape(Shape), R(R) {}

  /// Args: the request's activity of each argument of the root.
  void run(llvm::ArrayRef<Activity> Args, bool ActiveReturn);

  /// Does V carry a derivative?
  bool active(const llvm::Value *V) const {
    return Varied.contains(V) && Useful.contains(V);
  }
  /// Does V depend on an active input? Does a result depend on it?
  bool varied(const llvm::Value *V) const { return Varied.contains(V); }
  bool useful(const llvm::Value *V) const { return Useful.contains(V); }
  /// The type of V's adjoint or tangent; null if it can have none.
  llvm::Type *adjointType(const llvm::Value *V) const;
  /// Has this pointer (or aggregate or integer with one) a shadow?
  bool shadowed(const llvm::Value *V) const;
  /// Does only the running derivative know whether the memory at Ptr is
  /// constant, by the shadow pointer, which is then the primal's?
  bool comparesShadow(const llvm::Value *Ptr) const;
  /// May Ptr lead to memory that a static variable led to before the derivative
  /// began? Its shadow is null then.
  bool mayLackShadow(const llvm::Value *Ptr) const;
  /// Is the shadow of memory at Ptr its image (runtime/images.c), for a static
  /// variable may have led to it before the derivative began?
  bool hasImage(const llvm::Value *Ptr) const;
  /// Is the shadow of memory at Ptr its image, unless the memory is an
  /// argument's, which has a shadow of its own?
  bool mayHaveImage(const llvm::Value *Ptr) const;
  bool hasImages() const { return HasImages; }
  /// Does the reverse pass note where it adds adjoints among the bytes at Ptr,
  /// for they have been copied there?
  bool notesPlaces(const llvm::Value *Ptr) const;
  /// Does the reverse pass note such places at Ptr, where pointers may lie as
  /// well?
  bool notesAmongPointers(const llvm::Value *Ptr) const;
  /// Does a copy of active numbers move bytes among which only the notes of
  /// the reverse pass find them?
  bool movesNoted(const llvm::CallBase &C) const {
    return NotedCopies.contains(&C);
  }
  bool mayLackShadow(unsigned Class) const {
    return LeftByProgram.contains(Class);
  }
  /// May memory of the class have an image where a pointer has no shadow?
  bool mayHaveImage(unsigned Class) const {
    return Shape.classAt(Class).Where == MemoryClass::Shadows::ImagesElse;
  }
  /// Where in a static variable vectors of numbers begin whose shadows are made
  /// anew when a derivative starts.
  llvm::ArrayRef<int64_t> staticVectors(const llvm::GlobalVariable &G) const {
    auto It = StaticVectors.find(&G);
    return It == StaticVectors.end() ? llvm::ArrayRef<int64_t>()
                                     : llvm::ArrayRef<int64_t>(It->second);
  }
  /// Does an access of a T through Ptr touch an active cell?
  bool touchesActive(const llvm::Value *Ptr, llvm::Type *T) const;
  /// Does a load, a store or an atomic update touch one?
  bool touchesActive(const llvm::Instruction &Access) const;

  /// Is memory that is freed through Ptr still read by the reverse pass?
  bool isFreedLate(const llvm::Value *Ptr) const {
    return shadowed(Ptr) ||
           (!isa<llvm::ConstantPointerNull>(Ptr) && Shape.classOf(Ptr).Foreign);
  }

  /// Does nobody read what this stores, neither the unit nor, because the
  /// request says so, its caller?
  bool storesUnneeded(const llvm::StoreInst &S) const {
    return Unneeded.contains(Shape.classId(S.getPointerOperand())) ||
           UnneededStores.contains(&S);
  }

  bool readsUnneeded(const llvm::LoadInst &L) const {
    return Unneeded.contains(Shape.classId(L.getPointerOperand()));
  }

  /// Does the forward pass, or the derivative, need the value of I, a load or a
  /// call of a function of the unit?
  bool isNeeded(const llvm::Instruction &I) const {
    return Needed.contains(&I);
  }

  const MemoryShape &shape() const { return Shape; }
  Unit &unit() const { return U; }

private:
  bool vary(const llvm::Value *V);
  bool use(const llvm::Value *V);
  bool carriesFloat(const llvm::Value *V) const;
  bool propagateVaried(llvm::Instruction &I);
  bool propagateUseful(llvm::Instruction &I);
  bool addsError(const llvm::Instruction &I) const;
  bool variedCall(llvm::CallBase &C);
  bool usefulCall(llvm::CallBase &C);
  bool variedBlas(llvm::CallBase &C);
  bool markMessages(llvm::CallBase &C, bool Sent, bool Cell::*Flag,
                    bool MemoryClass::*Unseen);
  bool usefulBlas(llvm::CallBase &C);
  bool copyCells(const llvm::Value *To, const llvm::Value *From, int64_t Size,
                 bool Cell::*Flag);
  std::optional<bool> spreadByKind(llvm::CallBase &C, KnownCall K,
                                   bool Backward);
  bool spreadThrough(llvm::CallBase &C,
                     llvm::DenseSet<const llvm::Value *> &Set, bool Cell::*Flag,
                     bool MemoryClass::*Unseen);
  void findReturned();
  void exposeDuplicated();
  void exposeReturned();
  void forEachPointee(const llvm::Value *V,
                      llvm::function_ref<void(unsigned)> Found) const;
  bool shareLed(bool Cell::*Flag);
  bool mayHaveImages() const;
  bool meetsOther(unsigned Id) const;
  void findShadowed();
  bool shadowForCustom();
  bool isFreeOf(const llvm::Instruction &I, const llvm::Value *V) const;
  void findRead(llvm::DenseSet<unsigned> &Read);
  bool returnsNeeded(const UnitFunction &UF) const;
  void findUnneeded();
  void findUnneededApart();
  bool isUnneeded(llvm::StoreInst &S, UnitFunction &UF);
  llvm::DenseSet<unsigned> reachedFrom(unsigned Origin) const;
  void findMaybeConstant();
  void findLeft();
  bool onlyVectorsLeadTo(unsigned Id,
                         const llvm::SetVector<unsigned> &Led) const;
  void findStaticVectors(llvm::SetVector<unsigned> &Led);
  llvm::DenseSet<unsigned> behindUnrenewed() const;
  void findImaged();
  bool isIn(MemoryClass::Shadows Where, const llvm::Value *Ptr) const;
  bool cannotSettle(const llvm::Instruction &I) const;
  bool isOnlyConstant(const llvm::Value *Ptr) const;
  void findNoted();
  llvm::DenseSet<unsigned> findUnnoted() const;
  void check();

  Unit &U;
  MemoryShape &Shape;
  Reporter &R;
  bool ActiveReturn = false;
  bool Asks = false; ///< the program says what it rounds
  /// What the unit's functions return.
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::Value *, 1>>
      Returned;
  llvm::DenseSet<const llvm::Value *> Varied, Useful;
  llvm::DenseSet<unsigned> Unneeded;          ///< classes
  llvm::DenseSet<const llvm::Value *> Needed; ///< instructions
  /// Classes that static memory leads to.
  llvm::DenseSet<unsigned> LeftByProgram;
  bool HasImages = false;
  llvm::DenseMap<const llvm::GlobalVariable *, llvm::SmallVector<int64_t, 1>>
      StaticVectors;
  /// Copies of bytes, and the classes that they are copied to.
  llvm::DenseSet<const llvm::CallBase *> NotedCopies;
  llvm::DenseSet<unsigned> Noted;
  bool NotesPointers = false; ///< with such copies pointers may move
  /// Stores of nests whose arrays the program has found apart.
  llvm::DenseSet<const llvm::StoreInst *> UnneededStores;
};

/// Does I pass on the derivative that its operand N has? For instructions that
/// are no call and access no memory.
bool passesDerivative(const llvm::Instruction &I, unsigned N);

} // namespace retro

#endif
