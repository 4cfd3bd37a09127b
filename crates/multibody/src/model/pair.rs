//! Two shapes that may touch, found by their names.

use super::{BodyId, Model, ModelError};
use crate::algebra::Algebra;

/// Why a pair of shapes was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PairError<F> {
    /// A body or shape does not exist.
    Unknown(ModelError<F>),
    /// Both shapes are on one body, or both on the world.
    SameBody {
        /// The body.
        body: String,
    },
    /// No gap is defined between these two.
    NotOffered {
        /// First shape, as `lower.tip`.
        first: String,
        /// Second shape.
        second: String,
        /// What both are.
        form: &'static str,
    },
    /// No gap is offered between shapes of these two forms.
    NotPaired {
        /// First shape, as `lower.tip`.
        first: String,
        /// Second shape.
        second: String,
        /// What they are.
        forms: [&'static str; 2],
        /// What the form that has few partners may meet.
        offered: &'static str,
    },
    /// A round shape that does not fit into a hollow one.
    TooWide {
        /// The round shape, as `ball.skin`.
        shape: String,
        /// Its radius (m).
        radius: f64,
        /// The hollow shape.
        hollow: String,
        /// Radius of the hollow (m).
        room: f64,
    },
}

/// A form as a sentence names it.
fn with_article(form: &str) -> String {
    match form.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => format!("an {form}"),
        false => format!("a {form}"),
    }
}

impl<F: std::fmt::Display> std::fmt::Display for PairError<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(source) => write!(f, "{source}"),
            Self::SameBody { body } => write!(
                f,
                "both shapes are on {body}, expected shapes of two bodies"
            ),
            Self::NotOffered {
                first,
                second,
                form,
            } => write!(
                f,
                "{first} and {second} are both {}, expected at least one shape that is not",
                with_article(form)
            ),
            Self::NotPaired {
                first,
                second,
                forms: [a, b],
                offered,
            } => write!(
                f,
                "{first} is {} and {second} {}: no gap between these is offered; {offered}",
                with_article(a),
                with_article(b)
            ),
            Self::TooWide {
                shape,
                radius,
                hollow,
                room,
            } => write!(
                f,
                "{shape} has a radius of {radius}, expected less than that of {hollow}, {room}"
            ),
        }
    }
}

impl<F: std::error::Error + 'static> std::error::Error for PairError<F> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unknown(source) => Some(source),
            _ => None,
        }
    }
}

/// A shape by its body (or `world`) and its own name.
type Named<'a> = (&'a str, &'a str);
/// A shape with the body that carries it.
pub(crate) type Carried<'a, A> = (BodyId, &'a <A as Algebra>::Shape);

impl<A: Algebra> Model<A> {
    /// Two shapes of different bodies.
    pub(crate) fn pair(
        &self,
        first: Named<'_>,
        second: Named<'_>,
    ) -> Result<[Carried<'_, A>; 2], PairError<A::ShapeFault>> {
        let find = |(body, name): Named<'_>| {
            let shape = self.shape(body, name).map_err(PairError::Unknown)?;
            let id = self.body(body).unwrap_or(BodyId::WORLD);
            Ok((id, shape))
        };
        let (a, b) = (find(first)?, find(second)?);
        if a.0 == b.0 {
            let body = first.0.to_owned();
            return Err(PairError::SameBody { body });
        }
        Ok([a, b])
    }
}

impl<F> PairError<F> {
    /// Two shapes of one form that have no gap.
    pub(crate) fn not_offered(first: Named<'_>, second: Named<'_>, form: &'static str) -> Self {
        Self::NotOffered {
            first: format!("{}.{}", first.0, first.1),
            second: format!("{}.{}", second.0, second.1),
            form,
        }
    }
}
