//! Random pushes and pops with the exact number of open levels.

use crate::rng::RandomStream;

/// The most levels one push or pop moves, and the most that are open at once.
const MAX_STEP: u64 = 3;
const MAX_LEVELS: u64 = 12;

/// What becomes of the levels before a group of assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelChange {
    /// They stay.
    Stay,
    /// So many are opened.
    Push(u64),
    /// So many are closed.
    Pop(u64),
}

/// The assertion levels of a script under way.
///
/// Invariant: `open` is the number of levels the solver has open, so that no pop ever asks for more than there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenLevels {
    open: u64,
}

impl OpenLevels {
    /// How many levels are open.
    pub fn open(self) -> u64 {
        self.open
    }

    /// Draws a push, a pop or neither, and writes the command.
    pub fn step(&mut self, rng: &mut RandomStream, out: &mut String) -> LevelChange {
        match rng.below(3) {
            0 if self.open > 0 => {
                let n = rng.between(1, self.open.min(MAX_STEP));
                self.open -= n;
                write("(pop ", n, out);
                LevelChange::Pop(n)
            }
            0 | 1 if self.open < MAX_LEVELS => {
                let n = rng.between(1, MAX_STEP.min(MAX_LEVELS - self.open));
                self.open += n;
                write("(push ", n, out);
                LevelChange::Push(n)
            }
            _ => LevelChange::Stay,
        }
    }
}

/// `(push n)` or `(pop n)`; `n` is at most [`MAX_STEP`], so one digit is enough.
fn write(command: &str, n: u64, out: &mut String) {
    out.push_str(command);
    out.push(char::from(b'0' + n as u8));
    out.push_str(")\n");
}
