//! Paper 000: the rod that strikes the ground, equations (58)–(64), Tables 1 and 2, and the
//! equations behind them.

mod cells;
mod equations;
mod quantities;

use carom::{InputError, Law};

use crate::{Item, Paper};
use quantities::Rod;

const PROBLEM: &str = include_str!("../../../../cases/paper-000/problem.toml");
const PRINTED: &str = include_str!("../../../../cases/paper-000/printed.toml");

/// Recomputes every cell and every claim.
pub(crate) fn recompute() -> Result<Paper, InputError> {
    let file = carom::read_problem("cases/paper-000/problem.toml", PROBLEM, &[])?;
    let book: cells::Book = toml::from_str(PRINTED).map_err(|error| {
        let message = error.message().to_owned();
        InputError::whole("cases/paper-000/printed.toml", message)
    })?;
    let mut items: Vec<Item> = Vec::new();
    for cell in book.cells() {
        let rod = Rod::strike(&file, cell.restitution, cell.law.unwrap_or(Law::Energetic))?;
        items.push(cells::judge(&cell, &rod));
    }
    items.extend(equations::claims(&file)?);
    Ok(Paper {
        paper: "000",
        items,
        equations: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn every_disagreement_of_the_tables_is_a_proved_misprint() {
        let paper = recompute().unwrap();
        assert!(paper.is_explained());
        let misprints: Vec<&str> = paper
            .items
            .iter()
            .filter(|item| item.verdict == Verdict::Misprint)
            .map(|item| item.place.as_str())
            .collect();
        assert_eq!(
            misprints,
            [
                "Eq. (59), J[1][2]",
                "Eq. (61), I_nf",
                "Table 1, W_ne, newton",
                "Table 2, dy/dt, newton",
                "Table 2, dtheta/dt, energetic",
            ]
        );
        for item in paper.items.iter().filter(|i| i.verdict != Verdict::Agrees) {
            assert!(item.proof.is_some(), "{}", item.place);
        }
        assert!(paper.count(Verdict::Agrees) > 65);
    }

    #[test]
    fn a_wrong_digit_without_an_identity_is_called_false() {
        let book: cells::Book =
            toml::from_str("[[cells]]\nwhere = \"x\"\nquantity = \"w_nn\"\nprinted = \"2.6\"\n")
                .unwrap();
        let file = carom::read_problem("problem.toml", PROBLEM, &[]).unwrap();
        let cell = &book.cells()[0];
        let rod = Rod::strike(&file, cell.restitution, Law::Poisson).unwrap();
        assert_eq!(cells::judge(cell, &rod).verdict, Verdict::Unexplained);
    }

    #[test]
    fn a_wrong_digit_is_not_excused_by_an_identity_that_does_not_exist() {
        let text = "[[cells]]\nwhere = \"x\"\nquantity = \"work_n\"\nlaw = \"newton\"\n\
                    printed = \"0.1\"\nidentity = \"no_such_identity\"\n";
        let book: cells::Book = toml::from_str(text).unwrap();
        let file = carom::read_problem("problem.toml", PROBLEM, &[]).unwrap();
        let cell = &book.cells()[0];
        let rod = Rod::strike(&file, cell.restitution, Law::Newton).unwrap();
        assert_eq!(cells::judge(cell, &rod).verdict, Verdict::Unexplained);
    }
}
