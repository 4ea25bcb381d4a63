// Addresses that are made of the bits of numbers.
#ifndef RETRO_POLISH_NUMBER_ADDRESSES_H
#define RETRO_POLISH_NUMBER_ADDRESSES_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace retro {

/// Keeps LLVM's selection of instructions without optimization from taking a
/// number for the address that its bits are.
void keepNumberAddresses(llvm::Function &F);

/// Does I give the bits of a number, of which an address is made as they are?
bool isNumberAddress(const llvm::Instruction &I);

} // namespace retro

#endif
