//! No question to a placed mechanism allocates.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::Plane;
use carom_multibody::space::Space;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_support::allocations::{Counting, allocations};
use carom_support::multibody::{Parts, Start};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_question_allocates() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut parts = Parts::<Plane>::random(&mut rng, 12);
    for (i, (_, body)) in parts.bodies.iter_mut().enumerate().take(2) {
        let size = [0.3, 0.2 + 0.1 * i as f64].into();
        body.shapes
            .push(("s".to_owned(), Shape::new(Outline::Box { size })));
    }
    let model = parts.build();
    let features = model.features(("b0", "s"), ("b1", "s")).unwrap();
    let start = Start::random(&mut rng, &model);
    let n = model.rates();
    let joint = model.joint(&model.joints()[0].name).unwrap();
    let (mut m, mut h, mut a) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
    let (zero, mut work) = (vec![0.0; n], model.workspace());
    let count = allocations(|| {
        for _ in 0..3 {
            let mut placed = model.place(&mut work, start.state());
            placed.mass(&mut m);
            placed.bias(&mut h);
            placed.accelerations(&zero, &mut a).unwrap();
            for feature in &features {
                let touch = placed.touch(feature);
                placed.contact_rows(&touch, &mut h, &mut m[..n]);
                placed.contact_bias(feature, &touch);
            }
            let _ = (
                placed.energy(),
                placed.impulse_balance(&zero, &[]).reaction(joint),
            );
            let balance = placed.balance(&a, &[]);
            let _ = (balance.reaction(joint), balance.powers());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn no_question_in_space_allocates() {
    let mut rng = fastrand::Rng::with_seed(42);
    let mut parts = Parts::<Space>::random(&mut rng, 12);
    for (_, body) in parts.bodies.iter_mut().take(2) {
        let size = [0.3, 0.2, 0.4].into();
        let shape = SolidShape::new(Solid::Box { size });
        body.shapes.push(("s".to_owned(), shape));
    }
    let model = parts.build();
    let features = model.features(("b0", "s"), ("b1", "s")).unwrap();
    let start = Start::random(&mut rng, &model);
    let n = model.rates();
    let (mut m, mut a, mut q) = (vec![0.0; n * n], vec![0.0; n], start.q.clone());
    let mut rows = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let (zero, mut work) = (vec![0.0; n], model.workspace());
    let count = allocations(|| {
        let mut placed = model.place(&mut work, start.state());
        placed.mass(&mut m);
        placed.bias(&mut a);
        placed.accelerations(&zero, &mut a).unwrap();
        for feature in &features {
            let touch = placed.touch(feature);
            let [j_n, j_1, j_2] = &mut rows;
            placed.contact_rows(&touch, [j_n, j_1, j_2]);
            placed.contact_bias(feature, &touch);
        }
        let _ = (placed.energy(), placed.balance(&a, &[]).powers());
        model.position_rate(&start.q, &start.v, &mut q);
        model.normalise(&mut q);
    });
    assert_eq!(count, 0);
}
