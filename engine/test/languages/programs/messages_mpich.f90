! MPI: 2
! LINK: mpichfort
! LIBRARY: mpich
module library
  implicit none
  include 'mpif.h'
end module
include "messages.inc"
