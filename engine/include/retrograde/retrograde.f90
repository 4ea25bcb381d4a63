! The markers of requests, for Fortran: include this file once in a program,
! and say `use retrograde` where requests are made. An interface describes the
! request; parameters that take markers are integer(c_int), with or without the
! attribute value.
module retrograde
  use iso_c_binding, only: c_int
  implicit none
  private
  integer(c_int), public, bind(c, name="enzyme_const") :: enzyme_const
  integer(c_int), public, bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), public, bind(c, name="enzyme_dupnoneed") :: enzyme_dupnoneed
  integer(c_int), public, bind(c, name="enzyme_out") :: enzyme_out
  integer(c_int), public, bind(c, name="enzyme_width") :: enzyme_width
end module
