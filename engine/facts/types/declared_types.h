// What the addresses that the front end wrote say of memory: LLVM's pointers
// have no types, but they are computed from structs and arrays that have.
// Simplification forgets that; prepare/words/note_types.cpp notes it before.
#ifndef RETRO_FACTS_TYPES_DECLARED_TYPES_H
#define RETRO_FACTS_TYPES_DECLARED_TYPES_H

#include "base/unit.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <optional>

namespace retro {

/// NotedField is metadata of a load or store: the struct that it accesses a
/// field of, and where in it. NotedElement is metadata of a copy: the bytes of
/// the numbers that are copied.
inline constexpr llvm::StringLiteral NotedField = "retro.field";
inline constexpr llvm::StringLiteral NotedElement = "retro.element";

/// Metadata of a copy: the type of the objects that are copied, by the name of
/// the function that does it (named_types.h).
inline constexpr llvm::StringLiteral NotedObjects = "retro.objects";

/// Metadata of a load of a pointer or a number of 8 bytes that the program
/// itself declares to be one. Others may be LLVM's way to move a word of any
/// kind.
inline constexpr llvm::StringLiteral NotedWord = "retro.word";
/// The name of a type that says the same of an access by its tag, where the
/// front end gives it none.
inline constexpr llvm::StringLiteral NamedWord = "retro word";

/// Metadata of a load or store of an integer that is nothing else: a character
/// of a string, or its size.
inline constexpr llvm::StringLiteral NotedInteger = "retro.integer";
/// Metadata of a load of a pointer to the characters of a std::string.
inline constexpr llvm::StringLiteral NotedCharacters = "retro.characters";

/// Metadata of a copy of words that are read as integers somewhere: what their
/// shadows note goes along (prepare/memory/integer_words.h).
inline constexpr llvm::StringLiteral MovesNotes = "retro.moves-notes";

/// Metadata of a load or store that the program itself declares to be of a
/// vector of numbers. Other such vectors may be LLVM's way to move words of any
/// kind.
inline constexpr llvm::StringLiteral NotedNumbers = "retro.numbers";

/// Metadata of a load or store of a vector, as long as the other accesses are
/// asked what it moves.
inline constexpr llvm::StringLiteral MovesWords = "retro.moves-words";

/// Metadata of a variable: where in it vectors of libstdc++ begin. LLVM gives
/// variables other types.
inline constexpr llvm::StringLiteral NotedVectors = "retro.vectors";
llvm::SmallVector<int64_t> notedVectors(const llvm::GlobalVariable &G);

/// Attribute of a call that stands for one of a resource of std::pmr, of a call
/// that asks a resource of the program's own, and of a function that has such
/// calls.
inline constexpr llvm::StringLiteral OfResource = "retro.resource";

/// Attribute of a function: it copies bits between an integer of a struct and
/// what is declared to be something else.
inline constexpr llvm::StringLiteral BitsInIntegers = "retro-bits-in-integers";

struct DeclaredField {
  llvm::StructType *In;
  int64_t Offset;
};
std::optional<DeclaredField> declaredField(const llvm::Instruction &I);

/// Does G lead to a field of a struct of the program that is no member of a
/// union, as far as types say? What a union's member is declared to be says
/// nothing of what is in it.
bool isFieldOfStruct(const llvm::GEPOperator &G);

/// Is a field of a struct loaded or stored that the program declares to be an
/// integer?
bool isIntegerField(const llvm::Instruction &I);

/// Is a narrow integer that is loaded or stored one by itself: a character, a
/// field of a struct, or what the program declares to be one? Others may be
/// pieces of numbers, which a program may copy so.
bool isIntegerByItself(const llvm::Instruction &I);

/// Does the program say what the word is that is loaded here?
bool isDeclaredWord(const llvm::LoadInst &L);
/// Does it say that this is an integer?
bool isDeclaredInteger(const llvm::LoadInst &L);

/// Does the program keep numbers in objects of integer type?
bool keepsBitsInIntegers(const Unit &U);

/// The size of the numbers that a copy is declared to move.
std::optional<uint64_t> declaredElement(const llvm::CallBase &C);

/// The type of the objects that a copy moves, one or several, as the name of
/// the library's function or a tag says; or null.
llvm::Type *namedElement(const llvm::CallBase &C);
/// Notes that a copy moves objects of type T; null: nothing is known.
void noteElement(llvm::CallBase &C, llvm::Type *T);

} // namespace retro

#endif
