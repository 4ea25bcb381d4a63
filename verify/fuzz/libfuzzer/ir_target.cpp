// Mutated IR through the plugin: it ends with a module that is valid, or with a
// diagnostic, and never with a crash.
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/FuzzMutate/FuzzerCLI.h"
#include "llvm/FuzzMutate/IRMutator.h"
#include "llvm/FuzzMutate/Operations.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

static PassPlugin &plugin() {
  static PassPlugin Loaded = [] {
    const char *Path = getenv("RETRO_FUZZ_PLUGIN");
    auto P = PassPlugin::Load(Path ? Path : "");
    if (!P) {
      errs() << toString(P.takeError()) << '\n';
      exit(2);
    }
    return *P;
  }();
  return Loaded;
}

namespace {
struct Collector : DiagnosticHandler {
  bool &Failed;
  explicit Collector(bool &Failed) : Failed(Failed) {}
  bool handleDiagnostics(const DiagnosticInfo &D) override {
    if (D.getSeverity() != DS_Error)
      return true;
    Failed = true;
    std::string Text;
    raw_string_ostream Out(Text);
    DiagnosticPrinterRawOStream Printer(Out);
    D.print(Printer);
    // The engine says that what it made is wrong: that is no answer.
    if (StringRef(Text).contains("[retro-internal]")) {
      errs() << Text << '\n';
      abort();
    }
    return true;
  }
};
} // namespace

static std::unique_ptr<IRMutator> makeMutator() {
  std::vector<TypeGetter> Types{
      [](LLVMContext &C) { return Type::getInt1Ty(C); },
      [](LLVMContext &C) { return Type::getInt32Ty(C); },
      [](LLVMContext &C) { return Type::getInt64Ty(C); },
      [](LLVMContext &C) { return Type::getDoubleTy(C); },
      [](LLVMContext &C) { return Type::getFloatTy(C); },
      [](LLVMContext &C) { return PointerType::getUnqual(C); }};
  std::vector<std::unique_ptr<IRMutationStrategy>> Ways;
  Ways.push_back(std::make_unique<InjectorIRStrategy>(
      InjectorIRStrategy::getDefaultOps()));
  Ways.push_back(std::make_unique<InstDeleterIRStrategy>());
  Ways.push_back(std::make_unique<InstModificationIRStrategy>());
  Ways.push_back(std::make_unique<InsertCFGStrategy>());
  Ways.push_back(std::make_unique<InsertPHIStrategy>());
  Ways.push_back(std::make_unique<SinkInstructionStrategy>());
  Ways.push_back(std::make_unique<ShuffleBlockStrategy>());
  return std::make_unique<IRMutator>(std::move(Types), std::move(Ways));
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  static const std::unique_ptr<IRMutator> Mutator = makeMutator();
  LLVMContext Context;
  auto M = parseAndVerify(Data, Size, Context);
  if (!M)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  Mutator->mutateModule(*M, static_cast<int>(Seed), MaxSize);
  const size_t Written = writeModule(*M, Data, MaxSize);
  return Written ? Written : Size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  bool Failed = false;
  LLVMContext Context;
  auto M = parseAndVerify(Data, Size, Context);
  if (!M)
    return 0;
  Context.setDiagnosticHandler(std::make_unique<Collector>(Failed));
  PassBuilder PB;
  plugin().registerPassBuilderCallbacks(PB);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  if (Error E = PB.parsePassPipeline(MPM, "retrograde")) {
    errs() << toString(std::move(E)) << '\n';
    abort();
  }
  MPM.run(*M, MAM);
  if (!Failed && verifyModule(*M, &errs()))
    abort();
  return 0;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  plugin();
  return 0;
}
