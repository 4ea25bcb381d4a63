// Input: address spaces, attributes and calls of both vendors. Output: what is
// shared by whom, and what is the same in all threads. What is wrong here is a
// race in the derivative.
#include "facts/parallel/device.h"

#include "base/unit.h"
#include "front/known/known_functions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace retro {
namespace {

bool asks(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() ==
           Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size;
  auto *L = dyn_cast<LoadInst>(&I);
  if (!L)
    return false;
  const DataLayout &DL = I.getDataLayout();
  const Value *Ptr = L->getPointerOperand();
  APInt At(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  auto *From = dyn_cast<IntrinsicInst>(
      Ptr->stripAndAccumulateConstantOffsets(DL, At, true));
  return From && From->getIntrinsicID() == Intrinsic::amdgcn_implicitarg_ptr &&
         At == HiddenBytes;
}

} // namespace

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel ||
         F.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

bool isConstantSpace(unsigned AddressSpace) {
  return AddressSpace == ConstantSpace;
}

bool isLaunchSize(Intrinsic::ID Id) {
  return is_contained<Intrinsic::ID>({Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                      Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_ntid_z,
                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
                                      Intrinsic::amdgcn_implicitarg_ptr,
                                      Intrinsic::amdgcn_dispatch_ptr},
                                     Id);
}

bool isOfBlock(const GlobalVariable &G) {
  return G.getAddressSpace() == SharedSpace && isGpu(*G.getParent());
}

bool isDynamicShared(const GlobalVariable &G) {
  return isOfBlock(G) && G.isDeclaration() &&
         G.getDataLayout().getTypeStoreSize(G.getValueType()).isZero();
}

bool asksForDynamicShared(const Unit &U) {
  return any_of(U.Functions, [](const auto &UF) {
    return any_of(instructions(*UF->F), asks);
  });
}

} // namespace retro
