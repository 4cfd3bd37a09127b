//! Every way to choose some of many.

/// Goes through the choices of `size` numbers below `count`, each in ascending order.
pub(super) struct Choices {
    count: usize,
    which: Option<Vec<usize>>,
}

impl Choices {
    pub(super) fn new(count: usize, size: usize) -> Self {
        Self {
            count,
            which: (size <= count).then(|| (0..size).collect()),
        }
    }

    /// How many there are.
    pub(super) fn number(count: usize, size: usize) -> usize {
        if size > count {
            return 0;
        }
        let fewer = size.min(count - size);
        (0..fewer).fold(1, |all: usize, i| all.saturating_mul(count - i) / (i + 1))
    }
}

impl Iterator for Choices {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let found = self.which.take()?;
        let (count, size) = (self.count, found.len());
        if let Some(place) = (0..size).rev().find(|&i| found[i] < count - size + i) {
            let mut next = found.clone();
            next[place] += 1;
            for i in place + 1..size {
                next[i] = next[i - 1] + 1;
            }
            self.which = Some(next);
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_comes_once() {
        for (count, size) in [(5, 2), (4, 4), (4, 0), (7, 3), (2, 3)] {
            let mut all: Vec<_> = Choices::new(count, size).collect();
            assert_eq!(all.len(), Choices::number(count, size), "{count} {size}");
            all.sort();
            all.dedup();
            assert_eq!(all.len(), Choices::number(count, size), "{count} {size}");
        }
    }
}
