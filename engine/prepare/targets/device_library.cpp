// Input: a device module into which clang has linked the vendor's mathematics.
// Output: calls of declarations while derivatives are made, and the bodies
// again behind that. The bodies compute with bits and tables, of which there is
// no derivative.
#include "prepare/targets/device_library.h"

#include "base/diagnostics.h"
#include "facts/threads/device_races.h"
#include "front/known/device_library.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"
#include "ir/late_inline.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace retro {
namespace {

/// The prefix of the names of bodies that are put aside.
constexpr const char *AsidePrefix = "retro.device.";
/// Marks a body that waits for the link; the value is what it said of inlining
/// before.
constexpr const char *ParkedAttribute = "retro-device-library";

bool isAside(const Function &F) {
  return F.getName().starts_with(AsidePrefix) && !F.isDeclaration();
}

bool isParked(const Function &F) { return F.hasFnAttribute(ParkedAttribute); }

void park(Function &F) {
  bool Always = F.hasFnAttribute(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(ParkedAttribute, Always ? "always" : "");
  // Each source file has brought a copy of the body; the linker keeps one.
  F.setLinkage(GlobalValue::LinkOnceODRLinkage);
  F.setVisibility(GlobalValue::HiddenVisibility);
}

void unpark(Function &F) {
  bool Always =
      F.getFnAttribute(ParkedAttribute).getValueAsString() == "always";
  F.removeFnAttr(ParkedAttribute);
  F.removeFnAttr(Attribute::NoInline);
  if (Always)
    F.addFnAttr(Attribute::AlwaysInline);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setLinkage(GlobalValue::InternalLinkage);
}

/// Is F malloc or free of HIP's header, a weak function that calls the
/// library's heap?
bool isHeapOfHeader(const Function &F) {
  return F.hasWeakLinkage() && isA(F.getName(), NameKind::HeapOfHeader) &&
         any_of(instructions(F), [](const Instruction &I) {
           auto *C = dyn_cast<CallBase>(&I);
           return C && callsA(*C, NameKind::HeapOfDevice);
         });
}

/// Is F a function of the library that the engine knows, so that its row says
/// more than its body? What the program defines under such a name belongs to
/// the program.
bool isKnownBody(const Function &F) {
  if (F.isDeclaration() || !lookupKnown(F.getName()))
    return false;
  return isHeapOfHeader(F) ||
         (F.hasLocalLinkage() &&
          isDeviceLibraryName(F.getName(), *F.getParent()));
}

/// Gives D the attributes that the table says of it. A device has no errno.
void describe(Function &D, bool Heap) {
  unsigned Effects = lookupKnown(D.getName())->Effects;
  for (auto K : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
                 Attribute::NoCallback})
    D.addFnAttr(K);
  if (Heap)
    return;
  D.addFnAttr(Attribute::NoFree);
  MemoryEffects E = MemoryEffects::none();
  if (Effects & ReadsArgs)
    E |= MemoryEffects::argMemOnly(ModRefInfo::Ref);
  if (Effects & WritesArgs)
    E |= MemoryEffects::argMemOnly(ModRefInfo::Mod);
  D.setMemoryEffects(E);
  for (Argument &A : D.args())
    if (A.getType()->isPointerTy())
      A.addAttr(
          Attribute::getWithCaptureInfo(D.getContext(), CaptureInfo::none()));
}

/// Replaces ocml's function that returns the sine of half turns and stores the
/// cosine by calls of the two functions. Its body takes the bits of numbers
/// apart; the two functions are known.
void splitHalfTurns(Module &M) {
  const struct {
    const char *Combined, *Sine, *Cosine;
  } Rows[] = {
#define HALF_TURNS(Combined, Sine, Cosine) {Combined, Sine, Cosine},
#include "front/names/foreign.def"
  };
  for (const auto &R : Rows)
    if (Function *F = M.getFunction(R.Combined))
      for (User *U : make_early_inc_range(F->users())) {
        auto *C = dyn_cast<CallInst>(U);
        if (!C || C->getCalledFunction() != F || C->arg_size() != 2)
          continue;
        IRBuilder<> B(C);
        Value *X = C->getArgOperand(0);
        auto Call = [&](const char *Name) {
          return B.CreateCall(
              M.getOrInsertFunction(Name, X->getType(), X->getType()), X);
        };
        B.CreateStore(Call(R.Cosine), C->getArgOperand(1));
        C->replaceAllUsesWith(Call(R.Sine));
        C->eraseFromParent();
      }
}

void putAside(Function &F) {
  const bool Heap = isHeapOfHeader(F);
  auto *D = Function::Create(F.getFunctionType(), GlobalValue::ExternalLinkage,
                             F.getAddressSpace(), "", F.getParent());
  D->takeName(&F);
  D->setCallingConv(F.getCallingConv());
  F.setName(AsidePrefix + D->getName());
  // An external function is left as it is by the optimizer.
  F.setLinkage(GlobalValue::ExternalLinkage);
  F.setVisibility(GlobalValue::HiddenVisibility);
  F.replaceAllUsesWith(D);
  describe(*D, Heap);
}

void takeBack(Function &F) {
  Module &M = *F.getParent();
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setLinkage(GlobalValue::InternalLinkage);
  StringRef Name = F.getName().substr(StringRef(AsidePrefix).size());
  Function *D = M.getFunction(Name);
  if (!D || !D->isDeclaration() || D->getFunctionType() != F.getFunctionType())
    return F.setName(Name);
  for (User *U : D->users())
    if (auto *C = dyn_cast<CallBase>(U))
      C->setCallingConv(F.getCallingConv());
  D->replaceAllUsesWith(&F);
  F.takeName(D);
  D->eraseFromParent();
}

SetVector<Function *> takeAllBack(Module &M) {
  SetVector<Function *> Bodies;
  for (Function &F : M)
    if (isAside(F))
      Bodies.insert(&F);
  for (Function *F : Bodies)
    takeBack(*F);
  for (Function &F : M)
    if (isParked(F)) {
      unpark(F);
      Bodies.insert(&F);
    }
  return Bodies;
}

SmallVector<Function *> missingIn(Module &M) {
  SmallVector<Function *> Missing;
  for (Function &F : M)
    if (F.isDeclaration() && !F.use_empty() &&
        isDeviceLibraryName(F.getName(), M))
      Missing.push_back(&F);
  return Missing;
}

/// Compiles a function of the library for the processor of its caller, with the
/// same treatment of subnormal numbers.
void compileLike(Function &F, const Function &Caller) {
  for (StringRef Name :
       {"target-cpu", "target-features", "denormal-fp-math",
        "denormal-fp-math-f32", "uniform-work-group-size", "no-trapping-math"})
    if (Caller.hasFnAttribute(Name))
      F.addFnAttr(Caller.getFnAttribute(Name));
}

const Function *callerOf(const Function &F) {
  for (const User *U : F.users())
    if (auto *I = dyn_cast<Instruction>(U))
      return I->getFunction();
  return nullptr;
}

/// Links what is missing in M from one file.
bool linkFrom(Module &M, StringRef File, const Function &Caller,
              SetVector<Function *> &Bodies) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return false;
  auto Library = getOwningLazyBitcodeModule(std::move(*Buffer), M.getContext());
  if (!Library) {
    consumeError(Library.takeError());
    return false;
  }
  (*Library)->setTargetTriple(M.getTargetTriple());
  (*Library)->setDataLayout(M.getDataLayout());
  SmallVector<std::string> New;
  bool Failed = Linker::linkModules(
      M, std::move(*Library), Linker::LinkOnlyNeeded,
      [&](Module &In, const StringSet<> &Names) {
        internalizeModule(In, [&](const GlobalValue &G) {
          return !G.hasName() || !Names.count(G.getName());
        });
        for (const StringMapEntry<EmptyStringSetTag> &N : Names)
          New.push_back(N.getKey().str());
      });
  for (const std::string &N : New)
    if (Function *F = M.getFunction(N); F && !F->isDeclaration()) {
      compileLike(*F, Caller);
      Bodies.insert(F);
    }
  return !Failed;
}

/// Brings functions that only derivatives call. Where the module is linked with
/// the library later, all of them are missing, and stay so.
void bringMissing(Module &M, SetVector<Function *> &Bodies) {
  SmallVector<Function *> Missing = missingIn(M);
  const Function *Caller = Missing.empty() ? nullptr : callerOf(*Missing[0]);
  if (!Caller)
    return;
  DeviceLibrary L = findDeviceLibrary(M);
  if (L.Unwanted || (!L.Named && Bodies.empty()))
    return;
  for (const std::string &File : L.Files)
    linkFrom(M, File, *Caller, Bodies);
  for (Function *F : missingIn(M))
    for (User *U : F->users())
      if (auto *C = dyn_cast<CallBase>(U)) {
        Reporter(C).error(Diag::DeviceLibrary, C, {F->getName().str()});
        break;
      }
}

} // namespace

bool meetsDerivatives(const Module &M) {
  // By these flags clang says that a link may follow.
  return M.getModuleFlag("ThinLTO") || M.getModuleFlag("EnableSplitLTOUnit") ||
         any_of(M, [](const Function &F) { return hasRequests(F); });
}

bool hideDeviceLibrary(Module &M) {
  if (!isGpu(M) || !meetsDerivatives(M))
    return false;
  splitHalfTurns(M);
  SmallVector<Function *> Renamed;
  for (Function &F : M) {
    if (isParked(F))
      unpark(F);
    if (isKnownBody(F))
      Renamed.push_back(&F);
  }
  for (Function *F : Renamed)
    putAside(*F);
  return !Renamed.empty();
}

bool parkDeviceLibrary(Module &M) {
  SetVector<Function *> Bodies = takeAllBack(M);
  for (Function *F : Bodies)
    park(*F);
  return !Bodies.empty();
}

bool showDeviceLibrary(Module &M, ModuleAnalysisManager &MAM,
                       LibraryPasses &Passes) {
  if (!isGpu(M))
    return false;
  SetVector<Function *> Bodies = takeAllBack(M);
  bringMissing(M, Bodies);
  if (Bodies.empty() && none_of(M, isAnswered))
    return false;
  Passes.Reflect.run(M, MAM);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (Passes.Simplify.isEmpty())
    inlineLate(Bodies.getArrayRef(), FAM);
  else
    Passes.Simplify.run(M, MAM);
  GlobalDCEPass().run(M, MAM);
  return true;
}

} // namespace retro
