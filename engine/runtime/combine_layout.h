// A line of shadow memory, and where among a thread's own lines it is kept: in
// C for the runtime, in C++ for who emits code that finds a line by itself.
#ifndef RETRO_RUNTIME_COMBINE_LAYOUT_H
#define RETRO_RUNTIME_COMBINE_LAYOUT_H

enum {
  LINE_BITS = 6,
  LINE_BYTES = 1 << LINE_BITS,
  LINES_BITS = 12,
  LINES = 1 << LINES_BITS,
};

/// A line's number times this: the highest LINES_BITS say where it is kept
/// (Knuth, The Art of Computer Programming 3, 6.4: multiplicative hashing).
#define LINE_SPREAD 0x9E3779B97F4A7C15u

/// Beside the address in a line's tag: what the line is added up in.
#define LINE_OF_FLOATS 1u

#endif
