// Registrations in link-time optimization.
#ifndef RETRO_PLUGIN_LINK_AGAIN_H
#define RETRO_PLUGIN_LINK_AGAIN_H

namespace llvm {
class Module;
}

namespace retro {

/// A linker leaves out what nothing refers to before it loads plugins, and
/// nothing refers to registrations. If this one did so, it is started again,
/// with an option to keep all that is defined. Does not return then.
void linkAgainIfStripped(llvm::Module &M);

} // namespace retro

#endif
