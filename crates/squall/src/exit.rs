//! What the exit code says, for every subcommand: a number means the same everywhere.

use std::process::{self, ExitCode, Termination};

/// How the program ends. A command says it by this alone; `docs/cli.md` is the page of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Nothing wrong was found.
    Clean = 0,
    /// The work itself failed, or the input is wrong.
    Failure = 1,
    /// The command line is wrong: it names what cannot be.
    Usage = 2,
    /// The work was stopped before its end; what was done so far is kept.
    Unfinished = 3,
    /// What was looked for was found: a finding, an invalid model, a disagreement, a file with mistakes, a claim that does not hold.
    Found = 10,
    /// The question could not be decided.
    Unknown = 11,
    /// A second Ctrl-C ended the program at once.
    Interrupted = 130,
}

impl Exit {
    /// The number that the system is given.
    pub fn code(self) -> i32 {
        self as i32
    }

    /// Ends the process here and now, without dropping what is held.
    pub fn end(self) -> ! {
        process::exit(self.code())
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}
