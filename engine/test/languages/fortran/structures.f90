! Derived types, sections, rearranged arrays, text.
module types
  use iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: vec3
    real(dp) :: c(3)
  end type
  interface operator(+)
    module procedure addv
  end interface
  interface operator(.dot.)
    module procedure dotv
  end interface
  type :: particle
    type(vec3) :: pos, vel
    real(dp) :: mass = 1d0
    integer :: id = 0
  end type

  type :: layer
    real(dp), allocatable :: w(:,:), b(:)
    procedure(act_i), pointer, nopass :: act => null()
  end type

  type :: network
    type(layer), allocatable :: layers(:)
  end type
  abstract interface
    real(8) function act_i(x)
      real(8), intent(in) :: x
    end function

  end interface
  type :: matrix_t
    real(dp), pointer :: p(:,:) => null()
  contains
    procedure :: trace => trace_m
    procedure :: scale_by
  end type

  type, abstract :: law
  contains
    procedure(rate_i), deferred :: rate
  end type
  abstract interface
    real(8) function rate_i(self, t)
      import law
      class(law), intent(in) :: self
      real(8), intent(in) :: t
    end function

  end interface
  type, extends(law) :: arrhenius
    real(dp) :: a, e
  contains
    procedure :: rate => rate_a
  end type

  type, extends(law) :: power
    real(dp) :: k
    real(dp), allocatable :: c(:)
  contains
    procedure :: rate => rate_p
  end type

  type :: holder
    class(law), allocatable :: l
  end type
contains
  pure function addv(a, b) result(r)
    type(vec3), intent(in) :: a, b
    type(vec3) :: r
    r%c = a%c + b%c
  end function

  pure real(dp) function dotv(a, b)
    type(vec3), intent(in) :: a, b
    dotv = dot_product(a%c, b%c)
  end function

  real(8) function trace_m(self)
    class(matrix_t), intent(in) :: self
    integer :: i
    trace_m = 0
    do i = 1, size(self%p, 1)
      trace_m = trace_m + self%p(i,i)
    end do
  end function

  subroutine scale_by(self, k)
    class(matrix_t), intent(inout) :: self
    real(8), intent(in) :: k
    self%p = self%p*k
  end subroutine

  real(8) function rate_a(self, t)
    class(arrhenius), intent(in) :: self
    real(8), intent(in) :: t
    rate_a = self%a*exp(-self%e/t)
  end function

  real(8) function rate_p(self, t)
    class(power), intent(in) :: self
    real(8), intent(in) :: t
    rate_p = self%k*sum(self%c*[1d0, t, t*t])
  end function

  elemental real(8) function sigm(x)
    real(8), intent(in) :: x
    sigm = 1/(1+exp(-x))
  end function

  elemental real(8) function ident(x)
    real(8), intent(in) :: x
    ident = x
  end function
end module
module structures
  use types
  implicit none
  real(dp), allocatable, save :: cache(:)
  real(dp), save :: total = 0
contains
  real(c_double) function operators(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(vec3) :: a, b
    a%c = x(1:3)
    b = vec3(x(4:6))
    operators = (a + b) .dot. a
  end function

  real(c_double) function particles(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(particle), allocatable :: p(:)
    integer :: i, t
    allocate(p(2))
    do i = 1, 2
      p(i)%pos%c = x(3*i-2:3*i)
      p(i)%vel%c = [0.1d0, x(i), 0d0]
      p(i)%id = i
    end do
    do t = 1, 3
      do i = 1, 2
        p(i)%vel%c = p(i)%vel%c - 0.1d0*p(i)%pos%c*p(i)%mass
        p(i)%pos = p(i)%pos + vec3(0.1d0*p(i)%vel%c)
      end do
    end do
    particles = sum([(p(i)%pos .dot. p(i)%vel, i=1,2)])
  end function

  real(c_double) function neural(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(network) :: net
    real(dp), allocatable :: h(:)
    integer :: i, j, k
    allocate(net%layers(2))
    do k = 1, 2
      allocate(net%layers(k)%w(n,n), net%layers(k)%b(n))
      do j = 1, n
        do i = 1, n
          net%layers(k)%w(i,j) = x(mod(i*j+k,n)+1)*0.3d0
        end do
      end do
      net%layers(k)%b = x*k
    end do
    h = x
    do k = 1, 2
      h = sigm(matmul(net%layers(k)%w, h) + net%layers(k)%b)
    end do
    neural = sum(h)
  end function

  real(c_double) function methods(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(matrix_t) :: m
    allocate(m%p(2,3))
    m%p = reshape(x, [2,3])
    call m%scale_by(x(1))
    methods = m%trace() + sum(m%p**2)
    deallocate(m%p)
  end function

  real(c_double) function polymorphic(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    class(law), allocatable :: l
    allocate(l, source=arrhenius(x(1), x(2)))
    polymorphic = l%rate(x(4)+2)
    deallocate(l)
  end function

  real(c_double) function select_type(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(arrhenius) :: a
    type(power) :: p
    a = arrhenius(x(1), x(2))
    p%k = x(3)
    p%c = x(1:3)
    select_type = which(a) + which(p)
  contains
    real(8) function which(l)
      class(law), intent(in) :: l
      select type (l)
      type is (arrhenius)
        which = l%a*l%rate(2d0)
      type is (power)
        which = l%k + l%rate(3d0)
      class default
        which = 0
      end select
    end function
  end function

  function outer(a, b) result(c)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: c(size(a), size(b))
    c = spread(a, 2, size(b))*spread(b, 1, size(a))
  end function

  real(c_double) function results(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    results = sum(outer(x, x(1:3))*2) + sum(evens(x)) + maxval(abs(outer(x(1:2), x)))
  end function

  function evens(a) result(r)
    real(8), intent(in) :: a(:)
    real(8), allocatable :: r(:)
    integer :: i
    allocate(r(0))
    do i = 2, size(a), 2
      r = [r, a(i)**2]
    end do
  end function

  real(c_double) function automatic_arrays(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(n, n), w(-1:n)
    integer :: i
    w = 0
    w(1:n) = x
    do i = 1, n
      a(i,:) = w(i)*x + w(i-1)
    end do
    automatic_arrays = sum(matmul(a, x)) + sum(a(:,n)*w(1:n))
  end function

  real(c_double) function sections(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(3,2), b(2,3)
    a = reshape(x, [3,2])
    b(:, 3:1:-1) = transpose(a)
    a(2:3, :) = a(1:2, :)*2
    call double_it(b(1, ::2))
    a(:,1) = a(3:1:-1, 2)
    sections = sum(a*transpose(b)) + sum(b(:,2)**2)
  end function

  subroutine double_it(v)
    real(8), intent(inout) :: v(:)
    v = v*2 + v(1)
  end subroutine

  real(c_double) function contig(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    call explicit_shape(a(1,:), 3)
    contig = sum(a**2)
  end function

  subroutine explicit_shape(v, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: v(m)
    v = v**2 + v(m)
  end subroutine

  real(c_double) function masks(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3)
    logical :: m(2,3)
    a = reshape(x, [2,3])
    m = a > 0.25d0
    masks = sum(sum(a, dim=1, mask=m)**2) + product(a, mask=m) + maxval(a, mask=.not. m)
    masks = masks + sum(maxval(a, dim=2)) + sum(merge(a, 2*a, m)) + sum(unpack(x(1:6), m, a))
  end function

  real(c_double) function shifts(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3), b(2,3)
    a = reshape(x, [2,3])
    b = cshift(a, [1,2], dim=2)
    a = eoshift(a, 1, dim=1, boundary=x(1:3))
    shifts = sum(a*b) + sum(b(1,:)**3) + sum(reshape(x, [3,2], order=[2,1])*transpose(a))
  end function

  real(c_double) function moving(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:)
    allocate(a(n))
    a = x*x
    call move_alloc(a, b)
    allocate(a, source=b(1:3))
    a = a*2
    if (allocated(b)) b = b + x
    moving = sum(a) + sum(b*x)
  end function

  real(c_double) function assoc(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: r
    associate (a => x(1)*x(2), b => x(3:5))
      r = a*sum(b)
    end associate
    block
      real(8) :: k
      k = r*x(6)
      r = r + k**2
    end block
    assoc = r
  end function

  real(c_double) function complex_arrays(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    complex(8) :: z(3), m(3,3)
    integer :: i, j
    do i = 1, 3
      z(i) = cmplx(x(i), x(i+3), 8)
    end do
    do j = 1, 3
      do i = 1, 3
        m(i,j) = exp((0d0,1d0)*i*j)*z(i)
      end do
    end do
    z = matmul(m, z)
    complex_arrays = real(dot_product(z, z)) + abs(sum(z)) + aimag(product(z)) + real(z(1)**3)
    complex_arrays = complex_arrays + abs(sqrt(z(2))*conjg(log(z(3)))) + real(z(1)**z(2))*1d-2 + abs(z(3)**n)*1d-3
  end function

  real(c_double) function single_precision(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(4) :: s(n), m(2,3)
    s = real(x, 4)
    m = reshape(s, [2,3])
    single_precision = sum(matmul(m, transpose(m))) + dot_product(s, s(n:1:-1)) + norm2(s) + maxval(s)
  end function

  real(c_double) function specials(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    specials = 0
    do i = 1, n
      specials = specials + erf(x(i)) + erfc(x(i)) + gamma(x(i) + 3) + log_gamma(x(i) + 3)
      specials = specials + bessel_j0(x(i)) + bessel_j1(x(i)) + bessel_jn(2, x(i)) + bessel_y0(x(i) + 2)
      specials = specials + hypot(x(i), 2d0) + atan(x(i), 2d0) + sinh(x(i)) + acosh(x(i) + 2) + atanh(x(i)/4)
      specials = specials + anint(x(i)*3)*x(i) + ceiling(x(i)*3)*x(i) + floor(x(i)*3)*x(i) + scale(x(i), 2)
      specials = specials + x(i)**i + (x(i) + 2)**x(i) + mod(x(i) + 7, 2d0) + modulo(x(i) - 7, 1.7d0)
      specials = specials + sign(x(i), -1d0) + dim(x(i), 0.1d0) + x(i)**(-2)*1d-3 + exponent(x(i))*x(i)
    end do
  end function

  real(c_double) function text(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    character(len=20) :: name
    character(len=:), allocatable :: long
    name = 'alpha'
    long = trim(name)//'_beta'
    text = sum(x**2)*len_trim(name)
    if (long == 'alpha_beta') text = text + index(long, 'beta')*x(1)
    write(name, '(i0)') n
    if (name(1:1) == '6') text = text*2
  end function

  real(c_double) function whiles(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: y, r
    integer :: k
    y = 2 + x(1)
    k = 0
    newton: do while (.true.)
      r = y**3 - x(2) - 4
      if (abs(r) < 1d-13) exit newton
      y = y - r/(3*y**2)
      k = k + 1
      if (k > 50) error stop "no convergence"
    end do newton
    whiles = y + sum(x)
  end function

  real(c_double) function equiv(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(4), b(2,2)
    equivalence (a, b)
    a = x(1:4)
    b(1,2) = b(1,2)*b(2,1)
    equiv = sum(a**2)
  end function

  real(c_double) function saved(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    if (.not. allocated(cache)) allocate(cache(n))
    total = 0
    do i = 1, n
      cache(i) = sin(x(i))
      total = total + cache(i)*x(i)
    end do
    saved = total**2
    deallocate(cache)
  end function

  real(c_double) function pde(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer, parameter :: m = 8
    real(8) :: u(m,m), f(m,m), r
    integer :: i, j, it
    u = 0
    do j = 1, m
      do i = 1, m
        f(i,j) = x(mod(i+j,n)+1)
      end do
    end do
    do it = 1, 5
      do j = 2, m-1
        do i = 2, m-1
          u(i,j) = 0.25d0*(u(i-1,j)+u(i+1,j)+u(i,j-1)+u(i,j+1)+f(i,j)*0.1d0)
        end do
      end do
      r = sum((u(2:m-1,2:m-1)-f(2:m-1,2:m-1))**2)
    end do
    pde = r + sum(u)
  end function

  real(c_double) function thomas(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), dimension(n) :: a, b, c, d
    integer :: i
    a = -1 + 0.1d0*x; b = 4 + x; c = -1; d = x**2
    do i = 2, n
      b(i) = b(i) - a(i)/b(i-1)*c(i-1)
      d(i) = d(i) - a(i)/b(i-1)*d(i-1)
    end do
    d(n) = d(n)/b(n)
    do i = n-1, 1, -1
      d(i) = (d(i) - c(i)*d(i+1))/b(i)
    end do
    thomas = sum(d*x)
  end function

  real(c_double) function pointer_arrays(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), target :: m(2,3)
    real(8), pointer :: row(:), flat(:)
    real(8), pointer, contiguous :: q(:,:)
    m = reshape(x, [2,3])
    row => m(2,:)
    row = row*row
    allocate(q(3,3))
    q = spread(row, 1, 3)
    flat(1:9) => q
    pointer_arrays = sum(flat(::2)) + sum(m)
    if (associated(row, m(2,:))) pointer_arrays = pointer_arrays*2
    deallocate(q)
  end function

  real(c_double) function deep(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(network) :: a, b
    allocate(a%layers(1))
    a%layers(1)%b = x
    allocate(a%layers(1)%w(2,2))
    a%layers(1)%w = x(1)
    b = a
    b%layers(1)%b = b%layers(1)%b*2
    deep = sum(b%layers(1)%b*a%layers(1)%b) + sum(b%layers(1)%w)
  end function
end module
