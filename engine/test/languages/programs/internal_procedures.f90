! Internal procedures that are passed on, also through recursion, in components and pointers, and beside those of modules.
include "checks.inc"
include "gradients.inc"

module users
  implicit none
  abstract interface
    real(8) function scalar(x)
      real(8), intent(in) :: x
    end function
    subroutine field(x, y)
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: y(:)
    end subroutine
    integer function counter(n)
      integer, intent(in) :: n
    end function
  end interface
  type :: term
    procedure(scalar), pointer, nopass :: f => null()
    real(8) :: factor = 1
  end type
  type, abstract :: curve  ! what is bound to it has the type of a scalar
    real(8) :: k = 1
  contains
    procedure(valued), deferred :: value
  end type
  type, extends(curve) :: straight
    real(8) :: b = 0
  contains
    procedure :: value => value_straight
  end type
  type, extends(curve) :: bent
  contains
    procedure :: value => value_bent
  end type
  abstract interface
    real(8) function valued(this)
      import curve
      class(curve), intent(in) :: this
    end function
  end interface
contains
  real(8) function value_straight(this)
    class(straight), intent(in) :: this
    value_straight = this%k*this%k + this%b
  end function

  real(8) function value_bent(this)
    class(bent), intent(in) :: this
    value_bent = sin(this%k)
  end function

  recursive real(8) function simpson(f, a, b, depth) result(s)
    procedure(scalar) :: f
    real(8), intent(in) :: a, b
    integer, intent(in) :: depth
    if (depth == 0) then
      s = (b - a)/6*(f(a) + 4*f(0.5d0*(a + b)) + f(b))
    else
      s = simpson(f, a, 0.5d0*(a + b), depth - 1) + simpson(f, 0.5d0*(a + b), b, depth - 1)
    end if
  end function

  real(8) function total(terms, x)
    type(term), intent(in) :: terms(:)
    real(8), intent(in) :: x
    integer :: i
    total = 0
    do i = 1, size(terms)
      if (associated(terms(i)%f)) total = total + terms(i)%factor*terms(i)%f(x)
    end do
  end function

  recursive subroutine iterate(f, x, steps, watch)
    procedure(field) :: f
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: steps
    procedure(scalar), optional :: watch
    real(8) :: y(size(x))
    if (steps == 0) return
    call f(x, y)
    x = x + 0.1d0*y
    if (present(watch)) x(1) = x(1) + 0.01d0*watch(x(2))
    call iterate(f, x, steps - 1, watch)
  end subroutine

  recursive integer function steps_of(f, n) result(s)
    procedure(counter) :: f
    integer, intent(in) :: n
    s = 0
    if (n > 0) s = f(n) + steps_of(f, n - 1)
  end function

  real(8) function cubed(x)
    real(8), intent(in) :: x
    cubed = x**3
  end function
end module

module hosts
  use users
  implicit none
contains
  real(8) function areas(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(6)
    real(8) :: w
    integer :: calls
    calls = 0
    w = x(1)*x(2)
    areas = simpson(power, 0d0, w, 2)
    w = w + x(3)
    areas = areas + simpson(power, x(4), 1d0, 3) + simpson(cubed, x(5), x(6), n) + 1d-2*calls*x(1)
  contains
    real(8) function power(t)
      real(8), intent(in) :: t
      calls = calls + 1
      power = exp(-x(2)*t)*(1 + w*t)
    end function
  end function

  real(8) function components(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(6)
    type(term) :: terms(4)
    procedure(scalar), pointer :: p
    integer :: i
    p => wave
    terms(1) = term(wave, x(1)); terms(2)%f => cubed; terms(2)%factor = x(2)
    terms(3)%f => line; terms(3)%factor = 3
    if (n > 3) p => line
    components = 0
    do i = 1, 3
      components = components + total(terms, x(i)) + p(x(i + 3))
      terms(4) = terms(i)
    end do
  contains
    real(8) function wave(t)
      real(8), intent(in) :: t
      wave = sin(x(4)*t)
    end function
    real(8) function line(t)
      real(8), intent(in) :: t
      line = x(5)*t + x(6)
    end function
  end function

  recursive real(8) function depths(x, n) bind(c)  ! each frame has an internal procedure of its own
    integer, value :: n
    real(8), intent(in) :: x(6)
    real(8) :: y(6), scaling
    scaling = x(1) + n
    y = x
    call iterate(rotate, y, n, shift)
    call iterate(rotate, y, 2)
    depths = sum(y**2) + steps_of(twice, n)*x(2)
    if (n > 1) depths = depths + 0.5d0*depths_of(y, n - 1)
  contains
    subroutine rotate(a, b)
      real(8), intent(in) :: a(:)
      real(8), intent(out) :: b(:)
      b = scaling*cshift(a, 1)*x(3)
    end subroutine
    real(8) function shift(t)
      real(8), intent(in) :: t
      shift = scaling*t + x(5)
      scaling = scaling*1.01d0
    end function
    integer function twice(k)
      integer, intent(in) :: k
      twice = 2*k + n
    end function
  end function

  recursive real(8) function depths_of(y, n) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: y(6)
    r = depths(y, n)
  end function
end module

program main
  use checks
  use hosts
  use gradients
  implicit none
  abstract interface
    real(8) function host(x, n) bind(c)
      integer, value :: n
      real(8), intent(in) :: x(6)
    end function
  end interface
  real(8) :: d(6), v(6), t
  real(8), parameter :: x(6) = [1.1d0, 0.7d0, 0.4d0, 0.2d0, 0.3d0, 0.9d0]
  v = [0.3d0, -0.2d0, 0.5d0, 0.1d0, 0.7d0, -0.4d0]
  d = 0
  call gradient(areas, enzyme_dup, x, d, enzyme_const, 2)
  call check("areas", areas, 2)
  t = tangent(areas, enzyme_dup, x, v, enzyme_const, 2)
  call near("areas, forward", [t], [dot_product(d, v)])
  d = 0
  call gradient(components, enzyme_dup, x, d, enzyme_const, 2)
  call check("components", components, 2)
  t = tangent(components, enzyme_dup, x, v, enzyme_const, 2)
  call near("components, forward", [t], [dot_product(d, v)])
  d = 0
  call gradient(components, enzyme_dup, x, d, enzyme_const, 4)
  call check("components of another pointer", components, 4)
  d = 0
  call gradient(depths, enzyme_dup, x, d, enzyme_const, 3)
  call check("depths", depths, 3)
  t = tangent(depths, enzyme_dup, x, v, enzyme_const, 3)
  call near("depths, forward", [t], [dot_product(d, v)], 1d-12)
  call report()
contains
  subroutine check(what, f, n)
    character(len=*), intent(in) :: what
    procedure(host) :: f
    integer, intent(in) :: n
    real(8) :: up(6), dn(6), w(6)
    integer :: i
    do i = 1, 6
      up = x; up(i) = up(i) + 1d-5
      dn = x; dn(i) = dn(i) - 1d-5
      w(i) = (f(up, n) - f(dn, n))/2d-5
    end do
    call near(what, d, w, 1d-7)
  end subroutine
end program
