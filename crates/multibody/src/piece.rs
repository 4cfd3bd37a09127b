//! The smooth piece of a surface that a contact lies on.

use crate::contact;
use crate::space;

/// A smooth piece of the surface of a contact: a side or a corner in the plane; a face, an edge, a vertex or a
/// crossing of edges, or a rim, in space; or a surface that is smooth as a whole.
///
/// Whoever follows a closed contact keeps its piece and hands it back with the [`State`](crate::State): a
/// contact that keeps to a piece does not see what lies beyond the end of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece(pub(crate) Kind);

/// Which piece, of which kind of surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Whole,
    Plane(contact::distance::Piece),
    Space(space::contact::distance::Piece),
    /// Edges that cross, with the sense of `A × B` along the normal.
    Crossed(f64),
    Rim(space::contact::rim::Piece),
}

impl Piece {
    /// A surface that is smooth as a whole: it has no end.
    pub const WHOLE: Self = Self(Kind::Whole);

    /// The piece of an outline, where there are several.
    pub(crate) fn of_plane(self) -> Option<contact::distance::Piece> {
        match self.0 {
            Kind::Plane(piece) => Some(piece),
            _ => None,
        }
    }

    /// The piece of a solid next to a point, where there are several.
    pub(crate) fn of_space(self) -> Option<space::contact::distance::Piece> {
        match self.0 {
            Kind::Space(piece) => Some(piece),
            _ => None,
        }
    }

    /// How a rim lies on a plane.
    pub(crate) fn of_rim(self) -> Option<space::contact::rim::Piece> {
        match self.0 {
            Kind::Rim(piece) => Some(piece),
            _ => None,
        }
    }

    /// The sense of edges that are kept crossed.
    pub(crate) fn sense(self) -> Option<f64> {
        match self.0 {
            Kind::Crossed(sense) => Some(sense),
            _ => None,
        }
    }
}

impl From<Option<contact::distance::Piece>> for Piece {
    fn from(piece: Option<contact::distance::Piece>) -> Self {
        piece.map_or(Self::WHOLE, |piece| Self(Kind::Plane(piece)))
    }
}

impl From<Option<space::contact::distance::Piece>> for Piece {
    fn from(piece: Option<space::contact::distance::Piece>) -> Self {
        piece.map_or(Self::WHOLE, |piece| Self(Kind::Space(piece)))
    }
}
