// Constants that are computed of the addresses of variables.
#ifndef RETRO_FACTS_TYPES_ADDRESS_CONSTANTS_H
#define RETRO_FACTS_TYPES_ADDRESS_CONSTANTS_H

namespace llvm {
class Constant;
}

namespace retro {

/// C, but with addresses that are moved as addresses, where C moves them as
/// integers: ptrtoint of @v + 8, and not ptrtoint of @v, plus 8.
llvm::Constant *withAddresses(llvm::Constant *C);

} // namespace retro

#endif
