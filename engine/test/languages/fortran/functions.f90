! The kinds of code that Fortran programs are made of, each as a function of n
! numbers; check.cpp holds their gradients against differences.
include "basics.f90"
include "structures.f90"
include "objects.f90"
include "storage.f90"
