// Which functions stand where in a module's tables of virtual functions.
#ifndef RETRO_PREPARE_VIRTUAL_TABLES_H
#define RETRO_PREPARE_VIRTUAL_TABLES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace retro {

class VirtualTables {
public:
  explicit VirtualTables(const llvm::Module &M);

  /// May C, a call by an address, be of F? Of a function that stands in tables
  /// and nowhere else, only a call that loads from its place there is; of one
  /// of an object that counts references, only one in what counts them; and
  /// what a std::thread runs (threads.c) is one of its own objects. A call of a
  /// virtual function (CallsVirtual) is of none that cannot be virtual, and one
  /// of another is of none that stands in tables alone. One of a pointer to a
  /// method that is passed (CallsMethod) is of those whose places the module
  /// names. That goes for procedures that are bound to a type of Fortran's,
  /// too.
  bool mayCall(const llvm::CallBase &C, const llvm::Function &F) const;

private:
  struct Places;
  void add(const llvm::ConstantArray &Table, bool Places::*Whose);
  void addBindings(const llvm::GlobalVariable &Table);

  struct Places {
    /// In bytes from where an object's pointer to its table points.
    llvm::SmallSet<int64_t, 4> Offsets;
    /// Whose tables.
    bool OfCounts = false, OfThreads = false, OfOthers = false;
    bool Elsewhere = false; ///< is its address taken, too?
  };
  llvm::DenseMap<const llvm::Function *, Places> Functions;
  llvm::SmallSet<int64_t, 4> Methods; ///< places that pointers to them name
};

} // namespace retro

#endif
