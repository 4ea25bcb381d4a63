// Prints the messages of diagnostics.def: an error at the user's line, what to
// do about it, and the calls that lead there. The first error of a request
// wins, since those that follow are mostly consequences of it.
#include "base/diagnostics.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace retro {
namespace {

struct Row {
  const char *Name, *Sentence, *Advice;
};
const Row Rows[] = {
#define DIAGNOSTIC(Id, Name, Kind, Sentence, Advice) {Name, Sentence, Advice},
#include "base/diagnostics.def"
#undef DIAGNOSTIC
};

/// In a longer chain, the calls in the middle are left out.
constexpr size_t MaxNotes = 8;

std::string fill(const char *Text, ArrayRef<std::string> Args) {
  std::string Out;
  for (const char *P = Text; *P; ++P) {
    if (*P == '%' && P[1] >= '0' && P[1] <= '9') {
      size_t I = static_cast<size_t>(*++P - '0');
      StringRef Arg = I < Args.size() ? StringRef(Args[I]) : StringRef();
      // An argument is a symbol, or words.
      Out += Arg.contains(' ') ? Arg.str() : displayName(Arg);
    } else {
      Out += *P;
    }
  }
  return Out;
}

/// The advice of a row. What was already done is no advice: M may have debug
/// information.
StringRef adviceFor(const Row &R, const Module &M) {
  StringRef Advice = R.Advice;
  if (M.getNamedMetadata("llvm.dbg.cu"))
    Advice.consume_front(
        "compile with type information (-fstrict-aliasing, -g), or ");
  return Advice;
}

std::string textOf(Diag Id, ArrayRef<std::string> Args, const Module &M) {
  const Row &R = Rows[static_cast<size_t>(Id)];
  return fill(R.Sentence, Args) + " [retro-" + R.Name +
         "]; to fix it: " + adviceFor(R, M).str();
}

/// A line that follows an error.
struct Note {
  DebugLoc At; ///< empty where it is not known
  std::string Text;
};

/// A note whose place is unknown, for the compiler's own handler.
class PlainNote final : public DiagnosticInfo {
public:
  explicit PlainNote(const Twine &Text)
      : DiagnosticInfo(kind(), DS_Note), Text(Text) {}
  void print(DiagnosticPrinter &P) const override { P << Text; }

private:
  static int kind() {
    static const int K = getNextAvailablePluginDiagnosticKind();
    return K;
  }
  const Twine &Text;
};

/// Shows a note at a place of the source. Where the file can be read, its line
/// is shown, as the compiler's own notes do.
void show(LLVMContext &C, const Note &N) {
  if (!N.At)
    return C.diagnose(PlainNote(N.Text));
  const DILocation &L = *N.At.get();
  SmallString<128> Path(L.getFilename());
  if (!sys::path::is_absolute(Path)) {
    Path = L.getDirectory();
    sys::path::append(Path, L.getFilename());
  }
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/true);
  SourceMgr Sources;
  SMLoc At;
  if (File) {
    auto Buffer =
        MemoryBuffer::getMemBufferCopy((*File)->getBuffer(), L.getFilename());
    unsigned Id = Sources.AddNewSourceBuffer(std::move(Buffer), SMLoc());
    At = Sources.FindLocForLineAndColumn(Id, L.getLine(),
                                         std::max(L.getColumn(), 1u));
  }
  if (!At.isValid())
    return C.diagnose(PlainNote(L.getFilename() + ":" + Twine(L.getLine()) +
                                ":" + Twine(L.getColumn()) + ": " + N.Text));
  SMDiagnostic D = Sources.GetMessage(At, SourceMgr::DK_Note, N.Text);
  C.diagnose(DiagnosticInfoSrcMgr(D, "", false));
}

/// Compilers other than clang print an error as text and may end there, so the
/// notes are part of that text.
class Error final : public DiagnosticInfoUnsupported {
public:
  Error(const Function &F, const Twine &Text, DiagnosticLocation Loc,
        ArrayRef<Note> Notes, bool &Printed)
      : DiagnosticInfoUnsupported(F, Text, Loc, DS_Error), Notes(Notes),
        Printed(Printed) {}
  void print(DiagnosticPrinter &P) const override {
    Printed = true;
    if (isLocationAvailable())
      P << getLocationStr() << ": ";
    else
      P << "in function '" << displayName(getFunction()) << "': ";
    P << getMessage();
    for (const Note &N : Notes) {
      P << "\n";
      if (N.At)
        P << DiagnosticLocation(N.At).getRelativePath() << ":" << N.At.getLine()
          << ":" << N.At.getCol() << ": ";
      P << "note: " << N.Text;
    }
  }

private:
  ArrayRef<Note> Notes;
  bool &Printed;
};

/// Describes the calls that lead to a construct.
std::vector<Note> inWords(ArrayRef<CallLink> Links) {
  std::vector<Note> Notes;
  for (size_t I = 0; I < Links.size(); ++I) {
    if (Links.size() > MaxNotes && I == MaxNotes / 2) {
      size_t Omitted = Links.size() - MaxNotes + 1;
      Notes.push_back({DebugLoc(), std::to_string(Omitted) + " more calls"});
      I += Omitted - 1;
      continue;
    }
    const CallLink &L = Links[I];
    // The engine itself requests the gradients of a checkpointed loop's steps.
    std::string Text =
        !L.Request             ? "'" + L.Callee + "' is called from '"
        : L.Callee == L.Caller ? "the derivative of one step is requested in '"
        : L.Callee.empty()
            ? "the derivative is requested in '"
            : "the derivative of '" + L.Callee + "' is requested in '";
    Notes.push_back({L.At, Text + L.Caller + (L.At ? "' here" : "'")});
  }
  if (!Notes.empty() && !Notes.back().At)
    Notes.back().Text += " (compile with -g for the lines)";
  return Notes;
}

} // namespace

void Reporter::error(Diag Id, const GlobalVariable *At, const Function *Near,
                     ArrayRef<std::string> Args) {
  if (std::exchange(Failed, true) || Silent)
    return;
  std::string Text = textOf(Id, Args, *Request->getModule());
  const Function &F = Near ? *Near : *Request->getFunction();
  LLVMContext &C = F.getContext();
  DebugLoc Loc;
  if (DISubprogram *SP = F.getSubprogram())
    Loc = DILocation::get(C, SP->getLine(), 0, SP);
  SmallVector<DIGlobalVariableExpression *, 1> Info;
  if (At)
    At->getDebugInfo(Info);
  // A place needs a function around it; any file will do.
  if (DISubprogram *SP = Request->getFunction()->getSubprogram();
      SP && !Info.empty()) {
    const DIGlobalVariable *V = Info[0]->getVariable();
    DILocalScope *Scope = DILexicalBlockFile::get(C, SP, V->getFile(), 0);
    Loc = DILocation::get(C, V->getLine(), 0, Scope);
  }
  bool Printed = false;
  C.diagnose(Error(F, Text, DiagnosticLocation(Loc), {}, Printed));
}

std::string Reporter::placeText(const Instruction &At) const {
  const Function *F = At.getFunction();
  if (const Function *Source = SourceOf.lookup(F))
    F = Source;
  std::string Text = "in function '" + displayName(*F) + "'";
  if (DebugLoc L = placeOf(At, SourceOf))
    return (L->getFilename() + ":" + Twine(L.getLine()) + ":" +
            Twine(L.getCol()) + ": " + Text)
        .str();
  return Text;
}

std::string Reporter::ownerText(const Instruction &At) const {
  const Function *F = At.getFunction();
  if (const Function *Source = SourceOf.lookup(F))
    F = Source;
  DebugLoc L = placeOf(At, SourceOf);
  if (!L)
    return "'" + displayName(*F) + "' (compile with -g for the line)";
  const DISubprogram &In = *L->getScope()->getSubprogram();
  StringRef Symbol = In.getLinkageName();
  return ("'" + displayName(Symbol.empty() ? In.getName() : Symbol) + "' (" +
          L->getFilename() + ":" + Twine(L.getLine()) + ")")
      .str();
}

void Reporter::error(Diag Id, const Instruction *At,
                     ArrayRef<std::string> Args) {
  if (std::exchange(Failed, true) || Silent)
    return;
  std::string Text = textOf(Id, Args, *Request->getModule());
  // The construct's own place in the source, not the one that it was inlined
  // to.
  const Function *Source =
      At && At->getParent() ? SourceOf.lookup(At->getFunction()) : nullptr;
  DebugLoc Loc = Source ? placeOf(*At, SourceOf) : Request->getDebugLoc();
  if (At && !Source && At->getDebugLoc())
    Loc = At->getDebugLoc();
  // A place in the typed interface is of no use; that where it is called is.
  bool Between = Loc ? isInterface(Loc->getSubprogramLinkageName())
                     : Source && isInterface(Source->getName());
  if (Between)
    Loc = Request->getDebugLoc();
  const Function &F = Source && !Between ? *Source : *Request->getFunction();
  std::vector<Note> Notes;
  if (Source)
    Notes = inWords(callChain(*At, Root, SourceOf, *Request));
  if (!Loc && Notes.empty())
    Text += " (compile with -g for the line)";
  bool Printed = false;
  LLVMContext &C = F.getContext();
  C.diagnose(Error(F, Text, DiagnosticLocation(Loc), Notes, Printed));
  if (!Printed)
    for (const Note &N : Notes)
      show(C, N);
}

} // namespace retro
