// What a module says of the switches that it was compiled with, so that a
// measurement can be printed beside the settings that it is of.
#ifndef RETRO_PLUGIN_APPLIED_TOGGLES_H
#define RETRO_PLUGIN_APPLIED_TOGGLES_H

namespace llvm {
class Module;
}

namespace retro {

/// Writes "preopt=1 inline=1 …" into the module as the constant string
/// __retro_applied_toggles, for the harness to print beside each measurement.
void recordAppliedToggles(llvm::Module &M);

/// Prints how often each optimization was applied, if that is asked for.
void printCounters();

} // namespace retro

#endif
