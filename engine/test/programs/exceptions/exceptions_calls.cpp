// OPTIONS: -mllvm -retro-inline=0
// Exceptions that come out of calls with a derivative of their own.
#define CALLS
#include "exceptions.cpp"
