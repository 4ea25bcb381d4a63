// Under clang's -fplugin: attributes, and registrations that nothing refers to.
#ifndef RETRO_PLUGIN_CLANG_ATTRIBUTES_H
#define RETRO_PLUGIN_CLANG_ATTRIBUTES_H

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace retro {

/// Makes the attributes known to clang.
void registerAttributes();

/// Clang would leave out a static registration array, which nobody uses, and
/// static functions that only an attribute names: marks those in D, a
/// declaration at file scope, as used.
void keepRegistration(clang::Decl &D, clang::Sema &S);

} // namespace retro

#endif
