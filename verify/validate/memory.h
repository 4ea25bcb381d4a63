// Symbolic values, and memory that holds them at concrete addresses.
#ifndef RETROGRADE_VERIFY_VALIDATE_MEMORY_H
#define RETROGRADE_VERIFY_VALIDATE_MEMORY_H

#include "expression.h"

#include "llvm/ADT/APInt.h"
#include "llvm/IR/DataLayout.h"

#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

namespace retro::validate {

/// What the execution cannot do. The answer is then "not known".
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// What a correct program does not do.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Value {
  enum Kind {
    Undefined,
    Integer,   ///< concrete; pointers too
    Real,      ///< a floating-point value
    Bits,      ///< an integer with the bits of the number e
    Symbolic,  ///< an integer that is e, a number
    Condition, ///< i1
    Parts,     ///< of a struct, array or vector
  };
  Kind kind = Undefined;
  llvm::APInt integer;
  Expr e = nullptr;
  unsigned width = 0; ///< Bits, Symbolic
  std::vector<Value> parts;

  Value() = default;
  Value(Kind kind, Expr e, unsigned width = 0)
      : kind(kind), e(e), width(width) {}

  static Value real(Expr e) { return {Real, e}; }
  static Value bits(Expr e, unsigned width) { return {Bits, e, width}; }
  static Value of(llvm::APInt i) {
    Value v(Integer, nullptr);
    v.integer = std::move(i);
    return v;
  }
  static Value of(uint64_t v, unsigned width) {
    return of(llvm::APInt(64, v).zextOrTrunc(width));
  }
  static Value condition(Expr e);
  static Value symbolic(Expr e, unsigned width);
  static Value aggregate(std::vector<Value> parts) {
    Value v(Parts, nullptr);
    v.parts = std::move(parts);
    return v;
  }
  uint64_t address() const;
};

class Memory {
public:
  Memory(const llvm::DataLayout &layout, Expressions &e)
      : layout(layout), e(e) {}

  /// New memory; zero: its bytes are 0.
  uint64_t allocate(uint64_t bytes, bool zero);
  void release(uint64_t address);
  /// Bytes of the object that begins at the address.
  uint64_t sizeOf(uint64_t address) const;

  Value load(uint64_t address, llvm::Type *type);
  void store(uint64_t address, const Value &v, llvm::Type *type);
  void copy(uint64_t to, uint64_t from, uint64_t bytes);
  void fill(uint64_t address, uint64_t bytes, uint8_t byte);

private:
  struct Cell {
    uint64_t bytes = 0;
    Value value = Value();
    std::optional<uint8_t> fill = std::nullopt; ///< every byte is this one
  };
  using Cells = std::map<uint64_t, Cell>;

  void check(uint64_t address, uint64_t bytes, const char *what) const;
  void cut(uint64_t at);
  void clear(uint64_t address, uint64_t bytes);
  Value scalar(uint64_t address, uint64_t bytes);
  Value as(Value v, llvm::Type *type);

  const llvm::DataLayout &layout;
  Expressions &e;
  std::map<uint64_t, uint64_t> objects; ///< base: bytes
  uint64_t next = 0x10000;
  Cells cells;
};

/// The double or float with these bits.
std::optional<double> numberOf(const llvm::APInt &bits, llvm::Type *type);

} // namespace retro::validate

#endif
