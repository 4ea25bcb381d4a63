#include "machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace retro::validate {

namespace {

std::string textOf(const llvm::Value &v) {
  std::string text;
  raw_string_ostream(text) << v;
  return text;
}

constexpr unsigned MaxDepth = 500;

} // namespace

uint64_t Machine::addressOf(const GlobalValue *g) {
  auto [at, isNew] = globals.try_emplace(g, 0);
  if (!isNew)
    return at->second;
  auto *v = dyn_cast<GlobalVariable>(g);
  uint64_t bytes =
      v ? layout().getTypeAllocSize(v->getValueType()).getFixedValue() : 16;
  uint64_t address = memory.allocate(bytes, false);
  globals[g] = address;
  if (auto *f = dyn_cast<Function>(g))
    functions[address] = const_cast<Function *>(f);
  else if (v && v->hasInitializer())
    initialize(address, v->getInitializer());
  else if (v)
    memory.fill(address, bytes, 0); // markers and the like: never read for us
  return address;
}

void Machine::initialize(uint64_t address, const Constant *c) {
  if (isa<UndefValue>(c))
    return;
  if (c->isNullValue())
    return memory.fill(
        address, layout().getTypeStoreSize(c->getType()).getFixedValue(), 0);
  memory.store(address, constant(c), c->getType());
}

Value Machine::constant(const Constant *c) {
  Type *t = c->getType();
  if (auto *i = dyn_cast<ConstantInt>(c))
    return Value::of(i->getValue());
  if (auto *f = dyn_cast<ConstantFP>(c)) {
    auto n = numberOf(f->getValueAPF().bitcastToAPInt(), t);
    if (!n)
      throw Unsupported("a constant that is infinite, NaN or of another type");
    return Value::real(e.number(*n));
  }
  if (isa<ConstantPointerNull>(c))
    return Value::of(0, 64);
  if (t->isAggregateType() || t->isVectorTy()) {
    unsigned count = t->isStructTy() ? t->getStructNumElements()
                     : t->isArrayTy()
                         ? static_cast<unsigned>(t->getArrayNumElements())
                         : cast<FixedVectorType>(t)->getNumElements();
    std::vector<Value> parts;
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(constant(c->getAggregateElement(i)));
    return Value::aggregate(std::move(parts));
  }
  if (isa<UndefValue>(c))
    return Value();
  if (auto *g = dyn_cast<GlobalValue>(c))
    return Value::of(addressOf(g), 64);
  if (auto *ce = dyn_cast<ConstantExpr>(c)) {
    if (auto *gep = dyn_cast<GEPOperator>(ce)) {
      APInt offset(64, 0);
      if (gep->accumulateConstantOffset(layout(), offset))
        return Value::of(
            constant(cast<Constant>(gep->getPointerOperand())).integer +
            offset);
    }
    if (ce->isCast())
      return cast(ce->getOpcode(), constant(ce->getOperand(0)),
                  ce->getOperand(0)->getType(), t);
    if (Instruction::isBinaryOp(ce->getOpcode()))
      return binary(ce->getOpcode(), constant(ce->getOperand(0)),
                    constant(ce->getOperand(1)), t);
  }
  throw Unsupported("the constant " + textOf(*c));
}

Value Machine::valueOf(Frame &frame, const llvm::Value *v) {
  if (auto *c = dyn_cast<Constant>(v))
    return constant(c);
  auto at = frame.numbers.find(v);
  if (at == frame.numbers.end())
    throw Unsupported("the operand " + textOf(*v));
  return frame.values[at->second];
}

Value Machine::call(Function &f, const std::vector<Value> &args) {
  if (++depth > MaxDepth)
    throw TooLong("calls are nested too deeply");
  Frame frame;
  for (Argument &a : f.args())
    frame.numbers[&a] = static_cast<unsigned>(frame.numbers.size());
  for (Instruction &i : instructions(f))
    frame.numbers[&i] = static_cast<unsigned>(frame.numbers.size());
  frame.values.resize(frame.numbers.size());
  for (Argument &a : f.args())
    frame.values[a.getArgNo()] = args.at(a.getArgNo());
  const BasicBlock *block = &f.getEntryBlock(), *from = nullptr;
  Value result;
  while (block) {
    // All phis read before one is written.
    std::vector<std::pair<unsigned, Value>> phis;
    for (const PHINode &phi : block->phis())
      phis.push_back({frame.numbers[&phi],
                      valueOf(frame, phi.getIncomingValueForBlock(from))});
    for (auto &[number, v] : phis)
      frame.values[number] = std::move(v);
    from = block;
    for (const Instruction &i : *from) {
      if (isa<PHINode>(i))
        continue;
      if (!stepsLeft--)
        throw TooLong("a path takes too many steps");
      if (auto *r = dyn_cast<ReturnInst>(&i)) {
        if (r->getReturnValue())
          result = valueOf(frame, r->getReturnValue());
        block = nullptr;
      } else if (i.isTerminator() && !isa<InvokeInst>(i)) {
        block = jump(frame, i);
      } else {
        Value v = execute(frame, i);
        frame.values[frame.numbers[&i]] = std::move(v);
        if (auto *invoke = dyn_cast<InvokeInst>(&i))
          block = invoke->getNormalDest();
      }
    }
  }
  for (uint64_t a : frame.stack)
    memory.release(a);
  --depth;
  return result;
}

const BasicBlock *Machine::jump(Frame &frame, const Instruction &i) {
  if (auto *b = dyn_cast<BranchInst>(&i)) {
    if (b->isUnconditional())
      return b->getSuccessor(0);
    Value c = valueOf(frame, b->getCondition());
    return b->getSuccessor(concrete(c, 1).isZero() ? 1 : 0);
  }
  if (auto *s = dyn_cast<SwitchInst>(&i)) {
    APInt v = concrete(valueOf(frame, s->getCondition()),
                       s->getCondition()->getType()->getIntegerBitWidth());
    for (auto &c : s->cases())
      if (c.getCaseValue()->getValue() == v)
        return c.getCaseSuccessor();
    return s->getDefaultDest();
  }
  if (isa<UnreachableInst>(i))
    throw Fault("code that cannot be reached is reached");
  throw Unsupported("the instruction " + textOf(i));
}

Value Machine::execute(Frame &frame, const Instruction &i) {
  auto operand = [&](unsigned n) { return valueOf(frame, i.getOperand(n)); };
  Type *type = i.getType();
  if (auto *c = dyn_cast<CallBase>(&i))
    return executeCall(frame, *c);
  if (i.isBinaryOp())
    return perLane(operand(0), operand(1), [&](const Value &a, const Value &b) {
      return binary(i.getOpcode(), a, b, type->getScalarType());
    });
  if (auto *cmp = dyn_cast<CmpInst>(&i))
    return perLane(operand(0), operand(1), [&](const Value &a, const Value &b) {
      return compare(*cmp, a, b);
    });
  if (i.isCast() &&
      !(isa<BitCastInst>(i) &&
        (type->isVectorTy() || i.getOperand(0)->getType()->isVectorTy())))
    return perLane(operand(0), Value(), [&](const Value &a, const Value &) {
      return cast(i.getOpcode(), a, i.getOperand(0)->getType()->getScalarType(),
                  type->getScalarType());
    });
  switch (i.getOpcode()) {
  case Instruction::BitCast: { // of vectors: as memory has it
    uint64_t at =
        memory.allocate(layout().getTypeAllocSize(type).getFixedValue(), false);
    memory.store(at, operand(0), i.getOperand(0)->getType());
    Value v = memory.load(at, type);
    memory.release(at);
    return v;
  }
  case Instruction::FNeg:
    return perLane(operand(0), Value(), [&](const Value &a, const Value &) {
      return Value::real(e.neg(realOf(a)));
    });
  case Instruction::Select: {
    Value c = operand(0);
    if (c.kind != Value::Parts &&
        (type->isAggregateType() || type->isVectorTy()))
      return operand(concrete(c, 1).isZero() ? 2 : 1);
    if (c.kind != Value::Parts)
      return select(c, operand(1), operand(2), type);
    Value a = operand(1), b = operand(2);
    std::vector<Value> parts;
    for (size_t n = 0; n < c.parts.size(); ++n)
      parts.push_back(select(c.parts[n], a.parts.at(n), b.parts.at(n),
                             type->getScalarType()));
    return Value::aggregate(std::move(parts));
  }
  case Instruction::Alloca: {
    auto &a = llvm::cast<AllocaInst>(i);
    uint64_t count = concrete(operand(0), 64).getZExtValue();
    uint64_t bytes =
        layout().getTypeAllocSize(a.getAllocatedType()).getFixedValue();
    frame.stack.push_back(memory.allocate(count * bytes, false));
    return Value::of(frame.stack.back(), 64);
  }
  case Instruction::Load:
    return memory.load(concrete(operand(0), 64).getZExtValue(), type);
  case Instruction::Store:
    memory.store(concrete(operand(1), 64).getZExtValue(), operand(0),
                 i.getOperand(0)->getType());
    return Value();
  case Instruction::GetElementPtr:
    return offsetOf(frame, i);
  case Instruction::Freeze: {
    Value v = operand(0);
    return v.kind == Value::Undefined && type->isIntegerTy()
               ? Value::of(0, type->getIntegerBitWidth())
               : v;
  }
  case Instruction::ExtractValue: {
    Value v = operand(0);
    for (unsigned n : llvm::cast<ExtractValueInst>(i).indices())
      v = v.kind == Value::Undefined ? Value() : Value(v.parts.at(n));
    return v;
  }
  case Instruction::InsertValue: {
    Value all = operand(0), *v = &all;
    Type *t = type;
    for (unsigned n : llvm::cast<InsertValueInst>(i).indices()) {
      if (v->kind == Value::Undefined)
        *v = Value::aggregate(
            std::vector<Value>(t->isStructTy() ? t->getStructNumElements()
                                               : t->getArrayNumElements()));
      v = &v->parts.at(n);
      t = t->isStructTy() ? t->getStructElementType(n)
                          : t->getArrayElementType();
    }
    *v = operand(1);
    return all;
  }
  case Instruction::ExtractElement: {
    Value v = operand(0);
    uint64_t n = concrete(operand(1), 64).getZExtValue();
    return v.kind == Value::Undefined ? v : Value(v.parts.at(n));
  }
  case Instruction::InsertElement: {
    Value v = operand(0);
    if (v.kind == Value::Undefined)
      v = Value::aggregate(std::vector<Value>(
          llvm::cast<FixedVectorType>(type)->getNumElements()));
    v.parts.at(concrete(operand(2), 64).getZExtValue()) = operand(1);
    return v;
  }
  case Instruction::ShuffleVector: {
    auto &s = llvm::cast<ShuffleVectorInst>(i);
    unsigned lanes = llvm::cast<FixedVectorType>(s.getOperand(0)->getType())
                         ->getNumElements();
    Value a = operand(0), b = operand(1);
    std::vector<Value> parts;
    for (int n : s.getShuffleMask()) {
      const Value &from = n < static_cast<int>(lanes) ? a : b;
      parts.push_back(n < 0 || from.kind == Value::Undefined
                          ? Value()
                          : from.parts.at(static_cast<unsigned>(n) % lanes));
    }
    return Value::aggregate(std::move(parts));
  }
  case Instruction::Fence:
    return Value();
  default:
    throw Unsupported("the instruction " + textOf(i));
  }
}

Value Machine::executeCall(Frame &frame, const CallBase &c) {
  if (auto *in = dyn_cast<IntrinsicInst>(&c);
      in && (in->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(in)))
    return Value();
  std::vector<Value> args;
  for (const Use &a : c.args())
    args.push_back(a->getType()->isMetadataTy() ? Value() : valueOf(frame, a));
  Function *f = c.getCalledFunction();
  if (!f) {
    auto at = functions.find(valueOf(frame, c.getCalledOperand()).address());
    if (at == functions.end())
      throw Unsupported("a call through a pointer that is no function's");
    f = at->second;
  }
  Value result;
  if (library(f->getName(), c, args, result))
    return result;
  if (f->isDeclaration())
    throw Unsupported("a call of '" + f->getName().str() + "'");
  return call(*f, args);
}

/// A pointer and an offset in bytes.
Value Machine::offsetOf(Frame &frame, const User &gep) {
  auto &g = llvm::cast<GEPOperator>(gep);
  if (g.getType()->isVectorTy())
    throw Unsupported("a vector of addresses");
  APInt address(64, valueOf(frame, g.getPointerOperand()).address());
  for (auto t = gep_type_begin(g), end = gep_type_end(g); t != end; ++t) {
    if (StructType *s = t.getStructTypeOrNull()) {
      auto n = static_cast<unsigned>(
          llvm::cast<ConstantInt>(t.getOperand())->getZExtValue());
      address += layout().getStructLayout(s)->getElementOffset(n);
      continue;
    }
    Value index = valueOf(frame, t.getOperand());
    address += concrete(index, t.getOperand()->getType()->getIntegerBitWidth())
                   .sextOrTrunc(64) *
               t.getSequentialElementStride(layout()).getFixedValue();
  }
  return Value::of(address);
}

APInt Machine::concrete(const Value &v, unsigned width) {
  switch (v.kind) {
  case Value::Integer:
    return v.integer;
  case Value::Condition:
    return APInt(1, oracle.decide(v.e));
  case Value::Symbolic:
    for (;;) {
      int64_t n = oracle.proposal(v.e);
      if (oracle.decide(e.equal(v.e, e.number(static_cast<double>(n)))))
        return APInt(width, static_cast<uint64_t>(n), true, true);
    }
  case Value::Bits:
    throw Unsupported("a decision by the bits of a number");
  default:
    throw Unsupported("a decision by a value that is not defined");
  }
}

} // namespace retro::validate
