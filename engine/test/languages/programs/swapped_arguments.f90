! Two arrays that are the one argument of a procedure now and the other one later. What flang says of its arguments holds in one call.
include "checks.inc"
include "gradients.inc"

module functions
  implicit none
contains
  subroutine step(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(:)
    integer :: i
    do i = 1, size(x)
      y(i) = x(i)*x(i) + 0.7d0*x(mod(i, size(x)) + 1)
    end do
  end subroutine

  !> What step makes of h, n times, and its cost.
  real(8) function by_pointers(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: now(:), next(:), free(:)
    integer :: t
    a = h
    now => a
    next => b
    do t = 1, 4
      call step(now, next)
      free => now
      now => next
      next => free
    end do
    by_pointers = sum(now*now)
  end function

  real(8) function by_turns(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8) :: a(n), b(n)
    integer :: t
    a = h
    do t = 1, 2
      call step(a, b)
      call step(b, a)
    end do
    by_turns = sum(a*a)
  end function

  real(8) function by_moves(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8), allocatable :: a(:), b(:), c(:)
    integer :: t
    a = h
    b = h
    do t = 1, 4
      call step(a, b)
      call move_alloc(a, c)
      call move_alloc(b, a)
      call move_alloc(c, b)
    end do
    by_moves = sum(a*a)
  end function

  real(8) function by_columns(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8) :: a(n, 0:2)
    integer :: t
    a = 0
    a(:, 0) = h
    do t = 1, 4
      call step(a(:, mod(t - 1, 3)), a(:, mod(t, 3)))
    end do
    by_columns = sum(a(:, 1)**2)
  end function

  recursive subroutine turn(x, y, k)
    real(8), intent(inout) :: x(5), y(5)
    integer, value :: k
    y = x*x + 0.7d0*cshift(x, 1) + 0*y
    if (k > 1) call turn(y, x, k - 1)
  end subroutine

  real(8) function by_recursion(h, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: h(n)
    real(8) :: a(5), b(5)
    a = h
    b = 1
    call turn(a, b, 4)
    by_recursion = sum(a*a)
  end function

  !> The adjoint of four steps, by hand.
  function by_hand(h) result(d)
    real(8), intent(in) :: h(5)
    real(8) :: d(5), x(5, 0:4)
    integer :: t
    x(:, 0) = h
    do t = 1, 4
      x(:, t) = x(:, t - 1)**2 + 0.7d0*cshift(x(:, t - 1), 1)
    end do
    d = 2*x(:, 4)
    do t = 3, 0, -1
      d = 2*x(:, t)*d + 0.7d0*cshift(d, -1)
    end do
  end function
end module

program main
  use checks
  use functions
  use gradients
  implicit none
  integer, parameter :: n = 5
  real(8) :: x(n)
  integer :: i
  x = [(0.25d0*i - 0.4d0, i = 1, n)]
  call check("pointers that are exchanged", by_pointers, x, by_hand(x))
  call check("arrays in turns", by_turns, x, by_hand(x))
  call check("arrays that are moved", by_moves, x, by_hand(x))
  call check("columns", by_columns, x, by_hand(x))
  call check("a recursive procedure", by_recursion, x, by_hand(x))
  call report()
contains
  include "known_adjoints.inc"
end program
