// The names of functions are read with LLVM's demangler, whose text has the
// parameters with the arguments of templates put in. Output: the types that
// arguments point to, of which LLVM's opaque pointers say nothing. Without them
// memory that a function is only handed would have no evidence.
#include "facts/types/named_types.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include <cstdlib>
#include <memory>

using namespace llvm;

namespace retro {
namespace {

/// More fields than that are those of an array, not of an object.
constexpr unsigned MostFields = 256;

using Text = std::unique_ptr<char, decltype(&std::free)>;

/// The parts of a list between its outermost commas.
SmallVector<StringRef> partsOf(StringRef List) {
  SmallVector<StringRef> Out;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I < List.size(); ++I) {
    const char X = List[I];
    Depth += (X == '<' || X == '(') - (X == '>' || X == ')');
    if (X == ',' && Depth == 0) {
      Out.push_back(List.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  if (!List.trim().empty())
    Out.push_back(List.substr(Start).trim());
  return Out;
}

bool consumeBack(StringRef &S, StringRef End) {
  bool Did = S.consume_back(End);
  S = S.trim();
  return Did;
}

/// The type that the demangler's text stands for, or null.
Type *typeOf(StringRef Name, const Module &M, NamedStructs &Structs) {
  LLVMContext &C = M.getContext();
  consumeBack(Name, "const");
  if (Name.ends_with("*"))
    return Name.ends_with(")*") ? nullptr : PointerType::getUnqual(C);
  if (Name == "double")
    return Type::getDoubleTy(C);
  if (Name == "float")
    return Type::getFloatTy(C);
  if (Name == "long double" && M.getTargetTriple().isX86())
    return Type::getX86_FP80Ty(C);
  if (Name.consume_front("unsigned "))
    ;
  // A character may be a byte of anything.
  if (unsigned Bits = StringSwitch<unsigned>(Name)
                          .Case("short", 16)
                          .Case("int", 32)
                          .Cases({"long", "long long"}, 64)
                          .Default(0))
    return Type::getIntNTy(C, Bits);
  return Structs.find(Name);
}

} // namespace

StructType *NamedStructs::find(StringRef Name) {
  if (!Filled) {
    Filled = true;
    for (StructType *S : M.getIdentifiedStructTypes()) {
      if (!S->hasName() || S->isOpaque())
        continue;
      // Types of one name are told apart by a number behind a dot.
      StringRef N = S->getName();
      StringRef Base = N.rtrim("0123456789");
      if (Base.size() != N.size() && Base.consume_back("."))
        N = Base;
      if (!N.consume_front("struct."))
        N.consume_front("class.");
      auto [It, New] = ByName.try_emplace(N, S);
      if (!New)
        It->second = nullptr;
    }
  }
  return ByName.lookup(Name);
}

SmallVector<Type *, 4> pointeesOfArguments(const Function &F,
                                           NamedStructs &Structs) {
  SmallVector<Type *, 4> Out(F.arg_size(), nullptr);
  std::string Mangled = F.getName().str(); // parts of it are kept
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return Out;
  Text List(D.getFunctionParameters(nullptr, nullptr), &std::free);
  if (!List)
    return Out;
  StringRef Inner(List.get());
  if (!Inner.consume_front("(") || !Inner.consume_back(")"))
    return Out;
  auto Parts = partsOf(Inner);
  unsigned First = 0;
  if (F.arg_size() && F.hasParamAttribute(0, Attribute::StructRet))
    First = 1;
  // A member has its object in front. What is passed in parts, or left out,
  // leaves it open which argument is which.
  if (F.arg_size() - First == Parts.size() + 1)
    ++First;
  else if (F.arg_size() - First != Parts.size())
    return Out;
  for (unsigned N = 0; N < Parts.size(); ++N) {
    StringRef P = Parts[N];
    if (!F.getArg(First + N)->getType()->isPointerTy())
      continue;
    if (consumeBack(P, "&&") || consumeBack(P, "&") || consumeBack(P, "*"))
      Out[First + N] = typeOf(P, *F.getParent(), Structs);
  }
  return Out;
}

bool copiesItsClass(const Function &F) {
  std::string Mangled = F.getName().str(); // parts of it are kept
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return false;
  Text Name(D.getFunctionBaseName(nullptr, nullptr), &std::free);
  return D.isCtorOrDtor() || (Name && StringRef(Name.get()) == "operator=");
}

bool fieldsOf(Type *T, const DataLayout &DL, int64_t Offset,
              SmallVectorImpl<NamedField> &Out) {
  if (Out.size() > MostFields)
    return false;
  if (auto *S = dyn_cast<StructType>(T)) {
    if (S->isOpaque() || (S->hasName() && S->getName().starts_with("union.")))
      return false;
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      if (!fieldsOf(S->getElementType(I), DL,
                    Offset + static_cast<int64_t>(
                                 DL.getStructLayout(S)->getElementOffset(I)),
                    Out))
        return false;
    return true;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    Type *E = A->getElementType();
    // What fills up to the next field is shorter than a number; more bytes are
    // room.
    if (E->isIntegerTy(8) && A->getNumElements() >= 8)
      return false;
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      if (!fieldsOf(E, DL,
                    Offset + static_cast<int64_t>(I * DL.getTypeAllocSize(E)),
                    Out))
        return false;
    return true;
  }
  Out.push_back({Offset, T});
  return true;
}

bool endsName(Type *Any, StringRef End) {
  auto *T = dyn_cast_or_null<StructType>(Any);
  if (!T || T->isLiteral() || !T->hasName())
    return false;
  StringRef Name = T->getName();
  const size_t Dot = Name.rfind('.');
  if (Dot != StringRef::npos && Dot + 1 < Name.size() &&
      all_of(Name.drop_front(Dot + 1), isDigit))
    Name = Name.take_front(Dot);
  return Name.ends_with(End);
}

bool isVectorOfLibrary(StructType &T) {
  return endsName(&T, "::_Vector_impl_data") && T.getNumElements() == 3 &&
         all_of(T.elements(), [](Type *E) { return E->isPointerTy(); });
}

} // namespace retro
