// Registers calls of libraries that run in a derivative as they do in the
// primal, with functions of the engine's runtime beside them, of which each
// pass calls one. Without it a transform of FFTW would have no derivative.
#include "front/registered/library_calls.h"

#include "front/names/runtime.h"
#include "front/registered/launches.h"

using namespace llvm;

namespace retro {
namespace {

/// The operands that the row names.
SmallVector<unsigned, 3> operandsOf(const KnownFunction &Row,
                                    const Function &F) {
  SmallVector<unsigned, 3> Out;
  for (int N : {Row.A, Row.B, Row.C})
    if (N >= 0 && N < static_cast<int>(F.arg_size()) &&
        F.getArg(static_cast<unsigned>(N))->getType()->isPointerTy())
      Out.push_back(static_cast<unsigned>(N));
  return Out;
}

/// The attribute of such an operand.
constexpr const char *Opaque = "retro-opaque";

/// Binds a function of the runtime. It takes the operands, then the shadows of
/// those that have one.
CustomFunction bind(Function &Primal, const Twine &Name, Type *Result,
                    ArrayRef<unsigned> Operands) {
  Module &M = *Primal.getParent();
  CustomFunction Out;
  for (unsigned N : Operands)
    Out.Params.push_back({CustomParam::Primal, N});
  for (unsigned N : Operands)
    if (!Primal.getAttributes().hasParamAttr(N, Opaque))
      Out.Params.push_back({CustomParam::Shadow, N});
  const SmallVector<Type *> Types(Out.Params.size(),
                                  PointerType::getUnqual(M.getContext()));
  Out.F = cast<Function>(runtimeCallee(M, *runtimeNamed(Name),
                                       FunctionType::get(Result, Types, false))
                             .getCallee());
  if (!Result->isVoidTy())
    Out.Results = StructType::get(M.getContext(), ArrayRef<Type *>(Result));
  return Out;
}

using Table = MapVector<const Function *, Registration>;

/// F runs as it does, and beside it what makes its tangent. What it returns
/// leads to the memory of the operands.
Registration &add(Table &Out, Function &F, const Twine &Tangent,
                  ArrayRef<unsigned> Operands) {
  Registration &R = Out[&F];
  R.Primal = &F;
  F.setDoesNotThrow();
  const bool Makes = F.getReturnType()->isPointerTy();
  if (Makes)
    R.Keeps.assign(Operands.begin(), Operands.end());
  R.Derivative.emplace();
  R.Derivative->Besides = true;
  CustomFunction &D = R.Derivative->Derivative;
  D = bind(F, Tangent, F.getReturnType(), Operands);
  if (Makes)
    D.Derivative = 0;
  return R;
}

/// A call that returns a pointer has a shadow of it, and one that writes memory
/// a tape, which the reverse pass takes. These functions, too, have tangents:
/// of a second derivative.
void addCall(Table &Out, Function &F, const KnownFunction &Row) {
  Module &M = *F.getParent();
  Type *Ptr = PointerType::getUnqual(M.getContext()),
       *Void = Type::getVoidTy(M.getContext());
  const bool Makes = F.getReturnType()->isPointerTy(),
             Writes = !Makes && (Row.Effects & WritesArgs);
  const SmallVector<unsigned, 3> Operands = operandsOf(Row, F);
  if (Row.C >= 0)
    F.addParamAttr(Operands[2], Attribute::get(M.getContext(), Opaque));
  CustomRule Rule;
  Rule.Besides = true;
  Rule.Augmented =
      bind(F, Row.Text + "_forward", Makes || Writes ? Ptr : Void, Operands);
  (Makes ? Rule.Augmented.Derivative : Rule.Augmented.Tape) =
      Makes || Writes ? 0 : -1;
  Function *Forward = Rule.Augmented.F;
  if (Row.C >= 0)
    Forward->addParamAttr(2, Attribute::get(M.getContext(), Opaque));
  if (Writes) {
    Rule.Tape = Ptr;
    Rule.Derivative.F = cast<Function>(
        runtimeCallee(M, *runtimeNamed(Row.Text + "_reverse")).getCallee());
    Rule.Derivative.Params.push_back({CustomParam::Tape});
    add(Out, *Rule.Derivative.F, Row.Text + "_reverse_tangent", {0}).Follows =
        0;
  }
  SmallVector<unsigned, 6> All;
  for (const Argument &A : Forward->args())
    All.push_back(A.getArgNo());
  add(Out, *Forward, Row.Text + "_forward_tangent", All);
  Registration &R = add(Out, F, Row.Text + "_tangent", Operands);
  R.Gradient = std::move(Rule);
  if (Writes && Row.B < 0)
    R.Follows = Row.A;
}

} // namespace

bool isOpaqueOperand(const CallBase &C, unsigned N) {
  const auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  return F && N < F->arg_size() && F->getAttributes().hasParamAttr(N, Opaque);
}

void readLibraryCalls(Module &M, Table &Out) {
  if (!hasRequests(M))
    return;
  SmallVector<std::pair<Function *, const KnownFunction *>> Calls;
  for (Function &F : M)
    if (const KnownFunction *Row =
            F.isDeclaration() && !F.isIntrinsic() ? lookupKnown(F) : nullptr;
        Row && Row->Kind == KnownKind::Beside)
      Calls.push_back({&F, Row});
  for (auto [F, Row] : Calls)
    addCall(Out, *F, *Row);
}

} // namespace retro
