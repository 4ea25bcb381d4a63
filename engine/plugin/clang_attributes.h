// Attributes under clang's -fplugin, and registrations that nothing refers to.
#ifndef RETRO_PLUGIN_CLANG_ATTRIBUTES_H
#define RETRO_PLUGIN_CLANG_ATTRIBUTES_H

#include <set>
#include <string>

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace retro {

/// Makes the attributes known to clang.
void registerAttributes();

/// Marks in D, a declaration at file scope, what clang would leave out as
/// unused: static registration arrays, and static functions that only an
/// attribute names. Inactive gets the symbols of variables that are only
/// declared, and inactive: clang generates no annotation for these.
void keepRegistration(clang::Decl &D, clang::Sema &S,
                      std::set<std::string> &Inactive);

} // namespace retro

#endif
