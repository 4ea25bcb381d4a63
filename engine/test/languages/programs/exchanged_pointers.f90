! FLAGS: -fopenmp
! Descriptors that stay in memory, since a region reads them, and are copied as a whole: pointers that are exchanged, and passed to explicit shapes, for
! which what is not contiguous is copied.
include "checks.inc"
include "gradients.inc"

module functions
  implicit none
contains
  subroutine step(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    y = x*x + 0.7d0*cshift(x, 1)
  end subroutine

  subroutine step_plane(x, y)
    real(8), intent(in) :: x(2, 2)
    real(8), intent(out) :: y(2, 2)
    y = x*x + 0.7d0*transpose(x)
  end subroutine

  real(8) function whole(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8), target :: a(4), b(4)
    real(8), pointer :: now(:), next(:), free(:)
    integer :: t, i
    a = h
    now => a
    next => b
    do t = 1, 3
      call step(now, next)
      free => now
      now => next
      next => free
    end do
    whole = 0
    !$omp parallel do
    do i = 1, 4
      !$omp critical
      whole = whole + now(i)*now(i)
      !$omp end critical
    end do
  end function

  !> Every second place of what the pointers lead to.
  real(8) function parts(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8), target :: a(8), b(8)
    real(8), pointer :: now(:), next(:), free(:)
    integer :: t, i
    a = 1
    b = 2
    now => a(1:7:2)
    next => b(8:2:-2)
    now = h
    do t = 1, 3
      call step(now, next)
      free => now
      now => next
      next => free
    end do
    parts = 0
    !$omp parallel do reduction(+: parts)
    do i = 1, 4
      parts = parts + now(i)*now(i)
    end do
  end function

  real(8) function plane(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8), target :: a(2, 3), b(3, 2)
    real(8), pointer :: now(:, :), next(:, :), free(:, :)
    integer :: t, i
    now => a(:, 1:3:2)
    next => b(2:3, :)
    now = reshape(h, [2, 2])
    do t = 1, 3
      call step_plane(now, next)
      free => now
      now => next
      next => free
    end do
    plane = 0
    !$omp parallel do reduction(+: plane)
    do i = 1, 2
      plane = plane + now(i, 1)*now(i, 2)
    end do
  end function

  !> The adjoints of three steps, by hand.
  function by_hand(h) result(d)
    real(8), intent(in) :: h(4)
    real(8) :: d(4), x(4, 0:3)
    integer :: t
    x(:, 0) = h
    do t = 1, 3
      call step(x(:, t - 1), x(:, t))
    end do
    d = 2*x(:, 3)
    do t = 2, 0, -1
      d = 2*x(:, t)*d + 0.7d0*cshift(d, -1)
    end do
  end function

  function plane_by_hand(h) result(r)
    real(8), intent(in) :: h(4)
    real(8) :: r(4), d(2, 2), x(2, 2, 0:3)
    integer :: t
    x(:, :, 0) = reshape(h, [2, 2])
    do t = 1, 3
      call step_plane(x(:, :, t - 1), x(:, :, t))
    end do
    d = x(:, [2, 1], 3)
    do t = 2, 0, -1
      d = 2*x(:, :, t)*d + 0.7d0*transpose(d)
    end do
    r = reshape(d, [4])
  end function
end module

program main
  use checks
  use functions
  use gradients
  implicit none
  integer, parameter :: n = 4
  real(8) :: x(n)
  integer :: i
  x = [(0.3d0*i - 0.4d0, i = 1, n)]
  call check("whole arrays", whole, x, by_hand(x))
  call check("parts of arrays", parts, x, by_hand(x))
  call check("planes", plane, x, plane_by_hand(x))
  call report()
contains
  include "known_adjoints.inc"
end program
