#include "front/names/strings.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace retro {

/// Takes the name of the class with its template arguments off: characters of
/// any width, and the standard's two allocators.
static bool consumeClass(StringRef &Name) {
  if (!Name.consume_front("St7__cxx1112basic_stringI"))
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
  if (!Mangled.consume_front("_ZN"))
    return StringMember::None;
  const bool IsConst = Mangled.consume_front("K");
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

} // namespace retro
