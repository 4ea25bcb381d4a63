// Shadows of what static variables keep from call to call start each derivative
// as those of other variables do, at zero: the numbers beside pointers, and the
// blocks that the pointers lead to, which other code may have allocated anew.
// Without this a second derivative would add to what the first one left.
// Members of UnitEmitter and ShadowEmitter (emit/common/).
#include "emit/common/shadow_emitter.h"
#include "front/names/runtime.h"
#include "ir/emit_loop.h"
#include "ir/end_program.h"

using namespace llvm;

namespace retro {

/// void (ptr first, i64 bytes, i64 stride, i64 count): sets places of an array
/// to zero.
static Function *clearFunction(Module &M) {
  constexpr StringLiteral Name = nameOf(Named::clear_places);
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *I = Type::getInt64Ty(C);
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(C),
                        {PointerType::getUnqual(C), I, I, I}, false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  emitLoop(B, F->getArg(3), [&](Value *N) {
    B.CreateMemSet(B.CreatePtrAdd(F->getArg(0), B.CreateMul(N, F->getArg(2))),
                   B.getInt8(0), F->getArg(1), MaybeAlign());
  });
  B.CreateRetVoid();
  return F;
}

void UnitEmitter::clearNumbers(IRBuilder<> &B, const GlobalVariable &Of,
                               GlobalVariable &S) {
  // Pointers are elsewhere in its class.
  if (isOnly(Of.getValueType(),
             [](const Type *T) { return T->isFPOrFPVectorTy(); }))
    return clear(B, S);
  const MemoryShape &Shape = Act.shape();
  const MemoryClass &Class = Shape.classOf(&Of);
  const int64_t Begin = Shape.addressOf(&Of).Offset, Stride = Class.Stride;
  const auto Bytes = static_cast<int64_t>(
      M.getDataLayout().getTypeStoreSize(S.getValueType()));
  // A union may have a number where it also has a pointer.
  auto IsApart = [&](const Cell &C) {
    return none_of(Class.Cells, [&](const Cell &P) {
      return P.Kind == CellKind::Pointer && P.Offset < C.Offset + C.Size &&
             C.Offset < P.Offset + P.Size;
    });
  };
  for (const Cell &C : Class.Cells) {
    if (C.Kind != CellKind::Float || !IsApart(C))
      continue;
    int64_t At = C.Offset - Begin;
    if (Stride)
      At = ((At % Stride) + Stride) % Stride;
    const int64_t Count = At < 0 || At + C.Size > Bytes ? 0
                          : Stride ? (Bytes - At - C.Size) / Stride + 1
                                   : 1;
    if (Count == 1)
      B.CreateMemSet(
          B.CreateConstGEP1_64(B.getInt8Ty(), &S, static_cast<uint64_t>(At)),
          B.getInt8(0), C.Size, MaybeAlign());
    else if (Count)
      B.CreateCall(
          clearFunction(M),
          {B.CreateConstGEP1_64(B.getInt8Ty(), &S, static_cast<uint64_t>(At)),
           B.getInt64(C.Size), B.getInt64(static_cast<uint64_t>(Stride)),
           B.getInt64(static_cast<uint64_t>(Count))});
  }
}

/// Pointers in the shadow of a variable to memory that an earlier derivative
/// has allocated: it has left its own numbers there, and the program may have
/// moved what they are beside.
void UnitEmitter::forgetPointers(IRBuilder<> &B, const GlobalVariable &Of,
                                 GlobalVariable &S) {
  const ArrayRef<ForgottenPointers> All = Plan->forgotten(Of);
  if (All.empty())
    return;
  Constant *First = S.getInitializer(),
           *None = ConstantPointerNull::get(B.getPtrTy());
  GlobalVariable *Initial =
      First->isNullValue()
          ? nullptr
          : new GlobalVariable(M, First->getType(), true,
                               GlobalValue::InternalLinkage, First,
                               S.getName() + ".initial");
  auto In = [&](GlobalVariable *G, uint64_t At) -> Value * {
    return B.CreateConstGEP1_64(B.getInt8Ty(), G, At);
  };
  for (const ForgottenPointers &P : All)
    callRuntime(B, Rt::forget_pointers,
                {In(&S, P.Offset), Initial ? In(Initial, P.Offset) : None,
                 B.getInt64(P.Stride), B.getInt64(P.Count)});
}

GlobalVariable *UnitEmitter::freshness(const Instruction &Access) {
  auto Place = Plan->kept().placeOf(Access);
  if (!Place)
    return nullptr;
  auto [It, New] =
      Fresh.insert({{Place->Variable, Place->Offset, Lane}, nullptr});
  if (New) {
    Type *T = Type::getInt8Ty(M.getContext());
    It->second = new GlobalVariable(
        M, T, false, GlobalValue::InternalLinkage, Constant::getNullValue(T),
        nameOf(Named::fresh, Place->Variable->getName()));
  }
  return It->second;
}

Value *UnitEmitter::beginOf(IRBuilder<> &B, Function &T, const KnownBegin &X) {
  auto *A = dyn_cast<Argument>(X.Base);
  Value *Base = A ? T.getArg(A->getArgNo()) : X.Base;
  return X.Pointer ? B.CreateLoad(B.getPtrTy(),
                                  B.CreateConstGEP1_64(B.getInt8Ty(), Base,
                                                       uint64_t(*X.Pointer)))
                   : Base;
}

/// Ends the program if a static pointer leads to memory that the classes hold
/// apart from what it leads to.
void UnitEmitter::checkSeparate(IRBuilder<> &B, Function &T) {
  for (const SeparateMemory &S : Plan->separate()) {
    Value *Same = B.getFalse(), *P = beginOf(B, T, S.Static);
    for (const KnownBegin &X : S.Others) {
      Value *Other = beginOf(B, T, X);
      auto Within = [&](Value *A, Value *Of, uint64_t Bytes) {
        return B.CreateICmpULT(B.CreatePtrDiff(B.getInt8Ty(), A, Of),
                               B.getInt64(Bytes));
      };
      Same = B.CreateOr(
          {Same, Within(P, Other, X.Bytes), Within(Other, P, S.Static.Bytes)});
    }
    // Null pointers lead to the same, which is nothing.
    Same = B.CreateAnd(Same, B.CreateIsNotNull(P));
    callRuntime(B, Rt::end_if,
                {B.CreateZExt(Same, B.getInt32Ty()),
                 emitString(B, "the static variable '" +
                                   S.Static.Base->getName().str() +
                                   "' leads to memory that is another "
                                   "variable's or an argument's, too, so that "
                                   "derivatives would be lost or wrong, in " +
                                   R.ownerText(*S.Load))});
  }
}

//===----------------------------------------------------------------------===//
// Images

/// An array of {ptr variable, i64 bytes, ptr shadow} of this lane; null: there
/// are none. Variables that must have no image have a null shadow.
Constant *UnitEmitter::imagedVariables(unsigned Of) {
  LLVMContext &C = M.getContext();
  PointerType *Ptr = PointerType::getUnqual(C);
  Type *Bytes = Type::getInt64Ty(C);
  auto *Row = StructType::get(Ptr, Bytes, Ptr);
  SmallVector<Constant *> Rows;
  for (const auto &[X, HasShadow] : Plan->imagedVariables(Of))
    Rows.push_back(ConstantStruct::get(
        Row, cast<Constant>(X.Base), ConstantInt::get(Bytes, X.Bytes),
        HasShadow ? shadowConstant(cast<Constant>(X.Base))
                  : ConstantPointerNull::get(Ptr)));
  return Rows.empty()
             ? nullptr
             : ConstantArray::get(ArrayType::get(Row, Rows.size()), Rows);
}

Value *UnitEmitter::imageOf(IRBuilder<> &B, Value *Ptr, const Value &Of) {
  const unsigned Class = Act.shape().classId(&Of);
  auto [It, New] = ImagedVariables.insert({{Class, Lane}, nullptr});
  if (New)
    if (Constant *Rows = imagedVariables(Class))
      It->second = new GlobalVariable(M, Rows->getType(), true,
                                      GlobalValue::PrivateLinkage, Rows);
  GlobalVariable *Table = It->second;
  const uint64_t Count =
      Table ? cast<ArrayType>(Table->getValueType())->getNumElements() : 0;
  Type *T = Ptr->getType();
  if (!T->isPointerTy())
    Ptr = B.CreateIntToPtr(Ptr, B.getPtrTy());
  CallInst *Image = callRuntime(B, Rt::image,
                                {Ptr,
                                 Table ? static_cast<Value *>(Table)
                                       : ConstantPointerNull::get(B.getPtrTy()),
                                 B.getInt64(Count), B.getInt32(Lane)});
  Image->setDoesNotThrow();
  Image->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return T->isPointerTy() ? Image
                          : static_cast<Value *>(B.CreatePtrToInt(Image, T));
}

/// Before anything else: variables have images, too. That the memory of an
/// argument, which has a shadow of its own, is behind none of them is what the
/// classes say, and what only the running program can hold against it.
void UnitEmitter::openImages(Function &T) {
  if (!Act.hasImages())
    return;
  IRBuilder<> B(&T.getEntryBlock(), T.getEntryBlock().begin());
  SmallVector<std::pair<Value *, uint64_t>> Given;
  for (const KnownBegin &X : Plan->withoutImages())
    Given.push_back({beginOf(B, T, X), X.Bytes});
  auto *Row = StructType::get(B.getPtrTy(), B.getInt64Ty());
  Value *Rows = B.CreateAlloca(Row, B.getInt32(unsigned(Given.size())));
  for (auto [N, One] : enumerate(Given)) {
    Value *At = B.CreateConstGEP1_64(Row, Rows, N);
    B.CreateStore(One.first, At);
    B.CreateStore(B.getInt64(One.second), B.CreateStructGEP(Row, At, 1));
  }
  callRuntime(B, Rt::images_open, {Rows, B.getInt32(unsigned(Given.size()))});
}

void UnitEmitter::closeImages(IRBuilder<> &B) {
  if (Act.hasImages())
    callRuntime(B, Rt::images_close, {});
}

void UnitEmitter::forgetFreshness(IRBuilder<> &B) {
  for (auto &[Place, Flag] : Fresh)
    B.CreateStore(B.getInt8(0), Flag);
}

/// The shadow of a pointer that is loaded, where its block may be older than
/// the derivative; null: it is what the shadow's place holds.
Value *ShadowEmitter::keptShadow(IRBuilder<> &B, LoadInst &L) {
  GlobalVariable *Flag = E.freshness(L);
  if (!Flag)
    return nullptr;
  CallInst *S = callRuntime(B, Rt::kept_shadow,
                            {primal(&L), shadow(L.getPointerOperand()), Flag},
                            L.getName());
  S->setDoesNotThrow();
  return S;
}

} // namespace retro
