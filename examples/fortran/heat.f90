! A rod of three materials: finds how well each conducts heat from the
! temperatures that are measured on it, by their logarithms p. The gradient of the misfit is taken in
! reverse mode and held against differences, the Jacobian of the temperatures,
! which the Gauss-Newton method needs, in forward mode.
include "retrograde/retrograde.f90"

module heat
  implicit none
  integer, parameter :: cells = 48, steps = 400, sensors = 8

  type :: rod
    real(8), allocatable :: temperature(:), flux(:), conductivity(:)
  end type
contains
  subroutine prepare(r, p)
    type(rod), intent(out) :: r
    real(8), intent(in) :: p(:)
    integer :: i
    allocate(r%temperature(cells), r%flux(0:cells))
    r%temperature = [(merge(1d0, 0d0, i <= cells/3), i = 1, cells)]
    r%flux = 0
    r%conductivity = reshape(spread(exp(p), 1, cells/size(p)), [cells])
  end subroutine

  subroutine advance(r)
    type(rod), intent(inout) :: r
    associate (t => r%temperature, k => r%conductivity)
      r%flux(1:cells-1) = (k(:cells-1) + k(2:))/2*(t(2:) - t(:cells-1))
      t = t + r%flux(1:) - r%flux(:cells-1)
    end associate
  end subroutine

  subroutine measure(p, t)
    real(8), intent(in) :: p(:)
    real(8), intent(out) :: t(:)
    type(rod) :: r
    integer :: i
    call prepare(r, p)
    do i = 1, steps
      call advance(r)
    end do
    t = r%temperature(cells/sensors::cells/sensors)
  end subroutine

  real(8) function misfit(p, seen)
    real(8), intent(in) :: p(:), seen(:)
    real(8) :: t(sensors)
    call measure(p, t)
    misfit = sum((t - seen)**2)/2
  end function
end module

module requests
  implicit none
  interface
    subroutine gradient(f, p, dp, k, seen) bind(c, name="__enzyme_autodiff_misfit")
      real(8), external :: f
      real(8) :: p(:), dp(:), seen(:)
      integer, value :: k
    end subroutine

    subroutine along(f, p, dp, t, dt) bind(c, name="__enzyme_fwddiff_measure")
      external f
      real(8) :: p(:), dp(:), t(:), dt(:)
    end subroutine
  end interface
end module

program fit
  use heat
  use requests
  use retrograde
  implicit none
  real(8) :: p(3) = log(0.2d0), g(3), d(3), q(3), t(sensors), seen(sensors), jacobian(sensors,3)
  real(8), parameter :: h = 1d-6
  integer :: i, step

  call measure(log([0.15d0, 0.4d0, 0.1d0]), seen)

  g = 0
  call gradient(misfit, p, g, enzyme_const, seen)
  do i = 1, 3
    q = 0
    q(i) = h
    d(i) = (misfit(p + q, seen) - misfit(p - q, seen))/(2*h)
  end do
  print '(a,3f12.8)', "gradient:   ", g
  print '(a,3f12.8)', "differences:", d
  if (any(abs(g - d) > 1d-8)) error stop "the gradient is wrong"

  do step = 1, 6
    do i = 1, 3
      d = 0
      d(i) = 1
      call along(measure, p, d, t, jacobian(:,i))
    end do
    print '(i1,a,es8.1,a,3f8.5)', step, ": misfit", misfit(p, seen), ", conductivities", exp(p)
    p = p - solved(matmul(transpose(jacobian), jacobian), matmul(t - seen, jacobian))
  end do
contains
  !> The solution of a x = b, by Cramer's rule.
  function solved(a, b) result(x)
    real(8), intent(in) :: a(3,3), b(3)
    real(8) :: x(3), m(3,3)
    integer :: j
    do j = 1, 3
      m = a
      m(:,j) = b
      x(j) = determinant(m)/determinant(a)
    end do
  end function

  real(8) function determinant(a)
    real(8), intent(in) :: a(3,3)
    determinant = dot_product(a(:,1), cshift(a(:,2), 1)*cshift(a(:,3), 2) - cshift(a(:,2), 2)*cshift(a(:,3), 1))
  end function
end program
