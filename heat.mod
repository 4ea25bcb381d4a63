!mod$ v1 sum:267a06ee3260be34
module heat
integer(4),parameter::cells=48_4
integer(4),parameter::steps=400_4
integer(4),parameter::sensors=8_4
type::rod
real(8),allocatable::temperature(:)
real(8),allocatable::flux(:)
real(8),allocatable::conductivity(:)
end type
contains
subroutine prepare(r,p)
type(rod),intent(out)::r
real(8),intent(in)::p(:)
end
subroutine advance(r)
type(rod),intent(inout)::r
end
subroutine measure(p,t)
real(8),intent(in)::p(:)
real(8),intent(out)::t(:)
end
function misfit(p,seen)
real(8),intent(in)::p(:)
real(8),intent(in)::seen(:)
real(8)::misfit
end
end
