// Input: inline assembly. Output: instructions, where it is understood: empty
// statements, which are barriers for the optimizer, and single instructions
// that libraries ask for because a compiler would not choose them (Eigen's
// maximum). Other assembly that touches active values is an error.
#include "prepare/targets/assembly.h"
#include "front/known/known_functions.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace retro {
namespace {

/// The operands of an assembly statement, by the numbers its text uses.
struct AsmOperands {
  struct Operand {
    bool Output = false, Indirect = false;
    Value *V = nullptr;    ///< an input, or the place of an indirect output
    Value *Tied = nullptr; ///< an output: the input in the same place
  };
  SmallVector<Operand, 4> All;
  bool Memory = false; ///< reads or writes what is not among the operands

  explicit AsmOperands(const CallBase &C);
};

AsmOperands::AsmOperands(const CallBase &C) {
  unsigned Arg = 0;
  auto &Asm = cast<InlineAsm>(*C.getCalledOperand());
  for (const InlineAsm::ConstraintInfo &I : Asm.ParseConstraints()) {
    if (I.Type == InlineAsm::isClobber) {
      Memory |= I.Codes.size() == 1 && I.Codes[0] == "{memory}";
      continue;
    }
    Operand O{I.Type == InlineAsm::isOutput, I.isIndirect};
    if (!O.Output || O.Indirect)
      O.V = C.getArgOperand(Arg++);
    unsigned Tied;
    if (!O.Output && I.Codes.size() == 1 &&
        !StringRef(I.Codes[0]).getAsInteger(10, Tied) && Tied < All.size())
      All[Tied].Tied = O.V;
    All.push_back(O);
  }
}

/// Gives the assembly's results the values of its outputs, and removes the
/// call.
void replace(CallBase &C, const AsmOperands &X, ArrayRef<Value *> Outputs) {
  IRBuilder<> B(&C);
  SmallVector<Value *> Results;
  for (unsigned I = 0; I < Outputs.size(); ++I) {
    if (!X.All[I].Indirect)
      Results.push_back(Outputs[I]);
    else if (Outputs[I])
      B.CreateStore(Outputs[I], X.All[I].V);
  }
  Value *R = Results.empty() ? nullptr : Results[0];
  if (Results.size() > 1) {
    R = PoisonValue::get(C.getType());
    for (unsigned I = 0; I < Results.size(); ++I)
      R = B.CreateInsertValue(R, Results[I], I);
  }
  if (R)
    C.replaceAllUsesWith(R);
  C.eraseFromParent();
}

/// Lowers an empty statement: outputs keep the inputs that are in their places.
bool lowerEmpty(CallBase &C, const AsmOperands &X) {
  SmallVector<Value *> Outputs;
  for (const auto &O : X.All) {
    if (!O.Output)
      continue;
    bool InPlace = O.Indirect && any_of(X.All, [&](const auto &I) {
                     return !I.Output && I.Indirect && I.V == O.V;
                   });
    if (!O.Tied && !InPlace)
      return false;
    Outputs.push_back(O.Tied);
  }
  replace(C, X, Outputs);
  return true;
}

/// What an instruction of the program's registers computes. V are its operands,
/// the destination first.
Value *emitOperation(IRBuilder<> &B, MachineOperation Op, ArrayRef<Value *> V) {
  auto Fma = [&](unsigned A, unsigned M, unsigned S) {
    return B.CreateIntrinsic(Intrinsic::fma, {V[0]->getType()},
                             {V[A - 1], V[M - 1], V[S - 1]});
  };
  switch (Op) {
  case MachineOperation::Min:
    return B.CreateSelect(B.CreateFCmpOLT(V[1], V[2]), V[1], V[2]);
  case MachineOperation::Max:
    return B.CreateSelect(B.CreateFCmpOGT(V[1], V[2]), V[1], V[2]);
  case MachineOperation::Fma132:
    return Fma(1, 3, 2);
  case MachineOperation::Fma213:
    return Fma(2, 1, 3);
  case MachineOperation::Fma231:
    return Fma(2, 3, 1);
  case MachineOperation::None:
    break;
  }
  llvm_unreachable("an operation that is not known");
}

/// Lowers one instruction on registers that has one result.
bool lowerInstruction(CallBase &C, const AsmOperands &X, StringRef Text,
                      bool Intel) {
  auto [Mnemonic, Rest] = Text.split(' ');
  MachineOperation Op = machineOperation(Mnemonic.trim());
  Type *T = C.getType();
  if (Op == MachineOperation::None || X.Memory || !T->isFPOrFPVectorTy())
    return false;
  SmallVector<StringRef> Parts;
  Rest.split(Parts, ',');
  if (!Intel)
    std::reverse(Parts.begin(), Parts.end());
  SmallVector<Value *> V; // destination first; read, it is the tied input
  for (StringRef P : Parts) {
    P = P.trim();
    unsigned N;
    if (!P.consume_front("$") || P.getAsInteger(10, N) || N >= X.All.size() ||
        (V.empty() && N != 0))
      return false;
    V.push_back(X.All[N].Output ? X.All[N].Tied : X.All[N].V);
  }
  bool Fused = Op != MachineOperation::Min && Op != MachineOperation::Max;
  if (!Fused && V.size() == 2) // a = op(a, b)
    V.insert(V.begin(), nullptr);
  if (V.size() != 3)
    return false;
  for (unsigned I = Fused ? 0 : 1; I < 3; ++I)
    if (!V[I] || V[I]->getType() != T)
      return false;
  IRBuilder<> B(&C);
  replace(C, X, emitOperation(B, Op, V));
  return true;
}

} // namespace

bool lowerAssembly(CallBase &C) {
  auto &Asm = cast<InlineAsm>(*C.getCalledOperand());
  StringRef Text = StringRef(Asm.getAsmString()).trim();
  if (!isa<CallInst>(C))
    return false;
  AsmOperands X(C);
  return Text.empty()
             ? lowerEmpty(C, X)
             : lowerInstruction(C, X, Text,
                                Asm.getDialect() == InlineAsm::AD_Intel);
}

} // namespace retro
