// Functions without a body: mathematics and memory.
#include "machine.h"

#include "llvm/IR/Instructions.h"

#include <set>

using namespace llvm;

namespace retro::validate {

namespace {

/// The name of a C function or an intrinsic without its suffix for the type.
std::string baseName(StringRef name, Type *type) {
  if (name.consume_front("llvm.")) {
    // llvm.sin.f64, llvm.powi.f64.i32
    return name.split(".f").first.split(".v").first.str();
  }
  static const std::set<StringRef> WithF = {"erf", "modf", "ldexpf"};
  if (type->getScalarType()->isFloatTy() && name.ends_with("f") &&
      !WithF.count(name))
    return name.drop_back().str();
  return name.str();
}

const std::set<StringRef> Known = {
    "exp",  "log",  "sqrt", "cbrt", "sin",  "cos", "tan",   "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "erf", "floor", "trunc"};

const std::set<StringRef> Silent = {"printf", "puts", "putchar", "fprintf",
                                    "fflush"};

} // namespace

bool Machine::mathFunction(StringRef f, ArrayRef<Value> args, Type *type,
                           Value &result) {
  if (!type->isFloatingPointTy() || args.empty() ||
      (args[0].kind != Value::Real && args[0].kind != Value::Undefined))
    return false;
  Expr x = realOf(args[0]);
  Expr y = args.size() > 1 && args[1].kind == Value::Real ? args[1].e : nullptr;
  auto n = [&](double v) { return e.number(v); };
  auto c = [&](const char *name, Expr v) { return e.call(name, {v}); };
  auto give = [&](Expr v) {
    result = Value::real(v);
    return true;
  };
  // Of a constant: the double that compilers put in its place.
  if (Known.count(f))
    return give(isNumber(x) ? n(evaluate(c(f.str().c_str(), x), {}))
                            : c(f.str().c_str(), x));
  if (f == "fabs")
    return give(e.choose(e.less(x, n(0)), e.neg(x), x));
  if (f == "exp2")
    return give(c("exp", e.mul(x, n(M_LN2))));
  if (f == "expm1")
    return give(e.sub(c("exp", x), n(1)));
  if (f == "log1p")
    return give(c("log", e.add(n(1), x)));
  if (f == "log2")
    return give(e.mul(c("log", x), n(M_LOG2E)));
  if (f == "log10")
    return give(e.mul(c("log", x), n(M_LOG10E)));
  if (f == "ceil")
    return give(e.neg(c("floor", e.neg(x))));
  if (f == "powi" && args[1].kind == Value::Integer) {
    int64_t k = args[1].integer.getSExtValue();
    Expr all = n(1);
    for (int64_t i = 0; i < std::abs(k) && i < 64; ++i)
      all = e.mul(all, x);
    return std::abs(k) <= 64 && give(k < 0 ? e.inverse(all) : all);
  }
  if (!y)
    return false;
  if (f == "pow") {
    if (isNumber(y) && y->number == std::floor(y->number) &&
        std::fabs(y->number) <= 16) {
      Expr all = n(1);
      for (int i = 0; i < std::abs(static_cast<int>(y->number)); ++i)
        all = e.mul(all, x);
      return give(y->number < 0 ? e.inverse(all) : all);
    }
    return give(e.call("pow", {x, y}));
  }
  if (f == "atan2")
    return give(e.call("atan2", {x, y}));
  if (f == "hypot")
    return give(c("sqrt", e.add(e.mul(x, x), e.mul(y, y))));
  if (f == "fmod")
    return give(e.sub(x, e.mul(y, c("trunc", e.div(x, y)))));
  if (f == "fmax" || f == "maxnum" || f == "maximum" || f == "maximumnum")
    return give(e.choose(e.less(x, y), y, x));
  if (f == "fmin" || f == "minnum" || f == "minimum" || f == "minimumnum")
    return give(e.choose(e.less(y, x), y, x));
  if (f == "fdim")
    return give(e.choose(e.less(y, x), e.sub(x, y), n(0)));
  if (f == "copysign") {
    Expr magnitude = e.choose(e.less(x, n(0)), e.neg(x), x);
    return give(e.choose(e.less(y, n(0)), e.neg(magnitude), magnitude));
  }
  if (f == "fma" || f == "fmuladd")
    return give(e.add(e.mul(x, y), realOf(args[2])));
  return false;
}

bool Machine::memoryFunction(StringRef name, std::vector<Value> &args,
                             Value &result) {
  auto number = [&](size_t i) {
    return concrete(args.at(i), 64).getZExtValue();
  };
  if (name == "malloc" || name == "_Znwm" || name == "_Znam") {
    result = Value::of(memory.allocate(number(0), false), 64);
  } else if (name == "calloc") {
    result = Value::of(memory.allocate(number(0) * number(1), true), 64);
  } else if (name == "aligned_alloc" || name == "memalign") {
    result = Value::of(memory.allocate(number(1), false), 64);
  } else if (name == "posix_memalign") {
    memory.store(number(0), Value::of(memory.allocate(number(2), false), 64),
                 PointerType::getUnqual(m.getContext()));
    result = Value::of(0, 32);
  } else if (name == "realloc") {
    uint64_t from = number(0), to = memory.allocate(number(1), false);
    memory.copy(to, from, from ? std::min(memory.sizeOf(from), number(1)) : 0);
    memory.release(from);
    result = Value::of(to, 64);
  } else if (name == "free" || name == "_ZdlPv" || name == "_ZdaPv" ||
             name == "_ZdlPvm" || name == "_ZdaPvm") {
    memory.release(number(0));
  } else if (name.starts_with("llvm.memcpy") ||
             name.starts_with("llvm.memmove") || name == "memcpy" ||
             name == "memmove") {
    memory.copy(number(0), number(1), number(2));
    result = args[0];
  } else if (name.starts_with("llvm.memset") || name == "memset") {
    memory.fill(number(0), number(2), static_cast<uint8_t>(number(1)));
    result = args[0];
  } else {
    return false;
  }
  return true;
}

/// llvm.vector.reduce.fadd and fmul: a start value and lanes.
Value Machine::reduce(StringRef name, std::vector<Value> &args) {
  bool sum = name.contains(".fadd");
  if (!sum && !name.contains(".fmul"))
    throw Unsupported("a call of '" + name.str() + "'");
  Expr all = realOf(args.at(0));
  for (const Value &v : args.at(1).parts)
    all = sum ? e.add(all, realOf(v)) : e.mul(all, realOf(v));
  return Value::real(all);
}

bool Machine::library(StringRef name, const CallBase &c,
                      std::vector<Value> &args, Value &result) {
  Type *type = c.getType();
  if (Silent.count(name)) {
    result = type->isIntegerTy() ? Value::of(0, type->getIntegerBitWidth())
                                 : Value();
    return true;
  }
  if (name == "abort" || name == "exit")
    throw Fault("the program ends by '" + name.str() + "'");
  if (memoryFunction(name, args, result))
    return true;
  if (name.starts_with("llvm.vector.reduce.")) {
    result = reduce(name, args);
    return true;
  }
  if (name.starts_with("llvm.umax") || name.starts_with("llvm.smax") ||
      name.starts_with("llvm.umin") || name.starts_with("llvm.smin")) {
    unsigned width = type->getScalarType()->getIntegerBitWidth();
    result =
        perLane(args.at(0), args.at(1), [&](const Value &a, const Value &b) {
          if (a.kind == Value::Symbolic || b.kind == Value::Symbolic) {
            Expr x = numeric(a), y = numeric(b);
            bool largest = name.substr(6, 3) == "max";
            return Value::symbolic(
                e.choose(e.less(x, y), largest ? y : x, largest ? x : y),
                width);
          }
          APInt x = concrete(a, width), y = concrete(b, width);
          bool less = name[5] == 'u' ? x.ult(y) : x.slt(y);
          return Value::of(less == (name.substr(6, 3) == "max") ? y : x);
        });
    return true;
  }
  if (name.starts_with("llvm.uadd.sat") || name.starts_with("llvm.usub.sat")) {
    unsigned width = type->getScalarType()->getIntegerBitWidth();
    result =
        perLane(args.at(0), args.at(1), [&](const Value &a, const Value &b) {
          APInt x = concrete(a, width), y = concrete(b, width);
          return Value::of(name[6] == 'a' ? x.uadd_sat(y) : x.usub_sat(y));
        });
    return true;
  }
  if (name.starts_with("llvm.abs")) {
    unsigned width = type->getScalarType()->getIntegerBitWidth();
    result = Value::of(concrete(args.at(0), width).abs());
    return true;
  }
  if (name.starts_with("llvm.expect")) { // a hint: the value itself
    result = args.at(0);
    return true;
  }
  if (name.starts_with("llvm.stacksave") ||
      name.starts_with("llvm.stackrestore")) {
    result = Value::of(0, 64);
    return true;
  }
  std::string base = baseName(name, type);
  if (!type->isVectorTy())
    return mathFunction(base, args, type, result);
  std::vector<Value> lanes;
  for (unsigned n = 0; n < llvm::cast<FixedVectorType>(type)->getNumElements();
       ++n) {
    std::vector<Value> lane;
    for (const Value &a : args)
      lane.push_back(a.kind == Value::Parts ? a.parts.at(n) : a);
    if (!mathFunction(base, lane, type->getScalarType(), lanes.emplace_back()))
      return false;
  }
  result = Value::aggregate(std::move(lanes));
  return true;
}

} // namespace retro::validate
