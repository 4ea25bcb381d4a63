// What differentiated MPI calls do at run time (docs/parallel.md).
//
// Each call of the primal is a call of one function here, in both modes. With a
// place for a tape it is the forward pass of reverse mode; without one, the
// tangents travel too. The reverse pass of every call is __retro_mpi_reverse.
//
// What travels backwards are numbers only, packed: a message has an adjoint if
// there are floating-point numbers in it, on both sides, whether this process
// has a shadow for them or not. So processes always agree on the messages, even
// if they run different code.
#ifndef RETRO_RUNTIME_MPI_RUNTIME_H
#define RETRO_RUNTIME_MPI_RUNTIME_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/// Ends the program with a message: the call `name` does `what`, which has no
/// derivative.
_Noreturn void __retro_mpi_fail(const char *name, const char *what);
void *__retro_mpi_allocate(size_t bytes);

//===----------------------------------------------------------------------===//
// Datatypes (layouts.c)
//===----------------------------------------------------------------------===//

enum number { FLOAT, DOUBLE, LONG_DOUBLE };

/// Where a number is in an item of a datatype.
struct place {
  MPI_Aint offset;
  MPI_Aint before; ///< bytes of data before it
  enum number kind;
};

struct layout {
  int references;
  int numbers;      ///< of one item
  MPI_Aint bytes;   ///< of one item, without gaps
  enum number kind; ///< that its numbers are packed as
  bool dense;       ///< nothing but numbers of that kind, without gaps
  bool opaque;      ///< bytes of which nothing is known
  bool packed;      ///< bytes of MPI_Pack, each with a number (packed.c)
  MPI_Aint extent;
  struct place *places;
};

/// The layout of a datatype. It has to be released.
struct layout *__retro_mpi_layout(MPI_Datatype type);
struct layout *__retro_mpi_share(struct layout *l);
void __retro_mpi_release(struct layout *l);

MPI_Datatype __retro_mpi_number(const struct layout *l);
size_t __retro_mpi_size(const struct layout *l);
int __retro_mpi_count(const char *name, const struct layout *l, MPI_Aint items);

/// Copies the numbers of items in memory to packed ones; with clear, those in
/// memory become 0. numbers is how many there are, as items may be incomplete.
/// Without memory, the packed numbers are 0.
void __retro_mpi_pack(const struct layout *l, void *memory, MPI_Aint numbers,
                      bool clear, void *packed);
/// The way back: adds packed numbers to memory, or replaces those in memory.
void __retro_mpi_add(const struct layout *l, void *memory, MPI_Aint numbers,
                     const void *packed);
void __retro_mpi_unpack(const struct layout *l, void *memory, MPI_Aint numbers,
                        const void *packed);
long double __retro_mpi_get(enum number k, const void *p);
void __retro_mpi_put(enum number k, void *p, long double v);

/// How many numbers a message of so many bytes has.
MPI_Aint __retro_mpi_numbers_in(const struct layout *l, MPI_Aint bytes);

//===----------------------------------------------------------------------===//
// Packed bytes (packed.c)
//===----------------------------------------------------------------------===//

/// Notes that a message has put bytes there, if it is of packed ones.
void __retro_mpi_received(const struct layout *l, const void *bytes,
                          MPI_Aint n);
/// Who has put there what is sent; null if it is no packed bytes.
unsigned char *__retro_mpi_origins(const struct layout *l, const void *bytes,
                                   MPI_Aint n);
/// Ends the program if adjoints come back for bytes of unknown origin.
void __retro_mpi_check_origins(const char *name, const unsigned char *origins,
                               MPI_Aint n, const void *packed);
/// Marks tangents of bytes of unknown origin, which MPI_Unpack will not take.
void __retro_mpi_mark_unknown(const unsigned char *origins, MPI_Aint n,
                              void *packed);
/// __retro_mpi_pack, and the way back, of packed bytes.
void __retro_mpi_take_values(const void *bytes, MPI_Aint n, bool clear,
                             void *packed);
void __retro_mpi_give_values(const void *bytes, MPI_Aint n, bool add,
                             const void *packed);
struct record;
/// The adjoint of MPI_Pack or MPI_Unpack.
void __retro_mpi_end_packing(struct record *r);

//===----------------------------------------------------------------------===//
// Operations (records.c)
//===----------------------------------------------------------------------===//

/// Operations of one class and one stream (peer, tag and communicator) are
/// matched in the order in which they are posted.
enum operation { SEND, RECEIVE, COLLECTIVE, NOTHING, PACKING, UNPACKING };

/// One operation. Its adjoint can begin when the reverse pass comes to the end
/// of the operation (the wait), and is over when the pass comes to its start.
struct record {
  enum operation class;
  const char *name; ///< of the call
  MPI_Comm comm;
  int peer, tag;
  struct layout *layout;
  void *memory; ///< shadow, or null; of packed bytes themselves
  MPI_Aint numbers;
  unsigned char *origins; ///< of packed bytes that are sent
  char *bytes;            ///< of a call that packs or unpacks
  void *packed;           ///< numbers on their way
  MPI_Request request;    ///< of the adjoint or tangent message
  bool ready, started;
  struct window *window; ///< of operations that overlap; null: it is alone
  int place;             ///< in it
  // Collectives: what their adjoints do, and to what.
  struct collective *collective;
  // While the primal operation is under way:
  MPI_Request handle;
  struct record *next;   ///< with the same hash
  struct record *active; ///< of a persistent request: what was started
  struct record *later;  ///< in a list of receives
  bool persistent, receives_any;
  bool tangent; ///< forward mode
  bool kept;    ///< the tape has it
};

struct record *__retro_mpi_record(enum operation class, const char *name,
                                  MPI_Comm comm, int peer, int tag);
/// Makes a record with the numbers of a buffer.
struct record *__retro_mpi_message(enum operation class, const char *name,
                                   void *buffer, void *shadow, int count,
                                   MPI_Datatype type, int peer, int tag,
                                   MPI_Comm comm);
void __retro_mpi_forget(struct record *r);
/// Notes that the tape has the record.
void __retro_mpi_keep(struct record *r);

/// Notes that the operation is posted, and ends at once or later.
void __retro_mpi_post(struct record *r, bool later);
/// Notes that the operation is complete; status says who sent a message.
void __retro_mpi_complete(struct record *r, MPI_Status *status);

/// Finds requests under way by their handles.
void __retro_mpi_enter(struct record *r, MPI_Request handle);
struct record *__retro_mpi_find(MPI_Request handle, bool take);
/// Finds one, and ends the program if there is none.
struct record *__retro_mpi_take(const char *name, MPI_Request handle);

/// What the reverse pass does at a call: it begins the adjoints of operations
/// that end there, and ends those of operations that start there.
enum step { BEGIN = 1, END = 2, BOTH = 3 };
void *__retro_mpi_tape(struct record *r, enum step s);
/// A tape for several records; its memory is the tape's.
void *__retro_mpi_tapes(struct record **r, int n, enum step s);

/// In forward mode, waits for the tangent of an operation that is complete.
void __retro_mpi_take_tangent(struct record *r);

void __retro_mpi_begin(struct record *r);
void __retro_mpi_end(struct record *r);

/// Starts and ends the adjoint of a collective.
void __retro_mpi_start_collective(struct record *r);
void __retro_mpi_end_collective(struct record *r);
void __retro_mpi_complete_collective(struct record *r);
void __retro_mpi_forget_collective(struct collective *c);

/// Messages of derivatives have tags of their own, so that a receive of the
/// primal from any source cannot take them.
int __retro_mpi_derivative_tag(const char *name, int tag);
/// Sends packed numbers without waiting, and frees them.
void __retro_mpi_send_off(void *packed, int n, MPI_Datatype type, int peer,
                          int tag, MPI_Comm comm);

#endif
