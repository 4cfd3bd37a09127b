//! Lines that differ in colour and, for print without colour, in their dashes.

use super::super::svg::{Stroke, colour};

const COLOURS: [&str; 6] = [
    colour::BLUE,
    colour::ORANGE,
    colour::GREEN,
    colour::PURPLE,
    colour::BLACK,
    colour::GOLD,
];
const DASHES: [&str; 5] = ["", "8 3.5", "2 2.5", "9 3 2 3", "14 3"];

/// The pen of the curve with that index.
pub(super) fn pen(index: usize) -> Stroke {
    Stroke {
        colour: COLOURS[index % COLOURS.len()],
        width: 1.7,
        dash: DASHES[index % DASHES.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn thirty_curves_have_thirty_pens() {
        let pens: BTreeSet<_> = (0..30).map(|i| (pen(i).colour, pen(i).dash)).collect();
        assert_eq!(pens.len(), 30);
    }
}
