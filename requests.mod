!mod$ v1 sum:930b12dad239e104
module requests
interface
subroutine gradient(f,p,dp,k,seen) bind(c,name="__enzyme_autodiff_misfit")
procedure(real(8))::f
real(8)::p(:)
real(8)::dp(:)
integer(4),value::k
real(8)::seen(:)
end
end interface
interface
subroutine along(f,p,dp,t,dt) bind(c,name="__enzyme_fwddiff_measure")
procedure()::f
real(8)::p(:)
real(8)::dp(:)
real(8)::t(:)
real(8)::dt(:)
end
end interface
end
