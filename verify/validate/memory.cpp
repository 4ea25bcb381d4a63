#include "memory.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace retro::validate {

Value Value::condition(Expr e) {
  if (int known = truthOf(e); known >= 0)
    return of(static_cast<uint64_t>(known), 1);
  return {Condition, e, 1};
}

Value Value::symbolic(Expr e, unsigned width) {
  if (isNumber(e))
    return of(APInt(width,
                    static_cast<uint64_t>(static_cast<int64_t>(e->number)),
                    true, true));
  return {Symbolic, e, width};
}

uint64_t Value::address() const {
  if (kind != Integer)
    throw Unsupported("an address that depends on an input");
  return integer.getZExtValue();
}

std::optional<double> numberOf(const APInt &bits, Type *type) {
  if (!type->isDoubleTy() && !type->isFloatTy())
    return std::nullopt;
  APFloat f(type->getFltSemantics(), bits);
  if (!f.isFinite())
    return std::nullopt;
  return type->isDoubleTy() ? f.convertToDouble() : f.convertToFloat();
}

//===----------------------------------------------------------------------===//

uint64_t Memory::allocate(uint64_t bytes, bool zero) {
  uint64_t base = next;
  // A gap after each object: what runs over its end is seen.
  next += (bytes + 0x2000) & ~uint64_t(0xfff);
  objects[base] = bytes;
  if (zero && bytes)
    cells[base] = {bytes, Value(), 0};
  return base;
}

void Memory::release(uint64_t address) {
  if (!address)
    return;
  auto object = objects.find(address);
  if (object == objects.end())
    throw Fault("memory is freed that was not allocated");
  clear(address, object->second);
  objects.erase(object);
}

uint64_t Memory::sizeOf(uint64_t address) const {
  auto object = objects.find(address);
  return object == objects.end() ? 0 : object->second;
}

void Memory::check(uint64_t address, uint64_t bytes, const char *what) const {
  auto object = objects.upper_bound(address);
  if (object != objects.begin()) {
    --object;
    if (address - object->first + bytes <= object->second)
      return;
  }
  throw Fault(std::string("memory is ") + what + " outside of all objects");
}

/// Makes a border at an address, where what lies there can be divided.
void Memory::cut(uint64_t at) {
  auto next = cells.lower_bound(at);
  if (next == cells.begin())
    return;
  auto cell = std::prev(next);
  uint64_t before = at - cell->first;
  Cell &c = cell->second;
  if (before >= c.bytes)
    return;
  if (c.fill) {
    cells[at] = {c.bytes - before, Value(), c.fill};
    c.bytes = before;
    return;
  }
  if (c.value.kind == Value::Undefined) {
    cells.erase(cell);
    return;
  }
  if (c.value.kind != Value::Integer)
    throw Unsupported("a part of a number is accessed");
  APInt all = c.value.integer.zext(static_cast<unsigned>(8 * c.bytes));
  auto low = static_cast<unsigned>(8 * before);
  cells[at] = {c.bytes - before,
               Value::of(all.lshr(low).trunc(all.getBitWidth() - low))};
  c.bytes = before;
  c.value = Value::of(all.trunc(low));
}

void Memory::clear(uint64_t address, uint64_t bytes) {
  // A cell that is overwritten whole goes without being divided.
  auto from = cells.lower_bound(address);
  if (from != cells.begin()) {
    auto before = std::prev(from);
    if (before->first + before->second.bytes > address)
      cut(address);
  }
  for (auto c = cells.lower_bound(address);
       c != cells.end() && c->first < address + bytes;) {
    if (c->first + c->second.bytes > address + bytes)
      cut(address + bytes);
    c = cells.erase(c);
  }
}

Value Memory::scalar(uint64_t address, uint64_t bytes) {
  auto c = cells.find(address);
  if (c != cells.end() && c->second.bytes == bytes && !c->second.fill)
    return c->second.value;
  // Whole bytes, as far as they are concrete.
  APInt all(static_cast<unsigned>(8 * bytes), 0);
  for (uint64_t i = 0; i < bytes;) {
    auto at = cells.upper_bound(address + i);
    if (at == cells.begin())
      return Value();
    --at;
    uint64_t skip = address + i - at->first;
    const Cell &cell = at->second;
    if (skip >= cell.bytes)
      return Value(); // nothing was stored
    uint64_t count = std::min(cell.bytes - skip, bytes - i);
    if (!cell.fill && cell.value.kind == Value::Undefined)
      return Value();
    if (!cell.fill && cell.value.kind != Value::Integer)
      throw Unsupported("a number is accessed in parts or beside others");
    for (uint64_t k = 0; k < count; ++k) {
      uint64_t byte =
          cell.fill
              ? *cell.fill
              : cell.value.integer.zext(static_cast<unsigned>(8 * cell.bytes))
                    .extractBitsAsZExtValue(
                        8, static_cast<unsigned>(8 * (skip + k)));
      all.insertBits(byte, static_cast<unsigned>(8 * (i + k)), 8);
    }
    i += count;
  }
  return Value::of(all);
}

/// A stored value seen as one of another type of the same size.
Value Memory::as(Value v, Type *type) {
  bool wantsReal = type->isFloatingPointTy();
  switch (v.kind) {
  case Value::Integer:
    if (wantsReal) {
      auto n = numberOf(v.integer, type);
      if (!n)
        throw Unsupported("a number that is infinite or NaN");
      return Value::real(e.number(*n));
    }
    return Value::of(v.integer.zextOrTrunc(
        static_cast<unsigned>(layout.getTypeSizeInBits(type))));
  case Value::Real:
    return wantsReal ? v
                     : Value::bits(v.e, static_cast<unsigned>(
                                            layout.getTypeSizeInBits(type)));
  case Value::Bits:
    return wantsReal ? Value::real(v.e) : v;
  case Value::Symbolic:
    if (wantsReal)
      throw Unsupported("an integer that depends on an input, as bits");
    v.width = static_cast<unsigned>(layout.getTypeSizeInBits(type));
    return v.width == 1 ? Value::condition(e.negate(e.equal(v.e, e.number(0))))
                        : v;
  case Value::Condition:
    return type->isIntegerTy(1)
               ? v
               : Value::symbolic(
                     e.choose(v.e, e.number(1), e.number(0)),
                     static_cast<unsigned>(layout.getTypeSizeInBits(type)));
  default:
    return v;
  }
}

Value Memory::load(uint64_t address, Type *type) {
  uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  check(address, bytes, "read");
  std::vector<Value> parts;
  if (auto *s = dyn_cast<StructType>(type)) {
    for (unsigned i = 0; i < s->getNumElements(); ++i)
      parts.push_back(
          load(address + layout.getStructLayout(s)->getElementOffset(i),
               s->getElementType(i)));
    return Value::aggregate(std::move(parts));
  }
  Type *element = nullptr;
  uint64_t count = 0;
  if (auto *a = dyn_cast<ArrayType>(type)) {
    element = a->getElementType();
    count = a->getNumElements();
  } else if (auto *v = dyn_cast<FixedVectorType>(type)) {
    element = v->getElementType();
    count = v->getNumElements();
  }
  if (element) {
    uint64_t step = layout.getTypeAllocSize(element).getFixedValue();
    for (uint64_t i = 0; i < count; ++i)
      parts.push_back(load(address + i * step, element));
    return Value::aggregate(std::move(parts));
  }
  return as(scalar(address, bytes), type);
}

void Memory::store(uint64_t address, const Value &v, Type *type) {
  uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  check(address, bytes, "written");
  if (type->isAggregateType() || type->isVectorTy()) {
    auto *s = dyn_cast<StructType>(type);
    Type *element = s ? nullptr
                    : type->isArrayTy()
                        ? type->getArrayElementType()
                        : cast<VectorType>(type)->getElementType();
    for (unsigned i = 0; i < v.parts.size(); ++i) {
      Type *t = s ? s->getElementType(i) : element;
      uint64_t at = s ? layout.getStructLayout(s)->getElementOffset(i)
                      : i * layout.getTypeAllocSize(t).getFixedValue();
      store(address + at, v.parts[i], t);
    }
    return;
  }
  clear(address, bytes);
  Value kept = v;
  if (v.kind == Value::Integer)
    kept.integer = v.integer.zext(static_cast<unsigned>(8 * bytes));
  else if (v.kind == Value::Condition)
    kept = Value::symbolic(e.choose(v.e, e.number(1), e.number(0)),
                           static_cast<unsigned>(8 * bytes));
  cells[address] = {bytes, kept};
}

void Memory::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (!bytes || to == from)
    return;
  check(from, bytes, "read");
  check(to, bytes, "written");
  cut(from);
  cut(from + bytes);
  Cells copied(cells.lower_bound(from), cells.lower_bound(from + bytes));
  clear(to, bytes);
  for (auto &[at, cell] : copied)
    cells[at - from + to] = cell;
}

void Memory::fill(uint64_t address, uint64_t bytes, uint8_t byte) {
  if (!bytes)
    return;
  check(address, bytes, "written");
  clear(address, bytes);
  cells[address] = {bytes, Value(), byte};
}

} // namespace retro::validate
