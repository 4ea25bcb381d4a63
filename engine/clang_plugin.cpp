// The same library under clang's -fplugin: an action that adds the pass to
// the pipeline that clang is about to build, and nothing else.
#include "pipeline.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

class AddPass final : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(
        retro::registerCallbacks);
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

// opt loads this library too and has no clang in it: what clang defines is
// looked for, not required.
#define CLANG_SYMBOL(Name) asm(".weak " #Name);
CLANG_SYMBOL(_ZN4llvm8RegistryIN5clang15PluginASTActionEE4HeadE)
CLANG_SYMBOL(_ZN4llvm8RegistryIN5clang15PluginASTActionEE4TailE)
CLANG_SYMBOL(
    _ZN4llvm8RegistryIN5clang15PluginASTActionEE4nodeC1ERKNS_19SimpleRegistryEntryIS2_EE)
CLANG_SYMBOL(_ZN4llvm8RegistryIN5clang15PluginASTActionEE8add_nodeEPNS3_4nodeE)
CLANG_SYMBOL(_ZN5clang14FrontendAction13EndSourceFileEv)
CLANG_SYMBOL(_ZN5clang14FrontendAction22shouldEraseOutputFilesEv)
CLANG_SYMBOL(_ZN5clang14FrontendActionC2Ev)
CLANG_SYMBOL(_ZN5clang14FrontendActionD2Ev)
CLANG_SYMBOL(_ZN5clang15PluginASTAction6anchorEv)
CLANG_SYMBOL(_ZN5clang17ASTFrontendAction13ExecuteActionEv)
CLANG_SYMBOL(_ZTVN5clang11ASTConsumerE)
CLANG_SYMBOL(_ZTVN5clang15PluginASTActionE)
CLANG_SYMBOL(_ZTVN5clang17ASTFrontendActionE)
#undef CLANG_SYMBOL
extern "C" void clangIsThere() __asm__("_ZN5clang15PluginASTAction6anchorEv")
    __attribute__((weak));

static const bool Registered = [] {
  if (clangIsThere)
    static clang::FrontendPluginRegistry::Add<AddPass> Action(
        "retrograde", "differentiate what is requested");
  return true;
}();
