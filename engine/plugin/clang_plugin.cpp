// The same library under clang's -fplugin: an action that adds the pass to the
// pipeline that clang is about to build, and declares the attributes.
#include "plugin/clang_attributes.h"
#include "plugin/clang_symbols.h"
#include "plugin/pipeline.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

/// Sees declarations before code is generated for them.
class KeepRegistrations final : public clang::ASTConsumer {
public:
  explicit KeepRegistrations(clang::CompilerInstance &CI) : CI(CI) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      retro::keepRegistration(*D, CI.getSema());
    return true;
  }

private:
  clang::CompilerInstance &CI;
};

class AddPass final : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(
        retro::registerCallbacks);
    return std::make_unique<KeepRegistrations>(CI);
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
