! Polymorphic types, memory that lives on, sections, algorithms.
module trees_and_vectors
  use iso_c_binding
  implicit none
  type, abstract :: node
  contains
    procedure(val), deferred :: value
  end type

  abstract interface
    recursive real(8) function val(self, x)
      import node
      class(node), intent(in) :: self
      real(8), intent(in) :: x(:)
    end function
  end interface

  type, extends(node) :: leaf
    integer :: i
  contains
    procedure :: value => leaf_value
  end type

  type, extends(node) :: sumnode
    class(node), pointer :: a => null(), b => null()
  contains
    procedure :: value => sum_value
  end type

  type :: vec
    integer :: n = 0
    real(8), allocatable :: d(:)
  contains
    procedure :: push
    procedure :: total
  end type

  type, extends(vec) :: named
    character(8) :: name = 'x'
    real(8) :: w = 2d0
  end type

contains
  subroutine push(self, x)
    class(vec), intent(inout) :: self
    real(8), intent(in) :: x
    real(8), allocatable :: t(:)
    if (.not. allocated(self%d)) allocate(self%d(1))
    if (self%n == size(self%d)) then
      allocate(t(2*self%n))
      t(1:self%n) = self%d
      call move_alloc(t, self%d)
    end if
    self%n = self%n + 1
    self%d(self%n) = x
  end subroutine

  real(8) function total(self)
    class(vec), intent(in) :: self
    total = sum(self%d(1:self%n)**2)
    select type (self)
    class is (named)
      total = total*self%w
    end select
  end function

  recursive real(8) function leaf_value(self, x) result(r)
    class(leaf), intent(in) :: self
    real(8), intent(in) :: x(:)
    r = x(self%i)**2
  end function

  recursive real(8) function sum_value(self, x) result(r)
    class(sumnode), intent(in) :: self
    real(8), intent(in) :: x(:)
    r = self%a%value(x)*2 + self%b%value(x)**2
  end function
end module
module storage
  use trees_and_vectors
  implicit none
  real(8), target, save :: pool(10)
  real(8), pointer, save :: view(:) => null()
  type(vec), save :: store
contains
  real(c_double) function expr(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(leaf), target :: l(3)
    type(sumnode), target :: s(2)
    integer :: i
    do i = 1, 3
      l(i)%i = i
    end do
    s(1)%a => l(1); s(1)%b => l(2)
    s(2)%a => s(1); s(2)%b => l(3)
    expr = s(2)%value(x)
  end function

  real(c_double) function vecs(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(named) :: v
    type(vec) :: u
    integer :: i
    v%w = x(2)
    do i = 1, n
      call v%push(x(i))
      call u%push(x(i)*v%d(1))
    end do
    u = v%vec
    call u%push(x(1))
    vecs = v%total() + u%total()
  end function

  real(c_double) function globals(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    pool = 0
    view => pool(2:8:2)
    view(1:3) = x(1:3)
    store%n = 0
    do i = 1, n
      call store%push(x(i)*sum(pool))
    end do
    globals = store%total() + sum(view**2)
  end function

  function pick(a, i) result(p)
    real(8), target, intent(inout) :: a(:,:)
    integer, intent(in) :: i
    real(8), pointer :: p(:)
    p => a(i,:)
  end function

  real(c_double) function ptr_result(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), target :: a(2,3)
    real(8), pointer :: p(:)
    a = reshape(x, [2,3])
    p => pick(a, 1)
    p = p**2
    pick(a, 2) = p*x(1)
    ptr_result = sum(a)
  end function

  real(c_double) function strided(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(3,4,2)
    integer :: idx(3)
    a = 0
    a(1,1:4:2,1) = x(1:2)
    a(2:3,2,:) = reshape(x(3:6), [2,2])
    idx = [3, 1, 2]
    a(idx,1,2) = x([1,3,5])
    call twice(a(:,:,2))
    call twice(a(3:1:-2,2:4:2,1))
    strided = sum(a**2) + sum(a(2,:,:)*a(1,:,:)) + sum(x(idx)*x(idx(3:1:-1)))
  end function

  subroutine twice(m)
    real(8), intent(inout) :: m(:,:)
    m = 2*m + m(1,1)
  end subroutine

  real(c_double) function lower(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:,:)
    integer :: i
    allocate(a(-2:3, 0:1))
    a(:,0) = x
    a(:,1) = a(:,0)*a(ubound(a,1):lbound(a,1):-1, 0)
    lower = 0
    do i = lbound(a,1), ubound(a,1)
      lower = lower + i*a(i,1)
    end do
    a = reshape(x(1:4), [2,2])
    lower = lower + sum(a(lbound(a,1),:))*lbound(a,1)
  end function

  real(c_double) function grows(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:,:)
    integer :: i
    a = [real(8) ::]
    do i = 1, n
      a = [a, x(i), a]
      if (size(a) > 20) a = a(1:10)
    end do
    b = reshape(a, [size(a)/2, 2])
    b = matmul(transpose(b), b)
    grows = sum(a**2) + sum(b)
  end function

  real(c_double) function block_data(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), save :: acc = 0
    real(8) :: tmp(3)
    data tmp /1d0, 2d0, 3d0/
    acc = 0
    acc = acc + dot_product(tmp, x(1:3))
    tmp(1) = 1d0
    block_data = acc**2
  end function

  real(c_double) function pure_elem(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: m(2,3), y(6)
    m = reshape(x, [2,3])
    call swap(m(1,:), m(2,:))
    call scale_add(x, 2d0, y)
    pure_elem = sum(m(1,:)*[1,2,3]) + sum(y*x)
  end function

  elemental subroutine swap(a, b)
    real(8), intent(inout) :: a, b
    real(8) :: t
    t = a; a = b*a; b = t
  end subroutine

  elemental subroutine scale_add(a, k, r)
    real(8), intent(in) :: a, k
    real(8), intent(out) :: r
    r = a*k + a**2
  end subroutine

  real(c_double) function mask_assign(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(6), b(6)
    logical :: m(6)
    m = x > 0.4d0
    a = x
    where (m) a = a*b_of(x)
    b = merge(a, x, m)
    forall (integer :: i = 1:6, m(i)) b(i) = b(i)*a(7-i)
    mask_assign = sum(a) + sum(b, m) + product(b, .not. m) + minval(b, m)
  contains
    pure function b_of(v) result(r)
      real(8), intent(in) :: v(:)
      real(8) :: r(size(v))
      r = v(size(v):1:-1)
    end function
  end function

  real(c_double) function newton(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(3,3), b(3), y(3)
    integer :: i, j
    do j = 1, 3
      do i = 1, 3
        a(i,j) = cos(x(i)*j) + merge(4, 0, i == j)
      end do
    end do
    b = x(4:6)
    y = solve(a, b)
    newton = dot_product(y, b)
  end function

  function solve(a0, b0) result(x)
    real(8), intent(in) :: a0(:,:), b0(:)
    real(8) :: a(size(b0), size(b0)), x(size(b0)), t(size(b0)), r
    integer :: i, j, k, p
    a = a0
    x = b0
    do k = 1, size(x)
      p = maxloc(abs(a(k:,k)), 1) + k - 1
      t = a(k,:); a(k,:) = a(p,:); a(p,:) = t
      r = x(k); x(k) = x(p); x(p) = r
      do i = k + 1, size(x)
        r = a(i,k)/a(k,k)
        a(i,k:) = a(i,k:) - r*a(k,k:)
        x(i) = x(i) - r*x(k)
      end do
    end do
    do k = size(x), 1, -1
      x(k) = (x(k) - dot_product(a(k,k+1:), x(k+1:)))/a(k,k)
    end do
  end function

  real(c_double) function rk4(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: y(2), k(2,4), h
    integer :: i
    y = x(1:2)
    h = 0.05d0
    do i = 1, 40
      k(:,1) = rhs(y)
      k(:,2) = rhs(y + h/2*k(:,1))
      k(:,3) = rhs(y + h/2*k(:,2))
      k(:,4) = rhs(y + h*k(:,3))
      y = y + h/6*matmul(k, [1d0, 2d0, 2d0, 1d0])
    end do
    rk4 = sum(y**2)
  contains
    function rhs(u) result(f)
      real(8), intent(in) :: u(2)
      real(8) :: f(2)
      f = [u(2), x(3)*(1 - u(1)**2)*u(2) - u(1) + x(4)]
    end function
  end function
end module
