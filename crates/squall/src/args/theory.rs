//! Theories of generated problems.

use clap::builder::PossibleValuesParser;
use mutate::finite::theme::THEMES;

/// Parses the name of a theory or of a combination.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(THEMES.iter().map(|theme| theme.name))
}
