//! Claims behind the tables: equations taken literally, on an impact that tells them apart.

use carom::planar::{PlanarImpact, PlanarSolution};
use carom::{InputError, Law, ProblemFile, significant};

use super::quantities::variant;
use crate::{Item, Shown, Verdict};

fn show(x: f64) -> String {
    significant(x, 8)
}

/// Slopes and halt of an impact, in the paper's symbols.
struct Symbols {
    sigma: f64,
    mu: f64,
    zeta_i: f64,
    zeta_f: f64,
    l_i: f64,
    l_f: f64,
    v_ni: f64,
    v_nh: f64,
    v_ti: f64,
    e: f64,
}

impl Symbols {
    fn of(impact: &PlanarImpact) -> Self {
        let (w, v) = (impact.w(), impact.v_pre());
        let mu = impact.friction().mu_d();
        let sigma = v.t.signum();
        let slope = w.nn() - mu * sigma * w.nt();
        let rate = w.nt() - mu * sigma * w.tt();
        let sticks = impact.friction().mu_s() >= w.stick_threshold();
        Self {
            sigma,
            mu,
            zeta_i: 1.0 / slope,
            zeta_f: 1.0
                / if sticks {
                    w.nn_stuck()
                } else {
                    w.nn() + mu * sigma * w.nt()
                },
            l_i: 1.0 / rate,
            l_f: 1.0 / (w.nt() + mu * sigma * w.tt()),
            v_ni: v.n,
            v_nh: v.n - v.t / rate * slope,
            v_ti: v.t,
            e: impact.restitution(),
        }
    }
}

/// A formula as printed against the solved impact, and as corrected.
struct Formula {
    place: &'static str,
    claim: &'static str,
    printed: f64,
    corrected: f64,
    solved: f64,
    proof: String,
}

impl Formula {
    fn judge(self) -> Item {
        let close = |x: f64| (x - self.solved).abs() <= 1e-12 * self.solved.abs().max(1.0);
        let verdict = match (close(self.printed), close(self.corrected)) {
            (true, _) => Verdict::Agrees,
            (false, true) => Verdict::HoldsWithCorrection,
            (false, false) => Verdict::Unexplained,
        };
        Item {
            place: self.place.to_owned(),
            claim: self.claim.to_owned(),
            printed: Shown::Number(self.printed),
            computed: Shown::Number(self.solved),
            verdict,
            proof: (verdict != Verdict::Agrees).then_some(self.proof),
        }
    }
}

/// Every claim, in the order of the paper.
pub(super) fn claims(file: &ProblemFile) -> Result<Vec<Item>, InputError> {
    Ok(vec![
        shape_of_d(file)?,
        critical_friction(file)?,
        type_of_contact(file)?,
        guards_of_the_five_types(file)?,
        friction_work(file)?,
        poisson_in_compression(file)?,
        poisson_in_restitution(file)?,
        energetic_sign(file)?,
        tangent_impulse(file)?,
        superscript_of_zeta(file)?,
        superscript_of_gain(file)?,
        laws_agree_while_sliding(file)?,
        poisson_loses_in_the_normal_direction(file)?,
        energetic_loses_by_friction_alone(file)?,
    ])
}

fn end_of(file: &ProblemFile, s: &PlanarSolution) -> Result<carom::planar::ImpactEnd, InputError> {
    s.end
        .ok_or_else(|| InputError::whole(file.name(), "the impact has no end"))
}

fn shape_of_d(file: &ProblemFile) -> Result<Item, InputError> {
    let rows = [
        "mass=[[2]]",
        "velocity=[-2]",
        "contacts.0.normal=[0.5]",
        "contacts.0.tangent=[1.5]",
    ];
    let (impact, _) = variant(file, &rows, Law::Poisson)?;
    let w = impact.w();
    Ok(Item {
        place: "Eq. (5)".to_owned(),
        claim: "D is a 3 x 3 symmetric positive definite matrix".to_owned(),
        printed: "3 x 3, definite".into(),
        computed: Shown::Words(format!("2 x 2, rank {} with one degree of freedom", w.rank())),
        verdict: if w.rank() == 1 {
            Verdict::HoldsWithCorrection
        } else {
            Verdict::Unexplained
        },
        proof: Some(
            "J has two rows, so D = J M^-1 J^T is 2 x 2; for a slider of one coordinate a b = c^2 and D is only semidefinite"
                .to_owned(),
        ),
    })
}

/// A rod leaning the other way has `c > 0`: the printed `−c/b` is then negative and always sticks.
fn critical_friction(file: &ProblemFile) -> Result<Item, InputError> {
    let changes = [
        "contacts.0.tangent=[-1, 0, -0.3535533905932738]",
        "velocity=[-0.2, -1, 0]",
        "contacts.0.friction=0.4",
    ];
    let (impact, solution) = variant(file, &changes, Law::Poisson)?;
    let w = impact.w();
    let end = end_of(file, &solution)?;
    let printed = -w.nt() / w.tt();
    let reverses = end.v_post.t > 0.0;
    Ok(Item {
        place: "Eq. (14)".to_owned(),
        claim: "the critical coefficient of friction is -c/b".to_owned(),
        printed: Shown::Number(printed),
        computed: Shown::Number(w.stick_threshold()),
        verdict: if reverses {
            Verdict::HoldsWithCorrection
        } else {
            Verdict::Unexplained
        },
        proof: Some(format!(
            "mu_c = |c|/b: seen from the other side the rod has c = {}, -c/b = {} < mu would always stick, yet with mu = 0.4 sticking needs |dI_t/dI_n| = {} and the slip reverses to v_t = {}",
            show(w.nt()),
            show(printed),
            show(w.stick_threshold()),
            show(end.v_post.t)
        )),
    })
}

fn type_of_contact(file: &ProblemFile) -> Result<Item, InputError> {
    let (_, solution) = variant(file, &[], Law::Poisson)?;
    let name = solution.contact_type.name();
    let holds = name == "non_sliding_compression";
    Ok(Item {
        place: "Eq. (62) and text below".to_owned(),
        claim: "I_nh < I_np and mu_s > mu_c: the impact is non-sliding in compression".to_owned(),
        printed: "non-sliding in compression".into(),
        computed: name.into(),
        verdict: if holds {
            Verdict::Agrees
        } else {
            Verdict::Unexplained
        },
        proof: None,
    })
}

/// A steep rod with much friction has `a − μσc < 0`: I_np is negative and the printed comparison of
/// I_nh with I_np and I_nf says permanent sliding.
fn guards_of_the_five_types(file: &ProblemFile) -> Result<Item, InputError> {
    let changes = [
        "contacts.0.normal=[0, 1, -0.17101007166283436]",
        "contacts.0.tangent=[1, 0, 0.46984631039295416]",
        "contacts.0.friction={static=1.9, kinetic=1.8}",
        "velocity=[-0.3, -0.5, 0]",
    ];
    let (impact, solution) = variant(file, &changes, Law::Poisson)?;
    let x = Symbols::of(&impact);
    let p_h = -x.v_ti * x.l_i;
    let p_p = -x.v_ni * x.zeta_i;
    let p_f = (1.0 + x.e) * p_p;
    let literal = match (p_h > p_f, p_h < p_p) {
        (true, _) => "permanent_sliding",
        (_, true) => "non_sliding_compression",
        _ => "non_sliding_restitution",
    };
    let found = solution.contact_type.name();
    let is_needed = literal != found && found == "non_sliding_compression" && p_p < 0.0;
    Ok(Item {
        place: "five types below Eq. (35)".to_owned(),
        claim: "the order of I_nh, I_np and I_nf gives the type".to_owned(),
        printed: literal.into(),
        computed: found.into(),
        verdict: if is_needed {
            Verdict::HoldsWithCorrection
        } else {
            Verdict::Unexplained
        },
        proof: Some(format!(
            "a - mu sigma c <= 0 must be asked first: a rod at 70 deg with mu = 1.8 has I_np = {} < 0 < I_nh = {}, and its slip halts in compression; I_nh negative or infinite means permanent sliding",
            show(p_p),
            show(p_h)
        )),
    })
}

/// (55) with γ = +c/b while sticking, as printed.
fn tangent_impulse(file: &ProblemFile) -> Result<Item, InputError> {
    let (impact, solution) = variant(file, &[], Law::Energetic)?;
    let (x, end) = (Symbols::of(&impact), end_of(file, &solution)?);
    let p_h = -x.v_ti * x.l_i;
    let gamma = impact.w().nt() / impact.w().tt();
    let printed = -x.mu * x.sigma * p_h - gamma * (end.impulse.n - p_h);
    Ok(Formula {
        place: "Eq. (55), sticking",
        claim: "I_te = -mu sigma_I I_nh - gamma (I_ne - I_nh), gamma = c/b",
        printed,
        corrected: printed,
        solved: end.impulse.t,
        proof: String::new(),
    }
    .judge())
}

/// The 0.625 of (63) is the slope while stuck; with superscript s it would be another number.
fn superscript_of_zeta(file: &ProblemFile) -> Result<Item, InputError> {
    let (impact, _) = variant(file, &[], Law::Poisson)?;
    let w = impact.w();
    let x = Symbols::of(&impact);
    let sliding = 1.0 / (w.nn() + x.mu * x.sigma * w.nt());
    Ok(Formula {
        place: "Eq. (63), superscript of zeta_F",
        claim: "zeta_F^s = 0.625",
        printed: sliding,
        corrected: 1.0 / w.nn_stuck(),
        solved: 0.625,
        proof: format!(
            "0.625 = (a - c^2/b)^-1 is zeta_F^ns of (45), the non-sliding one; zeta_F^s = (a - mu sigma_F c)^-1 would be {}",
            show(sliding)
        ),
    }
    .judge())
}

/// Likewise L_F of (64): its first component is −c/b = 0.6 while stuck, −μσ_F = 0.7 while sliding.
fn superscript_of_gain(file: &ProblemFile) -> Result<Item, InputError> {
    let (impact, _) = variant(file, &[], Law::Poisson)?;
    let x = Symbols::of(&impact);
    Ok(Formula {
        place: "Eq. (64), superscript of L_F",
        claim: "L_F^s = [0.6 1 -1.69706]",
        printed: x.mu * x.sigma,
        corrected: -impact.w().nt() / impact.w().tt(),
        solved: 0.6,
        proof: format!(
            "the first component is dI_t/dI_n: -c/b = 0.6 makes it L_F^ns of (47); L_F^s would start with -mu sigma_F = {}",
            show(x.mu * x.sigma)
        ),
    }
    .judge())
}

/// Slip that reverses: the second term of (44) must be negative.
fn friction_work(file: &ProblemFile) -> Result<Item, InputError> {
    let changes = [
        "velocity=[0.2, -1, 0]",
        "contacts.0.friction=0.4",
        "contacts.0.restitution=0.5",
    ];
    let (impact, solution) = variant(file, &changes, Law::Poisson)?;
    let (x, end) = (Symbols::of(&impact), end_of(file, &solution)?);
    let first = 0.5 * x.mu * x.sigma * x.l_i * x.v_ti * x.v_ti;
    let second = 0.5 * x.mu * -x.sigma * x.l_f * end.v_post.t * end.v_post.t;
    Ok(Formula {
        place: "Eq. (44)",
        claim: "W_te = mu/2 sigma_I l_I v_ti^2 + mu/2 sigma_F l_F v_te^2",
        printed: first + second,
        corrected: first - second,
        solved: end.work.t,
        proof: format!(
            "W_t = integral of v_t dI_t with dI_t = -mu sigma dI_n: the second term is -mu/2 sigma_F l_F v_te^2; as printed friction would do the positive work {} after the reversal",
            show(second)
        ),
    }
    .judge())
}

fn poisson_in_compression(file: &ProblemFile) -> Result<Item, InputError> {
    let (impact, solution) = variant(file, &[], Law::Poisson)?;
    let (x, end) = (Symbols::of(&impact), end_of(file, &solution)?);
    let ratio = x.zeta_i / x.zeta_f;
    let printed = -x.e * (ratio * x.v_ni + (1.0 - ratio) * x.v_nh);
    Ok(Formula {
        place: "Eq. (49), halt in compression",
        claim: "v_ne = -E_1 [E_2 (zeta_I/zeta_F) v_ni + (1 - zeta_I/zeta_F) v_nh], E_1 = e",
        printed,
        corrected: printed,
        solved: end.v_post.n,
        proof: String::new(),
    }
    .judge())
}

fn poisson_in_restitution(file: &ProblemFile) -> Result<Item, InputError> {
    let changes = [
        "velocity=[1, -1, 0]",
        "contacts.0.friction=0.75",
        "contacts.0.restitution=0.5",
    ];
    let (impact, solution) = variant(file, &changes, Law::Poisson)?;
    let (x, end) = (Symbols::of(&impact), end_of(file, &solution)?);
    let ratio = x.zeta_i / x.zeta_f;
    let kept = -x.e * ratio * x.v_ni;
    let turned = (1.0 - ratio) * x.v_nh;
    Ok(Formula {
        place: "Eq. (49), halt in restitution",
        claim: "v_ne = -E_1 [E_2 (zeta_I/zeta_F) v_ni + (1 - zeta_I/zeta_F) v_nh], E_2 = e",
        printed: kept - turned,
        corrected: kept + turned,
        solved: end.v_post.n,
        proof: format!(
            "I_ne = (1 + e) I_nc and (41) give v_ne = -e (zeta_I/zeta_F) v_ni + (1 - zeta_I/zeta_F) v_nh = {}",
            show(kept + turned)
        ),
    }
    .judge())
}

/// (50) with σ_n the sign of the velocity it computes would make the bodies penetrate.
fn energetic_sign(file: &ProblemFile) -> Result<Item, InputError> {
    let (impact, solution) = variant(file, &[], Law::Energetic)?;
    let (x, end) = (Symbols::of(&impact), end_of(file, &solution)?);
    let ratio = x.zeta_i / x.zeta_f;
    let root = (ratio * x.v_ni * x.v_ni + (1.0 - ratio) * x.v_nh * x.v_nh).sqrt();
    Ok(Formula {
        place: "Eq. (50)-(51)",
        claim: "v_ne = -sigma_n E_1 sqrt(E_2^2 (zeta_I/zeta_F) v_ni^2 + (1 - zeta_I/zeta_F) v_nh^2), sigma_n the sign of v_n",
        printed: -x.e * root,
        corrected: -x.v_ni.signum() * x.e * root,
        solved: end.v_post.n,
        proof: "sigma_n is the sign of v_ni: with the sign of the end velocity (+1) the bodies would penetrate after the impact".to_owned(),
    }
    .judge())
}

fn laws_agree_while_sliding(file: &ProblemFile) -> Result<Item, InputError> {
    let changes = ["velocity=[2, -1, 0]", "contacts.0.friction=0.3"];
    let mut ends = Vec::new();
    for law in [Law::Newton, Law::Poisson, Law::Energetic] {
        let (_, solution) = variant(file, &changes, law)?;
        ends.push(end_of(file, &solution)?.v_post.n);
    }
    let spread = (ends[0] - ends[1]).abs().max((ends[0] - ends[2]).abs());
    Ok(Item {
        place: "text above Eq. (35)".to_owned(),
        claim: "if slip does not halt the three coefficients are identical".to_owned(),
        printed: "identical".into(),
        computed: Shown::Words(format!(
            "v_ne = {} by each, spread {}",
            show(ends[0]),
            show(spread)
        )),
        verdict: if spread <= 1e-14 {
            Verdict::Agrees
        } else {
            Verdict::Unexplained
        },
        proof: None,
    })
}

fn poisson_loses_in_the_normal_direction(file: &ProblemFile) -> Result<Item, InputError> {
    let (_, solution) = variant(file, &["contacts.0.restitution=1"], Law::Poisson)?;
    let end = end_of(file, &solution)?;
    let holds = end.energy_change.abs() > end.work.t.abs() && end.work.n < 0.0;
    Ok(Item {
        place: "text below Table 2".to_owned(),
        claim: "with Poisson's e = 1 energy is lost beyond the work of friction".to_owned(),
        printed: "|Delta T| > |W_te|".into(),
        computed: Shown::Words(format!(
            "{} > {}",
            show(end.energy_change.abs()),
            show(end.work.t.abs())
        )),
        verdict: if holds {
            Verdict::Agrees
        } else {
            Verdict::Unexplained
        },
        proof: None,
    })
}

fn energetic_loses_by_friction_alone(file: &ProblemFile) -> Result<Item, InputError> {
    let (_, solution) = variant(file, &["contacts.0.restitution=1"], Law::Energetic)?;
    let end = end_of(file, &solution)?;
    let holds = end.work.n == 0.0;
    Ok(Item {
        place: "text below Table 2".to_owned(),
        claim: "with the energetic e = 1 energy is lost by friction alone".to_owned(),
        printed: "Delta T = W_te".into(),
        computed: Shown::Words(format!(
            "W_ne = {}, Delta T = W_te = {}",
            show(end.work.n),
            show(end.work.t)
        )),
        verdict: if holds {
            Verdict::Agrees
        } else {
            Verdict::Unexplained
        },
        proof: None,
    })
}
