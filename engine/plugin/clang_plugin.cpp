// The same library under clang's -fplugin: an action that adds the pass to the
// pipeline that clang is about to build, and declares the attributes. Without
// it the attributes of a source would be unknown to clang, and the pass would
// need an option of its own. Clang finds it in its registry of plugins, so no
// header declares it.
#include "front/registered/registrations.h"
#include "plugin/clang_attributes.h"
#include "plugin/clang_symbols.h"
#include "plugin/pipeline.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include "llvm/Passes/PassBuilder.h"

namespace {

/// Sees declarations before code is generated for them.
class KeepRegistrations final : public clang::ASTConsumer {
public:
  KeepRegistrations(clang::CompilerInstance &CI,
                    std::shared_ptr<std::set<std::string>> Inactive)
      : CI(CI), Inactive(std::move(Inactive)) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      retro::keepRegistration(*D, CI.getSema(), *Inactive);
    return true;
  }

private:
  clang::CompilerInstance &CI;
  std::shared_ptr<std::set<std::string>> Inactive;
};

/// Brings what clang knows of variables that are only declared to the module.
struct NoteInactive : llvm::PassInfoMixin<NoteInactive> {
  std::shared_ptr<std::set<std::string>> Names;
  explicit NoteInactive(std::shared_ptr<std::set<std::string>> Names)
      : Names(std::move(Names)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    for (const std::string &Name : *Names)
      if (llvm::GlobalVariable *G = M.getNamedGlobal(Name))
        retro::markInactive(*G);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

class AddPass final : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    auto Inactive = std::make_shared<std::set<std::string>>();
    auto &Callbacks = CI.getCodeGenOpts().PassBuilderCallbacks;
    Callbacks.push_back([Inactive](llvm::PassBuilder &PB) {
      PB.registerPipelineStartEPCallback(
          [Inactive](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
            MPM.addPass(NoteInactive(Inactive));
          });
    });
    Callbacks.push_back(retro::registerCallbacks);
    return std::make_unique<KeepRegistrations>(CI, Inactive);
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

extern "C" void clangIsThere() __asm__("_ZN5clang15PluginASTAction6anchorEv")
    __attribute__((weak));

static const bool Registered = [] {
  if (!clangIsThere)
    return true;
  retro::registerAttributes();
  static clang::FrontendPluginRegistry::Add<AddPass> Action(
      "retrograde", "differentiate what is requested");
  return true;
}();
