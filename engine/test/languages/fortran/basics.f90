! Arithmetic, arrays, pointers, procedures.
module globals
  implicit none
  real(8) :: scale = 2d0
  real(8), allocatable :: work(:)
  real(8) :: table(4) = [1d0, 0.5d0, 0.25d0, 2d0]
  integer, parameter :: dp = kind(1d0)
end module
module basics
  use globals
  use iso_c_binding
  implicit none
  type :: point
    real(8) :: x, y
    integer :: tag
  end type

  type :: net
    integer :: n
    real(8), allocatable :: w(:,:)
    real(8), allocatable :: b(:)
  end type

  type :: list
    real(8) :: v
    type(list), pointer :: next => null()
  end type

  type, abstract :: shape
  contains
    procedure(area_i), deferred :: area
  end type
  abstract interface
    function area_i(this) result(a)
      import shape
      class(shape), intent(in) :: this
      real(8) :: a
    end function

  end interface
  type, extends(shape) :: circle
    real(8) :: r
  contains
    procedure :: area => circle_area
  end type

  type, extends(shape) :: rect
    real(8) :: a, b
  contains
    procedure :: area => rect_area
  end type
contains
  function circle_area(this) result(a)
    class(circle), intent(in) :: this
    real(8) :: a
    a = 3d0*this%r**2
  end function

  function rect_area(this) result(a)
    class(rect), intent(in) :: this
    real(8) :: a
    a = this%a*this%b
  end function

  real(c_double) function loops(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    loops = 0
    do i = 1, n
      loops = loops + sin(x(i))*exp(-x(i)**2) + sqrt(x(i)**2 + 1) + atan2(x(i), 2d0) + x(i)**3
      loops = loops + abs(x(i))*tanh(x(i)) + log(x(i) + 3) + acos(x(i)/4) + cosh(x(i)) + asinh(x(i))
      loops = loops + max(x(i), 0.1d0) + min(x(i), 0.15d0) + sign(1d0, x(i))*x(i) + dim(x(i), 0.05d0)
      loops = loops + mod(x(i) + 10, 3.3d0) + modulo(x(i), 3d0) + log10(x(i) + 4) + hypot(x(i), 1d0)
      loops = loops + real(int(x(i)), 8) + aint(x(i))*x(i) + nint(x(i))*x(i) + dble(real(x(i)*2, 8))
    end do
  end function

  real(8) function mean(v)
    real(8), intent(in) :: v(:)
    mean = sum(v)/size(v)
  end function

  real(c_double) function assumed(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    assumed = mean(x) + mean(x(1:n:2))**2 + mean(x(n:1:-1)*x)
  end function

  real(c_double) function alloc(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:,:)
    integer :: i, j
    allocate(a(n), b(n,n))
    a = x*x + 1
    do j = 1, n
      do i = 1, n
        b(i,j) = a(i)*x(j)
      end do
    end do
    a = [a, x]
    alloc = sum(a) + sum(b*b) + maxval(x) + minval(a)
    deallocate(a)
  end function

  real(c_double) function mat(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3), b(3,2), c(2,2), d(2), v(3)
    a = reshape(x(1:6), [2,3])
    b = transpose(a)
    c = matmul(a, b)
    v = x(1:3)
    d = matmul(a, v)
    mat = sum(c) + dot_product(d, [1d0, 2d0]) + sum(matmul(v, b)) + product(x(1:4)) + norm2(x)
  end function

  real(c_double) function matdyn(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:,:), b(:,:)
    integer :: i
    allocate(a(n,n))
    do i = 1, n
      a(:,i) = x*i + 0.1d0
    end do
    b = matmul(a, transpose(a))
    matdyn = sum(b, mask = b > 0.5d0) + sum(sum(a, dim=1)**2) + dot_product(a(1,:), b(:,2)) + maxval(b)
  end function

  real(c_double) function cplx(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    complex(8) :: z, w
    integer :: i
    w = (0d0, 0d0)
    do i = 1, n-1
      z = cmplx(x(i), x(i+1), 8)
      w = w + z*z/(z + 3d0) + exp(z)*conjg(z) + sqrt(z+2d0)
    end do
    cplx = abs(w) + real(w) + aimag(w)
  end function

  real(c_double) function single(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(4) :: s(n)
    s = real(x, 4)
    single = sum(s*s) + dot_product(s, s)
  end function

  real(c_double) function module_vars(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    scale = x(1)*2
    if (allocated(work)) deallocate(work)
    allocate(work(n))
    do i = 1, n
      work(i) = x(i)*scale*table(mod(i,4)+1)
    end do
    call square_work()
    module_vars = sum(work)
    deallocate(work)
  end function

  subroutine square_work()
    work = work**2
  end subroutine

  subroutine opt(a, b, r)
    real(8), intent(in) :: a
    real(8), intent(in), optional :: b
    real(8), intent(out) :: r
    r = a*a
    if (present(b)) r = r + a*b
  end subroutine

  real(c_double) function optional_args(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: r, s
    call opt(x(1), r=r)
    call opt(x(2), x(3), s)
    optional_args = r*s
  end function

  real(c_double) function derived(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(point) :: p(3), q
    integer :: i
    do i = 1, 3
      p(i)%x = x(i)
      p(i)%y = x(i+3)
      p(i)%tag = i
    end do
    q = p(1)
    do i = 2, 3
      q%x = q%x + p(i)%x*p(i)%tag
      q%y = q%y*p(i)%y
    end do
    p(2) = q
    derived = sum(p%x) + p(2)%y**2
  end function

  real(c_double) function components(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(net) :: t, u
    integer :: i
    t%n = n
    allocate(t%w(n,n), t%b(n))
    do i = 1, n
      t%w(:,i) = x*i*0.1d0
    end do
    t%b = x
    u = t
    components = sum(forward(u, x))
  end function

  function forward(t, x) result(y)
    type(net), intent(in) :: t
    real(8), intent(in) :: x(:)
    real(8) :: y(t%n)
    y = tanh(matmul(t%w, x) + t%b)
  end function

  real(c_double) function pointers(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), target :: a(n)
    real(8), pointer :: p(:), q
    a = x*x
    p => a(2:n:2)
    p = p*3
    q => a(1)
    q = q + p(1)
    pointers = sum(a)*q
  end function

  real(c_double) function linked(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(list), pointer :: head, e
    integer :: i
    head => null()
    do i = 1, n
      allocate(e)
      e%v = x(i)
      e%next => head
      head => e
    end do
    linked = 1
    do while (associated(head))
      linked = linked*cos(head%v) + head%v
      e => head%next
      deallocate(head)
      head => e
    end do
  end function

  real(c_double) function poly(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(circle) :: c
    type(rect) :: r
    c%r = x(1)
    r%a = x(2)
    r%b = x(3)
    poly = twice(c) + twice(r)
  end function

  real(8) function twice(s)
    class(shape), intent(in) :: s
    twice = 2*s%area()
  end function

  real(c_double) function whr(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: y(n)
    where (x > 0)
      y = sqrt(x)
    elsewhere
      y = x*x
    end where
    whr = sum(y) + sum(merge(x, y, x > 0.5d0)) + count(x > 0)
  end function

  real(c_double) function conc(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: y(n)
    integer :: i
    do concurrent (i = 1:n)
      y(i) = x(i)*x(mod(i,n)+1)
    end do
    forall (i = 1:n, x(i) > 0) y(i) = y(i)*2
    conc = sum(y)
  end function

  real(c_double) function stencil(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: u(0:n+1), v(0:n+1)
    integer :: t
    u(1:n) = x
    u(0) = x(n)
    u(n+1) = x(1)
    do t = 1, 5
      v(1:n) = u(1:n) + 0.1d0*(u(0:n-1) - 2*u(1:n) + u(2:n+1))
      v(0) = v(n)
      v(n+1) = v(1)
      u = v
    end do
    stencil = sum(u(1:n)**2)
  end function

  recursive real(8) function rec(x, k) result(r)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: k
    if (k == 0) then
      r = 1
    else
      r = x(k)*rec(x, k-1) + sin(x(k))
    end if
  end function

  real(c_double) function recursion(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    recursion = rec(x, n)
  end function

  real(c_double) function nbody(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: p(3,3), v(3,3), f(3), d(3), r2
    integer :: i, j, t
    do i = 1, 3
      p(:,i) = [x(i)+i, x(mod(i,n)+1), 0.5d0*x(mod(i+1,n)+1)]
      v(:,i) = [0d0, x(mod(i+2,n)+1), 0.1d0]
    end do
    do t = 1, 4
      do i = 1, 3
        f = 0
        do j = 1, 3
          if (i == j) cycle
          d = p(:,j) - p(:,i)
          r2 = dot_product(d,d) + 0.01d0
          f = f + d/(r2*sqrt(r2))
        end do
        v(:,i) = v(:,i) + 0.05d0*f
      end do
      p = p + 0.05d0*v
    end do
    nbody = 0.5d0*sum(v**2)
  end function

  real(c_double) function select_case(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    real(8) :: r
    r = 1
    outer: do i = 1, n
      select case (mod(i,4))
      case (0)
        r = r*x(i)
      case (1:2)
        r = r + x(i)**2
      case default
        if (x(i) > 5) exit outer
        r = sin(r)
      end select
    end do outer
    select_case = r
  end function

  real(c_double) function save_common(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a, b
    common /blk/ a, b
    a = x(1)*x(2)
    b = x(3)
    call use_common()
    save_common = a*b
  end function

  subroutine use_common()
    real(8) :: a, b
    common /blk/ a, b
    a = a + sin(b)
  end subroutine

  elemental real(8) function el(a, b)
    real(8), intent(in) :: a, b
    el = a*b + a
  end function

  real(c_double) function elementals(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: m(2,3)
    m = reshape(el(x, x(n:1:-1)), [2,3])
    elementals = sum(m**2) + sum(m(:,2)) + el(x(1), 2d0)
  end function

  real(c_double) function arrays(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(n), b(2,n), c(n)
    a = cshift(x, 1)
    c = eoshift(x, 2)
    b = spread(x, 1, 2)
    arrays = sum(a*x) + sum(b(2,:)*c) + sum(pack(x, x > 0)**2) + sum([(x(n), n=1,3)])
  end function

  real(c_double) function printing(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    printing = sum(x**2)
    if (printing > 1d6) print *, "large", printing, x
    if (printing > 1d7) write(*, '(a,f8.3)') "larger", printing
    if (printing > 1d8) stop "too large"
  end function

  real(c_double) function lu(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(4,4), t(4), det
    integer :: i, j, k, p
    do j = 1, 4
      do i = 1, 4
        a(i,j) = sin(x(mod(4*(i-1)+j-1,n)+1)) + merge(3d0, 0d0, i == j)
      end do
    end do
    det = 1
    do k = 1, 4
      p = k - 1 + maxloc(abs(a(k:4,k)), dim=1)
      if (p /= k) then
        t = a(k,:)
        a(k,:) = a(p,:)
        a(p,:) = t
        det = -det
      end if
      det = det*a(k,k)
      do i = k+1, 4
        a(i,k) = a(i,k)/a(k,k)
        a(i,k+1:4) = a(i,k+1:4) - a(i,k)*a(k,k+1:4)
      end do
    end do
    lu = det
  end function

  real(c_double) function procptr(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    procptr = integrate(cube, x(1), x(2)) + integrate(wave, x(3), x(4))
  end function

  real(8) function cube(t)
    real(8), intent(in) :: t
    cube = t**3
  end function

  real(8) function wave(t)
    real(8), intent(in) :: t
    wave = sin(3*t)
  end function

  real(8) function integrate(f, a, b)
    interface
      real(8) function f(t)
        real(8), intent(in) :: t
      end function

    end interface
    real(8), intent(in) :: a, b
    integer :: i
    real(8) :: h
    h = (b-a)/10
    integrate = 0
    do i = 1, 10
      integrate = integrate + h*f(a + (i-0.5d0)*h)
    end do
  end function

  real(c_double) function inner_proc(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: k
    k = x(1)
    inner_proc = integrate(g, x(2), x(3)) + h(x(4))
  contains
    real(8) function g(t)
      real(8), intent(in) :: t
      g = k*t**2
    end function

    real(8) function h(t)
      real(8), intent(in) :: t
      h = k*t
    end function
  end function
end module
