// A program in Rust alone: the request too. Minimizes Rosenbrock's function by
// Newton's method, with the gradient in reverse mode and the Hessian's columns
// by differences of gradients.
use std::ffi::c_void;

unsafe extern "C" {
    static enzyme_dup: i32;
    #[link_name = "__enzyme_autodiff_rosenbrock"]
    fn gradient(f: *const c_void, ...);
}

extern "C" fn rosenbrock(x: &[f64; 2]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

fn gradient_at(x: &[f64; 2]) -> [f64; 2] {
    let mut g = [0.0; 2];
    unsafe { gradient(rosenbrock as *const c_void, enzyme_dup, x.as_ptr(), g.as_mut_ptr()) };
    g
}

fn main() {
    let mut x = [-1.2, 1.0];
    let exact = [-400.0 * x[0] * (x[1] - x[0] * x[0]) - 2.0 * (1.0 - x[0]), 200.0 * (x[1] - x[0] * x[0])];
    let g = gradient_at(&x);
    for i in 0..2 {
        assert!((g[i] - exact[i]).abs() < 1e-10, "gradient {:?}, expected {:?}", g, exact);
    }
    for step in 0..8 {
        println!("{}: f = {:.3e}", step, rosenbrock(&x));
        let g = gradient_at(&x);
        let h = 1e-6;
        let a = gradient_at(&[x[0] + h, x[1]]);
        let b = gradient_at(&[x[0], x[1] + h]);
        let m = [[(a[0] - g[0]) / h, (b[0] - g[0]) / h], [(a[1] - g[1]) / h, (b[1] - g[1]) / h]];
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        x[0] -= (m[1][1] * g[0] - m[0][1] * g[1]) / det;
        x[1] -= (m[0][0] * g[1] - m[1][0] * g[0]) / det;
    }
    println!("minimum at {:.6} {:.6}", x[0], x[1]);
}
