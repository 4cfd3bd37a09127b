//! Paths that were given up.

use carom_contact::contact_space::Friction;
use carom_contact::impact::path::{PathContact, PathImpact, PathSolution, solve};
use carom_contact::impact::{Law, Outcome};

/// Two rough contacts of one body in space; a path that ends keeps its laws.
struct Two {
    w: [f64; 36],
    v: [f64; 6],
    terms: [f64; 6],
    friction: [f64; 2],
    restitution: f64,
}

impl Two {
    fn solved(&self) -> PathSolution {
        let [mu_s, mu_d] = self.friction;
        let contact = PathContact {
            tangents: 2,
            friction: Friction::new(mu_s, mu_d).unwrap(),
            restitution: self.restitution,
            law: Law::Poisson,
            stiffness: 1.0,
        };
        let impact = PathImpact::new(self.w.to_vec(), self.v.to_vec(), vec![contact; 2]).unwrap();
        let s = solve(&impact.with_terms(&self.terms)).unwrap();
        assert_eq!(s.outcome, Outcome::Solved, "{s:?}");
        assert!(
            s.momentum_residual < 1e-12 && s.cone_residual < 1e-9,
            "{s:?}"
        );
        assert!(
            s.energy_change < 0.0 && s.contacts.iter().all(|c| c.v_post.n > 0.0),
            "{s:?}"
        );
        s
    }
}

/// A box lands on two corners; one sticks and the other slips until it halts. Along the line of both nothing moves,
/// and what round-off had left there kept the slip at 3e-14: the path crawled for 24 000 steps and was given up.
#[test]
fn a_slip_that_cannot_die_beyond_round_off_halts() {
    let landed = Two {
        w: [
            1.0,
            0.16045784357918197,
            0.16839378361656468,
            -0.3726578112475547,
            0.16045784357928108,
            0.1683937836166687,
            0.16045784357918197,
            0.6744393391161703,
            -0.41070556899876437,
            -0.051657907270507,
            -0.18087680858936542,
            0.13222283015631658,
            0.16839378361656468,
            -0.41070556899876437,
            0.6347711880840554,
            -0.16576819274490692,
            0.4043018599678089,
            0.11742952454211689,
            -0.3726578112475547,
            -0.051657907270507,
            -0.16576819274490692,
            0.6358755994362654,
            -0.05165790727053891,
            -0.16576819274500934,
            0.16045784357928108,
            -0.18087680858936542,
            0.4043018599678089,
            -0.05165790727053891,
            0.6611032751501921,
            -0.13016121571647668,
            0.1683937836166687,
            0.13222283015631658,
            0.11742952454211689,
            -0.16576819274500934,
            -0.13016121571647668,
            0.28398285148646096,
        ],
        v: [
            -0.09773046280979447,
            0.09502718220682434,
            0.09970072275118598,
            -1.0,
            0.10505072616493621,
            0.09333808515859171,
        ],
        terms: [
            1.1316358115452687,
            0.18178543367793476,
            0.31386016500060865,
            1.0601902662659626,
            0.1817066762866936,
            0.3105965951711946,
        ],
        friction: [0.7808393829832265, 0.4294616606407746],
        restitution: 0.5655448635690985,
    };
    landed.solved();
}

/// A box rests on one corner and strikes with another, and both stick. The load of the first stays 25 000 times
/// smaller, and with it its cone; the corners shared what holds them no more unequally than 10 000 to 1, so that the
/// first seemed to slip, could not, and was asked again 6000 times.
#[test]
fn contacts_share_what_holds_them_as_unequally_as_their_loads_are() {
    let struck = Two {
        w: [
            1.0,
            0.05204954501717081,
            -0.05704444005499473,
            -0.49701243801006384,
            0.05204954501717052,
            -0.05704444005499522,
            0.05204954501717081,
            0.9380401728958879,
            0.6191621360142877,
            -0.05204954501717081,
            0.12113625119934983,
            -0.1262124772881336,
            -0.05704444005499473,
            0.6191621360142877,
            0.8244080020621848,
            0.05704444005499473,
            -0.12621247728813348,
            0.14429948574865814,
            -0.49701243801006384,
            -0.05204954501717081,
            0.05704444005499473,
            1.0,
            -0.05204954501717052,
            0.05704444005499522,
            0.05204954501717052,
            0.12113625119934983,
            -0.12621247728813348,
            -0.05204954501717052,
            0.9380401728958856,
            0.6191621360142857,
            -0.05704444005499522,
            -0.1262124772881336,
            0.14429948574865814,
            0.05704444005499522,
            0.6191621360142857,
            0.824408002062183,
        ],
        v: [
            0.0,
            0.0,
            0.0,
            -1.0,
            -5.433355409737186e-7,
            -4.957602817574229e-7,
        ],
        terms: [
            64.30940345671736,
            9.843356742994217,
            8.841797858916696,
            64.30940345671736,
            9.843356742994228,
            8.841797858916705,
        ],
        friction: [0.5160675259435686; 2],
        restitution: 0.8190293032302058,
    };
    let s = struck.solved();
    assert!(s.phases < 1000, "{}", s.phases);
}
