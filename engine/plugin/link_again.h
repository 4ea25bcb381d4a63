// Keeps registrations in link-time optimization.
#ifndef RETRO_PLUGIN_LINK_AGAIN_H
#define RETRO_PLUGIN_LINK_AGAIN_H

namespace llvm {
class Module;
}

namespace retro {

/// A linker leaves out what nothing refers to before it loads plugins, and
/// nothing refers to registrations. Starts a linker that did so again, with an
/// option to keep all definitions; does not return then.
void linkAgainIfStripped(llvm::Module &M);

} // namespace retro

#endif
