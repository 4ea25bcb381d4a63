// What instructions compute.
#include "machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro::validate {

/// An integer as a number.
Expr Machine::numeric(const Value &v) {
  switch (v.kind) {
  case Value::Integer:
    if (v.integer.getSignificantBits() > 53)
      throw Unsupported("a large integer beside one that depends on an input");
    return e.number(static_cast<double>(v.integer.getSExtValue()));
  case Value::Symbolic:
    return v.e;
  case Value::Condition:
    return e.choose(v.e, e.number(1), e.number(0));
  default:
    throw Unsupported("arithmetic with the bits of a number");
  }
}

Expr Machine::truth(const Value &v) {
  if (v.kind == Value::Integer)
    return e.truth(!v.integer.isZero());
  if (v.kind == Value::Condition)
    return v.e;
  throw Unsupported("a condition that is not defined");
}

Expr Machine::realOf(const Value &v) {
  if (v.kind == Value::Real)
    return v.e;
  if (v.kind == Value::Undefined) // of which nothing may depend
    return e.number(0);
  throw Unsupported("a number made of other things");
}

Value Machine::perLane(const Value &a, const Value &b,
                       function_ref<Value(const Value &, const Value &)> f) {
  if (a.kind != Value::Parts && b.kind != Value::Parts)
    return f(a, b);
  std::vector<Value> parts;
  size_t lanes = std::max(a.parts.size(), b.parts.size());
  for (size_t n = 0; n < lanes; ++n)
    parts.push_back(f(a.kind == Value::Parts ? a.parts[n] : a,
                      b.kind == Value::Parts ? b.parts[n] : b));
  return Value::aggregate(std::move(parts));
}

/// A bit operation on the bits of a number: with its sign, or all, or nothing.
Value Machine::realBits(unsigned opcode, const Value &a, const APInt &mask) {
  APInt sign = APInt::getSignMask(mask.getBitWidth());
  auto bits = [&](Expr v) { return Value::bits(v, mask.getBitWidth()); };
  Expr magnitude = e.choose(e.less(a.e, e.number(0)), e.neg(a.e), a.e);
  if (opcode == Instruction::And && mask == ~sign)
    return bits(magnitude);
  if (opcode == Instruction::Or && mask == sign)
    return bits(e.neg(magnitude));
  if (opcode == Instruction::Xor && mask == sign)
    return bits(e.neg(a.e));
  if (opcode == Instruction::And && mask.isAllOnes())
    return a;
  if (opcode == Instruction::And && mask.isZero())
    return Value::of(mask);
  if (opcode != Instruction::And && mask.isZero())
    return a;
  throw Unsupported("arithmetic with the bits of a number");
}

Value Machine::binary(unsigned opcode, const Value &a, const Value &b,
                      Type *type) {
  if (type->isFloatingPointTy()) {
    Expr x = realOf(a), y = realOf(b);
    switch (opcode) {
    case Instruction::FAdd:
      return Value::real(e.add(x, y));
    case Instruction::FSub:
      return Value::real(e.sub(x, y));
    case Instruction::FMul:
      return Value::real(e.mul(x, y));
    case Instruction::FDiv:
      if (isNumber(y, 0))
        throw Unsupported("a division by zero");
      return Value::real(e.div(x, y));
    case Instruction::FRem:
      return Value::real(e.sub(x, e.mul(y, e.call("trunc", {e.div(x, y)}))));
    default:
      throw Unsupported("a floating-point operation");
    }
  }
  if (a.kind == Value::Bits && b.kind == Value::Integer)
    return realBits(opcode, a, b.integer);
  if (b.kind == Value::Bits && a.kind == Value::Integer)
    return realBits(opcode, b, a.integer);
  if (a.kind == Value::Undefined || b.kind == Value::Undefined)
    return Value();
  if (a.kind == Value::Integer && b.kind == Value::Integer) {
    const APInt &x = a.integer, &y = b.integer;
    bool divides = opcode == Instruction::UDiv || opcode == Instruction::SDiv ||
                   opcode == Instruction::URem || opcode == Instruction::SRem;
    if (divides && y.isZero())
      throw Fault("an integer is divided by zero");
    switch (opcode) {
    case Instruction::Add:
      return Value::of(x + y);
    case Instruction::Sub:
      return Value::of(x - y);
    case Instruction::Mul:
      return Value::of(x * y);
    case Instruction::UDiv:
      return Value::of(x.udiv(y));
    case Instruction::SDiv:
      return Value::of(x.sdiv(y));
    case Instruction::URem:
      return Value::of(x.urem(y));
    case Instruction::SRem:
      return Value::of(x.srem(y));
    case Instruction::And:
      return Value::of(x & y);
    case Instruction::Or:
      return Value::of(x | y);
    case Instruction::Xor:
      return Value::of(x ^ y);
    case Instruction::Shl:
      return Value::of(x.shl(y));
    case Instruction::LShr:
      return Value::of(x.lshr(y));
    case Instruction::AShr:
      return Value::of(x.ashr(y));
    default:
      throw Unsupported("an integer operation");
    }
  }
  if (type->isIntegerTy(1)) {
    Expr x = truth(a), y = truth(b);
    switch (opcode) {
    case Instruction::And:
    case Instruction::Mul:
      return Value::condition(e.both(x, y));
    case Instruction::Or:
      return Value::condition(e.either(x, y));
    case Instruction::Xor:
    case Instruction::Add:
    case Instruction::Sub:
      return Value::condition(
          e.either(e.both(x, e.negate(y)), e.both(e.negate(x), y)));
    default:
      break;
    }
  }
  unsigned width = type->getIntegerBitWidth();
  Expr x = numeric(a), y = numeric(b);
  switch (opcode) { // no wrapping is assumed of what depends on inputs
  case Instruction::Add:
    return Value::symbolic(e.add(x, y), width);
  case Instruction::Sub:
    return Value::symbolic(e.sub(x, y), width);
  case Instruction::Mul:
    return Value::symbolic(e.mul(x, y), width);
  case Instruction::Shl:
    if (b.kind == Value::Integer && b.integer.ult(30))
      return Value::symbolic(e.mul(x, e.number(static_cast<double>(
                                          1u << b.integer.getZExtValue()))),
                             width);
    break;
  default:
    break;
  }
  // Of each path its own.
  return binary(opcode, Value::of(concrete(a, width)),
                Value::of(concrete(b, width)), type);
}

Value Machine::compare(const CmpInst &i, const Value &a, const Value &b) {
  if (isa<FCmpInst>(i)) {
    Expr x = realOf(a), y = realOf(b);
    switch (i.getPredicate()) { // nothing is NaN over the reals
    case CmpInst::FCMP_FALSE:
    case CmpInst::FCMP_UNO:
      return Value::of(0, 1);
    case CmpInst::FCMP_TRUE:
    case CmpInst::FCMP_ORD:
      return Value::of(1, 1);
    case CmpInst::FCMP_OEQ:
    case CmpInst::FCMP_UEQ:
      return Value::condition(e.equal(x, y));
    case CmpInst::FCMP_ONE:
    case CmpInst::FCMP_UNE:
      return Value::condition(e.negate(e.equal(x, y)));
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT:
      return Value::condition(e.less(x, y));
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT:
      return Value::condition(e.less(y, x));
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULE:
      return Value::condition(e.lessEqual(x, y));
    default:
      return Value::condition(e.lessEqual(y, x));
    }
  }
  if (a.kind == Value::Integer && b.kind == Value::Integer)
    return Value::of(ICmpInst::compare(a.integer, b.integer, i.getPredicate()),
                     1);
  if (a.kind == Value::Undefined || b.kind == Value::Undefined)
    return Value();
  Expr x, y;
  if (a.kind == Value::Bits && b.kind == Value::Integer && b.integer.isZero()) {
    x = a.e;
    y = e.number(0);
  } else if (a.kind == Value::Bits && b.kind == Value::Integer &&
             b.integer.isAllOnes() && i.getPredicate() == CmpInst::ICMP_SGT) {
    return Value::condition(e.lessEqual(e.number(0), a.e));
  } else {
    x = numeric(a);
    y = numeric(b);
  }
  switch (i.getPredicate()) { // what depends on inputs is assumed not negative
  case CmpInst::ICMP_EQ:      // where it is compared without sign
    return Value::condition(e.equal(x, y));
  case CmpInst::ICMP_NE:
    return Value::condition(e.negate(e.equal(x, y)));
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return Value::condition(e.less(x, y));
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return Value::condition(e.less(y, x));
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return Value::condition(e.lessEqual(x, y));
  default:
    return Value::condition(e.lessEqual(y, x));
  }
}

Value Machine::cast(unsigned opcode, const Value &v, Type *from, Type *to) {
  if (v.kind == Value::Undefined)
    return Value();
  auto width = static_cast<unsigned>(layout().getTypeSizeInBits(to));
  switch (opcode) {
  case Instruction::FPTrunc: // nothing is rounded over the reals
  case Instruction::FPExt:
    return v;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return Value::of(concrete(v, 64).zextOrTrunc(width));
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    if (v.kind == Value::Integer)
      return Value::real(e.number(opcode == Instruction::SIToFP
                                      ? v.integer.roundToDouble(true)
                                      : v.integer.roundToDouble(false)));
    return Value::real(opcode == Instruction::SIToFP &&
                               v.kind == Value::Condition
                           ? e.neg(numeric(v))
                           : numeric(v));
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    Expr x = realOf(v);
    return Value::symbolic(isNumber(x) ? e.number(std::trunc(x->number))
                                       : e.call("trunc", {x}),
                           width);
  }
  case Instruction::BitCast:
    if (from->isFloatingPointTy() && to->isIntegerTy())
      return Value::bits(realOf(v), width);
    if (from->isIntegerTy() && to->isFloatingPointTy()) {
      if (v.kind == Value::Bits)
        return Value::real(v.e);
      auto n =
          v.kind == Value::Integer ? numberOf(v.integer, to) : std::nullopt;
      if (!n)
        throw Unsupported("a number made of bits");
      return Value::real(e.number(*n));
    }
    return v;
  default:
    break;
  }
  if (v.kind == Value::Integer)
    return Value::of(opcode == Instruction::SExt   ? v.integer.sext(width)
                     : opcode == Instruction::ZExt ? v.integer.zext(width)
                                                   : v.integer.trunc(width));
  if (v.kind == Value::Bits)
    throw Unsupported("a part of the bits of a number");
  Expr x = numeric(v);
  if (opcode == Instruction::SExt && v.kind == Value::Condition)
    x = e.neg(x);
  if (width == 1)
    return Value::condition(e.negate(e.equal(x, e.number(0))));
  return Value::symbolic(x, width);
}

Value Machine::select(const Value &c, const Value &a, const Value &b,
                      Type *type) {
  if (c.kind == Value::Integer)
    return c.integer.isZero() ? b : a;
  if (type->isFloatingPointTy())
    return Value::real(e.choose(truth(c), realOf(a), realOf(b)));
  if (type->isIntegerTy(1) && a.kind != Value::Undefined &&
      b.kind != Value::Undefined)
    return Value::condition(e.either(e.both(truth(c), truth(a)),
                                     e.both(e.negate(truth(c)), truth(b))));
  if (type->isIntegerTy() && a.kind != Value::Bits && b.kind != Value::Bits &&
      a.kind != Value::Undefined && b.kind != Value::Undefined)
    return Value::symbolic(e.choose(truth(c), numeric(a), numeric(b)),
                           type->getIntegerBitWidth());
  return concrete(c, 1).isZero() ? b : a;
}

} // namespace retro::validate
