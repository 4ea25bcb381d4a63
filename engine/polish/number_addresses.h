// Addresses that are made of the bits of numbers.
#ifndef RETRO_POLISH_NUMBER_ADDRESSES_H
#define RETRO_POLISH_NUMBER_ADDRESSES_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Keeps LLVM's selection of instructions without optimization from taking a
/// number for the address that its bits are.
void keepNumberAddresses(llvm::Function &F);

} // namespace retro

#endif
