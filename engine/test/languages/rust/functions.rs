// The kinds of code that Rust programs are made of, each as a function of n
// numbers; check.cpp holds their gradients against differences.
macro_rules! slice {
    ($x:ident, $n:ident) => {
        unsafe { from_raw_parts($x, $n) }
    };
}

mod basics;
mod structures;
