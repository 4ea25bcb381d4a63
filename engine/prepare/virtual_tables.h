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
  /// of an object that counts references, only one in what counts them. A call
  /// of a virtual function (CallsVirtual) is of none that cannot be virtual,
  /// and one of another is of none that stands in tables alone. That goes for
  /// procedures that are bound to a type of Fortran's, too.
  bool mayCall(const llvm::CallBase &C, const llvm::Function &F) const;

private:
  void add(const llvm::ConstantArray &Table, bool OfCounts);
  void addBindings(const llvm::GlobalVariable &Table);

  struct Places {
    /// In bytes from where an object's pointer to its table points.
    llvm::SmallSet<int64_t, 4> Offsets;
    bool OfCounts = false, OfOthers = false; ///< whose tables
    bool Elsewhere = false;                  ///< is its address taken, too?
  };
  llvm::DenseMap<const llvm::Function *, Places> Functions;
};

} // namespace retro

#endif
