// A model in Rust, called from C++: points on a decaying curve, and how well
// they are met. Slices, iterators, a Vec, a struct and an enum.

#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    value: f64,
}

enum Shape {
    Exponential { rate: f64 },
    Power(f64),
}

impl Shape {
    fn at(&self, time: f64) -> f64 {
        match self {
            Shape::Exponential { rate } => (-rate * time).exp(),
            Shape::Power(exponent) => (1.0 + time).powf(-exponent),
        }
    }
}

fn residuals(shapes: &[Shape], weights: &[f64], samples: &[Sample]) -> Vec<f64> {
    samples
        .iter()
        .map(|s| {
            let model: f64 = shapes.iter().zip(weights).map(|(f, w)| w * f.at(s.time)).sum();
            model - s.value
        })
        .collect()
}

/// Mean squared distance; p = {weight, rate, weight, exponent}.
#[unsafe(no_mangle)]
pub extern "C" fn misfit(p: *const f64, times: *const f64, values: *const f64, n: usize) -> f64 {
    let (p, times, values) = unsafe {
        use std::slice::from_raw_parts as slice;
        (slice(p, 4), slice(times, n), slice(values, n))
    };
    let samples: Vec<Sample> = times.iter().zip(values).map(|(&time, &value)| Sample { time, value }).collect();
    let shapes = [Shape::Exponential { rate: p[1] }, Shape::Power(p[3])];
    let r = residuals(&shapes, &[p[0], p[2]], &samples);
    assert!(r.iter().all(|v| v.is_finite()), "not a number in {:?}", r);
    r.iter().map(|v| v * v).sum::<f64>() / n as f64
}
