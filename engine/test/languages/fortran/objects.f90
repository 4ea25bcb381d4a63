! Types with procedures, lists and trees, complex functions, ways to pass arrays.
module more_types
  use iso_c_binding
  implicit none
  type :: tree
    real(8) :: v
    type(tree), pointer :: left => null(), right => null()
  end type

  type :: base
    real(8) :: k
  contains
    procedure :: eval => eval_base
  end type

  type, extends(base) :: child
    real(8) :: m
  contains
    procedure :: eval => eval_child
  end type

  type :: slot
    class(base), allocatable :: b
  end type

  type :: ref
    real(8), pointer :: p => null()
  end type

  type :: op
    procedure(fn), pointer, nopass :: f => null()
    real(8) :: scale = 2d0
  end type

  abstract interface
    real(8) function fn(x)
      real(8), intent(in) :: x
    end function
  end interface

  type :: fin
    real(8), pointer :: d(:) => null()
  contains
    final :: destroy_fin
  end type

  type :: mat3
    real(8) :: a(3,3)
  contains
    procedure :: mul
    generic :: operator(*) => mul
  end type

contains
  type(mat3) function mul(x, y)
    class(mat3), intent(in) :: x, y
    mul%a = matmul(x%a, y%a)
  end function

  subroutine destroy_fin(x)
    type(fin), intent(inout) :: x
    if (associated(x%d)) deallocate(x%d)
  end subroutine

  real(8) function eval_base(self, x)
    class(base), intent(in) :: self
    real(8), intent(in) :: x
    eval_base = self%k*x
  end function

  real(8) function eval_child(self, x)
    class(child), intent(in) :: self
    real(8), intent(in) :: x
    eval_child = self%k*x + self%m*x**2
  end function

  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function

  real(8) function sine(x)
    real(8), intent(in) :: x
    sine = sin(x)
  end function
end module
module objects
  use more_types
  implicit none
contains
  real(c_double) function complex_functions(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    complex(8) :: z, w(3), v(2,2)
    real(8) :: total
    integer :: i
    z = cmplx(x(1), x(2), 8)
    w = [exp(z), log(z + 4d0), sin(z)*cos(z)]
    v = reshape([z, w], [2,2])
    total = real(sum(w)) + aimag(sum(v*v)) + abs(tan(z)) + real(sinh(z)) + aimag(cosh(z)) + real(tanh(z))
    total = total + real(product(w)) + real(asin(z/3)) + real(acos(z/3)) + real(atan(z/3)) + aimag(z**2.5d0)
    total = total + real(z**cmplx(x(3), x(4), 8))
    do i = 1, 3
      total = total + real(w(i)*conjg(w(i)))
    end do
    w(1:2) = matmul(v(:,[1,2,1]), w)
    total = total + real(w(1)) + sum(abs(w)) + sum(real(sum(v, dim=1)))
    complex_functions = total
  end function

  real(c_double) function trees(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(tree), pointer :: root
    integer :: i
    root => null()
    do i = 1, n
      call insert(root, x(i))
    end do
    trees = fold(root, 1d0)
    call drop(root)
  end function

  recursive subroutine insert(t, v)
    type(tree), pointer :: t
    real(8), intent(in) :: v
    if (.not. associated(t)) then
      allocate(t)
      t%v = v
    else if (v < t%v) then
      call insert(t%left, v)
    else
      call insert(t%right, v)
    end if
  end subroutine

  recursive real(8) function fold(t, d) result(r)
    type(tree), pointer :: t
    real(8), intent(in) :: d
    r = 0
    if (associated(t)) r = d*t%v**2 + fold(t%left, d + t%v) + fold(t%right, 2*d)
  end function

  recursive subroutine drop(t)
    type(tree), pointer :: t
    if (.not. associated(t)) return
    call drop(t%left)
    call drop(t%right)
    deallocate(t)
  end subroutine

  real(c_double) function slots(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(slot) :: s(2)
    integer :: i
    allocate(s(1)%b, source=base(x(1)))
    allocate(s(2)%b, source=child(x(2), x(3)))
    slots = 0
    do i = 1, 2
      slots = slots + s(i)%b%eval(x(4))
    end do
  end function

  real(c_double) function refs(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), target :: a(n)
    type(ref) :: r(6)
    integer :: i
    a = x
    do i = 1, n
      r(i)%p => a(n + 1 - i)
    end do
    do i = 1, n - 1
      r(i)%p = r(i)%p*r(i + 1)%p
    end do
    refs = sum(a)
  end function

  real(c_double) function ops(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(op) :: o(2)
    integer :: i
    o(1)%f => cube
    o(2)%f => sine
    ops = 0
    do i = 1, n
      ops = ops + o(1 + mod(i, 2))%f(x(i))*o(1)%scale
    end do
  end function

  real(c_double) function finals(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(fin) :: f
    allocate(f%d(n))
    f%d = x
    finals = sum(f%d**2)
  end function

  real(c_double) function unlimited(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    unlimited = square(x(1)) + square(3) + square(base(x(2)))
  end function

  real(8) function square(a)
    class(*), intent(in) :: a
    select type (a)
    type is (real(8))
      square = a**2
    type is (integer)
      square = a**2
    type is (base)
      square = a%k**2
    class default
      square = 0
    end select
  end function

  real(c_double) function stats(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:)
    integer :: s
    character(100) :: msg
    allocate(a(n), stat=s, errmsg=msg)
    stats = s
    a = x**2
    allocate(a(2*n), stat=s)
    if (s /= 0) stats = stats + 100*x(1)
    deallocate(b, stat=s)
    if (s /= 0) stats = stats + 100*x(2)
    allocate(b, mold=a)
    b = a
    stats = stats + sum(a) + sum(b) + size(b)
    deallocate(a, b, stat=s)
    stats = stats + s
  end function

  real(c_double) function cpointers(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in), target :: x(n)
    real(8), target :: a(6)
    real(8), pointer :: m(:,:), q(:)
    type(c_ptr) :: c
    a = x
    c = c_loc(a)
    call c_f_pointer(c, m, [2,3])
    m(1,:) = m(1,:)*m(2,:)
    call c_f_pointer(c_loc(x), q, [n])
    cpointers = sum(a) + sum(q**2)
  end function

  real(c_double) function optional_arrays(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    optional_arrays = weigh(x) + weigh(x, x(n:1:-1))
  end function

  real(8) function weigh(a, w)
    real(8), intent(in) :: a(:)
    real(8), intent(in), optional :: w(:)
    if (present(w)) then
      weigh = dot_product(a, w)
    else
      weigh = sum(a)**2
    end if
  end function

  subroutine fill(a, x)
    real(8), allocatable, intent(out) :: a(:)
    real(8), intent(in) :: x(:)
    allocate(a(2*size(x)))
    a(1::2) = x
    a(2::2) = x**2
  end subroutine

  real(c_double) function outs(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:)
    call fill(a, x)
    b = a
    call fill(a, b)
    outs = sum(a)
  end function

  real(c_double) function gotos(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    real(8) :: s
    s = 0
    i = 0
10  i = i + 1
    if (i > n) goto 30
    goto (11, 12), mod(i, 2) + 1
11  s = s + x(i)
    goto 10
12  s = s*x(i) + 1
    goto 10
30  gotos = s
  end function

  real(c_double) function variable_dim(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3)
    integer :: d
    a = reshape(x, [2,3])
    variable_dim = 0
    do d = 1, 2
      variable_dim = variable_dim + sum(sum(a, dim=d)**2) + sum(maxval(a, dim=d))
    end do
  end function

  real(c_double) function mats(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(mat3) :: a, b
    integer :: i, j
    do j = 1, 3
      do i = 1, 3
        a%a(i,j) = x(i)*x(j+3)
      end do
    end do
    b = a*a
    b = b*a
    mats = b%a(1,2) + sum(b%a)
  end function

  real(c_double) function self_shift(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(n)
    a = x
    a(2:n) = a(1:n-1)*a(2:n)
    a = a(n:1:-1)
    a(1:n-1) = a(2:n) + a(1)
    self_shift = dot_product(a, x)
  end function

  real(c_double) function local_conc(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: y(n), t
    integer :: i
    t = 1
    do concurrent (i = 1:n) local(t)
      t = x(i)**2
      y(i) = t*x(i)
    end do
    local_conc = sum(y) + t
  end function

  real(c_double) function packs(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3)
    a = reshape(x, [2,3])
    packs = sum(pack(a, a > 0, vector=2*x)**2) + sum(unpack(x, a > 0, 0d0)) + sum(pack(a, .true.))
    packs = packs + sum(spread(x(1), 1, 4))
  end function

  real(c_double) function minlocs(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(2,3)
    integer :: k(3)
    a = reshape(x, [2,3])
    k = maxloc(a, dim=1)
    minlocs = a(k(1),1)*a(k(2),2) + a(k(3),3) + x(findloc(x, x(3), dim=1)) + x(maxloc(x, dim=1, mask=x < 1))
  end function

  subroutine scale_all(a, k)
    real(8), intent(inout), contiguous :: a(:,:)
    real(8), value :: k
    a = a*k
  end subroutine

  real(c_double) function contiguous_arg(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(4,6)
    a = spread(x, 1, 4)
    call scale_all(a(1::2, 2:5), x(1))
    contiguous_arg = sum(a**2)
  end function

  ! Records with a name, put in the order of the names.
  real(c_double) function sorted_names(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type :: record
      character(8) :: name
      real(8) :: v
    end type
    type(record) :: a(n), t
    integer :: i, k
    do i = 1, n
      a(i)%name = 'r'//char(ichar('a') + mod(i*4, 7))
      a(i)%v = x(i)*i
    end do
    do i = 1, n - 1
      do k = i + 1, n
        if (a(k)%name < a(i)%name) then
          t = a(i)
          a(i) = a(k)
          a(k) = t
        end if
      end do
    end do
    sorted_names = 0
    do i = 1, n
      sorted_names = sorted_names*0.7d0 + a(i)%v**2*i
    end do
  end function
end module
