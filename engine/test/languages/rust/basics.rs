// Iterators, vectors, matrices, traits.
use std::slice::from_raw_parts;

#[unsafe(no_mangle)]
pub extern "C" fn iter_zip(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    x.iter().zip(x.iter().rev()).map(|(a, b)| a * b.sin()).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn vec_push(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v = Vec::new();
    for a in x {
        v.push(a * a);
        if *a > 0.5 {
            v.push(a.exp());
        }
    }
    v.iter().fold(0.0, |s, a| s + a * s.cos())
}

#[unsafe(no_mangle)]
pub extern "C" fn chunks(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    x.chunks(2).map(|c| c.iter().product::<f64>()).sum::<f64>()
        + x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum::<f64>()
}

#[derive(Clone, Copy)]
struct P3 {
    x: f64,
    y: f64,
    z: f64,
}

impl std::ops::Add for P3 {
    type Output = P3;
    fn add(self, o: P3) -> P3 {
        P3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl std::ops::Mul<f64> for P3 {
    type Output = P3;
    fn mul(self, k: f64) -> P3 {
        P3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

impl P3 {
    fn dot(&self, o: &P3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn structs(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let ps: Vec<P3> = x.chunks_exact(3).map(|c| P3 { x: c[0], y: c[1], z: c[2] }).collect();
    let mut t = P3 { x: 0., y: 0., z: 1. };
    for p in &ps {
        t = t + *p * p.dot(&t);
    }
    t.dot(&t)
}

fn apply<F: Fn(f64) -> f64>(f: F, x: &[f64]) -> f64 {
    x.iter().map(|&v| f(v)).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn closures(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let k = x[0];
    apply(|v| (k * v).tanh(), x)
}

#[unsafe(no_mangle)]
pub extern "C" fn boxed_dyn(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let k = x[1];
    let fs: Vec<Box<dyn Fn(f64) -> f64>> =
        vec![Box::new(move |v| k * v), Box::new(|v: f64| v * v * v), Box::new(move |v| v.sin() * k)];
    x.iter().enumerate().map(|(i, &v)| fs[i % 3](v)).sum()
}

trait Shape {
    fn area(&self) -> f64;
}

struct Circle {
    r: f64,
}
struct Rect {
    a: f64,
    b: f64,
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
}
impl Shape for Rect {
    fn area(&self) -> f64 {
        self.a * self.b
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn traits(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let s: Vec<Box<dyn Shape>> = vec![Box::new(Circle { r: x[0] }), Box::new(Rect { a: x[1], b: x[2] })];
    s.iter().map(|s| s.area()).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn vec2d(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let m: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| x[i] * x[j] + (i as f64)).collect()).collect();
    let mut y = vec![0.0; n];
    for i in 0..n {
        for j in 0..n {
            y[i] += m[i][j] * x[j];
        }
    }
    y.iter().map(|v| v * v).sum::<f64>().sqrt()
}

enum Op {
    Lin(f64),
    Quad(f64, f64),
    Nop,
}

fn eval(o: &Op, v: f64) -> f64 {
    match o {
        Op::Lin(a) => a * v,
        Op::Quad(a, b) => a * v * v + b,
        Op::Nop => v,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn enums(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let ops: Vec<Op> = x
        .iter()
        .enumerate()
        .map(|(i, &a)| match i % 3 {
            0 => Op::Lin(a),
            1 => Op::Quad(a, a * a),
            _ => Op::Nop,
        })
        .collect();
    ops.iter().fold(1.0, |v, o| eval(o, v))
}

#[unsafe(no_mangle)]
pub extern "C" fn option(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let f = |v: f64| -> Option<f64> {
        if v > 0.0 {
            Some(v.ln())
        } else {
            None
        }
    };
    x.iter().filter_map(|&v| f(v)).sum::<f64>()
        + f(x[0]).unwrap_or(2.0) * x.iter().cloned().fold(f64::NEG_INFINITY, f64::max)
}

#[unsafe(no_mangle)]
pub extern "C" fn result(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    fn g(v: f64) -> Result<f64, String> {
        if v > -100.0 {
            Ok(v * v)
        } else {
            Err(format!("bad {}", v))
        }
    }
    let r: Result<Vec<f64>, String> = x.iter().map(|&v| g(v)).collect();
    r.unwrap().iter().sum()
}

fn gen<T: Copy + Into<f64> + std::ops::Mul<Output = T>>(x: &[T]) -> f64 {
    x.iter().map(|&a| (a * a).into()).sum::<f64>()
}

#[unsafe(no_mangle)]
pub extern "C" fn generics(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let f: Vec<f32> = x.iter().map(|&v| v as f32).collect();
    let _ = &f;
    gen(x)
}

#[unsafe(no_mangle)]
pub extern "C" fn bounds(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut s = 0.0;
    for i in 0..n {
        s += x[(i * 7 + 3) % n] * x[i];
    }
    assert!(s < 1e30, "too large {}", s);
    s
}

#[unsafe(no_mangle)]
pub extern "C" fn whileloop(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v = x[0] + 2.0;
    let mut k = 0;
    while v > 1.05 {
        v = v.sqrt() * (1.0 + 1e-3 * x[k % n]);
        k += 1;
    }
    v
}

#[unsafe(no_mangle)]
pub extern "C" fn heat(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut u = x.to_vec();
    let mut w = vec![0.0; n];
    for _ in 0..10 {
        for i in 1..n - 1 {
            w[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        w[0] = u[0];
        w[n - 1] = u[n - 1];
        std::mem::swap(&mut u, &mut w);
    }
    u.iter().map(|v| v * v).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn array(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut a = [[0.0f64; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            a[i][j] = x[(i + j) % n];
        }
    }
    let b = a;
    let mut t = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                t += a[i][k] * b[k][j] * (1.0 + i as f64);
            }
        }
    }
    t
}

#[unsafe(no_mangle)]
pub extern "C" fn sorted(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    v.iter().enumerate().map(|(i, a)| (i as f64) * a * a).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn printing(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let s: f64 = x.iter().map(|a| a * a).sum();
    if s > 1e6 {
        println!("s {}", s);
    }
    s
}

#[unsafe(no_mangle)]
pub extern "C" fn clone_extend(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v = x.to_vec();
    let w = v.clone();
    v.extend_from_slice(&w);
    v.extend(w.iter().map(|a| a * 2.0));
    v.truncate(2 * n + 1);
    v.iter().map(|a| a * a * a).sum()
}

struct Net {
    w: Vec<f64>,
    b: Vec<f64>,
    n: usize,
}

impl Net {
    fn run(&self, i: &[f64]) -> Vec<f64> {
        (0..self.n)
            .map(|r| (0..self.n).map(|c| self.w[r * self.n + c] * i[c]).sum::<f64>() + self.b[r])
            .map(|v| 1.0 / (1.0 + (-v).exp()))
            .collect()
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn net(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let net = Net { w: (0..n * n).map(|k| x[k % n] * (k as f64 * 0.3).cos()).collect(), b: x.to_vec(), n };
    let h = net.run(x);
    let o = net.run(&h);
    o.iter().sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn list(x: *const f64, n: usize) -> f64 {
    enum L {
        Nil,
        Cons(f64, Box<L>),
    }
    let x = slice!(x, n);
    let mut l = L::Nil;
    for &v in x {
        l = L::Cons(v, Box::new(l));
    }
    fn s(l: &L) -> f64 {
        match l {
            L::Nil => 1.0,
            L::Cons(v, r) => v * v + (s(r)).sin(),
        }
    }
    s(&l)
}

#[unsafe(no_mangle)]
pub extern "C" fn rc(x: *const f64, n: usize) -> f64 {
    use std::cell::RefCell;
    use std::rc::Rc;
    let x = slice!(x, n);
    let c = Rc::new(RefCell::new(1.0));
    let d = c.clone();
    for &v in x {
        *d.borrow_mut() *= v.cos() + 2.0;
    }
    let r = *c.borrow();
    r
}

#[unsafe(no_mangle)]
pub extern "C" fn matrix(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let m = 3;
    let a: Vec<f64> = (0..m * m).map(|k| x[k % n] + if k % (m + 1) == 0 { 4.0 } else { 0.0 }).collect();
    let mut a = a;
    let mut b: Vec<f64> = x[..m].to_vec();
    for k in 0..m {
        for i in k + 1..m {
            let f = a[i * m + k] / a[k * m + k];
            for j in k..m {
                a[i * m + j] -= f * a[k * m + j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..m).rev() {
        let mut s = b[k];
        for j in k + 1..m {
            s -= a[k * m + j] * b[j];
        }
        b[k] = s / a[k * m + k];
    }
    b.iter().sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn strings(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let name = format!("k{}", n);
    let k = name.len() as f64;
    x.iter().map(|v| v * k * v).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn split(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v = x.to_vec();
    {
        let (a, b) = v.split_at_mut(n / 2);
        for (p, q) in a.iter_mut().zip(b.iter_mut()) {
            let t = *p * *q;
            *q = p.sin() + t;
            *p = t;
        }
    }
    v.iter().sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn minmax(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let m = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
    x.iter().map(|v| (v - m).exp()).sum::<f64>().ln() + m
}

#[unsafe(no_mangle)]
pub extern "C" fn par(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    x.iter()
        .scan(1.0, |s, &v| {
            *s *= 1.0 + v * 0.1;
            Some(*s)
        })
        .step_by(2)
        .take_while(|v| *v < 1e5)
        .map(|v| v.abs().sqrt().mul_add(2.0, v.atan2(1.0)).hypot(v.cbrt()))
        .sum()
}
