! OPTIONS: -fstack-arrays
! Automatic arrays and temporaries on the stack: each derivative gives back what it takes.
include "checks.inc"
include "gradients.inc"

module functions
  implicit none
contains
  real(8) function automatic(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: w(n), u(2*n)
    integer :: k
    w = sin(x)*x
    do k = 1, 3
      call inner(w, u, n)
    end do
    automatic = sum(w*u(:n)) + dot_product(u(n + 1:), w)
  end function

  subroutine inner(w, u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n), u(2*n)
    real(8) :: v(n)
    v = w*w(n:1:-1)
    u(:n) = v*w
    u(n + 1:) = v + 1
    w = w + 0.1d0*v(n:1:-1)
  end subroutine

  !> Pages of memory that the program has.
  integer function pages()
    integer :: all, unit
    open(newunit=unit, file="/proc/self/statm", action="read")
    read(unit, *) all, pages
    close(unit)
  end function
end module

program main
  use checks
  use functions
  use gradients
  implicit none
  integer, parameter :: n = 12
  real(8) :: x(n), d(n), v(n), t, y(n)
  integer :: i, had
  x = [(0.1d0*i - 0.3d0, i = 1, n)]
  v = [(1 - 0.2d0*i, i = 1, n)]
  d = 0
  call gradient(automatic, enzyme_dup, x, d, enzyme_const, n)
  t = tangent(automatic, enzyme_dup, x, v, enzyme_const, n)
  call near("the tangent", [t], [dot_product(d, v)])
  do i = 1, n
    y = x
    y(i) = x(i) + 1d-5
    t = automatic(y, n)
    y(i) = x(i) - 1d-5
    t = (t - automatic(y, n))/2d-5
    call near("the gradient", [d(i)], [t], 1d-7)
  end do
  do i = 1, 21000
    if (i == 1000) had = pages()
    call gradient(automatic, enzyme_dup, x, d, enzyme_const, n)
    t = t + tangent(automatic, enzyme_dup, x, v, enzyme_const, n)
  end do
  call near("memory that is left", [real(max(pages() - had, 500), 8)], [500d0])
  call report()
end program
