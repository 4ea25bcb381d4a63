/* Checkpointing of time loops: in reverse mode the steps of a marked loop are
   run again from a few kept states, instead of being taped together.

     for (int t = 0; t < n; ++t) {
       retro_checkpoint(8);                       // states kept at a time
       retro_checkpoint_state(u, cells * sizeof *u);
       step(u, cells);
     }

   Marks come first in the loop's body. docs/checkpointing.md has the rules.
   Without the plugin: -DRETRO_NO_CHECKPOINT. */
#ifndef RETROGRADE_CHECKPOINT_H
#define RETROGRADE_CHECKPOINT_H

#ifdef __cplusplus
extern "C" {
#define RETRO_NOTHROW noexcept
#else
#define RETRO_NOTHROW
#endif

#ifdef RETRO_NO_CHECKPOINT
static inline void retro_checkpoint(long snapshots) { (void)snapshots; }
static inline void retro_checkpoint_state(const void *memory,
                                          unsigned long bytes) {
  (void)memory, (void)bytes;
}
#else
/* At most this many states are kept; 0: as many as half of -retro-tape-budget
   has room for. Not to be duplicated: the loop stays one. */
__attribute__((noduplicate)) void
retro_checkpoint(long snapshots) RETRO_NOTHROW;

/* Memory that a step writes and a later one reads. 0 bytes: every step writes
   what it reads there, so that nothing needs to be kept. */
void retro_checkpoint_state(const void *memory,
                            unsigned long bytes) RETRO_NOTHROW;
#endif

#undef RETRO_NOTHROW
#ifdef __cplusplus
}
#endif

#endif
