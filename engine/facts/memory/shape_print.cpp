// The shape of memory as text, for -retro-print-shape. Tests read it, and
// reports of what was refused: without it nobody could say which evidence is
// missing. Members of MemoryShape (memory_shape.h).
#include "facts/memory/memory_shape.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro {

std::string MemoryShape::print() const {
  static const char *const Kinds[] = {"number", "pointer", "word"};
  std::string Text;
  raw_string_ostream OS(Text);
  auto Print = [&](Address A) { OS << A.Class << '+' << A.Offset; };
  for (unsigned Id = 0; Id < Classes.size(); ++Id) {
    if (!isRepresentative(Id) || Id == Nowhere || Id == Anywhere)
      continue;
    const MemoryClass &C = Classes[Id];
    OS << "class " << Id << " stride " << C.Stride << " origins " << C.Origins
       << (C.Shadowed ? " shadowed" : "")
       << (C.MayBeConstant ? " or constant" : "")
       << (C.Where == MemoryClass::Shadows::Images       ? " in images\n"
           : C.Where == MemoryClass::Shadows::ImagesElse ? " or in images\n"
                                                         : "\n");
    if (C.FoldedBy)
      OS << "  by" << *C.FoldedBy << '\n';
    for (const Cell &X : C.Cells) {
      const Content &What = Contents[findContent(X.Content)];
      OS << "  +" << X.Offset << ' ' << Kinds[static_cast<int>(X.Kind)]
         << " of " << X.Size << (X.Declared ? " declared" : "")
         << (What.Int ? " integer" : "") << (What.Pointer ? " pointer" : "")
         << (What.Float ? " float" : "") << (X.Varied ? " varied" : "")
         << (X.Useful ? " useful" : "");
      if (What.Target.Class != ~0u) {
        OS << " -> ";
        Print(find(What.Target));
      }
      OS << '\n';
    }
  }
  for (auto &UF : U.Functions)
    for (BasicBlock &B : *UF->F) {
      B.printAsOperand(OS, false);
      OS << " of " << UF->Source->getName() << '\n';
      for (Instruction &I : B) {
        OS << I << "   ";
        if (const Value *P = getLoadStorePointerOperand(&I))
          Print(addressOf(P));
        if (I.getType()->isPointerTy()) {
          OS << " = ";
          Print(addressOf(&I));
        }
        OS << '\n';
      }
    }
  return Text;
}

} // namespace retro
