use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_contact::impact::path::*;
use fastrand::Rng;
fn between(r: &mut Rng, a: f64, b: f64) -> f64 {
    a + (b - a) * r.f64()
}
fn list(r: &mut Rng, n: usize, m: f64) -> Vec<f64> {
    (0..n).map(|_| m * (2.0 * r.f64() - 1.0)).collect()
}
fn chance(r: &mut Rng, p: f64) -> bool {
    r.f64() < p
}
const LAWS: [Law; 2] = [Law::Energetic, Law::Poisson];
fn random_impact(rng: &mut Rng, tangents: usize) -> (PathImpact, usize) {
    let k = 1 + rng.usize(1..5);
    let freedom = rng.usize(1..8);
    let rows = k * (1 + tangents);
    let x: Vec<Vec<f64>> = (0..rows).map(|_| list(rng, freedom, 1.0)).collect();
    let velocity = list(rng, freedom, 1.0);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let w = x
        .iter()
        .flat_map(|a| x.iter().map(move |b| dot(a, b)))
        .collect();
    let v = x.iter().map(|a| dot(a, &velocity)).collect();
    let contacts = (0..k).map(|_| {
        let mu_d = if chance(rng, 0.2) {
            0.0
        } else {
            between(rng, 0.0, 1.2)
        };
        let mu_s = mu_d * if chance(rng, 0.2) { 1.3 } else { 1.0 };
        PathContact {
            tangents,
            friction: Friction::new(mu_s, mu_d).unwrap(),
            restitution: if chance(rng, 0.15) {
                0.0
            } else {
                between(rng, 0.0, 0.95)
            },
            law: LAWS[rng.usize(0..2)],
            stiffness: if chance(rng, 0.5) {
                1.0
            } else {
                between(rng, 0.1, 10.0)
            },
        }
    });
    (PathImpact::new(w, v, contacts.collect()).unwrap(), freedom)
}
fn main() {
    let a: Vec<usize> = std::env::args()
        .skip(1)
        .map(|x| x.parse().unwrap())
        .collect();
    let (tangents, full, only) = (a[0], a[1], a.get(2).copied());
    let mut rng = Rng::with_seed(11 + tangents as u64);
    let (mut solved, mut bad, mut gains, mut phases) = (0, 0, 0, 0);
    let t0 = std::time::Instant::now();
    for seed in 0..full {
        let (im, freedom) = random_impact(&mut rng, tangents);
        if only.is_some_and(|o| o != seed) {
            continue;
        }
        let t = std::time::Instant::now();
        let r = solve(&im);
        let ms = t.elapsed().as_secs_f64() * 1e3;
        if only.is_some() {
            println!("{im:#?}\n{r:?}");
        }
        match r {
            Err(e) => {
                bad += 1;
                println!(
                    "{seed} k={} dof={freedom} ERR {ms:.1}ms {}",
                    im.contacts().len(),
                    &e.to_string()[..60.min(e.to_string().len())]
                );
            }
            Ok(s) => {
                phases = phases.max(s.phases);
                use carom_contact::impact::Outcome as O;
                if s.outcome == O::NoImpact {
                    continue;
                }
                if ms > 20.0 {
                    println!("{seed} slow {ms:.1}ms phases {}", s.phases);
                }
                if s.outcome != O::Solved {
                    bad += 1;
                    println!(
                        "{seed} k={} dof={freedom} {:?} {} {ms:.1}ms laws {:?} e {:?} dE {}",
                        im.contacts().len(),
                        s.outcome,
                        s.phases,
                        im.contacts()
                            .iter()
                            .map(|c| c.law.name().chars().next().unwrap())
                            .collect::<String>(),
                        im.contacts()
                            .iter()
                            .map(|c| c.restitution)
                            .collect::<Vec<_>>(),
                        s.energy_change
                    );
                    continue;
                }
                solved += 1;
                if s.energy_gain {
                    gains += 1;
                    if im.contacts().iter().all(|c| c.law == Law::Energetic) {
                        println!("{seed} GAIN {:e} of {:e}", s.energy_change, s.energy_scale);
                    }
                }
                if !(s.momentum_residual < 1e-11
                    && s.energy_residual < 1e-11
                    && s.cone_residual < 1e-11)
                {
                    println!(
                        "{seed} k={} dof={freedom} res {:e} {:e} {:e} phases {}",
                        im.contacts().len(),
                        s.momentum_residual,
                        s.energy_residual,
                        s.cone_residual,
                        s.phases
                    );
                }
                for c in &s.contacts {
                    if c.impulse.n < 0.0 || c.v_post.n < -1e-12 {
                        println!("{seed} law {c:?}");
                    }
                }
            }
        }
    }
    println!(
        "{tangents}: solved {solved} bad {bad} gains {gains} maxphases {phases} {:?}",
        t0.elapsed()
    );
}
