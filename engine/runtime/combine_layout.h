// A line of shadow memory, and where a thread keeps its own copy of it: in C
// for the runtime, and in C++ for emission, whose code finds a line by itself.
// Both must agree.
#ifndef RETRO_RUNTIME_COMBINE_LAYOUT_H
#define RETRO_RUNTIME_COMBINE_LAYOUT_H

enum {
  LINE_BITS = 6,
  LINE_BYTES = 1 << LINE_BITS,
  LINES_BITS = 12,
  LINES = 1 << LINES_BITS,
};

/// A line's number is multiplied by this; the highest LINES_BITS of the product
/// say where it is kept (Knuth, The Art of Computer Programming 3, 6.4:
/// multiplicative hashing).
#define LINE_SPREAD 0x9E3779B97F4A7C15u

/// Stands beside the address in a line's tag: the type of the numbers.
#define LINE_OF_FLOATS 1u

#endif
