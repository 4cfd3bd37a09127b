//! The laws offered, by name.

/// How an impact ends, and how friction is treated on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
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
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
            Self::Moreau => "moreau",
            Self::Whittaker => "whittaker",
        }
    }

    /// Whether the law follows the contact along Routh's path (the other two only compare ends).
    pub fn follows_the_path(self) -> bool {
        matches!(self, Self::Newton | Self::Poisson | Self::Energetic)
    }
}

impl std::fmt::Display for Law {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Law {
    type Err = UnknownLaw;

    fn from_str(name: &str) -> Result<Self, UnknownLaw> {
        Self::ALL
            .into_iter()
            .find(|law| law.name() == name)
            .ok_or_else(|| UnknownLaw {
                name: name.to_owned(),
            })
    }
}

/// A name that is no law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLaw {
    /// The name given.
    pub name: String,
}

impl std::fmt::Display for UnknownLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "law is \"{}\", expected newton, poisson, energetic, moreau or whittaker",
            self.name
        )
    }
}

impl std::error::Error for UnknownLaw {}
