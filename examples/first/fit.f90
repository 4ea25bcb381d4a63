include "retrograde/retrograde.f90"
module curve
contains
  real(8) function misfit(p, t, y)
    real(8), intent(in) :: p(:), t(:), y(:)
    misfit = sum((p(1)*exp(-p(2)*t) - y)**2)/size(t)
  end function
end module
program fit
  use curve
  use retrograde
  interface
    subroutine gradient(f, p, dp, kt, t, ky, y) bind(c, name="__enzyme_autodiff_misfit")
      real(8), external :: f
      real(8) :: p(:), dp(:), t(:), y(:)
      integer, value :: kt, ky
    end subroutine
  end interface
  real(8) :: p(2) = 1, g(2) = 0, t(4) = [0, 1, 2, 3], y(4) = [2.0d0, 1.2d0, 0.75d0, 0.45d0]
  call gradient(misfit, p, g, enzyme_const, t, enzyme_const, y)
  print '(a,2f8.4)', "gradient", g
end program
