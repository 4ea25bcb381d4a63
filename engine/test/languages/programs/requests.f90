! Requests that are written in Fortran: what is passed, and how.
include "checks.inc"

module functions
  use checks
  implicit none
  type :: state
    real(8) :: a, b(3)
    integer :: n
  end type
contains
  real(c_double) function by_value(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    by_value = sum(x**2) + x(1)*sin(x(2))
  end function

  real(c_double) function scalars(x, y) bind(c)
    real(c_double), value :: x, y
    scalars = x**3*y
  end function

  subroutine by_reference(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    y = sum(x**2) + x(1)*sin(x(2))
  end subroutine

  subroutine assumed_shape(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    y = sum(x**2) + x(1)*sin(x(2))
  end subroutine

  real(8) function derived_type(s)
    type(state), intent(in) :: s
    derived_type = s%a*sum(s%b)*s%n
  end function

  real(8) function section(x)
    real(8), intent(in) :: x(:)
    section = product(x)
  end function

  subroutine allocating(x, y)
    real(8), intent(in), allocatable :: x(:)
    real(8), intent(inout), allocatable :: y(:)
    integer :: i
    do i = 1, size(x)
      y(i) = x(i)**3 + x(1)
    end do
  end subroutine

  subroutine pointers(p, y)
    real(8), intent(in), pointer :: p(:,:)
    real(8), intent(out) :: y
    y = p(1,1)*p(2,2) - p(1,2)*p(2,1)
  end subroutine

  subroutine in_place(x)
    real(8), intent(inout) :: x(:)
    x = x(size(x):1:-1)*x
  end subroutine

  subroutine complex_number(z, w)
    complex(8), intent(in) :: z
    complex(8), intent(out) :: w
    w = z*z
  end subroutine

  real(4) function single(x)
    real(4), intent(in) :: x(3)
    single = x(1)*x(2)**2 + sqrt(x(3))
  end function
end module

program requests
  use functions
  implicit none
  interface
    subroutine with_markers(f, kx, x, dx, kn, n) bind(c, name="__enzyme_autodiff_1")
      import
      external f
      integer(c_int), value :: kx, kn, n
      real(c_double) :: x(*), dx(*)
    end subroutine

    real(c_double) function slope(f, x, kn, y) bind(c, name="__enzyme_autodiff_2")
      import
      external f
      integer(c_int), value :: kn
      real(c_double), value :: x, y
    end function

    subroutine marker_references(f, kx, x, dx, kn, n, ky, y, dy) bind(c, name="__enzyme_autodiff_3")
      import
      external f
      integer(c_int) :: kx, kn, ky, n
      real(c_double) :: x(*), dx(*), y, dy
    end subroutine

    subroutine vector__enzyme_autodiff(f, x, dx, y, dy)
      external f
      real(8) :: x(:), dx(:), y, dy
    end subroutine

    subroutine state__enzyme_autodiff(f, x, dx)
      import
      real(8), external :: f
      type(state) :: x, dx
    end subroutine

    real(8) function state__enzyme_fwddiff(f, x, dx)
      import
      real(8), external :: f
      type(state) :: x, dx
    end function

    real(8) function vector__enzyme_fwddiff(f, x, dx)
      real(8), external :: f
      real(8) :: x(:), dx(:)
    end function

    subroutine one__enzyme_autodiff(f, x, dx)
      external f
      real(8) :: x(:), dx(:)
    end subroutine

    subroutine allocatable__enzyme_autodiff(f, x, dx, y, dy)
      external f
      real(8), allocatable :: x(:), dx(:), y(:), dy(:)
    end subroutine

    subroutine pointer__enzyme_autodiff(f, p, dp, y, dy)
      external f
      real(8), pointer :: p(:,:), dp(:,:)
      real(8) :: y, dy
    end subroutine

    subroutine complex__enzyme_fwddiff(f, z, dz, w, dw)
      external f
      complex(8) :: z, dz, w, dw
    end subroutine

    subroutine single__enzyme_autodiff(f, x, dx)
      real(4), external :: f
      real(4) :: x(3), dx(3)
    end subroutine
  end interface
  real(8) :: x(4) = [1d0, 2d0, 3d0, 4d0], dx(4), y, dy, want(4)
  real(4) :: s(3) = [2., 3., 4.], ds(3)
  real(8), allocatable :: a(:), da(:), b(:), db(:)
  real(8), pointer :: p(:,:), dp(:,:)
  type(state) :: t, dt
  complex(8) :: z, dz, w, dw
  integer :: n = 4

  want = 2*x
  want(1) = want(1) + sin(x(2))
  want(2) = want(2) + x(1)*cos(x(2))

  dx = 0
  call with_markers(by_value, enzyme_dup, x, dx, enzyme_const, 4)
  call near("by_value", dx, want)

  call near("scalars", [slope(scalars, 2d0, enzyme_const, 5d0)], [60d0])

  dx = 0
  dy = 1
  call marker_references(by_reference, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, y, dy)
  call near("by_reference", [dx, y], [want, sum(x**2) + x(1)*sin(x(2))])

  dx = 1
  dy = 2
  call vector__enzyme_autodiff(assumed_shape, x, dx, y, dy)
  call near("assumed_shape", [dx, dy], [1 + 2*want, 0d0])

  t = state(2d0, [1d0, 2d0, 3d0], 4)
  dt = state(0d0, [0d0, 0d0, 0d0], 4)
  call state__enzyme_autodiff(derived_type, t, dt)
  call near("derived_type", [dt%a, dt%b], [24d0, 8d0, 8d0, 8d0])
  dt = state(1d0, [0d0, 0d0, 1d0], 4)
  call near("derived_type forward", [state__enzyme_fwddiff(derived_type, t, dt)], [32d0])

  dx = [0d0, 7d0, 1d0, 7d0]
  call near("section forward", [vector__enzyme_fwddiff(section, x(3:1:-2), dx(3:1:-2))], [1d0])

  a = x
  da = 0*x
  allocate(b(4))
  db = [1d0, 1d0, 0d0, 2d0]
  call allocatable__enzyme_autodiff(allocating, a, da, b, db)
  call near("allocating", [da, db], [3d0 + 4d0, 12d0, 0d0, 96d0, 0d0, 0d0, 0d0, 0d0])

  allocate(p(2,2), dp(2,2))
  p = reshape(x, [2,2])
  dp = 0
  dy = 1
  call pointer__enzyme_autodiff(pointers, p, dp, y, dy)
  call near("pointers", reshape(dp, [4]), [4d0, -3d0, -2d0, 1d0])

  dx = [1d0, 0d0, 0d0, 0d0]
  call one__enzyme_autodiff(in_place, x, dx)
  call near("in_place", dx, [4d0, 0d0, 0d0, 1d0])

  z = (1d0, 2d0)
  dz = (0.5d0, -1d0)
  call complex__enzyme_fwddiff(complex_number, z, dz, w, dw)
  call near("complex_number", [real(w), aimag(w), real(dw), aimag(dw)], &
            [real(z*z), aimag(z*z), real(2*z*dz), aimag(2*z*dz)])

  ds = 0
  call single__enzyme_autodiff(single, s, ds)
  call near("single", real(ds, 8), [9d0, 12d0, 0.25d0], 1d-7)
  call report()
end program
