// Input: a request, and the functions that were made for it. Output: a call of
// them in the request's place, with its arguments and results in the types of
// the user's call. A request that failed becomes nothing, as its error ends the
// compilation.
#include "answer/splice.h"

#include "base/assert.h"
#include "emit/tape/dynamic_shared.h"
#include "emit/tape/pool.h"
#include "ir/inline_call.h"
#include "polish/sparse/sparse.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace retro {

void dropRequest(CallBase &Call) {
  if (auto *I = dyn_cast<InvokeInst>(&Call))
    changeToCall(I)->replaceAllUsesWith(PoisonValue::get(I->getType()));
  else {
    Call.replaceAllUsesWith(PoisonValue::get(Call.getType()));
    Call.eraseFromParent();
  }
}

namespace {

/// The numbers in a type by their offsets, and the bytes of words.
struct Layout {
  std::map<uint64_t, Type *> Numbers;
  std::vector<std::pair<uint64_t, uint64_t>> Words;
  std::vector<uint64_t> Pointers;

  void add(Type *T, uint64_t At, const DataLayout &DL) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned I = 0; I < S->getNumElements(); ++I)
        add(S->getElementType(I),
            At + DL.getStructLayout(S)->getElementOffset(I), DL);
    } else if (isa<ArrayType, FixedVectorType>(T)) {
      Type *E = T->getContainedType(0);
      uint64_t N = isa<ArrayType>(T)
                       ? T->getArrayNumElements()
                       : cast<FixedVectorType>(T)->getNumElements();
      for (uint64_t I = 0; I < N; ++I)
        add(E, At + I * DL.getTypeAllocSize(E), DL);
    } else if (T->isFloatingPointTy()) {
      Numbers[At] = T;
    } else {
      Words.push_back({At, At + DL.getTypeStoreSize(T)});
      if (T->isPointerTy())
        Pointers.push_back(At);
    }
  }
  bool inWord(uint64_t At) const {
    return any_of(Words,
                  [&](auto &W) { return W.first <= At && At < W.second; });
  }
};

/// Is Want, a struct of the caller or what the ABI makes of one, the type of
/// these parts? Words of the ABI may hold numbers.
bool fits(StructType *Parts, Type *Want, const DataLayout &DL) {
  if (DL.getTypeAllocSize(Want) < DL.getTypeStoreSize(Parts))
    return false;
  Layout Given, Wanted;
  Given.add(Parts, 0, DL);
  Wanted.add(Want, 0, DL);
  return all_of(Wanted.Numbers,
                [&](auto &N) {
                  auto It = Given.Numbers.find(N.first);
                  return It != Given.Numbers.end() && It->second == N.second;
                }) &&
         all_of(Given.Numbers, [&](auto &N) {
           return Wanted.Numbers.contains(N.first) || Wanted.inWord(N.first);
         });
}

/// Are the pointers of both types at the same places?
bool pointersMatch(StructType *Parts, Type *Want, const DataLayout &DL) {
  Layout Given, Wanted;
  Given.add(Parts, 0, DL);
  Wanted.add(Want, 0, DL);
  return Given.Pointers == Wanted.Pointers;
}

/// Gives results to the caller of a request as the C struct {a, b, …}. The
/// caller's type is what the ABI passes that struct as.
class Results {
public:
  Results(const Request &Req, CallBase &Call, IRBuilder<> &B)
      : Req(Req), Call(Call), B(B) {}
  /// Ends the request. Parts is a struct value.
  void give(Value *Parts, Reporter &R);

private:
  Value *ordered(Value *Parts, Type *Want);
  Value *convert(Value *Parts, Type *Want, Reporter &R);
  void wrong(StructType *Parts, Reporter &R);
  void store(Value *Parts, Value *To) {
    auto *T = cast<StructType>(Parts->getType());
    for (unsigned I = 0; I < T->getNumElements(); ++I)
      B.CreateStore(B.CreateExtractValue(Parts, I),
                    B.CreateStructGEP(T, To, I));
  }

  const Request &Req;
  CallBase &Call;
  IRBuilder<> &B;
};

/// A caller of an augmented primal may want the tape behind the result: there,
/// where only that order has the tape's pointer at the place of a pointer.
Value *Results::ordered(Value *Parts, Type *Want) {
  auto *T = cast<StructType>(Parts->getType());
  const DataLayout &DL = Call.getDataLayout();
  unsigned N = T->getNumElements();
  if (Req.Kind != Entry::AugmentFwd || Req.Allocated || N < 2 ||
      Want->isVoidTy() || (fits(T, Want, DL) && pointersMatch(T, Want, DL)))
    return Parts;
  SmallVector<Type *> Types(drop_begin(T->elements()));
  Types.push_back(T->getElementType(0));
  auto *Behind = StructType::get(B.getContext(), Types);
  if (!fits(Behind, Want, DL) || !pointersMatch(Behind, Want, DL))
    return Parts;
  Value *Out = PoisonValue::get(Behind);
  for (unsigned I = 0; I < N; ++I)
    Out = B.CreateInsertValue(Out, B.CreateExtractValue(Parts, (I + 1) % N), I);
  return Out;
}

Value *Results::convert(Value *Parts, Type *Want, Reporter &R) {
  auto *T = cast<StructType>(Parts->getType());
  const DataLayout &DL = Call.getDataLayout();
  unsigned N = T->getNumElements();
  Type *First = N ? T->getElementType(0) : nullptr;
  // A caller that wants a pointer from an augmented primal wants the tape
  // alone.
  if (First == Want &&
      (N == 1 || (Req.Kind == Entry::AugmentFwd && Want->isPointerTy())))
    return B.CreateExtractValue(Parts, 0);
  if (N == 1 && Want->isFloatingPointTy() && First->isFloatingPointTy())
    return B.CreateFPCast(B.CreateExtractValue(Parts, 0), Want);
  if (static_cast<Type *>(T) == Want)
    return Parts;
  if (N == 0)
    return Constant::getNullValue(Want);
  if (!fits(T, Want, DL)) {
    wrong(T, R);
    return PoisonValue::get(Want);
  }
  IRBuilder<> EB(&*Call.getFunction()->getEntryBlock().begin());
  bool Bigger = DL.getTypeAllocSize(Want) > DL.getTypeAllocSize(T);
  AllocaInst *Slot = EB.CreateAlloca(Bigger ? Want : static_cast<Type *>(T));
  Slot->setAlignment(
      std::max(DL.getPrefTypeAlign(Want), DL.getPrefTypeAlign(T)));
  store(Parts, Slot);
  return B.CreateLoad(Want, Slot);
}

void Results::wrong(StructType *Parts, Reporter &R) {
  unsigned N = Parts->getNumElements() * Req.Width;
  R.error(Diag::BadReturn, &Call,
          {Req.Target->getName().str(),
           N == 1 ? "there is 1 number to return"
                  : "there are " + std::to_string(N) + " numbers to return"});
}

void Results::give(Value *Parts, Reporter &R) {
  Type *Into = Req.Sret ? Call.getParamStructRetType(0) : nullptr;
  Parts = ordered(Parts, Into ? Into : Call.getType());
  if (Into &&
      !fits(cast<StructType>(Parts->getType()), Into, Call.getDataLayout()))
    wrong(cast<StructType>(Parts->getType()), R);
  else if (Req.Sret)
    store(Parts, Req.Sret);
  else if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(convert(Parts, Call.getType(), R));
  Call.eraseFromParent();
}

Value *withoutFirst(Value *Parts, IRBuilder<> &B) {
  auto *T = cast<StructType>(Parts->getType());
  Value *Rest = PoisonValue::get(
      StructType::get(B.getContext(), T->elements().drop_front()));
  for (unsigned I = 1; I < T->getNumElements(); ++I)
    Rest = B.CreateInsertValue(Rest, B.CreateExtractValue(Parts, I), I - 1);
  return Rest;
}

/// Runs both functions of split mode as one gradient, with seed one.
Value *runBothPasses(const Request &Req, const Derivative &D,
                     SmallVectorImpl<Value *> &Args, IRBuilder<> &B) {
  Args.push_back(ConstantPointerNull::get(B.getPtrTy()));
  Value *First = B.CreateCall(D.Augmented, Args);
  Args.pop_back();
  if (Type *T = Req.ConstReturn ? nullptr : resultAdjointType(*Req.Target))
    Args.append(Req.Width, T->isFloatingPointTy()
                               ? static_cast<Value *>(ConstantFP::get(T, 1.0))
                               : Constant::getNullValue(T));
  Args.push_back(B.CreateExtractValue(First, 0));
  Value *Second = B.CreateCall(D.Second, Args);
  if (!Req.PrimalReturn || Req.Target->getReturnType()->isVoidTy())
    return Second;
  auto *T = cast<StructType>(Second->getType());
  SmallVector<Type *> Types{Req.Target->getReturnType()};
  Types.append(T->element_begin(), T->element_end());
  Value *All = B.CreateInsertValue(
      PoisonValue::get(StructType::get(B.getContext(), Types)),
      B.CreateExtractValue(First, 1), 0);
  for (unsigned I = 0; I < T->getNumElements(); ++I)
    All = B.CreateInsertValue(All, B.CreateExtractValue(Second, I), I + 1);
  return All;
}

/// The bytes of a pool that this thread's tape takes; 0 if the tape is not in a
/// pool.
Value *measure(const Request &Req, const Derivative &D, IRBuilder<> &B) {
  if (!D.Measure)
    return B.getInt64(0);
  SmallVector<Value *> Args;
  for (const BoundArgument &A : Req.Args)
    Args.push_back(A.Primal);
  return B.CreateCall(D.Measure, Args);
}

/// The address of this thread's tape, one piece of the memory for all threads.
Value *tapeOf(const Request &Req, IRBuilder<> &B) {
  const PoolPlace &P = Req.Place;
  return P.Memory ? B.CreatePtrAdd(P.Memory, B.CreateMul(P.Thread, P.Bytes))
                  : Req.Tape;
}

void appendPlace(const Request &Req, IRBuilder<> &B,
                 SmallVectorImpl<Value *> &Args) {
  const PoolPlace &P = Req.Place;
  Args.append({P.Memory, P.Bytes, P.Thread ? P.Thread : threadOfLaunch(B),
               P.Threads ? P.Threads : threadsOfLaunch(B)});
}

/// Evaluates the lanes of a batch side by side in one block.
Value *evaluateLanes(const Request &Req, IRBuilder<> &B) {
  Type *Ret = Req.Target->getReturnType();
  SmallVector<CallInst *> Calls;
  for (unsigned L = 0; L < Req.Width; ++L) {
    SmallVector<Value *> Args;
    for (const BoundArgument &A : Req.Args)
      Args.push_back(A.Lanes.empty() ? A.Primal : A.Lanes[L]);
    CallInst *C = B.CreateCall(Req.Target, Args);
    C->setCallingConv(Req.Target->getCallingConv());
    C->setAttributes(Req.Target->getAttributes());
    C->removeFnAttr(Attribute::OptimizeNone); // that is said of functions
    C->setDebugLoc(Req.Call->getDebugLoc());
    Calls.push_back(C);
  }
  SmallVector<Type *> Fields;
  if (!Ret->isVoidTy())
    Fields.push_back(ArrayType::get(Ret, Req.Width));
  auto *T = StructType::get(B.getContext(), Fields);
  Value *All = PoisonValue::get(T);
  for (unsigned L = 0; L < Req.Width && !Ret->isVoidTy(); ++L)
    All = B.CreateInsertValue(All, Calls[L], {0, L});
  // Lanes become vectors only if they are side by side.
  if (!Req.Target->hasFnAttribute(Attribute::NoInline) &&
      !Req.Target->isDeclaration())
    for (CallInst *C : Calls)
      inlineCall(*C);
  return All;
}

} // namespace

void spliceDirect(const Request &Req, Reporter &R) {
  CallBase &Call = *Req.Call;
  IRBuilder<> B(&Call);
  Value *Parts;
  if (Req.Kind == Entry::Batch) {
    Parts = evaluateLanes(Req, B);
    B.SetInsertPoint(&Call);
  } else {
    // A function, and a table of functions, is its own shadow: a call through
    // it finds the derivative by the primal's pointer.
    Value *Of = targetOperand(Call);
    Parts = B.CreateInsertValue(
        PoisonValue::get(StructType::get(Of->getType())), Of, 0);
  }
  Results(Req, Call, B).give(Parts, R);
}

void spliceRequest(const Request &Req, const Derivative &D,
                   FunctionAnalysisManager &FAM, Reporter &R) {
  CallBase &Call = *Req.Call;
  IRBuilder<> B(&Call);
  if (Req.Kind == Entry::AugmentSize || Req.Kind == Entry::PoolSize) {
    Value *Bytes = Req.Kind == Entry::PoolSize ? measure(Req, D, B)
                                               : B.getInt64(D.TapeBytes);
    if (Call.getType()->isIntegerTy())
      Call.replaceAllUsesWith(B.CreateZExtOrTrunc(Bytes, Call.getType()));
    Call.eraseFromParent();
    return;
  }
  if (D.SharedParts)
    requireDynamicShared(B, Req.SharedBytes, D.SharedParts, D.SharedAlign);
  SmallVector<Value *> Args;
  for (const BoundArgument &A : Req.Args)
    Args.push_back(A.Primal);
  for (const BoundArgument &A : Req.Args)
    Args.append(A.Shadows.begin(), A.Shadows.end());
  if (Req.BothPasses)
    return Results(Req, Call, B).give(runBothPasses(Req, D, Args, B), R);
  Function *F = D.Whole;
  if (D.Pooled)
    Args.append(Req.Seeds.begin(), Req.Seeds.end());
  if (Req.Kind == Entry::AugmentFwd) {
    F = D.Augmented;
    if (!D.Pooled)
      Args.push_back(Req.Allocated ? tapeOf(Req, B)
                                   : ConstantPointerNull::get(B.getPtrTy()));
  } else if (Req.isSplit()) {
    F = D.Second;
    if (!D.Pooled) {
      Args.append(Req.Seeds.begin(), Req.Seeds.end());
      Args.push_back(tapeOf(Req, B));
    }
  }
  if (D.Pooled)
    appendPlace(Req, B, Args);
  if (Req.isSparse()) {
    F = makeSparse(Req, Call, *F, Args, FAM, R);
    if (!F)
      return dropRequest(Call);
  }
  retroAssert(Args.size() == F->arg_size(), "emit", F,
              "a derivative has the parameters that its request gives it");
  Value *Parts = B.CreateCall(F, Args);
  if (Req.Kind == Entry::AugmentFwd && Req.Allocated)
    Parts = withoutFirst(Parts, B); // the caller knows where the tape is
  Results(Req, Call, B).give(Parts, R);
}

} // namespace retro
