// Input: a script. Output: whether it has a model, within a limit of steps.
// Without Z3 nothing is proven by it, and additions that could have been plain
// are atomic.
#include "facts/threads/solver.h"

#include "base/toggles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {
namespace {

/// The five functions of Z3's C interface that scripts need. LLVM may bring
/// the library along; the engine itself is not linked with it.
struct Z3 {
  void *(*MakeConfig)() = nullptr;
  void (*DropConfig)(void *) = nullptr;
  void *(*MakeContext)(void *) = nullptr;
  void (*DropContext)(void *) = nullptr;
  const char *(*Evaluate)(void *, const char *) = nullptr;

  Z3() {
    if (!sys::DynamicLibrary::SearchForAddressOfSymbol(
            "Z3_eval_smtlib2_string"))
      for (const char *Name : {"libz3.so.4", "libz3.so", "libz3.dylib"})
        if (!sys::DynamicLibrary::LoadLibraryPermanently(Name))
          break;
    find(MakeConfig, "Z3_mk_config");
    find(DropConfig, "Z3_del_config");
    find(MakeContext, "Z3_mk_context");
    find(DropContext, "Z3_del_context");
    find(Evaluate, "Z3_eval_smtlib2_string");
  }
  bool isThere() const {
    return MakeConfig && DropConfig && MakeContext && DropContext && Evaluate;
  }

private:
  template <typename T> void find(T &F, const char *Name) {
    F = reinterpret_cast<T>(
        sys::DynamicLibrary::SearchForAddressOfSymbol(Name));
  }
};

} // namespace

Answer solve(const std::string &Script) {
  static const Z3 Solver;
  if (!Solver.isThere())
    return Answer::NoSolver;
  void *Config = Solver.MakeConfig();
  void *Context = Solver.MakeContext(Config);
  std::string Said = Solver.Evaluate(Context, Script.c_str());
  Solver.DropContext(Context);
  Solver.DropConfig(Config);
  StringRef Word = StringRef(Said).trim();
  return Word == "unsat" ? Answer::Unsat
         : Word == "sat" ? Answer::Sat
                         : Answer::Unknown;
}

StringRef nameOf(Answer A) {
  switch (A) {
  case Answer::Unsat:
    return "unsat";
  case Answer::Sat:
    return "sat";
  case Answer::Unknown:
    return "unknown";
  case Answer::NoSolver:
    return "not asked: no Z3";
  }
  return "";
}

void writeProof(StringRef Name, const std::string &Script, Answer Is) {
  StringRef Folder = proofFolder();
  if (Folder.empty())
    return;
  SmallString<128> Path(Folder);
  (void)sys::fs::create_directories(Path);
  std::string File;
  for (char C : Name)
    File += isAlnum(C) ? C : '_';
  for (unsigned N = 0;; ++N) {
    Path = Folder;
    sys::path::append(Path,
                      File + (N ? "." + std::to_string(N) : "") + ".smt2");
    if (!sys::fs::exists(Path))
      break;
  }
  std::error_code Error;
  raw_fd_ostream OS(Path, Error);
  if (Error) {
    errs() << "retrograde: cannot write '" << Path << "': " << Error.message()
           << "\n";
    return;
  }
  OS << "; The answer was: " << nameOf(Is) << "\n" << Script;
}

} // namespace retro
