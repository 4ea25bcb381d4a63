// What OpenMPI's header declares, as far as the tests here need it.
#ifdef __cplusplus
extern "C" {
#endif
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_win_t *MPI_Win;
typedef struct { int source, tag, error, cancelled; unsigned long count; } MPI_Status;
extern struct ompi_datatype_t ompi_mpi_double, ompi_mpi_int, ompi_mpi_byte;
extern struct ompi_communicator_t ompi_mpi_comm_world;
extern struct ompi_op_t ompi_mpi_op_sum;
#define MPI_DOUBLE (&ompi_mpi_double)
#define MPI_INT (&ompi_mpi_int)
#define MPI_BYTE (&ompi_mpi_byte)
#define MPI_COMM_WORLD (&ompi_mpi_comm_world)
#define MPI_SUM (&ompi_mpi_op_sum)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Barrier(MPI_Comm);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
#ifdef __cplusplus
}
#endif
