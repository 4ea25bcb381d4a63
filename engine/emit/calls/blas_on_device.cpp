// Arrays in memory of a device: the routines are called on the host, which can
// reach no element. What derivatives do beside calling such routines is done by
// further calls, or in copies for the host. Without it the host would read
// memory that it cannot reach. Members of BlasOps (blas_ops.h).
#include "emit/calls/blas_ops.h"

#include "front/names/runtime.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

using S = BlasSlot;

CallInst *BlasOps::callArrays(StringRef Function, ArrayRef<Value *> Args) {
  std::optional<Rt> F =
      runtimeNamed(Call.interface().Handles->Vendor + "_array_" + Function);
  return callRuntime(IR, *F, Args);
}

Value *BlasOps::newOnDevice(Value *Bytes, bool Zero) {
  Value *P = callArrays("new", Bytes);
  OnDevice.push_back(P);
  if (Zero)
    callArrays("clear", {P, Bytes, Bytes, IR.getInt64(1)});
  return P;
}

/// Elements of a vector, each a line; or one line where nothing is between
/// them.
BlasOps::Lines BlasOps::linesOf(Value *N, BlasView Vector) {
  Value *Step = IR.CreateSExt(Vector.Step, IR.getInt64Ty());
  Step = IR.CreateBinaryIntrinsic(Intrinsic::abs, Step, IR.getFalse());
  Value *Dense = IR.CreateICmpEQ(Step, IR.getInt64(1)), *Size = count(N);
  return {Vector.P, bytes(choose(Dense, Size, Step)),
          bytes(choose(Dense, Size, IR.getInt64(1))),
          choose(Dense, IR.getInt64(1), Size)};
}

BlasOps::Lines BlasOps::linesOf(Value *Rows, Value *Cols, BlasView Matrix) {
  return {Matrix.P, bytes(count(Matrix.Step)), bytes(count(Rows)), count(Cols)};
}

void BlasOps::copyLines(const Lines &From, const Lines &To) {
  // Where one is dense and the other is not, elements are the lines.
  Value *Apart = IR.CreateICmpNE(From.Count, To.Count);
  Value *Count = choose(
      Apart, IR.CreateBinaryIntrinsic(Intrinsic::umax, From.Count, To.Count),
      From.Count);
  Value *Bytes =
      IR.CreateBinaryIntrinsic(Intrinsic::umin, From.Bytes, To.Bytes);
  auto Step = [&](const Lines &L) {
    return choose(IR.CreateICmpULT(L.Count, Count), Bytes, L.Step);
  };
  callArrays("copy", {To.P, Step(To), From.P, Step(From), Bytes, Count});
}

void BlasOps::scaleOnDevice(Value *Factor, const Lines &X,
                            function_ref<void()> Scale) {
  Value *Clear = IR.CreateFCmpOEQ(Factor, constant(0));
  emitIf(IR, Clear,
         [&] { callArrays("clear", {X.P, X.Step, X.Bytes, X.Count}); });
  Value *Other =
      IR.CreateAnd(IR.CreateNot(Clear), IR.CreateFCmpUNE(Factor, constant(1)));
  emitIf(IR, Other, Scale);
}

void BlasOps::clearVector(Value *N, BlasView X) {
  if (onDevice()) {
    Lines L = linesOf(N, X);
    callArrays("clear", {L.P, L.Step, L.Bytes, L.Count});
    return;
  }
  emitLoop(IR, count(N),
           [&](Value *I) { store(constant(0), element(X, N, I)); });
}

BlasView BlasOps::toHost(Value *Rows, Value *Cols, BlasView Matrix) {
  if (!onDevice())
    return Matrix;
  Value *P = allocate(bytes(IR.CreateMul(count(Rows), count(Cols))), false);
  BlasView Host{P, IR.CreateBinaryIntrinsic(Intrinsic::smax, Rows, size(1))};
  copyMatrix(Rows, Cols, Matrix, Host);
  return Host;
}

void BlasOps::fromHost(Value *Rows, Value *Cols, BlasView Host,
                       BlasView Matrix) {
  if (onDevice())
    copyMatrix(Rows, Cols, Host, Matrix);
}

BlasView BlasOps::toHost(Value *N, BlasView Vector) {
  if (!onDevice())
    return Vector;
  Lines L = linesOf(N, Vector);
  BlasView Host{allocate(IR.CreateMul(L.Step, L.Count), false), Vector.Step};
  copyLines(L, linesOf(N, Host));
  return Host;
}

void BlasOps::fromHost(Value *N, BlasView Host, BlasView Vector) {
  if (onDevice())
    copyLines(linesOf(N, Host), linesOf(N, Vector));
}

void BlasOps::forColumns(
    Value *N, Value *Lower, Value *Unit,
    function_ref<void(Value *Length, Value *Row, Value *Col)> Body) {
  Value *Size = count(N), *Skip = IR.CreateZExt(Unit, IR.getInt64Ty());
  emitLoop(IR, Size, [&](Value *Col) {
    Value *First = choose(Lower, IR.CreateAdd(Col, Skip), IR.getInt64(0));
    Value *End = choose(Lower, Size,
                        IR.CreateSub(IR.CreateAdd(Col, IR.getInt64(1)), Skip));
    Body(narrow(IR.CreateSub(End, First)), First, Col);
  });
}

BlasView BlasOps::diagonal(BlasView M) {
  return {M.P, IR.CreateAdd(M.Step, size(1))};
}

} // namespace retro
