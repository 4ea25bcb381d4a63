! Sections that are shifted by less than nothing, so many elements that loops over them are taken apart.
include "checks.inc"
include "gradients.inc"

module functions
  implicit none
contains
  real(8) function fixed(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(72)
    real(8) :: w(9, 8), c(9, 8)
    w = 2*reshape(x, [9, 8])
    c = w**2
    c(2:, :) = c(2:, :) + cshift(w(2:, :)*3, -1, 2)*w(:8, :)
    c(:, 3:) = c(:, 3:)*cshift(w(:, 3:), -2, 1) + cshift(c(:, :6), n, 2)
    fixed = sum(c*sin(w))
  end function

  real(8) function allocated(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(72)
    real(8), allocatable :: u(:,:), corner(:,:)
    allocate(u(9, 8), corner(9, 8))
    u = reshape(x, [9, 8])
    corner = u**2
    corner(:8, :) = corner(:8, :) + 0.25d0*(u(2:, :) + cshift(u(2:, :), n, 2))
    allocated = sum(corner**2)
  end function
end module

program main
  use checks
  use functions
  use gradients
  implicit none
  real(8) :: x(72), d(72), v(72), t, y(72)
  integer :: i
  x = [(sin(0.7d0*i), i = 1, 72)]
  v = [(cos(0.3d0*i), i = 1, 72)]
  d = 0
  call gradient(fixed, enzyme_dup, x, d, enzyme_const, -1)
  t = tangent(fixed, enzyme_dup, x, v, enzyme_const, -1)
  call near("the tangent", [t], [dot_product(d, v)])
  do i = 1, 72
    y = x
    y(i) = x(i) + 1d-5
    t = fixed(y, -1)
    y(i) = x(i) - 1d-5
    t = (t - fixed(y, -1))/2d-5
    call near("the gradient", [d(i)], [t], 1d-6)
  end do
  d = 0
  call gradient(allocated, enzyme_dup, x, d, enzyme_const, -1)
  do i = 1, 72
    y = x
    y(i) = x(i) + 1d-5
    t = allocated(y, -1)
    y(i) = x(i) - 1d-5
    t = (t - allocated(y, -1))/2d-5
    call near("the gradient of what is allocated", [d(i)], [t], 1d-6)
  end do
  call report()
end program
