// Attributes under clang's -fplugin, and registrations that nothing refers to.
#ifndef RETRO_PLUGIN_CLANG_ATTRIBUTES_H
#define RETRO_PLUGIN_CLANG_ATTRIBUTES_H

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace retro {

/// Makes the attributes known to clang.
void registerAttributes();

/// Marks in D, a declaration at file scope, what clang would leave out as
/// unused: static registration arrays, and static functions that only an
/// attribute names.
void keepRegistration(clang::Decl &D, clang::Sema &S);

} // namespace retro

#endif
