// Containers, trees, generics, time integration, simulations.
use std::collections::VecDeque;
use std::slice::from_raw_parts;

#[unsafe(no_mangle)]
pub extern "C" fn deque(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut q: VecDeque<f64> = VecDeque::new();
    for &v in x {
        q.push_back(v);
        if q.len() > 3 {
            let a = q.pop_front().unwrap();
            q.push_back(a * v);
        }
    }
    q.iter().map(|v| v * v).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn single(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let w: Vec<f32> = x.iter().map(|&v| v as f32).collect();
    let s: f64 = w.iter().map(|&a| (a as f64) * (a as f64)).sum();
    s
}

struct Mat<const N: usize, const M: usize>([[f64; M]; N]);

impl<const N: usize, const M: usize, const K: usize> std::ops::Mul<&Mat<M, K>> for &Mat<N, M> {
    type Output = Mat<N, K>;
    fn mul(self, o: &Mat<M, K>) -> Mat<N, K> {
        let mut r = [[0.0; K]; N];
        for i in 0..N {
            for j in 0..K {
                for k in 0..M {
                    r[i][j] += self.0[i][k] * o.0[k][j];
                }
            }
        }
        Mat(r)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn constgen(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let a = Mat::<2, 3>([[x[0], x[1], x[2]], [x[3], x[4], x[5]]]);
    let b = Mat::<3, 2>([[x[5], x[4]], [x[3], x[2]], [x[1], x[0]]]);
    let c = &a * &b;
    let d = &c * &a;
    d.0.iter().flatten().map(|v| v.sin()).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn adapters(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let a: f64 = x
        .iter()
        .chain(x.iter().skip(1))
        .rev()
        .flat_map(|&v| [v, v * v])
        .enumerate()
        .filter(|(i, _)| i % 3 != 1)
        .map(|(_, v)| v)
        .sum();
    let mut it = x.iter().peekable();
    let mut s = a;
    while let Some(v) = it.next() {
        if let Some(&&w) = it.peek() {
            s += v * w;
        }
    }
    s + x.iter().map(|v| v.max(0.1)).product::<f64>()
}

#[unsafe(no_mangle)]
pub extern "C" fn pattern(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    fn rec(x: &[f64]) -> f64 {
        match x {
            [] => 0.0,
            [a] => a * a,
            [a, rest @ .., b] => a * b + rec(rest).cos(),
        }
    }
    rec(x)
}

#[derive(Clone)]
struct Node {
    v: f64,
    l: Option<Box<Node>>,
    r: Option<Box<Node>>,
}

fn insert(n: Option<Box<Node>>, v: f64) -> Option<Box<Node>> {
    match n {
        None => Some(Box::new(Node { v, l: None, r: None })),
        Some(mut b) => {
            if v < b.v {
                b.l = insert(b.l.take(), v);
            } else {
                b.r = insert(b.r.take(), v);
            }
            Some(b)
        }
    }
}

fn fold(n: &Option<Box<Node>>, d: f64) -> f64 {
    match n {
        None => 0.0,
        Some(b) => d * b.v * b.v + fold(&b.l, d + 1.0) + fold(&b.r, d * 2.0),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn tree(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut t = None;
    for &v in x {
        t = insert(t, v);
    }
    fold(&t, 1.0)
}

fn rk4<F: Fn(f64, &[f64]) -> Vec<f64>>(f: F, y0: &[f64], h: f64, steps: usize) -> Vec<f64> {
    let mut y = y0.to_vec();
    let mut t = 0.0;
    let ax = |y: &[f64], k: &[f64], c: f64| -> Vec<f64> { y.iter().zip(k).map(|(a, b)| a + c * b).collect() };
    for _ in 0..steps {
        let k1 = f(t, &y);
        let k2 = f(t + h / 2.0, &ax(&y, &k1, h / 2.0));
        let k3 = f(t + h / 2.0, &ax(&y, &k2, h / 2.0));
        let k4 = f(t + h, &ax(&y, &k3, h));
        for i in 0..y.len() {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        t += h;
    }
    y
}

#[unsafe(no_mangle)]
pub extern "C" fn ode(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let (a, b) = (x[0], x[1]);
    let y = rk4(|t, y| vec![y[1] * a, -y[0] * b + t.sin()], &x[2..4], 0.1, 10);
    y[0] * y[1]
}

#[unsafe(no_mangle)]
pub extern "C" fn montecarlo(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut s: u64 = 12345;
    let mut acc = 0.0;
    for _ in 0..50 {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let u = (s >> 11) as f64 / (1u64 << 53) as f64;
        let k = (s % n as u64) as usize;
        acc += (x[k] * u).exp();
    }
    acc / 50.0
}

#[derive(Clone, Copy)]
struct Cx {
    re: f64,
    im: f64,
}

impl std::ops::Mul for Cx {
    type Output = Cx;
    fn mul(self, o: Cx) -> Cx {
        Cx { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

impl std::ops::AddAssign for Cx {
    fn add_assign(&mut self, o: Cx) {
        self.re += o.re;
        self.im += o.im;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dft(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut p = 0.0;
    for k in 0..n {
        let mut s = Cx { re: 0., im: 0. };
        for (j, &v) in x.iter().enumerate() {
            let a = -2.0 * std::f64::consts::PI * (k * j) as f64 / n as f64;
            let (sn, cs) = a.sin_cos();
            s += Cx { re: v, im: v * v } * Cx { re: cs, im: sn };
        }
        p += (s.re * s.re + s.im * s.im).sqrt() * (k as f64);
    }
    p
}

enum Layer {
    Dense(Vec<f64>),
    Act(fn(f64) -> f64),
    Scale { k: f64 },
}

fn relu(v: f64) -> f64 {
    v.max(0.0)
}
fn soft(v: f64) -> f64 {
    v.exp().ln_1p()
}

#[unsafe(no_mangle)]
pub extern "C" fn layers(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let net = vec![
        Layer::Dense(x.to_vec()),
        Layer::Act(soft),
        Layer::Scale { k: x[0] },
        Layer::Dense(x.iter().map(|v| v * 0.5).collect()),
        Layer::Act(relu),
    ];
    let mut h = x.to_vec();
    for l in &net {
        h = match l {
            Layer::Dense(w) => (0..n).map(|i| (0..n).map(|j| w[(i + j) % n] * h[j]).sum()).collect(),
            Layer::Act(f) => h.iter().map(|&v| f(v)).collect(),
            Layer::Scale { k } => h.iter().map(|v| v * k).collect(),
        };
    }
    h.iter().sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn math(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    x.iter()
        .map(|&v| {
            v.exp_m1()
                + (v + 3.0).ln_1p()
                + v.sinh() * v.cosh()
                + v.asinh()
                + v.atan()
                + (v * 0.3).asin()
                + v.powi(3)
                + (v + 2.0).powf(1.7)
                + v.signum() * v.clamp(-0.5, 0.5)
                + v.to_degrees() * 1e-2
                + v.rem_euclid(0.77)
                + v.fract()
                + (v + 2.0).log10()
                + (v + 2.0).log2()
                + v.exp2()
                + v.tan()
                + v.abs().recip()
                + v.copysign(-1.0)
                + (v + 4.0).log(3.0)
                + v.div_euclid(0.31)
        })
        .sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn fnmut(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut acc = vec![0.0; 2];
    let mut add = |v: f64| {
        let t = acc[0] * 0.5 + v;
        acc[1] += t * v;
        acc[0] = t;
    };
    for &v in x {
        add(v);
    }
    acc[0] * acc[1]
}

static TABLE: [f64; 4] = [1.0, 0.5, 0.25, 2.0];

#[unsafe(no_mangle)]
pub extern "C" fn statics(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    x.iter().enumerate().map(|(i, v)| v * v * TABLE[i % 4]).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn arrays(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let a: [f64; 6] = std::array::from_fn(|i| x[i] * x[(i + 1) % n]);
    let b = a.map(|v| v.sin());
    let mut c = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..6 {
            c[i][j] = a[i] * b[j];
        }
    }
    let d = c.concat();
    d.iter().step_by(5).sum::<f64>() + c[2..4].iter().flatten().copied().reduce(f64::min).unwrap()
}

#[unsafe(no_mangle)]
pub extern "C" fn unstable(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut v: Vec<(usize, f64)> = x.iter().copied().enumerate().collect();
    v.sort_unstable_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
    v.iter().enumerate().map(|(r, (i, a))| a * a * ((r * 2 + i) as f64)).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn question(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    fn root(v: f64) -> Option<f64> {
        if v < 0.0 {
            None
        } else {
            Some(v.sqrt())
        }
    }
    fn two(a: f64, b: f64) -> Option<f64> {
        let p = root(a)?;
        let q = root(b)?;
        Some(p * q + p)
    }
    let mut s = 0.0;
    for w in x.windows(2) {
        s += match two(w[0], w[1]) {
            Some(v) => v,
            None => w[0] * w[1],
        };
    }
    s
}

#[unsafe(no_mangle)]
pub extern "C" fn labelled(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut s = 0.0;
    'o: for i in 0..n {
        for j in 0..n {
            if i * j > 12 {
                break 'o;
            }
            if (i + j) % 4 == 3 {
                continue 'o;
            }
            s += x[i] * x[j];
        }
    }
    s
}

#[unsafe(no_mangle)]
pub extern "C" fn lu(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let m = 4;
    let mut a = vec![vec![0.0f64; m]; m];
    for i in 0..m {
        for j in 0..m {
            a[i][j] = x[(i * m + j) % n].sin() + if i == j { 3.0 } else { 0.0 };
        }
    }
    let mut det = 1.0;
    for k in 0..m {
        let mut p = k;
        for i in k..m {
            if a[i][k].abs() > a[p][k].abs() {
                p = i;
            }
        }
        if p != k {
            a.swap(p, k);
            det = -det;
        }
        det *= a[k][k];
        for i in k + 1..m {
            let f = a[i][k] / a[k][k];
            for j in k..m {
                let t = a[k][j];
                a[i][j] -= f * t;
            }
        }
    }
    det
}

#[unsafe(no_mangle)]
pub extern "C" fn nbody(x: *const f64, n: usize) -> f64 {
    #[derive(Clone)]
    struct B {
        p: [f64; 3],
        v: [f64; 3],
        m: f64,
    }
    let x = slice!(x, n);
    let mut b: Vec<B> = (0..3)
        .map(|i| B {
            p: [x[i] + i as f64, x[(i + 1) % n], x[(i + 2) % n] * 0.5],
            v: [0.0, x[(i + 3) % n], 0.1],
            m: 1.0 + 0.1 * i as f64,
        })
        .collect();
    for _ in 0..5 {
        for i in 0..3 {
            let mut acc = [0.0; 3];
            for j in 0..3 {
                if i == j {
                    continue;
                }
                let mut d = [0.0; 3];
                let mut r2 = 0.01;
                for k in 0..3 {
                    d[k] = b[j].p[k] - b[i].p[k];
                    r2 += d[k] * d[k];
                }
                let inv = b[j].m / (r2 * r2.sqrt());
                for k in 0..3 {
                    acc[k] += d[k] * inv;
                }
            }
            for k in 0..3 {
                b[i].v[k] += 0.05 * acc[k];
            }
        }
        for q in b.iter_mut() {
            for k in 0..3 {
                q.p[k] += 0.05 * q.v[k];
            }
        }
    }
    b.iter().map(|q| 0.5 * q.m * q.v.iter().map(|v| v * v).sum::<f64>()).sum()
}

trait Potential {
    fn energy(&self, r: f64) -> f64;
    fn twice(&self, r: f64) -> f64 {
        2.0 * self.energy(r)
    }
}

struct Lj {
    e: f64,
    s: f64,
}
impl Potential for Lj {
    fn energy(&self, r: f64) -> f64 {
        let q = (self.s / r).powi(6);
        4.0 * self.e * (q * q - q)
    }
}

struct Morse<'a> {
    p: &'a [f64],
}
impl<'a> Potential for Morse<'a> {
    fn energy(&self, r: f64) -> f64 {
        self.p[0] * (1.0 - (-self.p[1] * (r - self.p[2])).exp()).powi(2)
    }
    fn twice(&self, r: f64) -> f64 {
        self.energy(r) + self.energy(r + 0.1)
    }
}

fn total(p: &dyn Potential, x: &[f64]) -> f64 {
    x.windows(2).map(|w| p.twice(1.5 + (w[0] - w[1]).abs())).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn potentials(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let lj = Lj { e: x[0], s: 1.0 + 0.1 * x[1] };
    let mo = Morse { p: &x[1..4] };
    let ps: [&dyn Potential; 2] = [&lj, &mo];
    ps.iter().map(|p| total(*p, x)).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn inplace(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut u = x.to_vec();
    for k in 0..4 {
        for i in 1..n {
            let p = u[i - 1];
            let c = &mut u[i];
            *c = (*c * p + k as f64 * 0.1).tanh();
        }
        u.rotate_left(1);
        u.reverse();
    }
    u.iter().map(|v| v * v).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn formatting(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let mut s = String::new();
    let mut t = 0.0;
    for v in x {
        s += &format!("{:.3},", v);
        t += v * v * v;
    }
    t + s.len() as f64 * 0.0
}

#[unsafe(no_mangle)]
pub extern "C" fn heap(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let b: Box<[f64]> = x.iter().map(|v| v.cosh()).collect::<Vec<_>>().into_boxed_slice();
    let r: std::rc::Rc<[f64]> = b.iter().map(|v| v * 2.0).collect();
    r.iter().zip(b.iter()).map(|(p, q)| p * q.ln()).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn catching(x: *const f64, n: usize) -> f64 {
    let x = slice!(x, n);
    let r = std::panic::catch_unwind(|| x.iter().map(|v| v * v).sum::<f64>());
    r.unwrap_or(0.0)
}
