//! Convex outlines cut by lines.

use super::super::frame::{Frame, Point};

/// The part of a convex outline on the side of a line its normal points to.
pub(super) fn cut(corners: &[Point], on_line: Point, normal: Point) -> Vec<Point> {
    let height = |p: &Point| (p.0 - on_line.0) * normal.0 + (p.1 - on_line.1) * normal.1;
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (k, p) in corners.iter().enumerate() {
        let q = &corners[(k + 1) % corners.len()];
        let (a, b) = (height(p), height(q));
        if a >= 0.0 {
            kept.push(*p);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            let s = a / (a - b);
            kept.push((p.0 + s * (q.0 - p.0), p.1 + s * (q.1 - p.1)));
        }
    }
    kept
}

/// The corners of the window, counter-clockwise.
pub(super) fn window(frame: &Frame) -> [Point; 4] {
    let ((x0, x1), (y0, y1)) = (frame.x, frame.y);
    [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
}

/// The part of a convex outline inside the window.
pub(super) fn inside(corners: &[Point], frame: &Frame) -> Vec<Point> {
    let [low, _, high, _] = window(frame);
    let sides = [
        (low, (1.0, 0.0)),
        (low, (0.0, 1.0)),
        (high, (-1.0, 0.0)),
        (high, (0.0, -1.0)),
    ];
    let start = corners.to_vec();
    sides
        .iter()
        .fold(start, |rest, (point, normal)| cut(&rest, *point, *normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_cut_through_its_middle_leaves_half_of_it() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let half = cut(&square, (0.0, 1.0), (0.0, -1.0));
        assert_eq!(half, [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]);
        assert!(cut(&square, (0.0, 3.0), (0.0, 1.0)).is_empty());
        assert_eq!(cut(&square, (0.0, -3.0), (0.0, 1.0)), square);
    }
}
