// The ends of non-blocking operations: waits and tests for one, all, any or
// some of several requests. They find the records of what is complete by its
// handle, and note on the tape what was: there the reverse pass begins the
// operations whose ends, in the forward pass, these were.
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/// What is left of an operation that is complete: its tangent, or a step of the
/// reverse pass.
static struct record *left(struct record *r) {
  if (r && !r->tangent && r->kept)
    return r;
  if (r && r->tangent)
    __retro_mpi_take_tangent(r);
  if (r)
    __retro_mpi_forget(r);
  return NULL;
}

/// Makes the tape of N requests that are complete, by the handles that they
/// had. index: which of the handles (null: all of them).
static void ended(const char *name, const MPI_Request *handles,
                  const int *index, int n, MPI_Status *statuses, void **tape) {
  struct record **r = __retro_mpi_allocate((size_t)n * sizeof(struct record *));
  for (int i = 0; i < n; ++i) {
    r[i] = __retro_mpi_take(name, handles[index ? index[i] : i]);
    if (r[i])
      __retro_mpi_complete(r[i], &statuses[i]);
  }
  for (int i = 0; i < n; ++i)
    r[i] = left(r[i]);
  if (tape)
    *tape =
        n == 1 ? __retro_mpi_tape(r[0], BEGIN) : __retro_mpi_tapes(r, n, BEGIN);
  free(r);
}

static MPI_Request *copyOf(int n, const MPI_Request *requests) {
  MPI_Request *all = __retro_mpi_allocate((size_t)n * sizeof *all);
  memcpy(all, requests, (size_t)n * sizeof *all);
  return all;
}

int __retro_mpi_wait(MPI_Request *request, MPI_Status *status, void **tape) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  MPI_Request handle = *request;
  int error = MPI_Wait(request, status);
  ended("MPI_Wait", &handle, NULL, 1, status, tape);
  return error;
}

int __retro_mpi_test(MPI_Request *request, int *flag, MPI_Status *status,
                     void **tape) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  MPI_Request handle = *request;
  if (tape)
    *tape = NULL;
  int error = MPI_Test(request, flag, status);
  if (*flag)
    ended("MPI_Test", &handle, NULL, 1, status, tape);
  return error;
}

/// Waitall and Testall.
static int all(const char *name, int n, MPI_Request *requests, int *flag,
               MPI_Status *statuses, void **tape) {
  MPI_Request *handles = copyOf(n, requests);
  MPI_Status *own = NULL;
  int done = 1;
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = own = __retro_mpi_allocate((size_t)n * sizeof *own);
  if (tape)
    *tape = NULL;
  int error = flag ? MPI_Testall(n, requests, &done, statuses)
                   : MPI_Waitall(n, requests, statuses);
  if (done)
    ended(name, handles, NULL, n, statuses, tape);
  if (flag)
    *flag = done;
  free(own);
  free(handles);
  return error;
}

int __retro_mpi_waitall(int n, MPI_Request *requests, MPI_Status *statuses,
                        void **tape) {
  return all("MPI_Waitall", n, requests, NULL, statuses, tape);
}

int __retro_mpi_testall(int n, MPI_Request *requests, int *flag,
                        MPI_Status *statuses, void **tape) {
  return all("MPI_Testall", n, requests, flag, statuses, tape);
}

/// Waitany and Testany.
static int any(const char *name, int n, MPI_Request *requests, int *index,
               int *flag, MPI_Status *status, void **tape) {
  MPI_Request *handles = copyOf(n, requests);
  MPI_Status own;
  int done = 1;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  if (tape)
    *tape = NULL;
  int error = flag ? MPI_Testany(n, requests, index, &done, status)
                   : MPI_Waitany(n, requests, index, status);
  if (done && *index != MPI_UNDEFINED)
    ended(name, handles, index, 1, status, tape);
  if (flag)
    *flag = done;
  free(handles);
  return error;
}

int __retro_mpi_waitany(int n, MPI_Request *requests, int *index,
                        MPI_Status *status, void **tape) {
  return any("MPI_Waitany", n, requests, index, NULL, status, tape);
}

int __retro_mpi_testany(int n, MPI_Request *requests, int *index, int *flag,
                        MPI_Status *status, void **tape) {
  return any("MPI_Testany", n, requests, index, flag, status, tape);
}

/// Waitsome and Testsome.
static int some(const char *name, bool test, int n, MPI_Request *requests,
                int *count, int *indices, MPI_Status *statuses, void **tape) {
  MPI_Request *handles = copyOf(n, requests);
  MPI_Status *own = NULL;
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = own = __retro_mpi_allocate((size_t)n * sizeof *own);
  if (tape)
    *tape = NULL;
  int error = test ? MPI_Testsome(n, requests, count, indices, statuses)
                   : MPI_Waitsome(n, requests, count, indices, statuses);
  if (*count != MPI_UNDEFINED && *count > 0)
    ended(name, handles, indices, *count, statuses, tape);
  free(own);
  free(handles);
  return error;
}

int __retro_mpi_waitsome(int n, MPI_Request *requests, int *count, int *indices,
                         MPI_Status *statuses, void **tape) {
  return some("MPI_Waitsome", false, n, requests, count, indices, statuses,
              tape);
}

int __retro_mpi_testsome(int n, MPI_Request *requests, int *count, int *indices,
                         MPI_Status *statuses, void **tape) {
  return some("MPI_Testsome", true, n, requests, count, indices, statuses,
              tape);
}

/// Of a persistent request: it is no more. Of another: nobody will wait, so
/// the reverse pass begins here.
int __retro_mpi_request_free(MPI_Request *request, void **tape) {
  struct record *r = __retro_mpi_find(*request, true);
  if (tape)
    *tape = NULL;
  if (!r)
    __retro_mpi_fail("MPI_Request_free",
                     "the request was not started where derivatives are "
                     "computed: start it in the differentiated function");
  if (!r->persistent && r->class == RECEIVE)
    __retro_mpi_fail("MPI_Request_free",
                     "what a receive brings that nobody waits for has no "
                     "derivative: wait for it");
  int error = MPI_Request_free(request);
  if (r->persistent) {
    __retro_mpi_forget(r);
    return error;
  }
  __retro_mpi_complete(r, MPI_STATUS_IGNORE);
  r = left(r);
  if (tape)
    *tape = __retro_mpi_tape(r, BEGIN);
  return error;
}

/// Nothing travels, but something waits for it.
int __retro_mpi_ibarrier(MPI_Comm comm, MPI_Request *request, void **tape) {
  int error = MPI_Ibarrier(comm, request);
  struct record *r = __retro_mpi_record(NOTHING, "MPI_Ibarrier", comm, 0, 0);
  r->tangent = !tape;
  __retro_mpi_enter(r, *request);
  if (tape)
    *tape = NULL;
  return error;
}
