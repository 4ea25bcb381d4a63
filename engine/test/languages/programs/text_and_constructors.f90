! Text that is assigned to text of another length, numbers that are read from text over active ones, and arrays of derived values that grow by constructors.
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
  real(8) function g(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(6)
    character(len=16) :: line, word(2)
    real(8) :: a, w(2)
    real(4) :: s
    integer :: k
    line = '2.5, 3, 0.5 7'
    a = x(1)
    w = x(2:3)
    s = real(x(4), 4)
    g = a*w(1)*s
    read (line, *) a, k, w(1)
    if (n > 2) read (line(6:), *) s
    word = ['1.25', '0.75']
    read (word(2), *) w(2)
    g = g + a*x(1)**k + w(1)*sin(x(5)) + s*x(6)*w(2)
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
  d = 0
  call gradient(g, enzyme_dup, x, d, enzyme_const, 3)
  t = tangent(g, enzyme_dup, x, v, enzyme_const, 3)
  call near("numbers that are read", [d, t], [real(real(x(4), 4), 8)*x(2) + 7.5d0*x(1)**2, &
    real(real(x(4), 4), 8)*x(1), 0d0, x(1)*x(2), 0.5d0*cos(x(5)), 2.25d0, dot_product(d, v)], 1d-7)
  call report()
end program
