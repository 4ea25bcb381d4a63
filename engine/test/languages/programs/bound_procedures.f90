! Procedures that are bound to types: components allocated with a type of their own in a loop, and types that are none of a call's object, though
! their procedures take arguments of the same kinds.
include "checks.inc"
include "gradients.inc"
module solids
  implicit none
  type, abstract :: solid
    real(8) :: density = 1
  contains
    procedure(measure), deferred :: volume
    procedure(change), deferred :: scale
    procedure :: weigh
  end type
  abstract interface
    pure real(8) function measure(self)
      import :: solid
      class(solid), intent(in) :: self
    end function
    subroutine change(self, f)
      import :: solid
      class(solid), intent(inout) :: self
      real(8), intent(in) :: f
    end subroutine
  end interface
  type, extends(solid) :: sphere
    real(8) :: r
  contains
    procedure :: volume => of_sphere
    procedure :: scale => scale_sphere
  end type
  type, extends(solid) :: box
    real(8) :: edges(3)
    real(8), allocatable :: holes(:)
  contains
    procedure :: volume => of_box
    procedure :: scale => scale_box
  end type
  type :: slot
    class(solid), allocatable :: p
  end type
  type :: counter ! whose procedure has the arguments of scale
    real(8) :: total = 0
  contains
    procedure :: advance
  end type
contains
  pure real(8) function of_sphere(self) result(v)
    class(sphere), intent(in) :: self
    v = self%r**3
  end function
  pure real(8) function of_box(self) result(v)
    class(box), intent(in) :: self
    v = product(self%edges) - sum(self%holes)
  end function
  subroutine scale_sphere(self, f)
    class(sphere), intent(inout) :: self
    real(8), intent(in) :: f
    self%r = self%r*f
  end subroutine
  subroutine scale_box(self, f)
    class(box), intent(inout) :: self
    real(8), intent(in) :: f
    self%edges = self%edges*f
    self%holes = self%holes*f**3
  end subroutine
  real(8) function weigh(self) result(w)
    class(solid), intent(in) :: self
    w = self%density*self%volume()
  end function
  subroutine advance(self, f)
    class(counter), intent(inout) :: self
    real(8), intent(in) :: f
    self%total = self%total*f
  end subroutine
  subroutine prepare(s, x, i)
    class(solid), intent(inout) :: s
    real(8), intent(in) :: x(3)
    integer, intent(in) :: i
    select type (s)
    type is (sphere)
      s%r = x(1)*i
    type is (box)
      s%edges = x
      s%holes = x(1:2)/i
    end select
    s%density = s%density + x(2)
  end subroutine
  real(8) function typed(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(slot) :: shapes(4)
    integer :: i
    do i = 1, n + 1
      if (mod(i, 2) == 0) then
        allocate(sphere :: shapes(i)%p)
      else
        allocate(box :: shapes(i)%p)
      end if
      call prepare(shapes(i)%p, x, i)
    end do
    r = 0
    do i = 1, n + 1
      call shapes(i)%p%scale(x(3) + i)
      r = r + shapes(i)%p%weigh()*i
    end do
  end function
  real(8) function molded(x, n) bind(c) result(r)
    real(8), intent(in) :: x(3)
    integer, value :: n
    type(slot), allocatable :: shapes(:)
    class(solid), allocatable :: models(:)
    integer :: i
    allocate(shapes(n))
    do i = 1, n
      allocate(shapes(i)%p, mold=chosen(i))
      call prepare(shapes(i)%p, x, i)
      deallocate(shapes(i)%p)
      allocate(shapes(i)%p, mold=chosen(i + 1))
      call prepare(shapes(i)%p, x, i)
    end do
    allocate(sphere :: models(n))
    r = 0
    do i = 1, n
      call prepare(models(i), x, i)
      call models(i)%scale(x(2))
      r = r + shapes(i)%p%weigh() + models(i)%weigh()
    end do
  end function
  function chosen(i) result(s)
    integer, intent(in) :: i
    class(solid), allocatable :: s
    if (mod(i, 2) == 0) then
      allocate(sphere :: s)
    else
      allocate(box :: s)
    end if
  end function
end module
program main
  use checks
  use solids
  use gradients
  implicit none
  call check("typed", typed)
  call check("molded", molded)
  call report()
contains
  include "three_numbers.inc"
end program
