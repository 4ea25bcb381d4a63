// Teaches clang the attributes of the calling convention, for -fplugin. Each
// becomes an annotation, which the pass reads
// (front/registered/registrations.cpp). Without it clang ignores them with a
// warning.
#include "plugin/clang_attributes.h"
#include "front/known/entry_points.h"
#include "plugin/clang_symbols.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace retro {
namespace {

/// What an attribute says, and which operands it takes.
struct Meaning {
  const char *Annotation; ///< null: there is no such attribute
  bool Name = false;      ///< the name of a function
  bool Operands = false;  ///< functions and constants
  bool Variables = false; ///< also of variables
};

Meaning meaningOf(StringRef Kind) {
  return llvm::StringSwitch<Meaning>(Kind)
      .Case("inactive", {"enzyme_inactive", false, false, true})
      .Case("function_like", {"enzyme_function_like", true, false, false})
      .Case("allocation_like", {"enzyme_allocation_like", false, true, false})
      .Cases({"gradient", "register_gradient"},
             {"enzyme_register_gradient", false, true, false})
      .Cases({"derivative", "register_derivative"},
             {"enzyme_register_derivative", false, true, false})
      .Cases({"splitderivative", "register_splitderivative"},
             {"enzyme_register_splitderivative", false, true, false})
      .Case("shouldrecompute", {"enzyme_shouldrecompute", false, false, true})
      .Case("nofree", {"enzyme_nofree", false, false, false})
      .Case("notypeanalysis", {"enzyme_notypeanalysis", false, false, true})
      .Case("elementwise_read", {"enzyme_elementwise_read", false, false, true})
      .Case("sparse_accumulate",
            {"enzyme_sparse_accumulate", false, false, true})
      .Default({nullptr});
}

/// enzyme("kind", …), enzyme_kind(…) and [[enzyme::kind(…)]]. Clang parses the
/// operands of the last one only if it knows the name without its scope, too.
#define SPELLED(Kind)                                                          \
  {ParsedAttr::AS_GNU, "enzyme_" Kind}, {ParsedAttr::AS_CXX11, Kind},          \
      {ParsedAttr::AS_C23, Kind}, {ParsedAttr::AS_CXX11, "enzyme::" Kind},     \
      {ParsedAttr::AS_C23, "enzyme::" Kind},
// clang-format off
constexpr ParsedAttrInfo::Spelling AllSpellings[] = {
    {ParsedAttr::AS_GNU, "enzyme"},
    SPELLED("inactive")
    SPELLED("function_like")
    SPELLED("allocation_like")
    SPELLED("gradient")
    SPELLED("derivative")
    SPELLED("splitderivative")
    SPELLED("register_gradient")
    SPELLED("register_derivative")
    SPELLED("register_splitderivative")
    SPELLED("shouldrecompute")
    SPELLED("nofree")
    SPELLED("notypeanalysis")
    SPELLED("elementwise_read")
    SPELLED("sparse_accumulate")
};
// clang-format on
#undef SPELLED

struct EnzymeAttribute final : ParsedAttrInfo {
  EnzymeAttribute() {
    OptArgs = 15; // any number
    Spellings = AllSpellings;
  }

  bool isParamExpr(size_t) const override { return true; }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &Attr) const override;
};

void report(Sema &S, const ParsedAttr &Attr, StringRef Text) {
  DiagnosticsEngine &E = S.getDiagnostics();
  std::string Escaped;
  for (char C : Text) // a message is a format
    Escaped += C == '%' ? std::string("%%") : std::string(1, C);
  E.Report(Attr.getLoc(), E.getDiagnosticIDs()->getCustomDiagID(
                              DiagnosticIDs::Error, Escaped));
}

/// The text of operand N, if it is a string literal.
std::optional<std::string> textOf(const ParsedAttr &Attr, unsigned N) {
  if (N >= Attr.getNumArgs() || !Attr.isArgExpr(N))
    return std::nullopt;
  auto *L =
      dyn_cast<StringLiteral>(Attr.getArgAsExpr(N)->IgnoreParenImpCasts());
  if (!L)
    return std::nullopt;
  return L->getString().str();
}

FunctionDecl *functionIn(Expr *E) {
  E = E->IgnoreParenCasts();
  if (auto *C = dyn_cast<ConstantExpr>(E))
    E = C->getSubExpr()->IgnoreParenCasts();
  if (auto *U = dyn_cast<UnaryOperator>(E))
    E = U->getSubExpr()->IgnoreParenCasts();
  auto *R = dyn_cast<DeclRefExpr>(E);
  return R ? dyn_cast<FunctionDecl>(R->getDecl()) : nullptr;
}

/// Operand N as an expression, or null. An identifier that stands alone in the
/// first place was not looked up by clang.
Expr *operandOf(Sema &S, const ParsedAttr &Attr, unsigned N) {
  ExprResult E;
  if (Attr.isArgExpr(N)) {
    E = Attr.getArgAsExpr(N);
  } else {
    IdentifierLoc *I = Attr.getArgAsIdent(N);
    UnqualifiedId Id;
    Id.setIdentifier(I->getIdentifierInfo(), I->getLoc());
    CXXScopeSpec Scope;
    E = S.ActOnIdExpression(S.getCurScope(), Scope, SourceLocation(), Id, false,
                            false);
  }
  if (E.isInvalid())
    return nullptr;
  E = S.CheckPlaceholderExpr(E.get()); // an instance of a template
  if (E.isInvalid())
    return nullptr;
  if (FunctionDecl *F = functionIn(E.get()))
    S.MarkFunctionReferenced(Attr.getLoc(), F);
  return E.get();
}

/// What the attribute says in each of its spellings, or nothing if it is
/// somebody else's; First is the first operand that is not the kind itself.
std::optional<std::string> kindOf(Sema &S, const ParsedAttr &Attr,
                                  unsigned &First) {
  StringRef Name = Attr.getAttrName()->getName();
  if (Name.starts_with("enzyme_"))
    return Name.drop_front(7).str();
  if (Name == "enzyme" && !Attr.getScopeName()) {
    auto Text = textOf(Attr, First++);
    if (!Text)
      report(S, Attr,
             "the first operand of the attribute 'enzyme' is a string");
    return Text;
  }
  if (Attr.getScopeName() && Attr.getScopeName()->getName() == "enzyme")
    return Name.str();
  return std::nullopt;
}

ParsedAttrInfo::AttrHandling
EnzymeAttribute::handleDeclAttribute(Sema &S, Decl *D,
                                     const ParsedAttr &Attr) const {
  unsigned First = 0;
  const auto Spelled = kindOf(S, Attr, First);
  if (!Spelled)
    return AttributeNotApplied;
  const std::string &Kind = *Spelled;
  Meaning M = meaningOf(Kind);
  if (!M.Annotation) {
    report(S, Attr, "there is no attribute 'enzyme' of kind '" + Kind + "'");
    return AttributeNotApplied;
  }
  if (!isa<FunctionDecl>(D) && !(M.Variables && isa<VarDecl>(D))) {
    report(S, Attr, "the attribute '" + Kind + "' is one of functions");
    return AttributeNotApplied;
  }
  std::string Text = M.Annotation;
  SmallVector<Expr *> Operands;
  unsigned Last = First;
  if (M.Name) {
    auto Like = textOf(Attr, Last++);
    if (!Like) {
      report(S, Attr,
             "the attribute '" + Kind +
                 "' takes the name of a function, as a string");
      return AttributeNotApplied;
    }
    Text += "=" + *Like;
  } else if (M.Operands) {
    for (; Last < Attr.getNumArgs(); ++Last)
      if (Expr *E = operandOf(S, Attr, Last))
        Operands.push_back(E);
      else
        return AttributeNotApplied;
  }
  if (Last != Attr.getNumArgs() || (M.Operands && Operands.empty())) {
    report(S, Attr, "wrong number of operands of the attribute '" + Kind + "'");
    return AttributeNotApplied;
  }
  if (!S.ConstantFoldAttrArgs(Attr, Operands))
    return AttributeNotApplied;
  D->addAttr(AnnotateAttr::Create(S.Context, Text, Operands.data(),
                                  static_cast<unsigned>(Operands.size()),
                                  Attr));
  return AttributeApplied;
}

} // namespace

/// Lets code be generated for functions that only an annotation names.
static void keepOperands(FunctionDecl &F, Sema &S) {
  for (auto *A : F.specific_attrs<AnnotateAttr>()) {
    if (!A->getAnnotation().starts_with("enzyme_"))
      continue;
    for (Expr *E : A->args()) {
      FunctionDecl *G = functionIn(E);
      if (!G)
        continue;
      if (!G->hasAttr<UsedAttr>())
        G->addAttr(UsedAttr::CreateImplicit(S.Context));
      if (!G->isDefined())
        S.MarkFunctionReferenced(A->getLocation(), G);
      // A function that was left out because it seemed unused is handled again.
      if (FunctionDecl *Definition = G->getDefinition())
        S.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Definition));
    }
  }
}

static void keepVariable(VarDecl &V, Sema &S, std::set<std::string> &Inactive) {
  if (!V.hasGlobalStorage() || !V.getIdentifier())
    return;
  if (V.isThisDeclarationADefinition() == VarDecl::DeclarationOnly) {
    for (auto *A : V.specific_attrs<AnnotateAttr>())
      if (A->getAnnotation() == meaningOf("inactive").Annotation)
        Inactive.insert(ASTNameGenerator(V.getASTContext()).getName(&V));
  } else if (V.getName().starts_with(conventionPrefix()) &&
             !V.hasAttr<UsedAttr>()) {
    V.addAttr(UsedAttr::CreateImplicit(S.Context));
  }
}

void keepRegistration(Decl &D, Sema &S, std::set<std::string> &Inactive) {
  if (auto *V = dyn_cast<VarDecl>(&D)) {
    keepVariable(*V, S, Inactive);
  } else if (auto *F = dyn_cast<FunctionDecl>(&D)) {
    keepOperands(*F, S);
  } else if (isa<NamespaceDecl, LinkageSpecDecl>(D)) {
    for (Decl *Inner : cast<DeclContext>(&D)->decls())
      keepRegistration(*Inner, S, Inactive);
  } else if (auto *R = dyn_cast<CXXRecordDecl>(&D);
             R && !R->isDependentContext()) {
    for (Decl *Inner : R->decls())
      keepRegistration(*Inner, S, Inactive);
  }
}

void registerAttributes() {
  static ParsedAttrInfoRegistry::Add<EnzymeAttribute> All(
      "enzyme", "what the differentiation of a function is to know of it");
}

} // namespace retro
