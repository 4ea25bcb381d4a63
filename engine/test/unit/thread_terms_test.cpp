// Where threads of a launch access memory: polynomials in the numbers of a
// thread, through the request into the kernel that makes it.
#include "facts_of.h"

#include "facts/threads/thread_terms.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace retro;
using namespace retro::test;

namespace {

constexpr const char *Device =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
    "declare void @__enzyme_autodiff(ptr, ...)\n";

/// A kernel that makes the request alone.
constexpr const char *Kernel =
    "define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {\n"
    "  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, "
    "ptr %y, ptr %dy, i64 %n)\n"
    "  ret void\n"
    "}\n";

/// Reads what stands behind x by Index, which is computed by Code.
std::string reading(StringRef Code, StringRef Index) {
  return ("define void @f(ptr %x, ptr %y, i64 %n) {\n" + Code +
          "  %at = getelementptr double, ptr %x, i64 " + Index +
          "\n"
          "  %a = load double, ptr %at\n"
          "  %p = fmul double %a, %a\n"
          "  store double %p, ptr %y\n"
          "  ret void\n"
          "}\n")
      .str();
}

struct InKernel : FactsOf {
  explicit InKernel(const std::string &Text)
      : FactsOf(Device + Text), Req(request()), Terms(U, Req) {}

  Request request() {
    for (Function &F : *M)
      for (Instruction &I : instructions(F))
        if (auto *C = dyn_cast<CallBase>(&I); C && isRequest(*C))
          return *parseRequest(*C, {}, R);
    throw std::runtime_error("no request");
  }
  const Argument *ofKernel(unsigned N) const {
    return M->getFunction("k")->getArg(N);
  }
  std::optional<Place> read(bool Shadow = false) {
    return Terms.place(find<LoadInst>().getPointerOperand(), Shadow);
  }
  /// The variable of an intrinsic, by the end of its name.
  std::optional<unsigned> variable(StringRef End) const {
    for (unsigned V = 0; V < Terms.variables().size(); ++V)
      if (StringRef(Terms.variables()[V].Name).ends_with(End))
        return V;
    return std::nullopt;
  }

  Request Req;
  ThreadTerms Terms;
};

const char *const ByThread =
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %i = zext i32 %t to i64\n";

TEST(ThreadTerms, PlacesBeginWhereTheKernelSays) {
  InKernel X(reading(ByThread, "%i") + Kernel);
  ASSERT_EQ(X.Terms.chain().size(), 1u);
  EXPECT_TRUE(X.Terms.requestedOnce());
  auto Primal = X.read(), Shadow = X.read(true);
  ASSERT_TRUE(Primal && Shadow);
  EXPECT_EQ(Primal->Base, X.ofKernel(0));
  EXPECT_EQ(Shadow->Base, X.ofKernel(1));
  auto Thread = X.variable("tid.x");
  ASSERT_TRUE(Thread);
  EXPECT_TRUE(Primal->At == Polynomial::variable(*Thread) * 8);
  EXPECT_TRUE(Primal->At == Shadow->At);
}

TEST(ThreadTerms, AThreadsNumberDiffersAndIsBounded) {
  InKernel X(reading(ByThread, "%i") + Kernel);
  auto At = X.read();
  ASSERT_TRUE(At);
  const Variable &Thread = X.Terms.variables()[*X.variable("tid.x")];
  EXPECT_FALSE(Thread.Uniform);
  EXPECT_EQ(Thread.Loop, nullptr);
  auto Range = X.Terms.range(At->At);
  ASSERT_TRUE(Range);
  EXPECT_EQ(Range->first, 0);
  EXPECT_EQ(Range->second, 8 * *Thread.High);
  auto Parts = X.Terms.split(At->At);
  EXPECT_TRUE(Parts.Varying == At->At);
  EXPECT_TRUE(Parts.Uniform == Polynomial(0));
}

TEST(ThreadTerms, WhatTheLaunchGivesIsUniform) {
  InKernel X(reading("  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                     "  %i = zext i32 %t to i64\n"
                     "  %r = mul nsw i64 %i, %n\n"
                     "  %s = add nsw i64 %r, %n\n",
                     "%s") +
             Kernel);
  auto At = X.read();
  ASSERT_TRUE(At && At->At.isKnown());
  auto Parts = X.Terms.split(At->At);
  // 8 n t differs between threads, 8 n does not.
  EXPECT_EQ(Parts.Varying.terms().size(), 1u);
  EXPECT_EQ(Parts.Varying.terms().begin()->first.size(), 2u);
  ASSERT_EQ(Parts.Uniform.terms().size(), 1u);
  const Monomial &N = Parts.Uniform.terms().begin()->first;
  ASSERT_EQ(N.size(), 1u);
  EXPECT_TRUE(X.Terms.variables()[N.front()].Uniform);
}

/// 32 bits that may wrap around are no integer's polynomial.
TEST(ThreadTerms, WhatMayWrapIsAVariableOfItsOwn) {
  const char *const Code = "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                           "  %m = trunc i64 %n to i32\n"
                           "  %w = mul i32 %t, %m\n"
                           "  %i = zext i32 %w to i64\n";
  InKernel X(reading(Code, "%i") + Kernel);
  auto At = X.read();
  ASSERT_TRUE(At);
  ASSERT_EQ(At->At.terms().size(), 1u);
  EXPECT_EQ(At->At.terms().begin()->first.size(), 1u);
  auto Thread = X.variable("tid.x");
  EXPECT_FALSE(Thread && At->At == Polynomial::variable(*Thread) * 8);
}

TEST(ThreadTerms, AConditionBeforeTheRequestHolds) {
  InKernel X(reading(ByThread, "%i") +
             "define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, "
             "i64 %n) {\n"
             "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
             "  %i = zext i32 %t to i64\n"
             "  %in = icmp slt i64 %i, %n\n"
             "  br i1 %in, label %run, label %done\n"
             "run:\n"
             "  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, "
             "ptr %dx, ptr %y, ptr %dy, i64 %n)\n"
             "  br label %done\n"
             "done:\n"
             "  ret void\n"
             "}\n");
  ASSERT_EQ(X.Terms.atRequest().size(), 1u);
  const Comparison &C = X.Terms.atRequest().front();
  auto At = X.read();
  ASSERT_TRUE(At);
  EXPECT_EQ(C.Pred, CmpInst::ICMP_SLT);
  // The kernel's number of the thread is that of the function.
  EXPECT_TRUE(C.Left * 8 == At->At);
}

TEST(ThreadTerms, ARequestInALoopIsMadeMoreThanOnce) {
  InKernel X(reading(ByThread, "%i") +
             loopOver("ptr %x, ptr %dx, ptr %y, ptr %dy",
                      "  call void (ptr, ...) @__enzyme_autodiff(ptr @f, "
                      "ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)\n",
                      "define ptx_kernel void @k("));
  EXPECT_FALSE(X.Terms.requestedOnce());
}

/// Where several kernels may make the request, no base is known.
TEST(ThreadTerms, OfAFunctionThatAnybodyCallsNothingIsKnown) {
  InKernel X(reading(ByThread, "%i") +
             "define void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {\n"
             "  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, "
             "ptr %dx, ptr %y, ptr %dy, i64 %n)\n"
             "  ret void\n"
             "}\n");
  EXPECT_TRUE(X.Terms.chain().empty());
  EXPECT_FALSE(X.read());
}

} // namespace
