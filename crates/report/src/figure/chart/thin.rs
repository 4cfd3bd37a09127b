//! Fewer points, same picture.

use super::super::frame::Point;

/// Columns or points all curves of one drawing share, so that it stays below a megabyte.
const COLUMNS: usize = 9_000;
const POINTS: usize = 40_000;
/// Width of a column at best (units of the drawing).
const FINEST: f64 = 0.5;

/// Columns each of `curves` curves may have on a width of paper.
pub(super) fn columns(width: f64, curves: usize) -> f64 {
    let most = COLUMNS as f64 / curves.max(1) as f64;
    FINEST.max(width / most.max(1.0))
}

/// What a column keeps.
struct Column {
    index: f64,
    /// First, lowest, highest and last point, then the ends of the highest jump, with their order
    /// of arrival.
    kept: [(usize, Point); 6],
}

impl Column {
    fn new(index: f64, order: usize, point: Point) -> Self {
        Self {
            index,
            kept: [(order, point); 6],
        }
    }

    fn take(&mut self, order: usize, point: Point) {
        let [_, low, high, last, from, to] = &mut self.kept;
        if point.1 < low.1.1 {
            *low = (order, point);
        }
        if point.1 > high.1.1 {
            *high = (order, point);
        }
        let height = (point.1 - last.1.1).abs();
        if point.0 == last.1.0 && height > (to.1.1 - from.1.1).abs() {
            (*from, *to) = (*last, (order, point));
        }
        *last = (order, point);
    }

    fn put(mut self, out: &mut Vec<Point>) {
        self.kept.sort_by_key(|(order, _)| *order);
        let mut last = None;
        for (order, point) in self.kept {
            if last != Some(order) {
                out.push(point);
            }
            last = Some(order);
        }
    }
}

/// Thins a curve over a rising x on paper: of each column the first, lowest, highest and last point
/// and the highest vertical piece stay. A lifted pen stays lifted unless both sides share a column.
pub(super) fn over_columns(points: &[Point], width: f64) -> Vec<Point> {
    let mut out = Vec::new();
    let mut column: Option<Column> = None;
    let mut is_lifted = false;
    for (order, point) in points.iter().enumerate() {
        if !(point.0.is_finite() && point.1.is_finite()) {
            is_lifted = true;
            continue;
        }
        let index = (point.0 / width).floor();
        match column.as_mut().filter(|column| column.index == index) {
            Some(column) => column.take(order, *point),
            None => {
                let full = column.replace(Column::new(index, order, *point));
                if let Some(full) = full {
                    full.put(&mut out);
                    if is_lifted {
                        out.push((f64::NAN, f64::NAN));
                    }
                }
            }
        }
        is_lifted = false;
    }
    if let Some(column) = column {
        column.put(&mut out);
    }
    out
}

/// Thins a curve that may turn back: points closer to the last one kept than a bound go, the bound
/// as fine as `curves` curves in one drawing allow.
pub(in super::super) fn along_curve(points: &[Point], curves: usize) -> Vec<Point> {
    let most = POINTS / curves.max(1);
    let mut least = FINEST;
    loop {
        let thinned = apart(points, least);
        if thinned.len() <= most.max(4) || least > 1e3 {
            return thinned;
        }
        least *= 2.0;
    }
}

fn apart(points: &[Point], least: f64) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for (k, point) in points.iter().enumerate() {
        let is_far = out.last().is_none_or(|last| {
            let (dx, dy) = (point.0 - last.0, point.1 - last.1);
            // A lifted pen is far from everything.
            !(dx * dx + dy * dy < least * least)
        });
        if is_far || k + 1 == points.len() {
            out.push(*point);
        }
    }
    out
}

/// Whether x never falls along the curve.
pub(super) fn rises(points: &[Point]) -> bool {
    let numbers = points.iter().map(|p| p.0).filter(|x| x.is_finite());
    numbers.is_sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy(count: usize) -> Vec<Point> {
        let wave = |k: usize| {
            let spike = if k == count / 3 { 50.0 } else { 0.0 };
            ((k * 7919) % 101) as f64 / 10.0 + spike
        };
        (0..count)
            .map(|k| (400.0 * k as f64 / count as f64, wave(k)))
            .collect()
    }

    #[test]
    fn thinning_keeps_the_extremes_of_every_column() {
        let points = noisy(100_000);
        let thin = over_columns(&points, 0.5);
        assert!(thin.len() <= 6 * 801, "{}", thin.len());
        for index in 0..800 {
            let inside = |p: &&Point| (p.0 / 0.5).floor() == f64::from(index);
            let ends = |list: &[Point]| {
                let y = list.iter().filter(inside).map(|p| p.1);
                (
                    y.clone().fold(f64::MAX, f64::min),
                    y.fold(f64::MIN, f64::max),
                )
            };
            assert_eq!(ends(&points), ends(&thin));
        }
        assert_eq!((points.first(), points.last()), (thin.first(), thin.last()));
        assert!(rises(&thin));
    }

    #[test]
    fn few_points_are_all_kept_with_their_jump_and_their_gap() {
        let gap = (f64::NAN, f64::NAN);
        let points = [(0.0, 1.0), (3.0, 2.0), (3.0, -2.0), gap, (9.0, 0.0)];
        let thin = over_columns(&points, 0.5);
        assert_eq!(thin.len(), 5);
        assert_eq!(thin[..3], points[..3]);
        assert!(thin[3].0.is_nan());
    }

    #[test]
    fn a_jump_stays_vertical_among_crowded_points() {
        let mut points: Vec<Point> = (0..90).map(|k| (f64::from(k) / 100.0, 0.0)).collect();
        points[20].1 = -9.0;
        points[40] = (0.4, -1.0);
        points[41] = (0.4, 1.0);
        points[60].1 = 9.0;
        let thin = over_columns(&points, 1.0);
        assert!(thin.len() <= 6 && thin.windows(2).any(|w| w == &points[40..42]));
    }

    #[test]
    fn a_scribble_of_a_million_points_is_bounded_and_keeps_its_ends() {
        let scribble: Vec<Point> = noisy(200_000)
            .into_iter()
            .enumerate()
            .map(|(k, p)| ((k as f64).sin() * 200.0, 20.0 * p.1))
            .collect();
        let thin = along_curve(&scribble, 1);
        assert!(thin.len() <= POINTS);
        assert_eq!(
            (thin.first(), thin.last()),
            (scribble.first(), scribble.last())
        );
    }
}
