// The emission of BLAS calls and of loops over their operands: what the
// derivatives of the routines are made of (blas_adjoint.cpp, blas_tangent.cpp).
// Members: blas_ops.cpp; blas_on_device.cpp (arrays in memory of a device).
#ifndef RETRO_EMIT_CALLS_BLAS_OPS_H
#define RETRO_EMIT_CALLS_BLAS_OPS_H

#include "base/plan.h"
#include "front/known/blas.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

/// An array and its step: the increment of a vector, or the distance of the
/// rows or columns of a matrix.
struct BlasView {
  llvm::Value *P = nullptr, *Step = nullptr;
  explicit operator bool() const { return P; }
};

/// An operand given to a routine: flags as i1, sizes in the interface's type.
struct BlasArg {
  BlasSlot Slot;
  llvm::Value *V, *Step = nullptr;
  BlasArg(BlasSlot S, llvm::Value *V) : Slot(S), V(V) {}
  BlasArg(BlasSlot S, BlasView View) : Slot(S), V(View.P), Step(View.Step) {}
};

class BlasOps {
public:
  /// Values gives the operands of the call as the code that B emits sees them.
  BlasOps(llvm::IRBuilder<> &B, const llvm::CallBase &C,
          llvm::function_ref<llvm::Value *(const llvm::Value *)> Values);

  const BlasRoutine &routine() const { return Call.routine(); }
  llvm::Type *number() const { return T; }

  /// Calls a routine; Args holds every operand but steps and the layout.
  llvm::Value *call(BlasId Id, llvm::ArrayRef<BlasArg> Args);

  // Numbers and truth values.
  llvm::Value *constant(double C) { return llvm::ConstantFP::get(T, C); }
  llvm::Value *yes() { return IR.getTrue(); }
  llvm::Value *no() { return IR.getFalse(); }
  llvm::Value *choose(llvm::Value *If, llvm::Value *X, llvm::Value *Y) {
    return IR.CreateSelect(If, X, Y);
  }
  BlasView choose(llvm::Value *If, BlasView X, BlasView Y);
  llvm::Value *size(int64_t N) { return llvm::ConstantInt::getSigned(IT, N); }
  llvm::Value *narrow(llvm::Value *Count) { return IR.CreateTrunc(Count, IT); }
  /// A size as a count of iterations.
  llvm::Value *count(llvm::Value *Size);

  /// Are arrays in memory of a device? Then elements are reached alone in
  /// copies of toHost(), and what follows is done by calls of the library.
  bool onDevice() const { return Call.interface().Handles; }
  /// The array itself, or a copy for the host; and back again.
  BlasView toHost(llvm::Value *Rows, llvm::Value *Cols, BlasView Matrix);
  void fromHost(llvm::Value *Rows, llvm::Value *Cols, BlasView Host,
                BlasView Matrix);
  BlasView toHost(llvm::Value *N, BlasView Vector);
  void fromHost(llvm::Value *N, BlasView Host, BlasView Vector);
  /// X = 0
  void clearVector(llvm::Value *N, BlasView X);
  /// Each column of one triangle of a matrix as a vector, without the diagonal
  /// where Unit says so; where the triangle begins in the column.
  void forColumns(llvm::Value *N, llvm::Value *Lower, llvm::Value *Unit,
                  llvm::function_ref<void(llvm::Value *Length, llvm::Value *Row,
                                          llvm::Value *Col)>
                      Body);
  BlasView diagonal(BlasView Matrix);

  // Elements. Matrices are walked through as they lie in memory; rows and
  // columns are told by Row, Column.
  using Element = llvm::function_ref<void(llvm::Value *Row, llvm::Value *Col)>;
  void forEach(llvm::Value *Rows, llvm::Value *Cols, Element Body);
  /// One triangle with its diagonal, or without where Unit says so.
  void forTriangle(llvm::Value *N, llvm::Value *Lower, llvm::Value *Unit,
                   Element Body);
  void forDiagonal(llvm::Value *N,
                   llvm::function_ref<void(llvm::Value *I)> Body);
  llvm::Value *at(BlasView Matrix, llvm::Value *Row, llvm::Value *Col);
  /// Element I of a vector of N, the last first where the step is negative.
  llvm::Value *element(BlasView Vector, llvm::Value *N, llvm::Value *I);
  llvm::Value *load(llvm::Value *P) { return IR.CreateLoad(T, P); }
  void store(llvm::Value *V, llvm::Value *P) { IR.CreateStore(V, P); }
  void add(llvm::Value *P, llvm::Value *V) {
    IR.CreateStore(IR.CreateFAdd(load(P), V), P);
  }
  /// The sum of what Body gives add() over some loop.
  llvm::Value *
  sum(llvm::function_ref<void(llvm::function_ref<void(llvm::Value *)>)> Loop);

  /// X *= Factor; what is multiplied by zero is zero.
  void scaleVector(llvm::Value *Factor, llvm::Value *N, BlasView X);
  void scaleMatrix(llvm::Value *Factor, llvm::Value *Rows, llvm::Value *Cols,
                   BlasView X);
  void scaleTriangle(llvm::Value *Factor, llvm::Value *N, llvm::Value *Lower,
                     BlasView X);

  /// Row or column I of a matrix, as a vector.
  BlasView row(BlasView Matrix, llvm::Value *I);
  BlasView column(BlasView Matrix, llvm::Value *I);

  // Memory for the time of this call.
  BlasView newVector(llvm::Value *N);
  BlasView newMatrix(llvm::Value *Rows, llvm::Value *Cols);
  void copyMatrix(llvm::Value *Rows, llvm::Value *Cols, BlasView From,
                  BlasView To);
  /// Frees it.
  void finish();
  /// Zeroed memory as large as what an array of the call spans.
  BlasView newShadow(const BlasArray &A, llvm::Value *If);

  // Copies that the plan keeps, one behind the other.
  llvm::Value *keptBytes(const FunctionPlan::KeptArrays &Kept);
  void keep(const FunctionPlan::KeptArrays &Kept, bool After,
            llvm::Value *Buffer);
  BlasView kept(const FunctionPlan::KeptArrays &Kept, unsigned Array,
                bool After, llvm::Value *Buffer);

  /// The call's own operands.
  llvm::Value *operand(BlasSlot S) const {
    return OfSlot[static_cast<unsigned>(S)];
  }
  BlasView array(BlasSlot S) const;
  /// Is the product one of a vector with itself?
  bool isSquare() const { return Square; }
  llvm::IRBuilder<> &IR;

private:
  llvm::Value *decode(BlasSlot S, llvm::Value *V);
  llvm::Value *encode(BlasSlot S, llvm::Value *V, bool Letter);
  llvm::Value *allocate(llvm::Value *Bytes, bool Zero);
  llvm::Value *bytes(llvm::Value *Count);
  std::pair<llvm::Value *, llvm::Value *> extent(const BlasArray &A);
  llvm::Value *keptOffset(const FunctionPlan::KeptArrays &Kept, unsigned Array,
                          bool After);
  uint64_t elementSize(const BlasArray &A) const;

  BlasCall Call;
  bool Square = false;
  llvm::Value *OfSlot[static_cast<unsigned>(BlasSlot::None)] = {};
  llvm::Type *T;         ///< of numbers
  llvm::IntegerType *IT; ///< of sizes
  llvm::Value *RowMajor; ///< i1
  llvm::Type *Lengths;   ///< hidden ones, or null
  llvm::SmallVector<llvm::Value *, 4> Temporaries, OnDevice;

  // Arrays of a device (blas_on_device.cpp): columns, with their sizes in
  // bytes.
  struct Lines {
    llvm::Value *P, *Step, *Bytes, *Count;
  };
  Lines linesOf(llvm::Value *N, BlasView Vector);
  Lines linesOf(llvm::Value *Rows, llvm::Value *Cols, BlasView Matrix);
  llvm::CallInst *callArrays(llvm::StringRef Function,
                             llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *newOnDevice(llvm::Value *Bytes, bool Zero = false);
  void copyLines(const Lines &From, const Lines &To);
  void scaleOnDevice(llvm::Value *Factor, const Lines &X,
                     llvm::function_ref<void()> Scale);
  BlasView keptPlace(const FunctionPlan::KeptArrays &Kept, unsigned Array,
                     bool After, llvm::Value *Buffer);
};

/// The slot of an array's step.
BlasSlot stepOf(BlasSlot Array);

} // namespace retro

#endif
