// Input: shuffles of a warp, which move 32 bits. Output: one call for two
// shuffles that move the halves of a double; and two shuffles again in emitted
// functions. The halves of a number have no derivative.
#include "prepare/targets/shuffle_words.h"

#include "front/known/known_functions.h"
#include "ir/canonical_functions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

unsigned moved(const KnownCall &K) { return static_cast<unsigned>(K.Row->A); }

/// The word of which V is the low half (Half is 0 then) or the high half (1).
Value *wordOf(Value *V, unsigned &Half) {
  Value *Word;
  if (match(V, m_Trunc(m_LShr(m_Value(Word), m_SpecificInt(32))))) {
    Half = 1;
  } else if (match(V, m_Trunc(m_Value(Word)))) {
    Half = 0;
  } else {
    uint64_t Lane;
    if (!match(V, m_ExtractElt(m_Value(Word), m_ConstantInt(Lane))) || Lane > 1)
      return nullptr;
    auto *B = dyn_cast<BitCastInst>(Word);
    if (!B || !B->getSrcTy()->isDoubleTy())
      return nullptr;
    Half = static_cast<unsigned>(Lane);
    return B->getOperand(0);
  }
  return Word->getType()->isIntegerTy(64) ? Word : nullptr;
}

/// Do both move values between the same lanes?
bool movesAlike(const CallBase &A, const CallBase &B, unsigned Moved) {
  if (A.getCalledOperand() != B.getCalledOperand())
    return false;
  for (unsigned N = 0; N < A.arg_size(); ++N)
    if (N != Moved && A.getArgOperand(N) != B.getArgOperand(N))
      return false;
  return true;
}

/// A call like C, of the function that moves 64 bits.
CallInst *shuffleOfWord(CallBase &C, const KnownCall &K, Value *Word) {
  Module &M = *C.getModule();
  IRBuilder<> B(&C);
  SmallVector<Value *> Args(C.args());
  Args[moved(K)] = Word;
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  Function *F =
      canonicalFunction(M, (K.Row->Name + ".i64").str(),
                        FunctionType::get(B.getInt64Ty(), Types, false),
                        C.getCalledFunction()->getName());
  F->addFnAttr(Attribute::Convergent);
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  CallInst *New = B.CreateCall(F, Args);
  New->setDebugLoc(C.getDebugLoc());
  return New;
}

/// Replaces the two halves: where they are put together, by the word; else by
/// the halves of the word.
void replaceHalves(CallBase &Low, CallBase &High, Value *Word) {
  SmallVector<Instruction *> Joined;
  for (User *L : Low.users())
    if (isa<ZExtInst>(L))
      for (User *O : L->users())
        if (match(O, m_c_Or(m_Shl(m_ZExt(m_Specific(&High)), m_SpecificInt(32)),
                            m_Specific(L))))
          Joined.push_back(cast<Instruction>(O));
  for (Instruction *O : Joined)
    O->replaceAllUsesWith(Word);
  IRBuilder<> B(&*std::next(cast<Instruction>(Word)->getIterator()));
  Low.replaceAllUsesWith(B.CreateTrunc(Word, Low.getType()));
  High.replaceAllUsesWith(
      B.CreateTrunc(B.CreateLShr(Word, 32), High.getType()));
  Low.eraseFromParent();
  High.eraseFromParent();
}

} // namespace

bool joinShuffles(Function &F) {
  struct Part {
    CallBase *C;
    Value *Word;
    unsigned Half;
  };
  bool Changed = false;
  for (BasicBlock &Block : F) {
    SmallVector<Part> Open; // whose other half has not been met
    for (Instruction &I : make_early_inc_range(Block)) {
      auto *C = dyn_cast<CallBase>(&I);
      KnownCall K = C ? knownCall(*C) : KnownCall();
      if (K.Kind != KnownKind::Shuffle || K.Canonical ||
          !C->getType()->isIntegerTy(32))
        continue;
      Part P{C, nullptr, 0};
      P.Word = wordOf(C->getArgOperand(moved(K)), P.Half);
      if (!P.Word)
        continue;
      auto *Partner = find_if(Open, [&](const Part &O) {
        return O.Word == P.Word && O.Half != P.Half &&
               movesAlike(*O.C, *C, moved(K));
      });
      if (Partner == Open.end()) {
        Open.push_back(P);
        continue;
      }
      Value *Word = P.Word;
      if (Word->getType()->isDoubleTy())
        Word = IRBuilder<>(Partner->C)
                   .CreateBitCast(Word, Type::getInt64Ty(F.getContext()));
      CallInst *New = shuffleOfWord(*Partner->C, K, Word);
      replaceHalves(P.Half ? *Partner->C : *C, P.Half ? *C : *Partner->C, New);
      Open.erase(Partner);
      Changed = true;
    }
  }
  return Changed;
}

void expandShuffle(CallBase &C, const KnownCall &K) {
  IRBuilder<> B(&C);
  SmallVector<Value *> Args(C.args());
  Value *Word = Args[moved(K)];
  Function *Of = conventionsOf(*C.getCalledFunction());
  auto Move = [&](Value *Half) {
    Args[moved(K)] = B.CreateTrunc(Half, B.getInt32Ty());
    CallInst *New = B.CreateCall(Of, Args);
    New->setDebugLoc(C.getDebugLoc());
    return B.CreateZExt(New, B.getInt64Ty());
  };
  Value *Low = Move(Word), *High = Move(B.CreateLShr(Word, 32));
  C.replaceAllUsesWith(B.CreateOr(B.CreateShl(High, 32), Low));
  C.eraseFromParent();
}

} // namespace retro
