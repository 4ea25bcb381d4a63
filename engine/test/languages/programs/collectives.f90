! MPI: 3
! LINK: mpi_mpifh
! The Fortran binding of MPI: collectives that do not wait, those with counts, and the ways to wait for some of several requests.
include "checks.inc"

module functions
  implicit none
  include "mpif_parts.inc"
  integer, parameter :: n = 6, dp = MPI_DOUBLE_PRECISION
  integer :: rank, processes, left, right
contains
  subroutine posted(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n), total(n), first(n), before(n), part(n), all(3*n), most(n)
    integer :: requests(5), error, statuses(MPI_STATUS_SIZE, 5)
    b = x**2
    first = sin(x)
    before = 0
    call MPI_Iallreduce(b, total, n, dp, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
    call MPI_Ibcast(first, n, dp, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Iallgather(x, n, dp, all, n, dp, MPI_COMM_WORLD, requests(3), error)
    call MPI_Iexscan(b, before, n, dp, MPI_SUM, MPI_COMM_WORLD, requests(4), error)
    call MPI_Ialltoall(x, 2, dp, part, 2, dp, MPI_COMM_WORLD, requests(5), error)
    call MPI_Waitall(5, requests, statuses, error)
    y = total*first + before*all(n*left + 1:n*left + n) + part**3
    most = cos(x)
    call MPI_Ireduce(most, b, n, dp, MPI_MAX, 2, MPI_COMM_WORLD, requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    if (rank == 2) y = y + b*x
  end subroutine

  subroutine shared(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n), mine(n), held(n), whole(3*n), back(n)
    integer :: counts(3), request, error
    counts = [1, 2, 3]
    mine = 0
    call MPI_Reduce_scatter(x*x, mine, counts, dp, MPI_SUM, MPI_COMM_WORLD, error)
    b = 0
    call MPI_Alltoallv(x, [2, 2, 2], [0, 2, 4], dp, b, [2, 2, 2], [4, 2, 0], dp, MPI_COMM_WORLD, error)
    held = b*x
    call MPI_Igather(held, n, dp, whole, n, dp, 0, MPI_COMM_WORLD, request, error)
    call until(request)
    if (rank == 0) whole = whole**2
    call MPI_Iscatter(whole, n, dp, back, n, dp, 0, MPI_COMM_WORLD, request, error)
    call until(request)
    y = back + mine(1)*x + b
  end subroutine

  subroutine until(request)
    integer, intent(inout) :: request
    logical :: done
    integer :: error
    done = .false.
    do while (.not. done)
      call MPI_Test(request, done, MPI_STATUS_IGNORE, error)
    end do
  end subroutine

  subroutine some(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: in(n, 2)
    integer :: requests(4), indices(4), error, count, finished
    call MPI_Irecv(in(:, 1), n, dp, left, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(in(:, 2), n, dp, right, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Issend(x, n, dp, right, 1, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(x, n, dp, left, 2, MPI_COMM_WORLD, requests(4), error)
    finished = 0
    do while (finished < 4)
      call MPI_Waitsome(4, requests, count, indices, MPI_STATUSES_IGNORE, error)
      if (any(indices(:count) < 1) .or. any(indices(:count) > 4)) stop 3
      finished = finished + count
    end do
    y = in(:, 1)*in(:, 2)*x
  end subroutine

  ! As some, but it does not wait.
  subroutine polled(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: in(n, 2), squares(n)
    integer :: requests(4), indices(4), error, count, finished
    squares = x*x
    call MPI_Irecv(in(:, 2), n, dp, right, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Irecv(in(:, 1), n, dp, left, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(squares, n, dp, right, 1, MPI_COMM_WORLD, requests(4), error)
    call MPI_Isend(x, n, dp, left, 2, MPI_COMM_WORLD, requests(3), error)
    finished = 0
    do while (finished < 4)
      call MPI_Testsome(4, requests, count, indices, MPI_STATUSES_IGNORE, error)
      if (any(indices(:count) < 1) .or. any(indices(:count) > 4)) stop 3
      finished = finished + count
    end do
    y = in(:, 1)*in(:, 2)*x
  end subroutine

  ! Of different lengths, without waiting: rank r has r + 1 numbers.
  subroutine counted(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer, parameter :: counts(3) = [1, 2, 3], at(3) = [3, 1, 0]
    real(8) :: root(6), all(6), mine(3), b(n)
    integer :: requests(2), error, statuses(MPI_STATUS_SIZE, 2)
    root = 0
    all = 0
    mine = 0
    b = 0
    call MPI_Igatherv(x, rank + 1, dp, root, counts, [5, 3, 0], dp, 2, MPI_COMM_WORLD, requests(1), error)
    call MPI_Iallgatherv(x, rank + 1, dp, all, counts, [5, 3, 0], dp, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, statuses, error)
    root = root**2
    call MPI_Iscatterv(root, counts, at, dp, mine, rank + 1, dp, 2, MPI_COMM_WORLD, requests(1), error)
    call MPI_Ialltoallv(x, [2, 2, 2], [0, 2, 4], dp, b, [2, 2, 2], [4, 2, 0], dp, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, statuses, error)
    y = mine(1)*all + b*x + all(6)*mine(rank + 1)
  end subroutine
end module

program collectives
  use functions
  use checks, only: near, report
  implicit none
  include "mappings.inc"
  call start()
  call check("posted", posted)
  call check("shared", shared)
  call check("some", some)
  call check("polled", polled)
  call check("counted", counted)
  call report()
  call MPI_Finalize(error)
contains
  include "slopes.inc"

  subroutine check(what, f)
    character(len=*), intent(in) :: what
    procedure(mapping) :: f
    dx = 0
    dy = w
    call gradient(f, x, dx, y, dy)
    call near(what, [total(sum(dx*v))], [slope(f)], 1d-8)
  end subroutine
end program
