//! The build of this program: two builds of one version may find different things.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A build, as the program reports it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The version.
    pub squall: String,
    /// The first digits of the git commit; none if it was built from sources without git, or by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether the sources differed from that commit.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dirty: bool,
}

impl Build {
    /// A build of which only the version is known.
    pub fn unknown() -> Build {
        Build { squall: env!("CARGO_PKG_VERSION").to_string(), commit: None, dirty: false }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.commit, self.dirty) {
            (Some(commit), false) => write!(f, "{} ({commit})", self.squall),
            (Some(commit), true) => write!(f, "{} ({commit}, dirty)", self.squall),
            (None, _) => write!(f, "{} (built without git)", self.squall),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
