// Input: a mangled name. Output: what the member function does. Derived like
// other code, a string's small buffer would be memory that is a pointer, a
// size or characters.
#include "front/names/strings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace retro {

constexpr StringRef ClassName = "St7__cxx1112basic_stringI";

/// Takes the name of the class with its template arguments off: characters of
/// any width, and the standard's two allocators.
static bool consumeClass(StringRef &Name) {
  if (!Name.consume_front(ClassName))
    return false;
  for (StringRef Char : {"c", "w", "Ds", "Di", "Du"})
    if (StringRef Rest = Name;
        Rest.consume_front(Char) && Rest.consume_front("St11char_traitsI") &&
        Rest.consume_front(Char) && Rest.consume_front("E")) {
      const bool Standard = Rest.consume_front("SaI");
      if (!(Standard ||
            Rest.consume_front("NSt3pmr21polymorphic_allocatorI")) ||
          !Rest.consume_front(Char) ||
          !Rest.consume_front(Standard ? "EE" : "EEE"))
        return false;
      Name = Rest;
      return true;
    }
  return false;
}

/// The name of a member, without its length: of operators and constructors the
/// two letters that stand for it.
static StringRef memberName(StringRef Name) {
  unsigned Length = 0;
  if (Name.consumeInteger(10, Length))
    return Name.take_front(2);
  return Name.take_front(Length);
}

StringMember stringMember(StringRef Mangled) {
  // A member's name is that of its class, with an N before it, or NK if it is
  // const.
  const size_t Class = Mangled.find(ClassName);
  const bool IsConst = Class == 4;
  if ((Class != 3 && Class != 4) || Mangled[2] != 'N' ||
      (IsConst && Mangled[3] != 'K'))
    return StringMember::None;
  Mangled = Mangled.drop_front(Class);
  if (!consumeClass(Mangled))
    return StringMember::None;
  const StringRef Member = memberName(Mangled);
  const bool IsPlace =
      StringSwitch<bool>(Member)
          .Cases({"begin", "end", "rbegin", "rend"}, true)
          .Cases({"cbegin", "cend", "crbegin", "crend"}, true)
          .Cases({"data", "c_str", "front", "back", "at", "ix"}, true)
          .Cases({"size", "length", "empty", "capacity", "max_size"}, true)
          .Cases({"get_allocator", "cv"}, true)
          .Default(false);
  // What is private or a class of its own is called by the rest only.
  if (IsPlace || Member.starts_with("_"))
    return StringMember::Place;
  if (IsConst)
    return StringMember::Reads;
  const bool WithPlace = is_contained({"insert", "erase"}, Member);
  const StringRef Behind = Mangled.substr(Mangled.find(Member) + Member.size());
  const bool IsThis = StringSwitch<bool>(Member)
                          .Cases({"aS", "pL"}, true)
                          .Cases({"append", "assign", "replace"}, true)
                          .Default(WithPlace && Behind.starts_with("Em"));
  return IsThis ? StringMember::ChangesThis : StringMember::Changes;
}

bool takesCharacters(StringRef Mangled) {
  // Pointers to characters, to constant ones, and template arguments of those.
  return any_of(ArrayRef<StringRef>{"Pc", "PKc", "Pw", "PKw", "Ph", "PKh"},
                [&](StringRef P) { return Mangled.contains(P); });
}

} // namespace retro
