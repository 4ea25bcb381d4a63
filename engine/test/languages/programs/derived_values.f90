! Values of derived types: components that procedures assign, results of recursive functions, sections, constructors, MOVE_ALLOC.
include "checks.inc"
include "gradients.inc"
module values
  implicit none
  type particle
    real(8) :: x(2) = 0
    real(8) :: weight = 1
    integer :: origin = 0
  end type
  type column
    integer :: n = 0
    real(8) :: dz = 10
    real(8), allocatable :: t(:), s(:)
  contains
    procedure :: init, step
    procedure, private :: added
    generic :: operator(+) => added
  end type
contains
  subroutine init(this, n, t, s)
    class(column), intent(inout) :: this
    integer, intent(in) :: n
    real(8), intent(in) :: t, s
    integer :: k
    this%n = n
    this%t = [(t*k, k = 1, n)]
    allocate(this%s(n), source=s)
  end subroutine
  subroutine step(this, dt)
    class(column), intent(inout) :: this
    real(8), intent(in) :: dt
    this%t(2:) = this%t(2:) + dt*this%s(:this%n-1)*this%t(:this%n-1)
  end subroutine
  type(column) function added(a, b)
    class(column), intent(in) :: a
    type(column), intent(in) :: b
    added%n = a%n
    added%t = a%t + b%t
    added%s = a%s*b%s
  end function
  recursive function sorted(p) result(r)
    type(particle), intent(in) :: p(:)
    type(particle), allocatable :: r(:), a(:), b(:)
    integer :: i, j, k, n
    n = size(p)
    if (n < 2) then
      r = p
      return
    end if
    a = sorted(p(:n/2))
    b = sorted(p(n/2+1:))
    allocate(r(n))
    i = 1; j = 1
    do k = 1, n
      if (j > size(b)) then
        r(k) = a(i); i = i + 1
      else if (i > size(a)) then
        r(k) = b(j); j = j + 1
      else if (a(i)%weight >= b(j)%weight) then
        r(k) = a(i); i = i + 1
      else
        r(k) = b(j); j = j + 1
      end if
    end do
  end function
  elemental type(particle) function scaled(s, p)
    real(8), intent(in) :: s
    type(particle), intent(in) :: p
    scaled = p
    scaled%x = s*p%x
  end function

  real(8) function state(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(column) :: c, before
    integer :: k
    call c%init(4, x(1), x(2))
    before = c
    r = 0
    do k = 1, n
      call c%step(x(3))
      if (mod(k, 2) == 0) before%t(2:) = before%t(2:) + c%t(:3)
    end do
    r = sum(c%t*before%t) + sum(c%s)
  end function
  real(8) function results(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(particle), allocatable :: p(:)
    integer :: i
    allocate(p(4))
    do i = 1, 4
      p(i)%x = x(1 + mod(i, n))*[1, 2]*i
      p(i)%weight = x(1 + mod(i + 1, n))**2*i
    end do
    p = sorted(p)
    p(3:) = scaled(x(2), p(:2))
    r = 0
    do i = 1, 4
      r = r + p(i)%weight*p(i)%x(2)*i
    end do
  end function
  real(8) function sections(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(column) :: c(4)
    type(column), allocatable :: d(:), e(:)
    integer :: i
    do i = 1, 4
      call c(i)%init(n, x(1)*i, x(2))
    end do
    c(3:) = c(:2)
    c(1)%t = 0
    d = c(4:1:-1)
    d = [d, c(2), column(n, x(3), [x(3)*x(1)], [x(2)])]
    call move_alloc(d, e)
    r = 0
    do i = 1, size(e)
      r = r + sum(e(i)%t**2)*i*sum(e(i)%s)*e(i)%dz
    end do
    c(2) = c(2) + c(3)
    r = r + sum(c(2)%t**3*c(2)%s)
  end function
end module
program main
  use checks
  use values
  use gradients
  implicit none
  call check("state", state)
  call check("results", results)
  call check("sections", sections)
  call report()
contains
  include "three_numbers.inc"
end program
