//! Names of theories that problems are made of from nothing.

use clap::builder::PossibleValuesParser;
use mutate::finite::theme::THEMES;

/// A name of a theory, or of several together.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(THEMES.iter().map(|theme| theme.name))
}
