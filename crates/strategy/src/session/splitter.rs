//! A stream of text cut into whole commands, each byte looked at once.

use smtlib::sexpr::Hiding;

/// Takes text in pieces and gives out whole commands.
#[derive(Default, Debug)]
pub struct Splitter {
    text: Vec<u8>,
    /// Where the command begins that is looked at, with whatever stands before it.
    begin: usize,
    /// Up to where the text has been looked at.
    seen: usize,
    /// There is something else than blanks since it began.
    started: bool,
    depth: usize,
    /// What the text is in the middle of.
    inside: Option<Hiding>,
}

impl Splitter {
    /// Adds a piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.text.drain(..self.begin);
        self.seen -= self.begin;
        self.begin = 0;
        self.text.extend_from_slice(piece);
    }

    /// The next whole command, with whatever stands before it. Text that cannot begin a command (a stray word or `)`) is
    /// given out at the end of its line, for the reader to complain about.
    pub fn next_command(&mut self) -> Option<Vec<u8>> {
        while self.seen < self.text.len() {
            if let Some(hiding) = self.inside {
                // A string whose doubled quote comes in two pieces is left and entered again, which comes to the same.
                let end = hiding.end(&self.text, self.seen);
                self.seen = end.unwrap_or(self.text.len());
                if end.is_some() {
                    self.inside = None;
                }
                continue;
            }
            let byte = self.text[self.seen];
            self.seen += 1;
            self.started |= !byte.is_ascii_whitespace();
            self.inside = Hiding::opened_by(byte);
            let whole = match byte {
                b'(' => {
                    self.depth += 1;
                    false
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.depth == 0
                }
                b'\n' => self.depth == 0 && self.started,
                _ => false,
            };
            if whole {
                let command = self.text[self.begin..self.seen].to_vec();
                (self.begin, self.started) = (self.seen, false);
                return Some(command);
            }
        }
        None
    }

    /// What is left when the stream ends.
    pub fn rest(mut self) -> Vec<u8> {
        self.text.split_off(self.begin)
    }
}
