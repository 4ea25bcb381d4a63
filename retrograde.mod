!mod$ v1 sum:89e940d8c3691db3
!need$ fc1ab5ddb0e0d965 i iso_c_binding
module retrograde
use,intrinsic::iso_c_binding,only:c_int
private::c_int
integer(4),bind(c,name="enzyme_const")::enzyme_const
integer(4),bind(c,name="enzyme_dup")::enzyme_dup
integer(4),bind(c,name="enzyme_dupnoneed")::enzyme_dupnoneed
integer(4),bind(c,name="enzyme_out")::enzyme_out
integer(4),bind(c,name="enzyme_width")::enzyme_width
end
