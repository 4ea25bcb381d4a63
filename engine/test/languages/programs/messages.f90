! MPI: 3
! LINK: mpi_mpifh
! The Fortran binding of MPI: blocking messages, requests, collectives.
include "checks.inc"

module functions
  implicit none
  ! The parts of mpif.h; in the last one there is what flang does not accept.
  include 'mpif-config.h'
  include 'mpif-constants.h'
  include 'mpif-handles.h'
  include 'mpif-externals.h'
  include 'mpif-sentinels.h'
  integer, parameter :: n = 4
  integer :: rank, processes, left, right
contains
  subroutine ring(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: out(n), in(n), more(n)
    integer :: requests(2), error, status(MPI_STATUS_SIZE)
    out = x**2
    call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    out = sin(x)
    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, right, 2, more, n, MPI_DOUBLE_PRECISION, left, 2, &
      MPI_COMM_WORLD, status, error)
    y = in*x + more*status(MPI_TAG)
  end subroutine

  subroutine together(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: total(n), most(n), b(n)
    integer :: error, me, sum_of_ranks
    call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
    call MPI_Allreduce(me, sum_of_ranks, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Allreduce(x, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    b = cos(x + me)
    call MPI_Reduce(b, most, n, MPI_REAL8, MPI_MAX, 0, MPI_COMM_WORLD, error)
    call MPI_Bcast(most, n, MPI_REAL8, 0, MPI_COMM_WORLD, error)
    b = b*x
    call MPI_Allreduce(MPI_IN_PLACE, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    y = total*x + most*b*sum_of_ranks
  end subroutine
end module

program messages
  use functions
  use checks, only: near, report
  implicit none
  abstract interface
    subroutine mapping(x, y)
      import n
      real(8), intent(in) :: x(n)
      real(8), intent(out) :: y(n)
    end subroutine
  end interface
  interface
    subroutine gradient(f, x, dx, y, dy) bind(c, name="__enzyme_autodiff_messages")
      import mapping, n
      procedure(mapping) :: f
      real(8) :: x(n), dx(n), y(n), dy(n)
    end subroutine
  end interface
  integer :: error, i
  real(8) :: x(n), dx(n), y(n), dy(n), w(n), v(n)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, error)
  right = mod(rank + 1, processes)
  left = mod(rank + processes - 1, processes)
  x = [(1.3d0 + sin(1 + 0.7d0*(rank*n + i)), i = 1, n)]
  v = [(cos(0.4d0*(rank*n + i)), i = 1, n)]
  w = [(1 + sin(0.3d0*(rank*n + i)), i = 1, n)]

  dx = 0
  dy = w
  call gradient(ring, x, dx, y, dy)
  call near("ring", [total(sum(dx*v))], [slope(ring)], 1d-8)
  dx = 0
  dy = w
  call gradient(together, x, dx, y, dy)
  call near("together", [total(sum(dx*v))], [slope(together)], 1d-8)
  call report()
  call MPI_Finalize(error)
contains
  include "slopes.inc"
end program
