// Input: a module and the target of a request. Output: which threads are of
// other code. An indirect call may enter whatever stands in a virtual table;
// the objects that threads run are made where their table is mentioned, so that
// a walk over all that the target mentions or calls finds those it may start.
// Without it a call by an address would be taken to start any thread of the
// program.
#include "prepare/threads/thread_states.h"

#include "front/names/foreign.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

bool isTableOfThread(const GlobalVariable &G) {
  return G.hasInitializer() && isA(G.getName(), NameKind::TableOfThread);
}

/// Is C, a function or an expression with one, used by tables of threads alone?
bool isOfThreads(const Constant &C) {
  return all_of(C.users(), [](const User *U) {
    auto *G = dyn_cast<GlobalVariable>(U);
    auto *In = dyn_cast<Constant>(U);
    return G ? isTableOfThread(*G) : In && isOfThreads(*In);
  });
}

class Mentions {
public:
  explicit Mentions(function_ref<SmallVector<Function *>(Function &)> CalleesOf)
      : CalleesOf(CalleesOf) {}

  /// What Target mentions or calls, but for what Threads only run, unless it
  /// is mentioned.
  void walk(Function &Target, const SmallPtrSetImpl<const Function *> &Threads);
  bool contains(const Constant &C) const {
    return Seen.contains(const_cast<Constant *>(&C));
  }

private:
  void add(Value *V) {
    if (auto *C = dyn_cast<Constant>(V); C && !isa<ConstantData>(C))
      Seen.insert(C);
  }

  function_ref<SmallVector<Function *>(Function &)> CalleesOf;
  SetVector<Constant *> Seen;
};

void Mentions::walk(Function &Target,
                    const SmallPtrSetImpl<const Function *> &Threads) {
  add(&Target);
  for (size_t N = 0; N < Seen.size(); ++N) {
    Constant *C = Seen[N];
    for (Value *Operand : C->operands())
      add(Operand);
    auto *F = dyn_cast<Function>(C);
    if (!F)
      continue;
    for (Instruction &I : instructions(*F))
      for (Value *Operand : I.operands())
        add(Operand);
    for (Function *G : CalleesOf(*F))
      if (!Threads.contains(G))
        add(G);
  }
}

} // namespace

SmallPtrSet<const Function *, 8>
threadsElsewhere(const Module &M, Function &Target,
                 function_ref<SmallVector<Function *>(Function &)> CalleesOf) {
  SmallPtrSet<const Function *, 8> Threads;
  for (const GlobalVariable &G : M.globals())
    if (isTableOfThread(G))
      for (const Use &Part : G.getInitializer()->operands())
        for (const Use &Entry : cast<User>(Part)->operands())
          if (auto *F = dyn_cast<Function>(Entry); F && isOfThreads(*F))
            Threads.insert(F);
  if (Threads.empty())
    return Threads;
  Mentions Reached(CalleesOf);
  Reached.walk(Target, Threads);
  SmallPtrSet<const Function *, 8> Elsewhere;
  for (const Function *F : Threads)
    if (!Reached.contains(*F))
      Elsewhere.insert(F);
  return Elsewhere;
}

} // namespace retro
