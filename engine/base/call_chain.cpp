// Finds the calls that lead from a request to a construct, for the notes of a
// message. It reads debug locations and the unit's clones, and changes nothing.
// Without it a message would name a line and not say how the request comes
// there.
#include "base/call_chain.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include <cstdlib>

using namespace llvm;

namespace retro {
namespace {

/// If a signature is longer than this, the name is printed alone.
constexpr size_t MaxSignature = 120;

/// The name of the function in a link of the chain; empty for one of the typed
/// interface.
std::string nameOf(StringRef Symbol) {
  return isInterface(Symbol) ? std::string() : displayName(Symbol);
}

std::string nameOf(const DISubprogram &SP) {
  StringRef Name = SP.getLinkageName();
  return nameOf(Name.empty() ? SP.getName() : Name);
}

/// Removes the links between the user's functions.
std::vector<CallLink> withoutInterface(std::vector<CallLink> Links) {
  std::vector<CallLink> Out;
  for (CallLink &L : Links) {
    if (L.Callee.empty() && !Out.empty() && Out.back().Caller.empty()) {
      L.Callee = Out.back().Callee;
      Out.back() = L;
    } else if (!L.Callee.empty() || L.Request) {
      Out.push_back(L);
    }
  }
  return Out;
}

/// The name in flang's mangled names: _Q, then modules, hosts and the
/// procedure, each behind a letter for its kind. Empty for other names.
std::string fortranName(StringRef Symbol) {
  if (Symbol == "_QQmain")
    return "the main program";
  if (!Symbol.consume_front("_Q"))
    return "";
  std::string Name;
  while (!Symbol.empty()) {
    if (!StringRef("MSFP").contains(Symbol.front()))
      return "";
    StringRef Part = Symbol.drop_front().take_while(
        [](char C) { return isLower(C) || isDigit(C) || C == '_'; });
    Symbol = Symbol.drop_front(1 + Part.size());
    if (!Part.empty()) // a host without a name is the main program
      Name += (Name.empty() ? "" : "::") + Part.str();
  }
  return Name;
}

bool hasLine(const DebugLoc &L) { return L && L.getLine() != 0; }

/// For each clone, a call that enters it, on a shortest way from the root; or
/// null.
DenseMap<const Function *, const CallBase *>
callsTowards(const Function *Root, const SourceMap &SourceOf) {
  DenseMap<const Function *, const CallBase *> Entered;
  SmallVector<const Function *> Work{Root};
  for (size_t N = 0; N < Work.size(); ++N)
    for (const BasicBlock &B : *Work[N])
      for (const Instruction &I : B) {
        auto *C = dyn_cast<CallBase>(&I);
        const Function *G = C ? C->getCalledFunction() : nullptr;
        if (G && G != Root && SourceOf.contains(G) &&
            Entered.try_emplace(G, C).second)
          Work.push_back(G);
      }
  return Entered;
}

} // namespace

std::string displayName(StringRef Symbol) {
  for (const char *Suffix :
       {StandInSuffix, StepsSuffix, OwnSuffix, FixedSuffix})
    Symbol = Symbol.split(Suffix).first;
  if (std::string Name = fortranName(Symbol); !Name.empty())
    return Name;
  std::string Full = demangle(Symbol);
  if (Full.size() <= MaxSignature)
    return Full;
  std::string Mangled = Symbol.str(); // parts of it are kept
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return Full.substr(0, std::min(Full.find('<'), MaxSignature));
  std::string Name;
  for (auto Part : {&ItaniumPartialDemangler::getFunctionDeclContextName,
                    &ItaniumPartialDemangler::getFunctionBaseName})
    if (char *Text = (D.*Part)(nullptr, nullptr)) {
      Name += (Name.empty() || !*Text ? "" : "::") + std::string(Text);
      std::free(Text);
    }
  return Name.substr(0, MaxSignature);
}

bool isInterface(StringRef Symbol) {
  return Symbol.starts_with("_ZN5retro6detail") ||
         Symbol.starts_with("_ZNK5retro6detail") ||
         Symbol.starts_with("_ZNK5retro8Function");
}

std::string displayName(const Function &F) { return displayName(F.getName()); }

DebugLoc placeOf(const Instruction &I, const SourceMap &SourceOf) {
  if (hasLine(I.getDebugLoc()))
    return I.getDebugLoc();
  if (!I.getParent())
    return DebugLoc();
  for (const Instruction *P = &I; P; P = P->getPrevNode())
    if (hasLine(P->getDebugLoc()))
      return P->getDebugLoc();
  for (const Instruction *N = &I; N; N = N->getNextNode())
    if (hasLine(N->getDebugLoc()))
      return N->getDebugLoc();
  const Function *Source = SourceOf.lookup(I.getFunction());
  if (DISubprogram *SP = Source ? Source->getSubprogram() : nullptr)
    return DILocation::get(Source->getContext(), SP->getScopeLine(), 0, SP);
  return DebugLoc();
}

std::vector<CallLink> callChain(const Instruction &I, const Function *Root,
                                const SourceMap &SourceOf,
                                const Instruction &Request) {
  std::vector<CallLink> Links;
  auto Entered = callsTowards(Root, SourceOf);
  const Instruction *At = &I;
  DebugLoc Loc = placeOf(I, SourceOf);
  while (const Function *Source = SourceOf.lookup(At->getFunction())) {
    // What was inlined into this clone comes first.
    std::string In = nameOf(Source->getName());
    if (Loc) {
      DILocation *L = Loc.get();
      for (; L->getInlinedAt(); L = L->getInlinedAt())
        Links.push_back(
            {nameOf(*L->getScope()->getSubprogram()),
             nameOf(*L->getInlinedAt()->getScope()->getSubprogram()),
             L->getInlinedAt()});
    }
    const CallBase *Call = Entered.lookup(At->getFunction());
    if (!Call) {
      Links.push_back({In, displayName(*Request.getFunction()),
                       Request.getDebugLoc(), true});
      return withoutInterface(std::move(Links));
    }
    Loc = placeOf(*Call, SourceOf);
    std::string Caller;
    if (Loc)
      Caller = nameOf(*Loc->getScope()->getSubprogram());
    else if (const Function *S = SourceOf.lookup(Call->getFunction()))
      Caller = nameOf(S->getName());
    // The parts of a large function mean nothing to its reader.
    if (SourceOf.lookup(Call->getFunction()) != Source)
      Links.push_back({In, Caller, Loc});
    At = Call;
  }
  return withoutInterface(std::move(Links));
}

} // namespace retro
