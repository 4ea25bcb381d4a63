//! Springs between neighbours in a chain of atoms.

/// # Safety
/// There are `count` numbers at `positions`, three for each atom.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn chain_energy(positions: *const f64, count: usize, rest: f64) -> f64 {
    let atoms: Vec<&[f64]> = unsafe { std::slice::from_raw_parts(positions, count) }.chunks_exact(3).collect();
    atoms.windows(2).map(|pair| 10.0 * (distance(pair[0], pair[1]) - rest).powi(2)).sum()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
