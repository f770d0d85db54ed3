//! Exit codes. A code means the same for every subcommand.

use std::process::{self, ExitCode, Termination};

/// How the program ends; `docs/cli.md` describes the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Nothing wrong was found.
    Clean = 0,
    /// The work itself failed, or the input is wrong.
    Failure = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The work was stopped before its end; partial results are kept.
    Unfinished = 3,
    /// Something was found: a finding, an invalid model, a disagreement, a file with errors, a claim that does not hold.
    Found = 10,
    /// The question could not be decided.
    Unknown = 11,
    /// A second Ctrl-C ended the program at once.
    Interrupted = 130,
}

impl Exit {
    /// Returns the process's exit code.
    pub fn code(self) -> i32 {
        self as i32
    }

    /// Ends the process at once, without running destructors.
    pub fn end(self) -> ! {
        process::exit(self.code())
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}
