// Makes the unit of a request: clones, inlines, simplifies and canonicalizes.
#ifndef RETRO_PREPARE_PREPARE_H
#define RETRO_PREPARE_PREPARE_H

#include "base/diagnostics.h"
#include "base/unit.h"

namespace retro {

/// Fills the unit from the target function.
void prepareUnit(Unit &U, llvm::Function &Target, Reporter &R);

/// Deletes the unit's clones.
void discardUnit(Unit &U);

/// The function-level simplification pipeline, used before AD on the clones
/// and after it on what was emitted.
void simplifyFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      bool Unroll);

/// Marks accesses of fields of integer type (integer_fields.cpp).
void nameIntegerFields(llvm::Function &F);

/// Lanes that a constant mask negates or drops (lane_masks.cpp).
void lowerLaneMasks(llvm::Function &F);

/// Mantissas that are taken by bit operations (mantissas.cpp).
void lowerMantissas(llvm::Function &F);

/// Numbers that are moved as vectors of narrower integers are moved as
/// numbers (wide_words.cpp).
void widenWords(llvm::Function &F);
/// The numbers, a vector of type T, whose bits the vector of integers V is;
/// null if it is made of them in a way that is not followed.
llvm::Value *numbersMovedAs(llvm::Value *V, llvm::Type *T);

/// Numbers that are moved together as one integer are moved one by one
/// (wide_integers.cpp).
bool splitWideIntegers(llvm::Function &F);

/// Loads and stores of pointers at one of two places become branches
/// (selected_fields.cpp).
bool splitSelectedFields(llvm::Function &F);

/// What is computed the same way on every way to a block is computed in it, so
/// that the reverse pass need not know which was taken (equal_values.cpp).
void joinEqualValues(llvm::Function &F, const llvm::DominatorTree &DT);

/// A pointer that is loaded from one place or another, by the way on which a
/// block is reached, is loaded on each way: no pointer may lead to both
/// (loads_on_ways.cpp). Keeps UF's dominators and loops.
void loadOnEachWay(UnitFunction &UF);

/// Brings control flow into the form that emission relies on (canonical.cpp):
/// one return, reducible, simplified loops in LCSSA form with a counter.
void canonicalizeControlFlow(UnitFunction &UF,
                             llvm::FunctionAnalysisManager &FAM, Reporter &R);

/// Writes addresses that are computed with integers as offsets from pointers
/// (pointer_arithmetic.cpp).
void followPointerArithmetic(llvm::Function &F);

/// Replaces what is loaded of the headers of Fortran's descriptors, where only
/// one thing is ever stored there.
bool foldDescriptors(llvm::Function &F);

/// Makes the models that were inlined special to their calls.
bool specializeModels(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
