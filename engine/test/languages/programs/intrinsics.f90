! Intrinsic functions of arrays, with the gradients that are known for them.
include "checks.inc"

module functions
  implicit none
contains
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    total = sum(x, mask=x > 0)
  end function

  real(8) function totals(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    totals = dot_product(sum(a, dim=2), [1d0, 2d0]) + dot_product(sum(a, 1), [10d0, 20d0, 30d0])
  end function

  real(8) function products(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    products = product(x) + sum(product(a, dim=1))
  end function

  real(8) function dots(x)
    real(8), intent(in) :: x(:)
    dots = dot_product(x, x(6:1:-1)) + dot_product(x(1:3), x(4:6))
  end function

  real(8) function extrema(x)
    real(8), intent(in) :: x(:)
    extrema = 2*maxval(x) + 3*minval(x) + 5*maxval(x, mask=x < 1)
  end function

  real(8) function extrema_along(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    extrema_along = sum(maxval(a, dim=1)) + dot_product(minval(a, dim=2), [10d0, 100d0])
  end function

  real(8) function places(x)
    real(8), intent(in) :: x(:)
    integer :: at(1)
    at = maxloc(x)
    places = x(at(1)) + 10*x(minloc(x, dim=1)) + 100*x(findloc(x > 0.5d0, .true., dim=1))
  end function

  real(8) function places_of_a_matrix(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    integer :: at(2)
    a = reshape(x, [2,3])
    at = minloc(abs(a))
    places_of_a_matrix = a(at(1), at(2))**2
  end function

  real(8) function norms(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(3,2)
    a = reshape(x, [3,2])
    norms = norm2(x) + sum(norm2(a, dim=1))
  end function

  real(8) function scaled_errors(x)
    real(8), intent(in) :: x(:)
    scaled_errors = sum(erfc_scaled(x)) + sum(erfc_scaled(7*abs(x)))
  end function

  real(8) function matrices(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3), b(2,2)
    a = reshape(x, [2,3])
    b = matmul(a, transpose(a))
    matrices = sum(b)/2
  end function

  real(8) function matrix_vector(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    matrix_vector = sum(matmul([1d0, 2d0], a)) + dot_product(matmul(a, [1d0, 10d0, 100d0]), [1d0, 0d0])
  end function

  real(8) function reshaped(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,2), b(3,2)
    a = reshape(x, [2,2])
    b = reshape(x(1:4), [3,2], pad=x(6:6), order=[2,1])
    reshaped = a(2,1)*a(1,2) + b(3,2)*b(1,1)
  end function

  real(8) function spreading(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,6), b(6,3)
    a = spread(x, 1, 2)
    b = spread(x, dim=2, ncopies=3)
    spreading = sum(a) + dot_product(b(:,1), b(:,3))
  end function

  real(8) function shifted(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(2,3)
    a = cshift(reshape(x, [2,3]), 1, dim=2)
    shifted = dot_product(cshift(x, 2), [1d0, 2d0, 3d0, 4d0, 5d0, 6d0]) + 10*a(1,3) &
              + dot_product(eoshift(x, -1, boundary=x(6)), [100d0, 200d0, 0d0, 0d0, 0d0, 0d0])
  end function

  real(8) function merged(x)
    real(8), intent(in) :: x(:)
    merged = sum(merge(x**2, -x, x > 0))
  end function

  real(8) function packed(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: p(:)
    p = pack(x, x > 0)
    packed = product(p) + sum(unpack(p, x > 0, 2*x))
  end function

  real(8) function elementals(x)
    real(8), intent(in) :: x(:)
    elementals = sum(sqrt(abs(x))) + sum(exp(x)*log(x**2)) + sum(sin(x) + cos(x)*tan(x))
  end function

  real(8) function parts(x)
    real(8), intent(in) :: x(:)
    parts = sum(sign(x, -1d0)) + sum(max(x, 0.5d0, 2*x)) + sum(min(x, 0.1d0)) + sum(nint(x)*x) &
            + sum(real(x, 4)) + sum(int(x)*x) + sum(mod(x, 0.4d0)) + sum(dim(x, 0.1d0))
  end function

  !> What a number is made of, in both precisions; steps to its neighbours.
  real(8) function pieces(x)
    real(8), intent(in) :: x(:)
    real(4) :: y
    pieces = x(1)*fraction(x(1)) + spacing(x(2))*2d0**60 + set_exponent(x(3), 4) + rrspacing(x(4))*2d0**(-50) &
      + nearest(x(5), 1d0)*nearest(x(5), -1d0) + dble(exponent(x(5)))
    y = real(x(6))
    pieces = pieces + fraction(y) + spacing(y)*2d0**30 + set_exponent(y, 3) + rrspacing(y)*2d0**(-20) + nearest(y, -1.0)*3
  end function

  real(8) function counted(x)
    real(8), intent(in) :: x(:)
    counted = sum(x)*count(x > 0)
    if (any(x > 1) .and. .not. all(x > 0)) counted = counted*2
  end function

  real(8) function where_else(x)
    real(8), intent(in) :: x(:)
    real(8) :: y(size(x))
    where (x > 0.5d0)
      y = x**3
    elsewhere (x > 0)
      y = 7*x
    elsewhere
      y = 1
    end where
    where_else = sum(y)
  end function

  real(8) function implied(x)
    real(8), intent(in) :: x(:)
    integer :: i
    implied = sum([(i*x(i), i = 1, 5), x(6)**2, x(1:2)])
  end function

  real(8) function concurrent(x)
    real(8), intent(in) :: x(:)
    real(8) :: y(6), s
    integer :: i
    s = 0
    do concurrent (i = 1:5, x(i) > 0)
      y(i) = x(i)*x(i + 1)
    end do
    do i = 1, 5
      if (x(i) > 0) s = s + y(i)
    end do
    concurrent = s
  end function
end module

program intrinsics
  use checks
  use functions
  implicit none
  real(8), parameter :: x(6) = [0.3d0, 1.2d0, -0.7d0, 0.9d0, 0.55d0, -0.2d0]
  real(8) :: r(6), p(6)
  integer :: i

  call check("sum", total, merge(1d0, 0d0, x > 0))
  call check("sum of dimensions", totals, [11d0, 12d0, 21d0, 22d0, 31d0, 32d0])
  p = x([2, 1, 4, 3, 6, 5])
  call check("product", products, product(x)/x + p)
  call check("dot_product", dots, 2*x(6:1:-1) + x([4, 5, 6, 1, 2, 3]))
  call check("maxval, minval", extrema, [0d0, 2d0, 3d0, 5d0, 0d0, 0d0])
  call check("maxval, minval of dimensions", extrema_along, [0d0, 1d0, 10d0, 1d0, 1d0, 100d0])
  call check("maxloc, minloc, findloc", places, [0d0, 101d0, 10d0, 0d0, 0d0, 0d0])
  call check("minloc of a matrix", places_of_a_matrix, [0d0, 0d0, 0d0, 0d0, 0d0, 2*x(6)])
  call check("norm2", norms, x/norm2(x) + [x(1:3)/norm2(x(1:3)), x(4:6)/norm2(x(4:6))])
  p = [sum(x(1:2)), sum(x(1:2)), sum(x(3:4)), sum(x(3:4)), sum(x(5:6)), sum(x(5:6))]
  call check("matmul of matrices", matrices, p)
  call check("matmul with vectors", matrix_vector, [2d0, 2d0, 11d0, 2d0, 101d0, 2d0])
  r = 2*x*erfc_scaled(x) + sign(98*abs(x)*erfc_scaled(7*abs(x)), x) - (2 + sign(14d0, x))/sqrt(acos(-1d0))
  call check("erfc_scaled", scaled_errors, r)
  call check("reshape", reshaped, [x(6), x(3), x(2), 0d0, 0d0, x(1)])
  call check("spread", spreading, 2 + 2*x)
  call check("cshift, eoshift", shifted, [5d0 + 10d0 + 200d0, 6d0, 1d0, 2d0, 3d0, 4d0 + 100d0])
  call check("merge", merged, merge(2*x, -1d0, x > 0))
  r = merge(product(pack(x, x > 0))/x + 1, 2d0, x > 0)
  call check("pack, unpack", packed, r)
  r = sign(0.5d0, x)/sqrt(abs(x)) + exp(x)*(log(x**2) + 2/x) + 2*cos(x)
  call check("functions of elements", elementals, r)
  r = sign(1d0, -x) + merge(2d0, 0d0, x > 0.25d0) + merge(1d0, 0d0, x < 0.1d0) + nint(x) + 1 + int(x) &
      + 1 + merge(1d0, 0d0, x > 0.1d0)
  call check("parts of numbers", parts, r)
  ! The exponents are left alone: x = f 2**e, so that fraction's slope is 2**-e.
  call check("pieces of numbers", pieces, [2*x(1)*2d0**(-exponent(x(1))), 0d0, 2d0**(4 - exponent(x(3))), &
    sign(2d0**(3 - exponent(x(4))), x(4)), 2*x(5), 2d0**(-exponent(x(6)))*(1 + 8 + sign(16d0, x(6))) + 3])
  call check("count, any, all", counted, [(8d0, i = 1, 6)])
  call check("where", where_else, [7d0, 3*x(2)**2, 0d0, 3*x(4)**2, 3*x(5)**2, 0d0])
  call check("array constructor", implied, [2d0, 3d0, 3d0, 4d0, 5d0, 2*x(6)])
  call check("do concurrent", concurrent, [x(2), x(1) + x(3), x(2), x(5), x(4) + x(6), x(5)])
  call report()
contains
  subroutine check(what, f, want)
    character(len=*), intent(in) :: what
    interface
      real(8) function f(x)
        real(8), intent(in) :: x(:)
      end function

      subroutine gradient__enzyme_autodiff(f, x, dx)
        real(8), external :: f
        real(8) :: x(:), dx(:)
      end subroutine

      real(8) function slope__enzyme_fwddiff(f, x, dx)
        real(8), external :: f
        real(8) :: x(:), dx(:)
      end function
    end interface
    real(8), intent(in) :: want(:)
    real(8) :: at(6), dx(6), forward(6)
    integer :: k
    at = x
    dx = 0
    call gradient__enzyme_autodiff(f, at, dx)
    call near(what, dx, want)
    do k = 1, 6
      dx = 0
      dx(k) = 1
      forward(k) = slope__enzyme_fwddiff(f, at, dx)
    end do
    call near(what // " forward", forward, want)
  end subroutine
end program
