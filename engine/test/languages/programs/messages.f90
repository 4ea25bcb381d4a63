! MPI: 3
! LINK: mpi_mpifh
module library
  implicit none
  ! The parts of mpif.h; in the last one there is what flang does not accept.
  include 'mpif-config.h'
  include 'mpif-constants.h'
  include 'mpif-handles.h'
  include 'mpif-externals.h'
  include 'mpif-sentinels.h'
end module
include "messages.inc"
