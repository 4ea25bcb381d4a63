! The energy of all pairs of atoms.
module pairs
  use iso_c_binding
  implicit none
  interface
    pure real(c_double) function potential(r, well) bind(c)
      import
      real(c_double), value :: r
      real(c_double), intent(in) :: well(2)
    end function
  end interface
contains
  real(c_double) function pair_energy(positions, atoms, well) bind(c)
    integer(c_int), value :: atoms
    real(c_double), intent(in) :: positions(3,atoms), well(2)
    integer :: i, j
    pair_energy = 0
    do j = 2, atoms
      pair_energy = pair_energy + sum([(potential(norm2(positions(:,i) - positions(:,j)), well), i = 1, j - 1)])
    end do
  end function
end module
