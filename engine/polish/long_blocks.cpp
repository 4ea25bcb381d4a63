// Input: code whose blocks may have thousands of instructions that touch little
// memory, as the gradient of a formula without loops has. Output: the same,
// with a note for LLVM's SLP vectorizer. It looks for lanes from each
// instruction on, through the whole block: up to half of the compiler's time,
// and more the longer a block is. There are no arrays in which lanes would lie
// side by side.
#include "polish/long_blocks.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace retro {
namespace {

cl::opt<unsigned> LongBlock(
    "retro-long-block", cl::init(1000), cl::Hidden,
    cl::desc("Instructions above which a block is not looked through for "
             "lanes, unless one in eight reads or writes memory."));

constexpr const char *NoLanes = "retro-no-lanes";

/// Does B compute much of little that it reads and writes?
bool isLongFormula(const BasicBlock &B) {
  return B.size() > LongBlock &&
         8u * static_cast<size_t>(count_if(B, IsaPred<LoadInst, StoreInst>)) <
             B.size();
}

} // namespace

unsigned spareLongBlocks(Function &F) {
  size_t Inside = 0;
  unsigned Long = 0;
  for (const BasicBlock &B : F)
    if (isLongFormula(B)) {
      Inside += B.size();
      ++Long;
    }
  // Short loops beside it may well have lanes.
  if (2 * Inside <= F.getInstructionCount())
    return 0;
  F.addFnAttr(NoLanes);
  return Long;
}

bool isSparedLanes(const Function &F) { return F.hasFnAttribute(NoLanes); }

} // namespace retro
