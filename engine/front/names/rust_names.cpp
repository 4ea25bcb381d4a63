// Reads the paths in Rust's mangled names, of both schemes. The hashes in the
// names change with each compiler, so the table of known functions has paths.
#include "front/names/rust_names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <memory>

using namespace llvm;

namespace retro {
namespace {

using Demangled = std::unique_ptr<char, decltype(&std::free)>;

/// "a::b::h0123456789abcdef" -> "a::b"; "" where there is no hash.
StringRef withoutHash(StringRef Path) {
  auto [Rest, Hash] = Path.rsplit("::");
  bool IsHash = Hash.size() == 17 && Hash.consume_front("h") &&
                all_of(Hash, [](char C) { return isHexDigit(C); });
  return IsHash ? Rest : "";
}

} // namespace

std::string rustPath(StringRef Mangled) {
  if (Mangled.starts_with("_R")) {
    Demangled D(rustDemangle(Mangled), &std::free);
    return D ? D.get() : "";
  }
  // The older scheme is that of C++ with a hash at the end.
  if (!Mangled.starts_with("_ZN") || !Mangled.ends_with("E") ||
      !Mangled.contains("17h"))
    return "";
  Demangled D(itaniumDemangle(Mangled), &std::free);
  return D ? withoutHash(D.get()).str() : "";
}

std::string rustSibling(StringRef Mangled, StringRef Path) {
  StringRef New =
      Path.rsplit("::").second.empty() ? Path : Path.rsplit("::").second;
  std::string Readable = rustPath(Mangled);
  StringRef Old = StringRef(Readable).rsplit("::").second;
  if (Old.empty() || !Mangled.ends_with(Old))
    return New.str(); // not mangled
  // An identifier is its length, an underscore if it begins with one, and its
  // text.
  Mangled = Mangled.drop_back(Old.size());
  if (Old.starts_with("_"))
    Mangled.consume_back("_");
  Mangled = Mangled.rtrim("0123456789");
  return (Mangled + Twine(New.size()) + (New.starts_with("_") ? "_" : "") + New)
      .str();
}

} // namespace retro
