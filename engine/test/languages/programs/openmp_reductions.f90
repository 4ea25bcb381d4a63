! FLAGS: -fopenmp
! Reductions of OpenMP: by a sum, by a product, of arrays, in a region and in a loop, with nowait.
include "checks.inc"
include "gradients.inc"

module functions
  implicit none
contains
  real(8) function summed(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(n)
    integer :: i
    real(8) :: s
    s = 0.5d0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      s = s + x(i)*x(i)
    end do
    summed = s*s
  end function

  real(8) function multiplied(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(n)
    integer :: i
    real(8) :: s, p
    s = 0
    p = 1
    !$omp parallel do reduction(+:s) reduction(*:p)
    do i = 1, n
      s = s + sin(x(i))
      p = p*x(i)
    end do
    multiplied = s*p
  end function

  real(8) function twice(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(n)
    integer :: i
    real(8) :: s
    s = 0
    !$omp parallel
    !$omp do reduction(+:s)
    do i = 1, n
      s = s + x(i)**3
    end do
    !$omp end do
    !$omp do reduction(+:s)
    do i = 2, n
      s = s + x(i)*x(i - 1)
    end do
    !$omp end do nowait
    !$omp end parallel
    twice = s
  end function

  real(8) function reduced(x, n) bind(c)
    integer, value :: n
    real(8), intent(in) :: x(n)
    integer :: i
    real(8) :: s
    s = 0
    !$omp parallel private(i) reduction(+:s)
    !$omp do
    do i = 1, n
      s = s + x(i)*exp(x(i))
    end do
    !$omp end parallel
    reduced = s
  end function
end module

program main
  use checks
  use functions
  use gradients
  implicit none
  integer, parameter :: n = 37
  real(8) :: x(n), d(n), v(n), want(n)
  integer :: i
  x = [(0.9d0 + 0.01d0*i, i = 1, n)]
  v = [(0.1d0*i - 1, i = 1, n)]

  d = 0
  call gradient(summed, enzyme_dup, x, d, enzyme_const, n)
  call near("the square of a sum", d, 4*(0.5d0 + sum(x*x))*x)

  d = 0
  call gradient(multiplied, enzyme_dup, x, d, enzyme_const, n)
  want = cos(x)*product(x) + sum(sin(x))*product(x)/x
  call near("a sum and a product", d, want, 1d-12)
  call near("its tangent", [tangent(multiplied, enzyme_dup, x, v, enzyme_const, n)], [dot_product(want, v)], 1d-12)

  d = 0
  call gradient(twice, enzyme_dup, x, d, enzyme_const, n)
  want = 3*x**2
  want(2:) = want(2:) + x(:n - 1)
  want(:n - 1) = want(:n - 1) + x(2:)
  call near("two loops of a region", d, want)

  d = 0
  call gradient(reduced, enzyme_dup, x, d, enzyme_const, n)
  call near("the region's own", d, (1 + x)*exp(x))
  call report()
end program
