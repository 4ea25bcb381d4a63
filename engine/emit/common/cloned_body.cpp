// The body of a function of the unit, copied into one that is emitted, and
// calls of clones that become calls of the user's functions again: the clones
// are discarded when the unit has been derived. What still called a clone then
// would call a function that is gone.
#include "emit/common/cloned_body.h"

#include "loops/scopes.h"

#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {

/// Has C call the user's function in the place of its clone, which takes
/// addresses of what the user's function takes by value.
void callSource(CallBase &C, Function &Source) {
  C.setCalledFunction(&Source);
  for (unsigned N = 0; N < Source.arg_size(); ++N)
    for (auto K : {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
                   Attribute::Nest, Attribute::Alignment})
      if (Source.hasParamAttribute(N, K)) {
        C.removeParamAttr(N, K);
        C.addParamAttr(N, Source.getParamAttribute(N, K));
      }
}

SmallVector<ReturnInst *> cloneInto(Function &T, const UnitFunction &UF,
                                    ValueToValueMapTy &VM) {
  SmallVector<ReturnInst *> Returns;
  // The clones are of the unit, in this module: only local changes.
  CloneFunctionInto(&T, UF.F, VM, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  declareScopes(UF, VM);
  T.setLinkage(GlobalValue::InternalLinkage);
  T.setComdat(nullptr);
  T.setCallingConv(CallingConv::C);
  return Returns;
}

} // namespace retro
