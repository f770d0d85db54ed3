//! What the exit code says, for every subcommand: a number means the same everywhere.

/// Nothing wrong was found.
pub const CLEAN: u8 = 0;
/// The work itself failed, or the input is wrong.
pub const FAILURE: u8 = 1;
/// The command line is wrong: it names what cannot be.
pub const USAGE: u8 = 2;
/// The work was stopped before its end; what was done so far is kept.
pub const UNFINISHED: u8 = 3;
/// What was looked for was found: a finding, an invalid model, a disagreement, a file with mistakes, a claim that does not hold.
pub const FOUND: u8 = 10;
/// The question could not be decided.
pub const UNKNOWN: u8 = 11;
