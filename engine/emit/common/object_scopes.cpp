// Input: the classes of memory that the facts tell apart. Output: LLVM's scopes
// at accesses of the derivative, of the primal's memory and of its shadows.
// Without them a sum in an element of one vector would be loaded and stored for
// each element of another, and none of these loops could run in vectors.
#include "emit/common/object_scopes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace retro {
namespace {

constexpr StringLiteral ObjectNote = "retro.object";
/// The lists grow with the square of the classes.
constexpr size_t MostClasses = 32;

std::optional<unsigned> noteOf(const Instruction &I) {
  const MDNode *N = I.getMetadata(ObjectNote);
  if (!N)
    return std::nullopt;
  return static_cast<unsigned>(
      mdconst::extract<ConstantInt>(N->getOperand(0))->getZExtValue());
}

} // namespace

/// Is all memory of the class allocated by the unit, and is its shadow memory
/// of its own?
bool ObjectScopes::isOwn(unsigned Class) const {
  const MemoryClass &C = Shape.classAt(Class);
  return !C.fromOutside() && !C.Linked && !C.MayBeConstant &&
         C.Where == MemoryClass::Shadows::Own;
}

void ObjectScopes::note(Unit &U) const {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      const Value *Ptr = getLoadStorePointerOperand(&I);
      if (!Ptr)
        continue;
      auto *Class = ConstantAsMetadata::get(ConstantInt::get(
          Type::getInt32Ty(I.getContext()), Shape.classId(Ptr)));
      I.setMetadata(ObjectNote, MDNode::get(I.getContext(), Class));
    }
}

void ObjectScopes::noteLike(Instruction &Shadow, const Instruction &Primal) {
  Shadow.setMetadata(ObjectNote, Primal.getMetadata(ObjectNote));
}

void ObjectScopes::begin(const Function &F) {
  Present.clear();
  Others.clear();
  for (const Instruction &I : instructions(F))
    if (std::optional<unsigned> Class = noteOf(I);
        Class && Present.size() < MostClasses)
      Present.insert(*Class);
}

MDNode *ObjectScopes::scopeOf(unsigned Class) {
  MDNode *&S = Scopes[Class];
  if (!S)
    S = MDNode::get(Domain->getContext(),
                    MDBuilder(Domain->getContext())
                        .createAnonymousAliasScope(Domain, "object"));
  return S;
}

std::pair<MDNode *, MDNode *> ObjectScopes::take(Instruction &I) {
  std::optional<unsigned> Class = noteOf(I);
  if (!Class)
    return {};
  I.setMetadata(ObjectNote, nullptr);
  if (!Present.contains(*Class))
    return {};
  if (!Domain)
    Domain = MDBuilder(I.getContext()).createAnonymousAliasScopeDomain();
  auto [It, New] = Others.try_emplace(*Class, nullptr);
  if (New)
    for (unsigned Other : Present)
      if ((isOwn(*Class) || isOwn(Other)) && !Shape.mayCoincide(*Class, Other))
        It->second = MDNode::concatenate(It->second, scopeOf(Other));
  MDNode *Apart = It->second;
  return {Apart ? scopeOf(*Class) : nullptr, Apart};
}

} // namespace retro
