/* What a process has asked of MPI so far: the calls are counted between program
   and library. A program that links message_counts.c has the counters. */
#ifndef SUITES_COMMON_MESSAGE_COUNTS_H
#define SUITES_COMMON_MESSAGE_COUNTS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  long long messages, message_bytes; /* sent from one rank to another */
  long long collectives, collective_bytes;
} retro_message_counts_t;

extern retro_message_counts_t retro_message_counts;

#ifdef __cplusplus
}
#endif

#endif
