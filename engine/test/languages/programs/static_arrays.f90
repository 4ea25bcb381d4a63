! Arrays of a module that have been allocated before the first derivative, by
! what is not differentiated: they have shadows.
include "retrograde/retrograde.f90"
module state
  implicit none
  real(8), allocatable :: work(:)
  real(8), pointer :: part(:) => null()
contains
  real(8) function f(x)
    real(8), intent(in) :: x(3)
    work(1) = x(1)*x(2)
    work(2) = work(1)*x(3)
    part(1) = work(2)*x(1)
    f = work(1)*part(1)
  end function
end module
program main
  use state
  implicit none
  interface
    subroutine gradient(fn, x, d) bind(c, name="__enzyme_autodiff_f")
      real(8), external :: fn
      real(8) :: x(3), d(3)
    end subroutine
  end interface
  real(8) :: x(3) = [0.5d0, 2d0, 4d0], d(3)
  integer :: round
  allocate(work(2), part(1))
  do round = 1, 3
    d = 0
    call gradient(f, x, d)
    ! f = x1**3 x2**2 x3
    if (any(abs(d - [12d0, 2d0, 0.5d0]) > 1d-12)) then
      print *, d
      stop 1
    end if
    deallocate(work)
    allocate(work(2 + round))
  end do
end program
