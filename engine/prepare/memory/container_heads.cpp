// Marks are calls until LLVM has simplified the code, and metadata from then
// on. Without them a container would be one memory with all numbers that lie
// beside it.
#include "prepare/memory/container_heads.h"

#include "facts/types/named_types.h"

#include "base/unit.h"
#include "front/requests/request.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// A field of a container that is like its nodes or buckets, and the pointers
/// in it. Functions and allocators with a state come before it, so that its
/// number is not known.
struct Head {
  StringRef Container; ///< how the struct's name ends, without its number
  StringRef Field;     ///< the same of the field's; none: the last, a pointer
  unsigned First;      ///< words before the pointers
  unsigned Pointers;
};
constexpr Head Heads[] = {
    {"class.std::_Hashtable", "::_Hash_node_base", 0, 1}, // _M_before_begin
    {"class.std::_Hashtable", "", 0, 1},                  // _M_single_bucket
    {"::_List_impl", "::_List_node_header", 0, 2},        // _M_node
    // _M_header: behind the color the root, the first and the last. The count
    // of nodes follows where a node has its value.
    {"::_Rb_tree_header", "::_Rb_tree_node_base", 1, 3},
};

const Head *headAt(const GetElementPtrInst &G) {
  if (G.getNumIndices() != 2)
    return nullptr;
  auto *T = dyn_cast<StructType>(G.getSourceElementType());
  auto *Field = dyn_cast<ConstantInt>(G.getOperand(2));
  if (!T || !Field)
    return nullptr;
  const auto N = static_cast<unsigned>(Field->getZExtValue());
  Type *Of = T->getElementType(N);
  for (const Head &H : Heads)
    if (endsName(T, H.Container) &&
        (H.Field.empty() ? N + 1 == T->getNumElements() && Of->isPointerTy()
                         : endsName(Of, H.Field)))
      return &H;
  return nullptr;
}

/// Uses that pass on the address, or that of the field that begins there.
void findUses(Value &Address, SmallVectorImpl<Use *> &Out) {
  for (Use &U : Address.uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *G = dyn_cast<GetElementPtrInst>(I); G && G->hasAllZeroIndices())
      findUses(*G, Out);
    else if (isa<PHINode, SelectInst, ReturnInst>(I) ||
             (isa<CallBase>(I) && cast<CallBase>(I)->isArgOperand(&U)) ||
             (isa<StoreInst>(I) && U.getOperandNo() == 0))
      Out.push_back(&U);
  }
}

/// The function that marks call. It computes an address, as far as LLVM knows.
FunctionCallee markFunction(Module &M) {
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  FunctionCallee F = M.getOrInsertFunction(
      HeadPointer, Ptr, Ptr, Type::getInt64Ty(C), Type::getInt64Ty(C));
  if (auto *Mark = dyn_cast<Function>(F.getCallee())) {
    Mark->setDoesNotAccessMemory();
    for (auto K : {Attribute::NoUnwind, Attribute::WillReturn,
                   Attribute::Speculatable, Attribute::NoCallback})
      Mark->addFnAttr(K);
  }
  return F;
}

bool markUses(GetElementPtrInst &G, const Head &H) {
  SmallVector<Use *> Uses;
  findUses(G, Uses);
  if (Uses.empty())
    return false;
  IRBuilder<> B(G.getParent(), std::next(G.getIterator()));
  B.SetCurrentDebugLocation(G.getDebugLoc());
  Value *Mark = B.CreateCall(markFunction(*G.getModule()),
                             {&G, B.getInt64(H.First), B.getInt64(H.Pointers)});
  for (Use *U : Uses)
    U->set(Mark);
  return true;
}

/// The marks of F.
SmallVector<CallBase *> marksOf(Function &F) {
  SmallVector<CallBase *> Out;
  for (Instruction &I : instructions(F))
    if (isHeadMark(I))
      Out.push_back(cast<CallBase>(&I));
  return Out;
}

} // namespace

bool isHeadMark(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && F->getName() == HeadPointer;
}

bool markHeads(Module &M) {
  if (none_of(M, [](Function &F) { return hasRequests(F); }))
    return false;
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *G = dyn_cast<GetElementPtrInst>(&I))
        if (const Head *H = headAt(*G))
          Changed |= markUses(*G, *H);
  return Changed;
}

void lowerHeads(Function &F) {
  for (CallBase *C : marksOf(F)) {
    auto *G = GetElementPtrInst::Create(
        Type::getInt8Ty(F.getContext()), C->getArgOperand(0),
        {ConstantInt::get(Type::getInt64Ty(F.getContext()), 0)}, C->getName(),
        C->getIterator());
    auto Number = [&](unsigned N) {
      return ConstantAsMetadata::get(cast<Constant>(C->getArgOperand(N)));
    };
    G->setMetadata(HeadPointer,
                   MDNode::get(F.getContext(), {Number(1), Number(2)}));
    G->setDebugLoc(C->getDebugLoc());
    C->replaceAllUsesWith(G);
    C->eraseFromParent();
  }
}

bool dropHeads(Module &M) {
  Function *Mark = M.getFunction(HeadPointer);
  if (!Mark)
    return false;
  for (User *U : make_early_inc_range(Mark->users())) {
    auto *C = cast<CallBase>(U);
    C->replaceAllUsesWith(C->getArgOperand(0));
    C->eraseFromParent();
  }
  Mark->eraseFromParent();
  return true;
}

} // namespace retro
