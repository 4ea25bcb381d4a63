// How the classes of a MemoryShape come about: each instruction, declaration
// and copy says something, and what it says to be the same is unified. Only
// here are classes and contents made; when run() is through, the shape is all
// that is left of it. Members, by what says something of memory:
// shape_builder.cpp; memory_constraints.cpp (instructions), memory_calls.cpp
// and memory_library.cpp (calls), memory_evidence.cpp (types),
// memory_propagation.cpp (what follows from the rest), memory_unknown.cpp
// (nothing), memory_foreign.cpp (what the program keeps to itself).
#ifndef RETRO_FACTS_MEMORY_SHAPE_BUILDER_H
#define RETRO_FACTS_MEMORY_SHAPE_BUILDER_H

#include "facts/memory/memory_shape.h"

#include "llvm/IR/DebugInfoMetadata.h"

namespace retro {

enum class Saying;

class ShapeBuilder : public MemoryShape {
public:
  using MemoryShape::MemoryShape;
  void build(llvm::ArrayRef<Activity> Args);
  ShapeTables &tables() { return *this; }

private:
  // Union-find (shape_builder.cpp).
  unsigned findContent(unsigned C);
  Address find(unsigned Class) { return find(Address{Class, 0}); }
  Address find(Address A);
  unsigned newContent();
  unsigned newClass();
  Address target(unsigned Content);
  void unifyContents(unsigned A, unsigned B);
  void unifyAddresses(Address A, Address B);
  void mergeClass(unsigned Into, unsigned From, int64_t Delta);
  void moveCell(const Cell &C, Address To);
  void fold(unsigned Class, int64_t Stride, const llvm::Value *By = nullptr);
  void settle();
  Cell &cell(Address A, CellKind K, llvm::Type *FloatTy, unsigned Size,
             bool Declared = false);
  /// These make what they do not find.
  unsigned contentOf(const llvm::Value *V, unsigned Leaf = 0);
  Address addressOf(const llvm::Value *Ptr) { return target(contentOf(Ptr)); }
  unsigned classId(const llvm::Value *Ptr) { return addressOf(Ptr).Class; }
  unsigned targetOf(const Cell &C) { return target(C.Content).Class; }
  void unifyValues(const llvm::Value *A, const llvm::Value *B);
  void see(const llvm::Value *V);
  void seeConstant(const llvm::Constant &C,
                   llvm::DenseSet<const llvm::Constant *> &Seen);
  void seeAll();
  void flatten();

  // What instructions say (memory_constraints.cpp, memory_calls.cpp,
  // memory_unknown.cpp).
  void visit(llvm::Instruction &I);
  void seeAll(const llvm::Instruction &I);
  void visitAtomic(llvm::AtomicRMWInst &A);
  void visitSwap(llvm::AtomicCmpXchgInst &A);
  void visitAddressCast(llvm::CastInst &I);
  void visitPlace(llvm::GetElementPtrInst &G);
  void visitHead(llvm::Instruction &I);
  void visitGEP(const llvm::User &G, unsigned Result);
  void visitPart(llvm::ExtractValueInst &E);
  void visitWhole(llvm::InsertValueInst &E);
  void visitBits(llvm::BitCastInst &C);
  void visitMask(llvm::BinaryOperator &I);
  void access(const llvm::Value *Ptr, llvm::Type *T, const llvm::Value *V,
              const llvm::Instruction *At, int64_t Offset = 0,
              unsigned Leaf = 0);
  void accessScalar(Address A, llvm::Type *T, const llvm::Value *V,
                    const llvm::Instruction *At, unsigned Leaf);
  void markBits(const llvm::Value *V, llvm::Type *T);
  void noteArithmetic(const llvm::Instruction &I);
  void addGlobal(const llvm::GlobalVariable &G);
  void addInitializer(const llvm::Constant &C, unsigned Class, int64_t Off,
                      unsigned &Budget);

  // What calls say (memory_calls.cpp, memory_library.cpp).
  void visitCall(llvm::CallBase &C);
  void visitUnitCall(llvm::CallBase &C, UnitFunction &Callee);
  void visitResult(const llvm::CallBase &C);
  void visitCustom(llvm::CallBase &C);
  void visitSaying(const llvm::CallBase &C, Saying What);
  void noteMove(const llvm::Value *Of, llvm::MaybeAlign Known, int64_t Size);
  void visitCopy(llvm::CallBase &C, llvm::Value *To, llvm::Value *From,
                 llvm::Value *Bytes);
  void visitFree(const llvm::Value *Ptr);
  void visitAllocStore(const llvm::CallBase &C);
  void visitException(const llvm::CallBase &C);
  void visitMirror(llvm::CallBase &C, llvm::StringRef Links);
  void visitBlas(llvm::CallBase &C);
  void visitMpi(llvm::CallBase &C);
  void addOrigin(const llvm::Value *Ptr, unsigned Origins);

  // What the program's types say (memory_evidence.cpp).
  void evidence(const llvm::Instruction &At, unsigned Content);
  static bool saysTypes(const llvm::Function &F);
  void copiedFields(const llvm::CallBase &C, const llvm::Value *Dst,
                    const llvm::Value *Src);
  void copiedObjects(const llvm::CallBase &C, const llvm::Value *Dst,
                     const llvm::Value *Src);
  void markField(Address A, llvm::Type *F, bool Pointer, unsigned Size);
  void markDebugType(const llvm::DIType *T, Address A,
                     const llvm::DenseSet<unsigned> &Wanted, unsigned Depth);
  bool addDebugEvidence();
  bool declare(llvm::Type *T, unsigned Class, int64_t Offset, unsigned &Budget);
  void declareVariable(llvm::Type *T, unsigned Class);
  llvm::Type *onlyNumbers(const MemoryClass &C);
  bool assumeUniformCopies();
  void assumeOverwrittenNumbers();
  void assumeNumbers(const llvm::Value *Ptr, int64_t Size);

  // What follows from it (memory_propagation.cpp, memory_foreign.cpp).
  void propagate();
  bool isOfOtherObject(unsigned Class, const Cell &X) const;
  bool movesIntegers(const Copy &C) const;
  bool propagateCopies();
  void propagateCells(const Copy &C, Address From, Address To);
  void propagateExact(const Copy &C, const llvm::Value *Of, Address From,
                      Address To);
  bool linkIntegerCells();
  bool followDistances();
  bool linkHeads();
  bool sharesBits(const MemoryClass &C, const Cell &X);
  void followBits();
  void findComputedPointers();
  void propagateOrigins();
  void forgetInactive();
  void markForeign();

  /// A pointer that is moved on by the distance between two others, and what
  /// that was taken to be.
  struct Distance {
    const llvm::Value *At, *Base, *To, *From;
    int64_t Taken;
  };
  std::vector<Distance> Distances;
  /// Pointers to the heads of containers.
  llvm::SmallVector<const llvm::Instruction *> HeadPointers;
  /// Addresses of characters that are only compared, in memory of other things.
  llvm::SmallVector<const llvm::Instruction *> Characters;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> GlobalsSeen;
  /// Integers, and others that are computed of them with all bits kept: the
  /// bits of a number can come back from them.
  std::vector<std::pair<unsigned, unsigned>> Derived;
  std::vector<const llvm::CallBase *> Customs;
  std::vector<const llvm::Value *> Messages; ///< buffers of unknown types
  std::vector<std::pair<unsigned, unsigned>> PendingContents;
  std::vector<std::pair<Address, Address>> PendingAddresses;
  bool Settling = false;
  bool Changed = false;
};

} // namespace retro

#endif
