// Input: a function as the front end wrote it. Output: the same function, with
// metadata at accesses of memory that says what the types of the addresses
// said. Simplification forgets those types; then memory that nothing else tells
// of could not be told from integers.
#include "prepare/words/note_types.h"

#include "base/scalars.h"
#include "base/unit.h"
#include "facts/types/declared_types.h"
#include "facts/types/type_tags.h"
#include "front/names/foreign.h"
#include "front/registered/models.h"
#include "prepare/words/virtual_calls.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// The field of a struct with a name at which Ptr points, if its place in the
/// struct is constant. A struct without a name is no type of the program.
std::optional<DeclaredField> fieldAt(const Value *Ptr, const DataLayout &DL) {
  int64_t Offset = 0;
  std::optional<DeclaredField> Out;
  while (auto *G = dyn_cast<GEPOperator>(Ptr)) {
    auto *S = dyn_cast<StructType>(G->getSourceElementType());
    APInt Constant(64, 0);
    // The first index steps over whole objects.
    SmallVector<Value *> Within(G->indices());
    if (S && isFieldOfStruct(*G) && all_of(drop_begin(Within), [](Value *I) {
          return isa<ConstantInt>(I);
        })) {
      Within[0] = ConstantInt::get(Within[0]->getType(), 0);
      Out = {S, Offset + DL.getIndexedOffsetInType(S, Within)};
    }
    if (!G->accumulateConstantOffset(DL, Constant))
      break;
    Offset += Constant.getSExtValue();
    Ptr = G->getPointerOperand();
  }
  return Out;
}

/// The type of the numbers at Ptr, if Ptr is computed as an address of such;
/// else null.
Type *numbersAt(const Value *Ptr) {
  auto *G = dyn_cast<GEPOperator>(Ptr);
  if (!G)
    return nullptr;
  Type *T = G->getResultElementType();
  while (auto *A = dyn_cast<ArrayType>(T))
    T = A->getElementType();
  return T->isFloatingPointTy() ? T : nullptr;
}

/// Is T a type of the program, with all its parts? Structs without a name are
/// what calls pass, and complex numbers.
bool isNamed(const Type *T) {
  auto *S = dyn_cast<StructType>(T);
  return !(S && S->isLiteral()) && all_of(T->subtypes(), isNamed);
}

/// Is Ptr the address of a variable or field that is a struct of two floats?
bool isPairOfFloats(const Value *Ptr, const DataLayout &DL) {
  auto *G = dyn_cast<GEPOperator>(Ptr);
  auto *A = dyn_cast<AllocaInst>(Ptr);
  Type *T = G ? G->getResultElementType() : A ? A->getAllocatedType() : nullptr;
  auto *S = dyn_cast_or_null<StructType>(T);
  return S && isNamed(S) && DL.getTypeAllocSize(S) == 8 &&
         isOnly(S, [](const Type *E) { return E->isFloatTy(); });
}

/// LLVM would make one word of a copy of two floats, whatever their alignment.
/// Copied as two words, they are not taken for a double, and as two numbers
/// where the program declares them, they are known as such.
void copyAsTwo(MemTransferInst &Copy, Type *Word) {
  IRBuilder<> B(&Copy);
  auto *T = FixedVectorType::get(Word, 2);
  Value *Words = B.CreateAlignedLoad(T, Copy.getRawSource(),
                                     Copy.getSourceAlign(), "words");
  B.CreateAlignedStore(Words, Copy.getRawDest(), Copy.getDestAlign());
  Copy.eraseFromParent();
}

/// What is stored in the variable that P is loaded from, if that is one value;
/// else null. So the front end keeps arguments and other values.
const Value *onlyStored(const Value *P) {
  auto *L = dyn_cast<LoadInst>(P);
  auto *Slot = L ? dyn_cast<AllocaInst>(L->getPointerOperand()) : nullptr;
  const Value *Out = nullptr;
  if (Slot)
    for (const User *U : Slot->users()) {
      auto *S = dyn_cast<StoreInst>(U);
      if (!S)
        continue;
      if (Out || S->getPointerOperand() != Slot)
        return nullptr;
      Out = S->getValueOperand();
    }
  return Out;
}

/// The argument that P is, or that was put where P is loaded from.
const Argument *argumentAt(const Value *P) {
  const Value *Stored = onlyStored(P);
  return dyn_cast<Argument>(Stored ? Stored : P);
}

/// The struct whose objects are at Ptr, by the type of the variable, or of the
/// array that the address is computed in; or null.
Type *structAt(const Value *Ptr) {
  auto *A = dyn_cast<AllocaInst>(Ptr);
  auto *G = dyn_cast<GEPOperator>(Ptr);
  Type *T = A ? A->getAllocatedType() : G ? G->getResultElementType() : nullptr;
  while (auto *Array = dyn_cast_or_null<ArrayType>(T))
    T = Array->getElementType();
  auto *S = dyn_cast_or_null<StructType>(T);
  return S && !S->isLiteral() ? S : nullptr;
}

/// The text that V is the length of, or that and some characters; else null.
/// The front end keeps the length in a variable.
const Value *textOfLength(const Value *V) {
  constexpr unsigned MostSteps = 8;
  const Value *Sum;
  for (unsigned N = 0; N < MostSteps; ++N) {
    if (auto *C = dyn_cast<CallBase>(V))
      return callsA(*C, NameKind::LengthOfText) ? C->getArgOperand(0) : nullptr;
    if (match(V, m_Add(m_Value(Sum), m_ConstantInt())) ||
        match(V, m_ZExtOrSExt(m_Value(Sum))))
      V = Sum;
    else if (const Value *Stored = onlyStored(V))
      V = Stored;
    else
      return nullptr;
  }
  return nullptr;
}

/// Are the two one value, or loaded from one variable?
bool isSame(const Value *A, const Value *B) {
  auto *L = dyn_cast<LoadInst>(A), *M = dyn_cast<LoadInst>(B);
  return A == B || (L && M && isa<AllocaInst>(L->getPointerOperand()) &&
                    L->getPointerOperand() == M->getPointerOperand());
}

/// Is a text copied, up to its end?
bool copiesText(const MemTransferInst &Copy) {
  const Value *Text = textOfLength(Copy.getLength());
  return Text && isSame(Text, Copy.getRawSource());
}

/// Notes at copies what is copied: by the names of the library's helpers, and
/// by the types of variables. A copy of less than an object is one of a part.
void noteObjects(Function &F, NamedStructs &Structs) {
  const bool ByName = isA(F.getName(), NameKind::CopiesObjects);
  SmallVector<Type *, 4> Pointees;
  for (Instruction &I : instructions(F)) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (!Copy || Copy->isVolatile())
      continue;
    auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
    if (copiesText(*Copy)) {
      noteElement(*Copy, Type::getInt8Ty(F.getContext()));
      continue;
    }
    auto TypeAt = [&](const Value *P) -> Type * {
      if (Type *T = Bytes ? structAt(P) : nullptr)
        return T;
      const Argument *A = ByName ? argumentAt(P) : nullptr;
      if (A && Pointees.empty())
        Pointees = pointeesOfArguments(F, Structs);
      return A ? Pointees[A->getArgNo()] : nullptr;
    };
    Type *A = TypeAt(Copy->getRawDest()), *B = TypeAt(Copy->getRawSource());
    Type *T = A ? A : B;
    const uint64_t Size = T ? F.getDataLayout().getTypeAllocSize(T) : 0;
    if (Size && (!A || !B || A == B) &&
        (!Bytes || Bytes->getZExtValue() % Size == 0))
      noteElement(*Copy, T);
  }
}

/// Notes at the accesses of a string's functions that they are of characters
/// and sizes, and which pointers lead to characters.
void noteCharacters(Function &F) {
  if (!isA(F.getName(), NameKind::OfCharacters))
    return;
  LLVMContext &C = F.getContext();
  for (Instruction &I : instructions(F))
    if (getLoadStorePointerOperand(&I) && getLoadStoreType(&I)->isIntegerTy())
      I.setMetadata(NotedInteger, MDNode::get(C, {}));
    else if (isa<MemTransferInst>(I))
      noteElement(cast<CallBase>(I), Type::getInt8Ty(C));
    else if (auto *L = dyn_cast<LoadInst>(&I);
             L && L->getType()->isPointerTy() &&
             isa<GEPOperator>(L->getPointerOperand()))
      L->setMetadata(NotedCharacters, MDNode::get(C, {}));
}

/// The fields of a part of an object that a constructor or an assignment of its
/// class copies at once, by the class; none where they are not all known.
SmallVector<NamedField> fieldsOfPart(const MemTransferInst &Copy, int64_t Bytes,
                                     const DataLayout &DL) {
  auto To = fieldAt(Copy.getRawDest(), DL),
       From = fieldAt(Copy.getRawSource(), DL);
  SmallVector<NamedField> All, Out;
  if (!To || !From || To->In != From->In || To->Offset != From->Offset ||
      !copiesItsClass(*Copy.getFunction()) || !fieldsOf(To->In, DL, 0, All))
    return Out;
  for (const NamedField &F : All) {
    const int64_t At = F.Offset - To->Offset,
                  End = At + static_cast<int64_t>(DL.getTypeStoreSize(F.T));
    if (End <= 0 || At >= Bytes)
      continue;
    if (At < 0 || End > Bytes)
      return {};
    Out.push_back({At, F.T});
  }
  return Out;
}

/// The fields of the object that is copied, by the type of the variable on one
/// side, by its class, or by what the front end lists; none where they are not
/// all known.
SmallVector<NamedField> fieldsOfCopy(const MemTransferInst &Copy,
                                     const DataLayout &DL) {
  SmallVector<NamedField> Out;
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Bytes)
    return Out;
  for (const Value *P : {Copy.getRawDest(), Copy.getRawSource()}) {
    auto *A = dyn_cast<AllocaInst>(P);
    auto *S = A ? dyn_cast<StructType>(A->getAllocatedType()) : nullptr;
    if (S && DL.getTypeAllocSize(S) == Bytes->getZExtValue() &&
        fieldsOf(S, DL, 0, Out))
      return Out;
    Out.clear();
  }
  Out = fieldsOfPart(Copy, Bytes->getSExtValue(), DL);
  if (!Out.empty())
    return Out;
  return fieldsListed(Copy.getMetadata(LLVMContext::MD_tbaa_struct),
                      Copy.getContext());
}

/// The bytes between the fields and behind them: padding, which the program may
/// look at when it has been copied.
SmallVector<NamedField> gapsBetween(ArrayRef<NamedField> Fields, int64_t Size,
                                    const DataLayout &DL, LLVMContext &C) {
  SmallVector<NamedField> Out;
  int64_t At = 0;
  auto Fill = [&](int64_t To) {
    for (; At < To; ++At)
      Out.push_back({At, Type::getInt8Ty(C)});
  };
  for (const NamedField &F : Fields) {
    Fill(F.Offset);
    At = F.Offset + static_cast<int64_t>(DL.getTypeStoreSize(F.T));
  }
  Fill(Size);
  return Out;
}

/// What the front end calls an integer of 8 bytes.
constexpr StringLiteral NamedLong = "long";

/// A name for accesses, where the front end names none. It has a root of its
/// own, so that it says nothing of aliasing.
MDNode *ownTag(LLVMContext &C, StringRef Name) {
  MDBuilder B(C);
  MDNode *Word = B.createTBAAScalarTypeNode(Name, B.createTBAARoot(NamedWord));
  return B.createTBAAStructTagNode(Word, Word, 0);
}
/// The tag of words that the program declares to be numbers or pointers.
MDNode *wordTag(LLVMContext &C) { return ownTag(C, NamedWord); }

/// Does the front end name what is accessed here? Without optimization it names
/// nothing; a name would stand for all.
bool namesAccesses(const Instruction &Of) {
  return any_of(instructions(*Of.getFunction()),
                [](auto &I) { return I.hasMetadata(LLVMContext::MD_tbaa); });
}

/// How the field at an offset of what is copied is accessed. A copy between two
/// objects of one class, or one that the front end makes of an assignment, is
/// of what it is declared to be, on both sides; the program's own copy of bytes
/// says nothing of the other side.
AAMDNodes tagsOfField(const MemTransferInst &Copy, const NamedField &F,
                      const DataLayout &DL) {
  if (AAMDNodes Tags = Copy.getAAMetadata(); Tags.TBAAStruct)
    return Tags.adjustForAccess(static_cast<size_t>(F.Offset), F.T, DL);
  auto *Bytes = cast<ConstantInt>(Copy.getLength());
  AAMDNodes Tags;
  if (namesAccesses(Copy) &&
      !fieldsOfPart(Copy, Bytes->getSExtValue(), DL).empty())
    Tags.TBAA = wordTag(Copy.getContext());
  return Tags;
}

/// LLVM would make words of a small object that is copied, and a word in which
/// a float lies beside something else is none of the types that memory holds.
/// Such an object is copied field by field.
bool copyByFields(MemTransferInst &Copy, const DataLayout &DL) {
  constexpr size_t MostFields = 8;
  auto Fields = fieldsOfCopy(Copy, DL);
  if (Fields.size() > MostFields || Fields.size() < 2 ||
      none_of(Fields, [](const NamedField &F) { return F.T->isFloatTy(); }) ||
      all_of(Fields, [](const NamedField &F) { return F.T->isFloatTy(); }))
    return false;
  IRBuilder<> B(&Copy);
  auto At = [&](Value *Base, int64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base,
                                        static_cast<uint64_t>(Offset));
  };
  auto Aligned = [](MaybeAlign A, int64_t Offset) {
    return commonAlignment(A.valueOrOne(), static_cast<uint64_t>(Offset));
  };
  const size_t Padding = Fields.size();
  Fields.append(gapsBetween(Fields,
                            cast<ConstantInt>(Copy.getLength())->getSExtValue(),
                            DL, Copy.getContext()));
  auto Note = [&](Instruction *I, size_t N) {
    if (N >= Padding) // holds nothing that matters
      I->setMetadata(NotedInteger, MDNode::get(Copy.getContext(), {}));
    else
      I->setAAMetadata(tagsOfField(Copy, Fields[N], DL));
  };
  // All is read before any is written: the two may be one.
  SmallVector<LoadInst *> Values;
  for (auto [N, F] : enumerate(Fields)) {
    Values.push_back(
        B.CreateAlignedLoad(F.T, At(Copy.getRawSource(), F.Offset),
                            Aligned(Copy.getSourceAlign(), F.Offset)));
    Note(Values.back(), N);
  }
  for (auto [N, F] : enumerate(Fields))
    Note(B.CreateAlignedStore(Values[N], At(Copy.getRawDest(), F.Offset),
                              Aligned(Copy.getDestAlign(), F.Offset)),
         N);
  Copy.eraseFromParent();
  return true;
}

MDNode *noteOfField(StructType *In, int64_t Offset) {
  LLVMContext &C = In->getContext();
  auto *At = ConstantInt::getSigned(Type::getInt64Ty(C), Offset);
  return MDNode::get(C, {ConstantAsMetadata::get(PoisonValue::get(In)),
                         ConstantAsMetadata::get(At)});
}

/// Does the object have integers of 8 bytes alone, and few?
bool isOfLongs(StructType *S, uint64_t Bytes, const DataLayout &DL) {
  constexpr size_t MostFields = 8;
  SmallVector<NamedField> Fields;
  return !S->isLiteral() && DL.getTypeAllocSize(S) == Bytes &&
         fieldsOf(S, DL, 0, Fields) && Fields.size() <= MostFields &&
         Fields.size() * 8 == Bytes && all_of(Fields, [](const NamedField &F) {
           return F.T->isIntegerTy(64);
         });
}

/// LLVM would make words of an object that has nothing but integers, and words
/// are of anything: beside pointers that an index may reach, too, it would be
/// taken for such. It is copied integer by integer, as the front end names what
/// the program does so itself. The engine's models of a Fortran runtime say
/// what they copy.
bool copyLongs(MemTransferInst &Copy, const DataLayout &DL) {
  auto *S = dyn_cast_or_null<StructType>(namedElement(Copy));
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  if (!S || !Bytes || isa<MemMoveInst>(Copy) ||
      !isOfLongs(S, Bytes->getZExtValue(), DL) || !namesAccesses(Copy) ||
      any_of(*Copy.getModule(), isModel))
    return false;
  LLVMContext &C = Copy.getContext();
  MDNode *Tag = ownTag(C, NamedLong);
  IRBuilder<> B(&Copy);
  auto At = [&](Value *Base, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
  };
  auto Aligned = [](MaybeAlign A, uint64_t Offset) {
    return commonAlignment(A.valueOrOne(), Offset);
  };
  SmallVector<Value *> Values;
  for (uint64_t Offset = 0; Offset < Bytes->getZExtValue(); Offset += 8) {
    LoadInst *L =
        B.CreateAlignedLoad(B.getInt64Ty(), At(Copy.getRawSource(), Offset),
                            Aligned(Copy.getSourceAlign(), Offset));
    L->setMetadata(LLVMContext::MD_tbaa, Tag);
    Values.push_back(L);
  }
  for (auto [N, V] : enumerate(Values))
    B.CreateAlignedStore(V, At(Copy.getRawDest(), N * 8),
                         Aligned(Copy.getDestAlign(), N * 8))
        ->setMetadata(LLVMContext::MD_tbaa, Tag);
  Copy.eraseFromParent();
  return true;
}

/// Does F count the references of std::shared_ptr or std::weak_ptr (libstdc++)?
/// A virtual call follows such an operation, and may be of anything.
bool countsReferences(const Function &F) {
  return F.getName().contains("_Sp_counted_base") ||
         F.getName().contains("__exchange_and_add") ||
         F.getName().contains("__atomic_add");
}

} // namespace

void noteEmitted(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst>(I) ||
        !(I.getType()->isPointerTy() || I.getType()->isDoubleTy()))
      continue;
    I.setMetadata(NotedWord, MDNode::get(F.getContext(), {}));
    if (I.getType()->isPointerTy() && !I.hasMetadata(LLVMContext::MD_tbaa))
      I.setMetadata(LLVMContext::MD_tbaa, wordTag(F.getContext()));
  }
}

void noteDeclared(Function &F, bool IsFortran) {
  const bool Counts = isA(F.getName(), NameKind::CountsReferences);
  for (Instruction &I : instructions(F)) {
    if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall()) {
      C->addFnAttr(
          Attribute::get(F.getContext(), CallsCounts, Counts ? "1" : "0"));
      if (auto Virtual = isVirtualCall(*C, IsFortran))
        C->addFnAttr(
            Attribute::get(F.getContext(), CallsVirtual, *Virtual ? "1" : "0"));
    }
    if (getLoadStorePointerOperand(&I)) {
      Type *T = getLoadStoreType(&I);
      if (isa<LoadInst>(I) && (T->isPointerTy() || T->isDoubleTy()))
        I.setMetadata(NotedWord, MDNode::get(F.getContext(), {}));
      if (T->isVectorTy() && T->isFPOrFPVectorTy())
        I.setMetadata(NotedNumbers, MDNode::get(F.getContext(), {}));
    }
  }
}

void noteTypes(Function &F, NamedStructs &Structs) {
  noteObjects(F, Structs);
  noteCharacters(F);
  if (countsReferences(F))
    for (Instruction &I : instructions(F)) {
      const bool Counts =
          getLoadStorePointerOperand(&I) && getLoadStoreType(&I)->isIntegerTy();
      if (I.isAtomic() || Counts)
        I.setMetadata(I.isAtomic() ? ReferenceCount : NotedInteger,
                      MDNode::get(F.getContext(), {}));
    }
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(F.getContext());
  auto Number = [&](uint64_t N) {
    return ConstantAsMetadata::get(B.getInt64(N));
  };
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (const Value *Ptr = getLoadStorePointerOperand(&I)) {
      if (auto *L = dyn_cast<LoadInst>(&I))
        noteAccessName(*L);
      if (auto Field = fieldAt(Ptr, DL))
        I.setMetadata(NotedField, noteOfField(Field->In, Field->Offset));
      continue;
    }
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (!Copy || Copy->isVolatile() || Copy->hasMetadata(NotedElement))
      continue;
    if (copyLongs(*Copy, DL) || copyByFields(*Copy, DL))
      continue;
    Type *T = numbersAt(Copy->getRawDest());
    if (!T)
      T = numbersAt(Copy->getRawSource());
    auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
    if (!T && Bytes && Bytes->equalsInt(8) &&
        (isPairOfFloats(Copy->getRawDest(), DL) ||
         isPairOfFloats(Copy->getRawSource(), DL)))
      copyAsTwo(*Copy, B.getFloatTy());
    if (!T)
      continue;
    const uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
    if (Size == 4 && Bytes && Bytes->getZExtValue() == 8)
      copyAsTwo(*Copy, B.getInt32Ty());
    else
      Copy->setMetadata(NotedElement,
                        MDNode::get(F.getContext(), Number(Size)));
  }
}

/// The offsets in T at which a vector begins.
static void findVectors(Type *T, const DataLayout &DL, uint64_t At,
                        SmallVectorImpl<uint64_t> &Out) {
  constexpr uint64_t Most = 1024; // elements of an array
  if (auto *A = dyn_cast<ArrayType>(T)) {
    const uint64_t Step = DL.getTypeAllocSize(A->getElementType());
    if (A->getElementType()->isAggregateType() && A->getNumElements() <= Most)
      for (uint64_t N = 0; N < A->getNumElements(); ++N)
        findVectors(A->getElementType(), DL, At + N * Step, Out);
  } else if (auto *S = dyn_cast<StructType>(T)) {
    if (isVectorOfLibrary(*S))
      return Out.push_back(At);
    for (unsigned N = 0; N < S->getNumElements(); ++N)
      findVectors(S->getElementType(N), DL,
                  At + DL.getStructLayout(S)->getElementOffset(N), Out);
  }
}

/// Is the class a std::vector whose allocator has nothing in it?
static bool isVectorWithoutState(StringRef Class) {
  if (!Class.consume_front("std::vector<") || !Class.consume_back(">") ||
      Class.starts_with("bool,"))
    return false;
  int Depth = 0;
  for (size_t N = 0; N < Class.size(); ++N) {
    Depth += (Class[N] == '<') - (Class[N] == '>');
    if (Class[N] == ',' && Depth == 0)
      return Class.substr(N + 1).trim().starts_with("std::allocator<");
  }
  return false;
}

/// Finds the vectors in what a destructor destroys.
static void findVectors(const Function &Destructor, NamedStructs &Structs,
                        SmallVectorImpl<uint64_t> &Out) {
  const std::string Name = demangle(Destructor.getName());
  const StringRef Class = StringRef(Name).split("::~").first;
  if (Class.size() == Name.size())
    return;
  if (StructType *S = Structs.find(Class))
    findVectors(S, Destructor.getDataLayout(), 0, Out);
  else if (isVectorWithoutState(Class))
    Out.push_back(0);
}

void noteVectors(Module &M, NamedStructs &Structs) {
  const DataLayout &DL = M.getDataLayout();
  DenseMap<GlobalVariable *, SmallVector<uint64_t>> Starts;
  for (GlobalVariable &G : M.globals())
    findVectors(G.getValueType(), DL, 0, Starts[&G]);
  // The front end gives a variable that it has initialized itself another type.
  for (Function &F : M)
    if (isA(F.getName(), NameKind::DestroysAtExit))
      for (User *U : F.users())
        if (auto *C = dyn_cast<CallBase>(U); C && C->arg_size() == 3)
          if (auto *D = dyn_cast<Function>(C->getArgOperand(0)))
            if (auto *G = dyn_cast<GlobalVariable>(C->getArgOperand(1));
                G && Starts[G].empty())
              findVectors(*D, Structs, Starts[G]);
  Type *I64 = Type::getInt64Ty(M.getContext());
  for (auto &[G, Of] : Starts) {
    SmallVector<Metadata *> Notes;
    for (uint64_t Start : Of)
      Notes.push_back(ConstantAsMetadata::get(ConstantInt::get(I64, Start)));
    if (!Notes.empty())
      G->setMetadata(NotedVectors, MDNode::get(M.getContext(), Notes));
  }
}

} // namespace retro
