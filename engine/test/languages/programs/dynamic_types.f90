! Copies of values whose type only the running program knows: sources of ALLOCATE, components, assignment to polymorphic variables, MOVE_ALLOC.
include "checks.inc"
include "gradients.inc"
module shapes
  implicit none
  type, abstract :: shape
    real(8) :: w = 1
  contains
    procedure(measure), deferred :: area
  end type
  abstract interface
    real(8) function measure(this)
      import shape
      class(shape), intent(in) :: this
    end function
  end interface
  type, extends(shape) :: disc
    real(8) :: r
  contains
    procedure :: area => of_disc
  end type
  type, extends(shape) :: curve
    real(8), allocatable :: x(:)
  contains
    procedure :: area => of_curve
  end type
  type, extends(curve) :: curves
    type(curve), allocatable :: parts(:)
  contains
    procedure :: area => of_curves
  end type
  type :: holder
    class(shape), allocatable :: s
    integer :: n = 0
  end type
  type :: node
    class(shape), allocatable :: s
    type(node), pointer :: next => null()
  end type
contains
  real(8) function of_disc(this)
    class(disc), intent(in) :: this
    of_disc = this%w*this%r**2
  end function
  real(8) function of_curve(this)
    class(curve), intent(in) :: this
    of_curve = this%w*sum(this%x**3)
  end function
  real(8) function of_curves(this)
    class(curves), intent(in) :: this
    integer :: i
    of_curves = sum(this%x)
    do i = 1, size(this%parts)
      of_curves = of_curves + this%parts(i)%area()
    end do
  end function
  subroutine put(h, s)
    type(holder), intent(inout) :: h
    class(shape), intent(in) :: s
    if (allocated(h%s)) deallocate(h%s)
    allocate(h%s, source=s)
    h%n = h%n + 1
  end subroutine
  subroutine fill(h, d, x)
    type(holder), intent(inout) :: h(3)
    type(curves), intent(inout) :: d
    real(8), intent(in) :: x(3)
    integer :: i
    d%x = x(1)*[1d0, 2d0]
    allocate(d%parts(2))
    do i = 1, 2
      d%parts(i)%x = [x(i)**2, x(3)]
    end do
    call put(h(1), disc(1d0, x(2)))
    call put(h(2), curve(x(3), [x(1)*x(2), x(2)]))
    call put(h(3), d)
    d%x = 0 ! of which the copy knows nothing
    d%parts(1)%x = 7
  end subroutine
  real(8) function sources(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(holder) :: h(3)
    type(curves) :: d
    integer :: i
    call fill(h, d, x)
    r = 0
    do i = 1, n
      r = r + h(i)%s%area()*i
    end do
  end function
  real(8) function components(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(holder) :: h(3), g
    type(curves) :: d
    integer :: i
    call fill(h, d, x)
    r = 0
    do i = 1, n
      g = h(i)
      g%s%w = 2*g%s%w*x(1)
      r = r + g%s%area()*i + h(i)%s%area()
    end do
  end function
  real(8) function assigned(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(holder) :: h(3)
    type(curves) :: d
    class(shape), allocatable :: s
    integer :: i
    call fill(h, d, x)
    r = 0
    do i = 1, n
      s = h(i)%s
      s%w = s%w*x(2)
      r = r + s%area()*i
    end do
  end function
  real(8) function moved(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(holder) :: h(3)
    class(shape), allocatable :: s
    integer :: i
    type(curves) :: d
    call fill(h, d, x)
    s = disc(1d0, x(3))
    r = s%area()
    do i = 1, n
      call move_alloc(h(i)%s, s) ! which has another type
      r = r*x(1) + s%area()*i
    end do
  end function
  real(8) function texts(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    character(:), allocatable :: a, b
    integer :: i
    a = 'a'
    r = 0
    do i = 1, n
      b = a//'bc'
      call move_alloc(b, a) ! with its length
      r = r + len(a)*x(i)**2
    end do
  end function
  real(8) function anything(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    class(*), allocatable :: p, q
    integer :: i
    r = 0
    do i = 1, n
      if (allocated(q)) deallocate(q)
      allocate(q, source=disc(x(3), x(1)*x(2)))
      if (i /= 2) then
        allocate(p, source=curve(x(3), [x(1)*x(2), x(i)]))
        call move_alloc(p, q)
      end if
      select type (q)
      type is (disc)
        r = r + q%w*q%r
      type is (curve)
        r = r + q%w*sum(q%x**2)
      end select
    end do
  end function
  subroutine drop(head)
    type(node), pointer, intent(inout) :: head
    type(node), pointer :: n
    do while (associated(head))
      n => head%next
      deallocate(head)
      head => n
    end do
  end subroutine
  subroutine push(head, s, w)
    type(node), pointer, intent(inout) :: head
    class(shape), intent(in) :: s
    real(8), intent(in) :: w
    type(node), pointer :: a
    allocate(a)
    allocate(a%s, source=s)
    a%s%w = a%s%w*w
    a%next => head
    head => a
  end subroutine
  real(8) function list(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(node), pointer :: head, a
    integer :: i
    nullify(head)
    do i = 1, n
      call push(head, disc(1d0, x(i)), x(1))
      call push(head, curve(x(3), [x(1)*x(2), x(i)]), x(2))
    end do
    r = 0
    a => head
    do while (associated(a))
      r = r*x(2) + a%s%area()
      a => a%next
    end do
    call drop(head)
  end function
end module
program main
  use checks
  use shapes
  use gradients
  implicit none
  call check("sources", sources)
  call check("components", components)
  call check("assigned", assigned)
  call check("list", list)
  call check("moved", moved)
  call check("texts", texts)
  call check("anything", anything)
  call report()
contains
  include "three_numbers.inc"
end program
