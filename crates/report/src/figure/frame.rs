//! A window of a plane on paper: scales, ticks, clipped lines.

use carom_contact::impact::planar::Line;

use super::axis::{Axis, NAMES, NUMBERS, Scale};
use super::svg::{Anchor, Stroke, Svg, colour};

/// A point, in the quantities of the window or on paper.
pub(super) type Point = (f64, f64);
/// Least and greatest value.
pub(super) type Range = (f64, f64);

/// Place of the window on the paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// Window of the plane and its place on the paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    pub(super) place: Box,
}

/// Room left beside the points, as a fraction of their spread.
const ROOM: f64 = 0.14;
/// Least height of the window over its width, so that a flat path is not blown up.
const LEAST_HEIGHT: f64 = 0.3;
/// A line meets the window if it comes this close (fraction of its size).
const EDGE: f64 = 1e-9;

impl Frame {
    /// A window that shows the origin and every point, with some room.
    pub(super) fn around(points: &[Point], place: Box) -> Self {
        let far = points.iter().map(|p| p.0).fold(0.0, f64::max);
        let high = points.iter().map(|p| p.1).fold(0.0, f64::max);
        let low = points.iter().map(|p| p.1).fold(0.0, f64::min);
        let far = if far > 0.0 { (1.0 + ROOM) * far } else { 1.0 };
        let height = (high - low).max(LEAST_HEIGHT * far);
        let room = (height - (high - low)) / 2.0 + ROOM * height;
        Self {
            x: (0.0, far),
            y: (low - room, high + room),
            place,
        }
    }

    /// A window with the same scale on both axes, from the upper left of a place and as wide; its
    /// height stays within bounds, and the window grows to match.
    pub(super) fn equal(x: Range, y: Range, place: Box, height: Range) -> Self {
        let width = place.right - place.left;
        let (spread_x, spread_y) = (x.1 - x.0, y.1 - y.0);
        let high = (width * spread_y / spread_x).clamp(height.0, height.1);
        let scale = (width / spread_x).min(high / spread_y);
        let grown = |(low, high): Range, paper: f64| {
            let room = (paper / scale - (high - low)) / 2.0;
            (low - room, high + room)
        };
        Self {
            x: grown(x, width),
            y: grown(y, high),
            place: Box {
                bottom: place.top + high,
                ..place
            },
        }
    }

    pub(super) fn at(&self, p: Point) -> Point {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let x = (p.0 - self.x.0) / (self.x.1 - self.x.0);
        let y = (p.1 - self.y.0) / (self.y.1 - self.y.0);
        (left + x * (right - left), bottom - y * (bottom - top))
    }

    /// The part of a line inside the window, from left to right (or bottom to top).
    pub(super) fn clip(&self, line: &Line) -> Option<[Point; 2]> {
        let ((x0, x1), (y0, y1)) = (self.x, self.y);
        let mut hits: Vec<Point> = Vec::new();
        if line.t != 0.0 {
            let y = |x: f64| -(line.n * x + line.offset) / line.t;
            hits.extend([(x0, y(x0)), (x1, y(x1))]);
        }
        if line.n != 0.0 {
            let x = |y: f64| -(line.t * y + line.offset) / line.n;
            hits.extend([(x(y0), y0), (x(y1), y1)]);
        }
        let (dx, dy) = (EDGE * (x1 - x0), EDGE * (y1 - y0));
        hits.retain(|p| (x0 - dx..=x1 + dx).contains(&p.0) && (y0 - dy..=y1 + dy).contains(&p.1));
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (first, last) = (*hits.first()?, *hits.last()?);
        (first != last).then_some([first, last])
    }

    /// Grid, axes through the origin and labels; very large or small numbers are shown in a power
    /// of ten.
    pub(super) fn axes(&self, svg: &mut Svg, x: &Axis, y: &Axis) {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let axis = Stroke::solid(colour::BLACK, 1.2);
        let (x_scale, y_scale) = (Scale::of(self.x, 7), Scale::of(self.y, 6));
        self.grid(svg, &x_scale, &y_scale);
        self.x_numbers(svg, &x_scale);
        self.y_numbers(svg, &y_scale);
        let (_, zero) = self.at((0.0, 0.0));
        svg.line((left, zero), (right, zero), axis);
        svg.line((left, top), (left, bottom), axis);
        self.x_name(svg, x, &x_scale);
        self.y_name(svg, y, &y_scale);
    }

    /// Light lines at the round numbers.
    pub(super) fn grid(&self, svg: &mut Svg, x_scale: &Scale, y_scale: &Scale) {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let grid = Stroke::solid(colour::LIGHT, 1.0);
        for tick in &x_scale.ticks {
            let (x, _) = self.at((*tick, self.y.0));
            svg.line((x, top), (x, bottom), grid);
        }
        for tick in &y_scale.ticks {
            let (_, y) = self.at((self.x.0, *tick));
            svg.line((left, y), (right, y), grid);
        }
    }

    /// The numbers below the window.
    pub(super) fn x_numbers(&self, svg: &mut Svg, scale: &Scale) {
        for tick in &scale.ticks {
            let (x, _) = self.at((*tick, self.y.0));
            let at = (x, self.place.bottom + 18.0);
            let label = scale.label(*tick);
            svg.text(at, Anchor::Middle, NUMBERS, colour::BLACK, &label);
        }
    }

    /// The numbers left of the window.
    pub(super) fn y_numbers(&self, svg: &mut Svg, scale: &Scale) {
        for tick in &scale.ticks {
            let (_, y) = self.at((self.x.0, *tick));
            let at = (self.place.left - 8.0, y + 4.5);
            let label = scale.label(*tick);
            svg.text(at, Anchor::End, NUMBERS, colour::BLACK, &label);
        }
    }

    /// The name below the window.
    pub(super) fn x_name(&self, svg: &mut Svg, axis: &Axis, scale: &Scale) {
        let Box {
            left,
            right,
            bottom,
            ..
        } = self.place;
        let at = ((left + right) / 2.0, bottom + 40.0);
        let (name, size) = axis.label(scale, right - left);
        svg.text(at, Anchor::Middle, size, colour::BLACK, &name);
    }

    /// The name left of the window, along it.
    pub(super) fn y_name(&self, svg: &mut Svg, axis: &Axis, scale: &Scale) {
        let Box { top, bottom, .. } = self.place;
        let (name, size) = axis.label(scale, bottom - top + 2.0 * NAMES);
        svg.vertical_text((20.0, (top + bottom) / 2.0), size, &name);
    }

    /// A line around the window.
    pub(super) fn border(&self, svg: &mut Svg) {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        svg.shape(&corners, "none", Stroke::solid(colour::BLACK, 1.0));
    }
}
