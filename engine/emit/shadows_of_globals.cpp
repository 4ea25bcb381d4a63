// The shadows of global variables, which are variables of the module, and of
// constants that have addresses of such. All derivatives of a module share
// them, so each sets them to zero when it starts: without that it would add to
// what an earlier one left there. Members of UnitEmitter
// (emit/common/unit_emitter.h).
#include "emit/common/unit_emitter.h"
#include "front/names/runtime.h"

#include "emit/tape/dynamic_shared.h"
#include "facts/parallel/device.h"
#include "facts/writes/global_shadows.h"
#include "front/registered/registrations.h"
#include "ir/device_code.h"

using namespace llvm;

namespace retro {

/// C with Image in the place of each part; null of vectors, which have none
/// that count.
static Constant *withParts(const Constant &C,
                           function_ref<Constant *(Constant *)> Image) {
  SmallVector<Constant *> Ops;
  for (Value *O : C.operands())
    Ops.push_back(Image(cast<Constant>(O)));
  if (auto *ST = dyn_cast<StructType>(C.getType()))
    return ConstantStruct::get(ST, Ops);
  if (auto *AT = dyn_cast<ArrayType>(C.getType()))
    return ConstantArray::get(AT, Ops);
  return nullptr;
}

Constant *UnitEmitter::shadowConstant(Constant *C) {
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return shadowVariable(G);
  if (auto *CE = dyn_cast<ConstantExpr>(C)) {
    // An address may be made a number and a pointer again; how far it is moved
    // is no address.
    const bool Moves = CE->getOpcode() == Instruction::GetElementPtr;
    SmallVector<Constant *> Ops;
    for (Value *O : CE->operands())
      Ops.push_back(Moves && !O->getType()->isPointerTy()
                        ? cast<Constant>(O)
                        : shadowConstant(cast<Constant>(O)));
    return CE->getWithOperands(Ops);
  }
  if (isa<ConstantAggregate>(C))
    if (Constant *S =
            withParts(*C, [&](Constant *O) { return shadowConstant(O); }))
      return S;
  return C; // null, undef, functions
}

GlobalVariable *UnitEmitter::shadowVariable(GlobalVariable *G) {
  if (!Act.shadowed(G))
    return G;
  if (auto *S = GlobalShadows.lookup({G, Lane}))
    return S;
  if (GlobalVariable *S = Act.unit().Registered.shadowOf(*G))
    return GlobalShadows[{G, Lane}] = S;
  GlobalVariable *S = findShadow(G);
  GlobalShadows[{G, Lane}] = S;
  if (G->hasInitializer() && !isOfBlock(*G))
    S->setInitializer(initialShadow(G->getInitializer()));
  return S;
}

/// A variable for the shadow of G in this lane: the one that an earlier
/// derivative has made, or a new one.
GlobalVariable *UnitEmitter::findShadow(GlobalVariable *G) {
  std::string Name = nameOf(Named::shadow, G->getName());
  if (Lane)
    Name += "." + std::to_string(Lane);
  auto *S = M.getNamedGlobal(Name);
  // The shadow that a derivative inside of this one has is memory like any
  // other here, with a shadow of its own.
  for (; S && mentions(Act.unit(), S); S = M.getNamedGlobal(Name))
    Name += ".outer";
  if (S)
    return S;
  S = new GlobalVariable(
      M, G->getValueType(), false, GlobalValue::InternalLinkage,
      Constant::getNullValue(G->getValueType()), Name, nullptr,
      G->getThreadLocalMode(), G->getAddressSpace());
  S->setAlignment(G->getAlign());
  if (isOfBlock(*G))
    S->setInitializer(PoisonValue::get(G->getValueType()));
  if (isDynamicShared(*G)) {
    HasDynamicShared = true;
    SharedAlign = partAlign(*G);
  }
  return S;
}

/// What the shadow of memory that begins as K begins as: pointers in it point
/// to shadows, and numbers start at zero.
Constant *UnitEmitter::initialShadow(Constant *K) {
  // An address may lie there as a number.
  if (K->getType()->isPointerTy() || isa<ConstantExpr>(K))
    return shadowConstant(K);
  if (isa<ConstantAggregate>(K))
    if (Constant *S =
            withParts(*K, [&](Constant *O) { return initialShadow(O); }))
      return S;
  return Constant::getNullValue(K->getType());
}

void UnitEmitter::clearGlobalShadows(IRBuilder<> &B) {
  auto All = GlobalShadows;
  SmallVector<GlobalVariable *> OfThreads;
  for (auto [Of, S] : All) {
    if (Act.unit().Registered.shadowOf(*Of.first))
      continue; // what is in it at the start is the user's
    if (isGpu(M) && !isOfBlock(*S))
      continue; // a constant
    for (int64_t At : Act.staticVectors(*Of.first))
      callRuntime(B, Rt::renew_vector,
                  {B.CreatePtrAdd(Of.first, B.getInt64(uint64_t(At))),
                   B.CreatePtrAdd(S, B.getInt64(uint64_t(At)))});
    bool Pointers = false;
    for (const Cell &C : Act.shape().classOf(Of.first).Cells)
      Pointers |= C.Kind == CellKind::Pointer;
    if (Pointers && !isOfBlock(*S)) {
      forgetPointers(B, *cast<GlobalVariable>(Of.first), *S);
      clearNumbers(B, *cast<GlobalVariable>(Of.first), *S);
      continue;
    }
    if (isOfBlock(*S) && Act.unit().Split &&
        Act.unit().DerivMode == Mode::Reverse)
      continue; // it is the reverse pass's, which may be a kernel of its own
    clear(B, *S);
    if (S->isThreadLocal())
      OfThreads.push_back(S);
  }
  forgetFreshness(B);
  if (!OfThreads.empty())
    clearInTeams(B, OfThreads);
}

void UnitEmitter::clearBlockShadows(IRBuilder<> &B) {
  for (auto [Of, S] : GlobalShadows)
    if (isOfBlock(*S))
      clear(B, *S);
}

void UnitEmitter::clear(IRBuilder<> &B, GlobalVariable &S) {
  uint64_t Bytes = M.getDataLayout().getTypeStoreSize(S.getValueType());
  if (isOfBlock(S))
    return clearInBlock(B, S,
                        Bytes
                            ? B.getInt32(static_cast<uint32_t>(Bytes))
                            : dynamicSharedPart(B, sharedParts(), SharedAlign));
  B.CreateMemSet(&S, B.getInt8(0), Bytes, S.getAlign());
}

/// Shadows of dynamic shared memory were variables so far.
void UnitEmitter::placeDynamicShadows() {
  for (auto [Of, S] : GlobalShadows)
    if (isDynamicShared(*Of.first))
      placeInPart(*S, *Of.first, Of.second + 1, sharedParts());
  GlobalShadows.remove_if(
      [](const auto &Entry) { return isDynamicShared(*Entry.first.first); });
}

} // namespace retro
