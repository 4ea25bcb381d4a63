// The layout of tables is that of the Itanium C++ ABI, 2.5.2: what an object
// points to stands behind the type information. Without it each function that
// stands in a table would be one that every call by an address may enter.
#include "prepare/virtual_tables.h"

#include "base/unit.h"
#include "front/names/foreign.h"
#include "prepare/words/virtual_calls.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

/// Of the procedures that are bound to a type of Fortran's?
static bool isTableOfBindings(const GlobalVariable &G) {
  auto *Table = dyn_cast<ArrayType>(G.getValueType());
  auto *Entry = Table ? dyn_cast<StructType>(Table->getElementType()) : nullptr;
  return G.hasInitializer() && Entry && Entry->hasName() &&
         isA(Entry->getName(), NameKind::TypeBinding);
}

static bool isTable(const GlobalVariable &G) {
  return (G.hasInitializer() && isA(G.getName(), NameKind::VirtualTable)) ||
         isTableOfBindings(G);
}

/// Is each use of C in such a table, or a call?
static bool isOnlyInTables(const Constant &C) {
  return all_of(C.uses(), [](const Use &U) {
    if (auto *Call = dyn_cast<CallBase>(U.getUser()))
      return Call->isCallee(&U);
    auto *G = dyn_cast<GlobalVariable>(U.getUser());
    auto *In = dyn_cast<Constant>(U.getUser());
    return G ? isTable(*G) : In && isOnlyInTables(*In);
  });
}

void VirtualTables::add(const ConstantArray &Table, bool OfCounts) {
  const auto Word = static_cast<int64_t>(sizeof(uint64_t));
  int64_t Begin = -1;
  for (unsigned N = 0; N < Table.getNumOperands(); ++N) {
    const Value *Entry = Table.getOperand(N)->stripPointerCasts();
    if (Begin < 0 && isa<GlobalVariable>(Entry) &&
        isA(Entry->getName(), NameKind::TypeInfo))
      Begin = N + 1;
    auto *F = dyn_cast<Function>(Entry);
    if (!F)
      continue;
    if (Begin < 0)
      continue;
    auto [It, New] = Functions.try_emplace(F);
    Places &P = It->second;
    if (New)
      P.Elsewhere = !isOnlyInTables(*F);
    P.Offsets.insert((N - Begin) * Word);
    (OfCounts ? P.OfCounts : P.OfOthers) = true;
  }
}

/// The address of each is an integer in the first field of its entry. A type
/// that extends another has the bindings of its parent in the same places.
void VirtualTables::addBindings(const GlobalVariable &Table) {
  const auto Size = static_cast<int64_t>(Table.getDataLayout().getTypeAllocSize(
      Table.getValueType()->getArrayElementType()));
  for (const Use &Entry : Table.getInitializer()->operands()) {
    const Value *First = Entry;
    while (isa<ConstantAggregate, ConstantExpr>(First))
      First = cast<Constant>(First)->getOperand(0);
    if (auto *F = dyn_cast<Function>(First)) {
      Places &P = Functions[F];
      P.OfOthers = true;
      P.Offsets.insert(Entry.getOperandNo() * Size);
      P.Elsewhere = !isOnlyInTables(*F);
    }
  }
}

VirtualTables::VirtualTables(const Module &M) {
  for (const GlobalVariable &G : M.globals())
    if (isTableOfBindings(G))
      addBindings(G);
    else if (isTable(G))
      for (const Use &Part : G.getInitializer()->operands())
        if (auto *Table = dyn_cast<ConstantArray>(Part))
          add(*Table, isA(G.getName(), NameKind::TableOfCounts));
}

/// Where in a table the called address is loaded from, if it is from one, as
/// far as the code shows that.
static std::optional<int64_t> placeOf(const CallBase &C) {
  const Value *Called = C.getCalledOperand();
  if (auto *Cast = dyn_cast<IntToPtrInst>(Called)) // bindings are integers
    Called = Cast->getOperand(0);
  auto *Entry = dyn_cast<LoadInst>(Called);
  if (!Entry)
    return std::nullopt;
  const DataLayout &DL = Entry->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Entry->getPointerOperandType()), 0);
  const Value *Table =
      Entry->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
  if (!isa<LoadInst>(Table))
    return std::nullopt;
  return Offset.getSExtValue();
}

/// Does C stand in what counts references? Of the engine's own calls nothing is
/// said.
static std::optional<bool> callsCounts(const CallBase &C) {
  const Attribute Is = C.getFnAttr(CallsCounts);
  if (!Is.isValid())
    return std::nullopt;
  return Is.getValueAsString() == "1";
}

/// Might F, which stands in no table of its module, stand in another module's?
/// The language takes no address of a virtual function, so whose address is
/// taken is not virtual, but for destructors, which exceptions and variables
/// keep, and for what only optimized code compares addresses with.
static bool maybeVirtualElsewhere(const Function &F) {
  const StringRef Name = F.getName();
  if (Name.ends_with("D0Ev") || Name.ends_with("D1Ev") ||
      Name.ends_with("D2Ev"))
    return true;
  return none_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call ? !Call->isCallee(&U) : !isa<ICmpInst>(U.getUser());
  });
}

bool VirtualTables::mayCall(const CallBase &C, const Function &F) const {
  const StringRef Said = C.getFnAttr(CallsVirtual).getValueAsString();
  const bool Virtual = Said == "1";
  auto It = Functions.find(&F);
  if (It == Functions.end())
    return !Virtual || maybeVirtualElsewhere(F);
  const Places &P = It->second;
  if (P.Elsewhere && !Virtual)
    return true;
  if (Said == "0")
    return false;
  if (auto Counts = callsCounts(C);
      Counts && !(*Counts ? P.OfCounts : P.OfOthers))
    return false;
  auto Place = placeOf(C);
  return !Place || P.Offsets.contains(*Place);
}

} // namespace retro
