//! The laws and methods offered, by name.

use serde::{Deserialize, Serialize};

/// How an impact ends, and how friction is treated on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// Routh's path, ended by Newton's ratio of velocities.
    Newton,
    /// Routh's path, ended by Poisson's ratio of impulses.
    Poisson,
    /// Routh's path, ended by Stronge's ratio of works.
    Energetic,
    /// Newton's ratio with Coulomb's law on total impulses: what time-stepping engines compute.
    Moreau,
    /// One mode, sticking or sliding, assumed throughout: the textbook method.
    Whittaker,
}

impl Law {
    /// Every law, the three of Routh's path first.
    pub const ALL: [Self; 5] = [
        Self::Newton,
        Self::Poisson,
        Self::Energetic,
        Self::Moreau,
        Self::Whittaker,
    ];

    /// Name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
            Self::Moreau => "moreau",
            Self::Whittaker => "whittaker",
        }
    }

    /// What the law is, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Newton => "Routh's path, ended by Newton's ratio of velocities.",
            Self::Poisson => "Routh's path, ended by Poisson's ratio of impulses.",
            Self::Energetic => "Routh's path, ended by Stronge's ratio of works.",
            Self::Moreau => "Newton's ratio, Coulomb on total impulses.",
            Self::Whittaker => "One mode assumed throughout.",
        }
    }

    /// Whether the law follows the contact along Routh's path (the other two look at totals).
    pub fn follows_the_path(self) -> bool {
        matches!(self, Self::Newton | Self::Poisson | Self::Energetic)
    }

    /// Whether several contacts have this law by a method. One contact has every law.
    ///
    /// ```text
    ///              linear   complementarity   sequential   path
    /// newton       yes      yes               yes          –
    /// poisson      –        yes               yes          yes
    /// energetic    –        –                 yes          yes
    /// moreau       –        yes               –            –
    /// whittaker    –        –                 –            –
    /// ```
    pub fn is_offered(self, method: Method) -> bool {
        self.refusal(method).is_none()
    }

    /// Why several contacts do not have this law by a method, and what is expected; `None` where they do.
    pub fn refusal(self, method: Method) -> Option<&'static str> {
        match (method, self) {
            (Method::Linear, Self::Newton)
            | (Method::Complementarity, Self::Newton | Self::Poisson | Self::Moreau)
            | (Method::Sequential, Self::Newton | Self::Poisson | Self::Energetic)
            | (Method::Path, Self::Poisson | Self::Energetic) => None,
            (Method::Linear, _) => {
                Some("the linear method is Newton's ratio at every contact; expected newton")
            }
            (Method::Complementarity, Self::Energetic) => Some(
                "the work of one contact depends on the order in which the others compress, which \
                 complementarity does not know; expected newton, poisson or moreau, or method path",
            ),
            (Method::Complementarity, Self::Whittaker) => Some(
                "one mode assumed throughout is a method for one contact; expected newton, poisson or \
                 moreau",
            ),
            (Method::Sequential, Self::Moreau | Self::Whittaker) => Some(
                "it compares totals of one impact, and a sequence has many; expected newton, poisson \
                 or energetic",
            ),
            (Method::Path, Self::Newton) => Some(
                "a ratio of velocities does not say when the force of a contact ends while others still \
                 press; expected energetic or poisson",
            ),
            (Method::Path, Self::Moreau | Self::Whittaker) => Some(
                "it compares totals of one impact, and a path has its course; expected energetic or \
                 poisson",
            ),
        }
    }
}

impl Law {
    /// Why the law has no tangential restitution, and what is expected; `None` where it has.
    pub fn tangential_refusal(self) -> Option<&'static str> {
        match self {
            Self::Newton => None,
            Self::Poisson | Self::Energetic => {
                Some("on Routh's path friction alone determines the slip; expected newton")
            }
            Self::Moreau | Self::Whittaker => {
                Some("it is offered for comparison with programs that have none; expected newton")
            }
        }
    }
}

impl Method {
    /// Why several contacts, one of which has a tangential restitution, are not solved by a method, and what is
    /// expected; `None` where they are.
    pub fn tangential_refusal(self) -> Option<&'static str> {
        match self {
            Self::Sequential => None,
            Self::Linear => Some(
                "a contact has tangential_restitution, and the linear method has no tangential law; expected \
                 sequential",
            ),
            Self::Complementarity => Some(
                "a contact has tangential_restitution, and complementarity requires friction to oppose every slip \
                 at the end; expected sequential",
            ),
            Self::Path => Some(
                "a contact has tangential_restitution, and on a path friction alone determines the slip; expected \
                 sequential",
            ),
        }
    }
}

/// How several contacts are solved together. One contact has the same answer by each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Every contact obeys its law, whether it pushes or pulls.
    Linear,
    /// Contacts push or separate.
    #[default]
    Complementarity,
    /// One contact after another.
    Sequential,
    /// All contacts together along Routh's path, as stiff springs share it.
    Path,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [
        Self::Linear,
        Self::Complementarity,
        Self::Sequential,
        Self::Path,
    ];

    /// Name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Complementarity => "complementarity",
            Self::Sequential => "sequential",
            Self::Path => "path",
        }
    }

    /// What the method does, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Linear => "Every contact obeys its law, whether it pushes or pulls.",
            Self::Complementarity => "Contacts push or separate.",
            Self::Sequential => "One contact after another.",
            Self::Path => "All contacts along Routh's path, as stiff springs share it.",
        }
    }
}

impl std::fmt::Display for Law {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Law {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|law| law.name() == name);
        found.ok_or_else(|| UnknownName::new("law", name, &Self::ALL.map(Self::name)))
    }
}

impl std::str::FromStr for Method {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownName::new("method", name, &Self::ALL.map(Self::name)))
    }
}

/// A name that is no law or method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// `law` or `method`.
    pub which: &'static str,
    /// The name given.
    pub name: String,
    /// The names there are.
    pub allowed: String,
}

impl UnknownName {
    fn new(which: &'static str, name: &str, allowed: &[&str]) -> Self {
        Self {
            which,
            name: name.to_owned(),
            allowed: allowed.join(", "),
        }
    }
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            which,
            name,
            allowed,
        } = self;
        write!(f, "{which} is \"{name}\", expected one of {allowed}")
    }
}

impl std::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_law_and_a_wrong_one_lists_them() {
        for law in Law::ALL {
            assert_eq!(law.name().parse(), Ok(law));
        }
        let error = "hertz".parse::<Law>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "law is \"hertz\", expected one of newton, poisson, energetic, moreau, whittaker"
        );
    }
}
