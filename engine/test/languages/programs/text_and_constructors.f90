! Text that is assigned to text of another length, and arrays of derived values that grow by constructors.
include "checks.inc"
include "gradients.inc"
module growing
  implicit none
  type reaction
    integer :: k(2) = 0
    real(8) :: a = 0, b = 0
    logical :: third = .false.
  end type
  type scheme
    type(reaction), allocatable :: r(:)
  end type
contains
  subroutine more(s, a, b)
    type(scheme), intent(inout) :: s
    real(8), intent(in) :: a, b
    type(reaction) :: r
    r%a = a; r%b = b; r%k = 2
    s%r = [s%r, r]
  end subroutine
  real(8) function f(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(6)
    type(scheme) :: s
    character(len=8) :: part(2)
    character(len=3) :: short
    integer :: i
    part = ' '
    short = 'abcdef'
    if (n > 2) part(2) = short
    if (part(2) /= 'abc') part = 'no'
    allocate(s%r(0))
    do i = 1, n
      call more(s, x(i), x(i+1)**2)
    end do
    f = 0
    do i = 1, n
      f = f + s%r(i)%a*s%r(i)%b*s%r(i)%k(1)*len_trim(part(2))
    end do
  end function
end module
program main
  use checks
  use growing
  use gradients
  implicit none
  real(8) :: d(6), v(6), t
  real(8), parameter :: x(6) = [1.1d0, 0.7d0, 0.4d0, 0.2d0, 0.3d0, 0.9d0]
  v = [0.3d0, -0.2d0, 0.5d0, 0.1d0, 0.7d0, -0.4d0]
  d = 0
  call gradient(f, enzyme_dup, x, d, enzyme_const, 3)
  t = tangent(f, enzyme_dup, x, v, enzyme_const, 3)
  call near("f", [t, t], [dot_product(d, v), (f(x+1d-5*v,3)-f(x-1d-5*v,3))/2d-5], 1d-8)
  call report()
end program
