// Which functions have the same code: what tells them apart, and what does not.
#include "ir/code_groups.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <string>

using namespace llvm;

namespace {

/// How many groups the functions of a module are in, all of which may be one.
unsigned groupsOf(const std::string &Text) {
  LLVMContext C;
  SMDiagnostic Error;
  const auto M = parseAssemblyString(Text, Error, C);
  if (!M) {
    ADD_FAILURE() << Error.getMessage().str();
    return 0;
  }
  SmallVector<Function *> All;
  DenseMap<const Function *, unsigned> First;
  for (Function &F : *M)
    if (!F.isDeclaration()) {
      All.push_back(&F);
      First[&F] = 0;
    }
  return retro::CodeGroups().run(All, First, 1);
}

/// A function that calls Callee with a text.
std::string says(StringRef Name, StringRef Text, StringRef Callee) {
  return ("define internal void @" + Name + "(double %x) {\n  call void @" +
          Callee + "(ptr @" + Text + ")\n  ret void\n}\n")
      .str();
}

const char *const Texts =
    "@a = private unnamed_addr constant [2 x i8] c\"a\\00\"\n"
    "@b = private unnamed_addr constant [2 x i8] c\"a\\00\"\n"
    "@c = private unnamed_addr constant [2 x i8] c\"c\\00\"\n"
    "declare void @say(ptr)\ndeclare void @cry(ptr)\n";

/// A function that reads where its first access is of Scopes, and writes where
/// the second is not.
std::string moves(StringRef Name, StringRef Reads, StringRef Writes) {
  return ("define internal void @" + Name +
          "(ptr %p, ptr %q) {\n  %v = load double, ptr %p, !alias.scope " +
          Reads + "\n  store double %v, ptr %q, !noalias " + Writes +
          "\n  ret void\n}\n")
      .str();
}

const char *const Scopes = "!0 = distinct !{!0}\n!1 = distinct !{!1, !0}\n"
                           "!2 = distinct !{!2, !0}\n!3 = distinct !{!3}\n"
                           "!4 = distinct !{!4, !3}\n!5 = !{!1}\n!6 = !{!2}\n"
                           "!7 = !{!4}\n";

} // namespace

TEST(CodeGroups, TextsOfOneContentAreOne) {
  EXPECT_EQ(1u,
            groupsOf(Texts + says("f", "a", "say") + says("g", "b", "say")));
  EXPECT_EQ(2u,
            groupsOf(Texts + says("f", "a", "say") + says("g", "c", "say")));
  EXPECT_EQ(2u,
            groupsOf(Texts + says("f", "a", "say") + says("g", "a", "cry")));
}

TEST(CodeGroups, CallersAreToldApartByWhatTheyCall) {
  const std::string Callees = Texts + says("f", "a", "say");
  auto Calls = [](StringRef Name, StringRef Callee) {
    return ("define internal void @" + Name + "(double %x) {\n  call void @" +
            Callee + "(double %x)\n  ret void\n}\n")
        .str();
  };
  EXPECT_EQ(2u, groupsOf(Callees + says("g", "b", "say") + Calls("h", "f") +
                         Calls("i", "g")));
  EXPECT_EQ(4u, groupsOf(Callees + says("g", "c", "say") + Calls("h", "f") +
                         Calls("i", "g")));
}

TEST(CodeGroups, ScopesAreAlikeIfTheyRelateAlike) {
  // Each has a scope of its own, and both writes are apart from the read.
  EXPECT_EQ(1u,
            groupsOf(moves("f", "!5", "!5") + moves("g", "!7", "!7") + Scopes));
  // The one write is apart from the read, the other from something else.
  EXPECT_EQ(2u,
            groupsOf(moves("f", "!5", "!5") + moves("g", "!5", "!6") + Scopes));
  EXPECT_EQ(2u,
            groupsOf(moves("f", "!5", "!6") + moves("g", "!5", "!7") + Scopes));
}
