// Functions and variables of libraries, by the rows of foreign.def: what
// derivatives call, and what kind of thing a name stands for.

#ifndef RETRO_FRONT_NAMES_FOREIGN_H
#define RETRO_FRONT_NAMES_FOREIGN_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Functions that derivatives call.
enum class Foreign : unsigned {
#define CALLED(Name, ...) Name,
#include "front/names/foreign.def"
};

/// The function, declared in M with the type of its row.
llvm::FunctionCallee foreignCallee(llvm::Module &M, Foreign F);
llvm::CallInst *callForeign(llvm::IRBuilderBase &B, Foreign F,
                            llvm::ArrayRef<llvm::Value *> Args = {});

enum class NameMatch { Is, Begins, Contains };
bool matches(llvm::StringRef Name, NameMatch How, llvm::StringRef Known);

/// What names stand for.
enum class NameKind {
  BlockOfHeap,       ///< returns a block that free() takes
  HeapOfHeader,      ///< malloc and free as HIP's header defines them
  HeapOfDevice,      ///< what these call on the device
  BeginsCatch,       ///< begins a handler
  GivesCaught,       ///< gives a handler its exception
  KeepsException,    ///< makes what std::exception_ptr holds
  ThrowsKept,        ///< throws what std::exception_ptr holds
  NewException,      ///< memory of an object that is going to be thrown
  EndsCatch,         ///< may destroy the object that was thrown
  ResumesException,  ///< goes on unwinding
  CountsReferences,  ///< counts, and calls by tables what counts alone
  TableOfCounts,     ///< of virtual functions, of what counts references
  TypeBinding,       ///< an entry of a table of type-bound procedures (flang)
  TableOfThread,     ///< of virtual functions, of what a std::thread runs
  KnownInfo,         ///< type information of integers, and of classes of std
  InfoOfClass,       ///< of a class without bases, or an enumeration
  InfoOfOneBase,     ///< of a class with one base, where it begins
  Throws,            ///< throws a C++ exception
  GuardOfStatic,     ///< says if a static variable is initialized
  FacetOfLocale,     ///< a member of a character facet
  Fence,             ///< orders memory between threads
  AsksHowToCombine,  ///< asks a team how a reduction is combined
  EndsCombining,     ///< is told that a thread has combined its part
  EndsWithBarrier,   ///< so, and waits for the team
  MinMax,            ///< std::min, std::max
  DataOfSanitizer,   ///< what a sanitizer lists
  CheckOfSanitizer,  ///< a check that a sanitizer's code calls
  ReportOfSanitizer, ///< what such a check calls about a mistake
  SincosOfOcml,
  SincospiOfOcml,
  SincospiOfCuda,
  ToString,      ///< writes numbers to a std::string
  ScansMedium,   ///< reads values of a text or stream, by a format behind it
  ScansInput,    ///< reads values of the input, by a format
  ReadsNumber,   ///< reads a number to where its last pointer points
  ReadsDouble,   ///< so, a double whatever its name says
  ReadsFloat,    ///< so, and a float
  SetsRounding,  ///< sets how numbers are rounded
  SetsPointers,  ///< says whether a library's factors are on the device
  LengthOfText,  ///< counts the characters of a text
  Terminal,      ///< a stream of the program's terminal
  TableOfType,   ///< the type of flang's tables of derived types
  UnitOfFortran, ///< begins input or output by a unit's number
  BlockOfMpich,  ///< the common block that only MPICH's mpif.h has
  CopiesObjects, ///< copies objects of the type that its name says
  OfCharacters,  ///< a string's: its integers are characters and sizes
  ResourceAllocates, ///< std::pmr: asks a resource for memory
  ResourceFrees,     ///< std::pmr: gives memory back to a resource
  ResourceCompares,  ///< std::pmr: asks if two resources are alike
  GivesOwnMemory,    ///< gives the memory of a class of resources
  StartsTask,        ///< std::async
  ThreadOfTask,      ///< of what std::async or oneTBB makes to run a task
  PoolLoops,         ///< a member of the task of a loop of oneTBB
  PoolFor,           ///< such a member, of a loop without a result
  PoolRange,         ///< a member of the range of such a loop
  ComparesIterators, ///< of std::vector and std::string
  OpensTeam,         ///< starts a team of OpenMP
  PoolScans,         ///< a member of the task of a scan of oneTBB
  PoolInvokes,       ///< gives oneTBB objects to call
  PoolRuns,          ///< gives oneTBB one to call, and returns the result
  PoolWaits,         ///< gives oneTBB a task, and waits for it
  PoolOrSerial,      ///< libstdc++: makes tasks if there are many elements
  PoolStops,         ///< stops these: what was looked for is found
  PoolBegins,        ///< is called first where it makes tasks
  NoCoroutine,       ///< what std::noop_coroutine resumes: nothing
  VirtualTable,      ///< lists virtual functions
  DestroysAtExit,    ///< destroys a variable when the program or a thread ends
  TypeInfo,          ///< stands in a table before virtual functions
};
bool isA(llvm::StringRef Name, NameKind K);
/// Does it call a function of such a name?
bool callsA(const llvm::CallBase &C, NameKind K);

} // namespace retro

#endif
