//! A plain march through the impulse plane, as one writes it first: the yardstick of the benches.

use carom_contact::impact::planar::PlanarImpact;

/// Impulses and velocities by marching from event to event under Poisson's law.
pub fn march(impact: &PlanarImpact) -> [f64; 6] {
    let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
    let (a, c, b) = (w.nn(), w.nt(), w.tt());
    let (mut p_n, mut p_t, mut v_n, mut v_t) = (0.0, 0.0, v.n, v.t);
    let (mut w_n, mut w_t) = (0.0, 0.0);
    let mut end = f64::INFINITY;
    for _ in 0..8 {
        let ratio = if v_t != 0.0 {
            -friction.mu_d() * v_t.signum()
        } else if friction.mu_s() * b >= c.abs() {
            -c / b
        } else {
            -friction.mu_d() * c.signum()
        };
        let (k_n, k_t) = (a + c * ratio, c + b * ratio);
        let halt = if v_t * k_t < 0.0 {
            -v_t / k_t
        } else {
            f64::INFINITY
        };
        let compressed = if v_n < 0.0 && k_n > 0.0 {
            -v_n / k_n
        } else {
            f64::INFINITY
        };
        let step = halt.min(compressed).min(end - p_n);
        if !(step > 0.0 && step < f64::INFINITY) {
            break;
        }
        w_n += step * (v_n + 0.5 * k_n * step);
        w_t += ratio * step * (v_t + 0.5 * k_t * step);
        p_n += step;
        p_t += ratio * step;
        v_n = if step == compressed {
            0.0
        } else {
            v_n + k_n * step
        };
        v_t = if step == halt { 0.0 } else { v_t + k_t * step };
        if step == compressed {
            end = (1.0 + impact.restitution()) * p_n;
        }
    }
    [p_n, p_t, v_n, v_t, w_n, w_t]
}
