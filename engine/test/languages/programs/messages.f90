! MPI: 3
! LINK: mpi_mpifh
module library
  implicit none
  include "mpif_parts.inc"
end module
include "messages.inc"
