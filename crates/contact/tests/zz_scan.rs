#![allow(warnings)]
mod common;
use carom_contact::impact::Law;
use carom_contact::impact::planar::*;
use common::audit::*;
use common::*;
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
thread_local! { static LAST: RefCell<(String,String)> = RefCell::new(Default::default()); }
#[test]
fn scan() {
    std::panic::set_hook(Box::new(|i| {
        LAST.with(|l| {
            let msg = i
                .payload()
                .downcast_ref::<String>()
                .cloned()
                .or(i.payload().downcast_ref::<&str>().map(|s| s.to_string()))
                .unwrap_or_default();
            *l.borrow_mut() = (
                format!(
                    "{}:{}",
                    i.location().unwrap().file(),
                    i.location().unwrap().line()
                ),
                msg,
            );
        })
    }));
    let mut rng = Rng::with_seed(41);
    let mut by: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for _ in 0..1_000_000 {
        let x = Problem::delicate(&mut rng);
        let impact = x.impact();
        for law in ROUTH {
            let r = std::panic::catch_unwind(|| {
                let s = solve(&impact, law).unwrap();
                audit(&impact, &s);
            });
            if r.is_err() {
                let (loc, msg) = LAST.with(|l| l.borrow().clone());
                let e = by.entry(loc).or_default();
                e.0 += 1;
                if e.1.len() < 4 {
                    e.1.push(format!(
                        "{law} {}\n      {:?}\n    nn_stuck/a {:e} slope/a {:e}",
                        &msg[..msg.len().min(900)],
                        x,
                        impact.w().nn_stuck() / x.a,
                        x.slip_rates().0 / x.a
                    ));
                }
            }
        }
    }
    for (k, (n, v)) in by {
        println!("== {k}: {n}");
        for m in v {
            println!("   {m}");
        }
    }
}
