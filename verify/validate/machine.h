// Symbolic execution of LLVM IR over the reals: floating-point values are
// expressions without rounding, integers and addresses are concrete. Where a
// branch depends on the inputs, one side is taken; the caller runs the machine
// again for the other.
#ifndef RETROGRADE_VERIFY_VALIDATE_MACHINE_H
#define RETROGRADE_VERIFY_VALIDATE_MACHINE_H

#include "memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace retro::validate {

/// Chooses the side of branches.
class Oracle {
public:
  virtual ~Oracle() = default;
  /// Which way a path goes; adds the condition, or its negation, to the path.
  virtual bool decide(Expr condition) = 0;
  /// A value that an integer expression can have on this path.
  virtual int64_t proposal(Expr integer) = 0;
};

/// The path was given up: more steps than allowed.
struct TooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Machine {
public:
  Machine(llvm::Module &m, Expressions &e, Oracle &oracle, uint64_t maxSteps)
      : memory(m.getDataLayout(), e), m(m), e(e), oracle(oracle),
        stepsLeft(maxSteps) {}

  Value call(llvm::Function &f, const std::vector<Value> &args);
  Memory memory;
  const llvm::DataLayout &layout() const { return m.getDataLayout(); }

private:
  struct Frame {
    llvm::DenseMap<const llvm::Value *, unsigned> numbers;
    std::vector<Value> values;
    std::vector<uint64_t> stack;
  };

  Value valueOf(Frame &frame, const llvm::Value *v);
  Value constant(const llvm::Constant *c);
  uint64_t addressOf(const llvm::GlobalValue *g);
  void initialize(uint64_t address, const llvm::Constant *c);
  /// Executes all of I but control flow.
  Value execute(Frame &frame, const llvm::Instruction &i);
  Value executeCall(Frame &frame, const llvm::CallBase &c);
  const llvm::BasicBlock *jump(Frame &frame, const llvm::Instruction &i);

  // operations.cpp
  Value binary(unsigned opcode, const Value &a, const Value &b,
               llvm::Type *type);
  Value compare(const llvm::CmpInst &i, const Value &a, const Value &b);
  Value cast(unsigned opcode, const Value &v, llvm::Type *from, llvm::Type *to);
  Value select(const Value &c, const Value &a, const Value &b,
               llvm::Type *type);
  Value perLane(const Value &a, const Value &b,
                llvm::function_ref<Value(const Value &, const Value &)> f);
  Value realBits(unsigned opcode, const Value &a, const llvm::APInt &mask);
  Value offsetOf(Frame &frame, const llvm::User &gep);
  Expr numeric(const Value &v);
  Expr truth(const Value &v);
  Expr realOf(const Value &v);

  // library.cpp
  bool library(llvm::StringRef name, const llvm::CallBase &c,
               std::vector<Value> &args, Value &result);
  bool memoryFunction(llvm::StringRef name, std::vector<Value> &args,
                      Value &result);
  bool mathFunction(llvm::StringRef name, llvm::ArrayRef<Value> args,
                    llvm::Type *type, Value &result);
  Value reduce(llvm::StringRef name, std::vector<Value> &args);

  /// The concrete value of an integer, of each path its own.
  llvm::APInt concrete(const Value &v, unsigned width);

  llvm::Module &m;
  Expressions &e;
  Oracle &oracle;
  uint64_t stepsLeft;
  unsigned depth = 0;
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> globals;
  std::map<uint64_t, llvm::Function *> functions;
};

} // namespace retro::validate

#endif
