// Links the models of library functions that a module calls, and answers what a
// model asks of its call. A model that is missing leaves an unknown call.
#include "front/registered/models.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace retro {
namespace {

const unsigned char Models[] = {
#include "models.inc"
};
const unsigned char FortranOpenMpi[] = {
#include "fortran_openmpi.inc"
};
const unsigned char FortranMpich[] = {
#include "fortran_mpich.inc"
};

/// The attribute of the functions of models in a module.
constexpr const char *Mark = "retro-model";
/// The function by which a model asks for a constant of the program.
constexpr const char *KnownTable = "retro_known_table";

/// What it asks for the program's tables of derived types: how many, and one of
/// them; a function that looks for a value's own asks otherwise.
constexpr const char *NumTables = "retro_num_tables", *TableAt = "retro_table",
                     *OwnTable = "retro_own_table";

bool asksTable(const Function &F) {
  return F.getName() == TableAt || F.getName() == OwnTable;
}

/// Has F's row a model? Null if not, or if F is the program's own function.
const KnownFunction *modelledRow(const Function &F) {
  if (!F.isDeclaration())
    return nullptr;
  const KnownFunction *Row = lookupKnown(F);
  return Row && Row->Kind == KnownKind::Model ? Row : nullptr;
}

/// The name of the model. MPI's Fortran bindings are the same functions in all
/// libraries.
std::string modelName(const KnownFunction &Row, const Module &M) {
  StringRef Name = Row.Text;
  const bool IsMpich = any_of(M.globals(), [](const GlobalVariable &G) {
    return isA(G.getName(), NameKind::BlockOfMpich);
  });
  if (IsMpich && Name.consume_front("retro_fortran_mpi_"))
    return ("retro_fortran_mpich_" + Name).str();
  return Name.str();
}

bool isQuestion(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && (F->getIntrinsicID() == Intrinsic::is_constant ||
               F->getName() == KnownTable || F->getName() == NumTables ||
               asksTable(*F));
}

/// Makes F like an internal function of the program, for its processor.
void adapt(Function &F) {
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setComdat(nullptr);
  AttributeMask Processor;
  for (StringRef A : {"target-cpu", "target-features", "tune-cpu",
                      "min-legal-vector-width", "stack-protector-buffer-size"})
    Processor.addAttribute(A);
  F.removeFnAttrs(Processor);
  F.addFnAttr(Mark);
}

void link(Module &M, ArrayRef<unsigned char> Bitcode) {
  if (Bitcode.size() <= 1)
    return; // not built
  MemoryBufferRef Buffer(
      StringRef(reinterpret_cast<const char *>(Bitcode.data()), Bitcode.size()),
      "models");
  Expected<std::unique_ptr<Module>> From =
      getLazyBitcodeModule(Buffer, M.getContext());
  if (!From)
    report_fatal_error(From.takeError());
  bool Any = any_of(**From, [&](const Function &F) {
    const Function *Declared = M.getFunction(F.getName());
    return !F.isDeclaration() && Declared && Declared->isDeclaration();
  });
  if (!Any)
    return;
  (*From)->setTargetTriple(M.getTargetTriple());
  (*From)->setDataLayout(M.getDataLayout());
  Linker::linkModules(M, std::move(*From), Linker::LinkOnlyNeeded);
}

} // namespace

Function *modelOf(const Function &F) {
  const KnownFunction *Row = modelledRow(F);
  Function *Model =
      Row ? F.getParent()->getFunction(modelName(*Row, *F.getParent()))
          : nullptr;
  return Model && !Model->isDeclaration() &&
                 Model->getFunctionType() == F.getFunctionType()
             ? Model
             : nullptr;
}

void linkModels(Module &M) {
  bool Any = false;
  SmallVector<std::pair<std::string, FunctionType *>> Wanted;
  SmallPtrSet<Function *, 16> Before;
  for (Function &F : M) {
    if (const KnownFunction *Row = modelledRow(F); Row && !F.use_empty())
      Wanted.push_back({modelName(*Row, M), F.getFunctionType()});
    if (!F.isDeclaration())
      Before.insert(&F);
  }
  for (const auto &[Name, Type] : Wanted)
    Any |= cast<Function>(M.getOrInsertFunction(Name, Type).getCallee())
               ->isDeclaration();
  if (!Any)
    return;
  for (ArrayRef<unsigned char> Bitcode :
       {ArrayRef(Models), ArrayRef(FortranOpenMpi), ArrayRef(FortranMpich)})
    link(M, Bitcode);
  for (Function &F : M)
    if (!F.isDeclaration() && !Before.contains(&F))
      adapt(F);
}

namespace {

/// The tables of derived types whose components the module shows.
SmallVector<GlobalVariable *> tablesOf(Module &M) {
  SmallVector<GlobalVariable *> Tables;
  for (GlobalVariable &G : M.globals()) {
    auto *T = dyn_cast<StructType>(G.getValueType());
    if (T && T->hasName() && isA(T->getName(), NameKind::TableOfType) &&
        G.isConstant() && G.hasDefinitiveInitializer())
      Tables.push_back(&G);
  }
  return Tables;
}

/// The answer to a question, or null if it is not yet known.
Constant *answerTo(CallBase &C, bool All) {
  LLVMContext &Context = C.getContext();
  StringRef Name = C.getCalledFunction()->getName();
  if (Name == NumTables)
    return ConstantInt::get(C.getType(), tablesOf(*C.getModule()).size());
  Value *About = C.getArgOperand(0);
  if (!asksTable(*C.getCalledFunction()))
    return All || isa<Constant>(About)
               ? ConstantInt::getBool(Context, isa<Constant>(About))
               : nullptr;
  auto *N = dyn_cast<ConstantInt>(About);
  return N ? tablesOf(*C.getModule())[N->getZExtValue()] : nullptr;
}

/// Makes a model that is called as it is, where nothing is differentiated, one
/// that needs no more answers: tables come from an array, and what has no model
/// ends the program.
void settle(Function &F) {
  answerModels(F, true);
  Module &M = *F.getParent();
  for (BasicBlock &B : F) // wishes that loops be unrolled
    B.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *C = dyn_cast<CallBase>(&I);
    Function *G = C ? C->getCalledFunction() : nullptr;
    if (!G || !G->isDeclaration())
      continue;
    IRBuilder<> B(C);
    if (asksTable(*G)) {
      SmallVector<Constant *> Tables;
      for (GlobalVariable *T : tablesOf(M))
        Tables.push_back(T);
      auto *Type = ArrayType::get(B.getPtrTy(), Tables.size());
      auto *All =
          new GlobalVariable(M, Type, true, GlobalValue::InternalLinkage,
                             ConstantArray::get(Type, Tables), "retro.tables");
      C->replaceAllUsesWith(
          B.CreateLoad(B.getPtrTy(), B.CreateInBoundsGEP(B.getPtrTy(), All,
                                                         C->getArgOperand(0))));
      C->eraseFromParent();
    } else if (G->getName().starts_with("retro_fortran_") &&
               G->getReturnType()->isVoidTy()) {
      B.CreateIntrinsic(Intrinsic::trap, {});
      C->eraseFromParent();
    }
  }
}

} // namespace

void dropModels(Module &M) {
  // Models call each other, in circles, too. What the program reaches stays.
  SetVector<Function *> Used;
  auto Uses = [&](Function &User) {
    for (Instruction &I : instructions(User))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (Function *F = C->getCalledFunction(); F && isModel(*F))
          Used.insert(F);
  };
  for (Function &F : M)
    if (!isModel(F))
      Uses(F);
  for (size_t I = 0; I < Used.size(); ++I)
    Uses(*Used[I]);
  SmallVector<Function *> Unused;
  for (Function &F : M)
    if (isModel(F) && !Used.contains(&F))
      Unused.push_back(&F);
  for (Function *F : Unused)
    F->dropAllReferences();
  for (Function *F : Unused)
    F->eraseFromParent();
  for (Function *F : Used)
    if (!F->isDeclaration())
      settle(*F);
  for (Function &F : make_early_inc_range(M))
    if (F.isDeclaration() && F.use_empty() &&
        (F.getName().starts_with("retro_fortran_") ||
         F.getName() == KnownTable || F.getName() == NumTables || asksTable(F)))
      F.eraseFromParent();
}

bool isModel(const Function &F) { return F.hasFnAttribute(Mark); }

bool asksAnything(const Function &F) {
  return any_of(instructions(F), isQuestion);
}

bool answerModels(Function &F, bool All) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isQuestion(I))
      continue;
    auto &C = cast<CallBase>(I);
    if (Constant *Answer = answerTo(C, All)) {
      C.replaceAllUsesWith(Answer);
      C.eraseFromParent();
      Any = true;
    }
  }
  return Any;
}

bool asksForTables(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    const Function *G = C ? C->getCalledFunction() : nullptr;
    return G && G->getName() == OwnTable;
  });
}

} // namespace retro
