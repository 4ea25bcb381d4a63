// -retro-print-stages: the stages that a function passes through, in order.
#ifndef RETRO_PLUGIN_PRINT_STAGES_H
#define RETRO_PLUGIN_PRINT_STAGES_H

namespace retro {

/// Prints the stages once for a process that was asked for them.
void printStagesIfAsked();

} // namespace retro

#endif
