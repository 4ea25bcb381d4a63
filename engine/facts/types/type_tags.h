// What the tags say that the front end attaches to accesses (TBAA): the scalar
// type of an access, and the fields of a struct that is copied.
#ifndef RETRO_FACTS_TYPES_TYPE_TAGS_H
#define RETRO_FACTS_TYPES_TYPE_TAGS_H

#include "facts/types/named_types.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace retro {

/// The name of the scalar type that a TBAA access tag stands for, or "".
llvm::StringRef accessName(const llvm::MDNode *Tag);

/// The name of the scalar type that the front end gave an access, or "": by the
/// tag, or by what is noted of a load in a form that stays where LLVM drops
/// tags.
llvm::StringRef accessName(const llvm::Instruction &I);
/// Notes the name at a load so. LLVM loads early what is chosen from two
/// fields, and such a load has no tag.
void noteAccessName(llvm::LoadInst &L);

/// Does a tag name a field of a struct? An element of an array of a struct has
/// a tag of the element's type alone.
bool isField(const llvm::MDNode *Tag);

/// The number type of that name, or null.
llvm::Type *floatNamed(llvm::StringRef Name, llvm::LLVMContext &C);
bool namesPointer(llvm::StringRef Name);
bool namesInteger(llvm::StringRef Name);

/// The fields of a struct that is assigned (tbaa.struct), if the front end says
/// of all of them what they are; else none.
llvm::SmallVector<NamedField> fieldsListed(const llvm::MDNode *List,
                                           llvm::LLVMContext &C);

} // namespace retro

#endif
