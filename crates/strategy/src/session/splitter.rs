//! Splits a stream of text into whole commands, examining each byte once.

use smtlib::sexpr::Hiding;

/// Receives text in pieces and returns whole commands.
#[derive(Default, Debug)]
pub struct Splitter {
    text: Vec<u8>,
    /// The start of the current command, including preceding text.
    begin: usize,
    /// The end of the examined text.
    seen: usize,
    /// Whether other characters than blanks were seen since the start.
    started: bool,
    depth: usize,
    /// The kind of token at the current position.
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

    /// Returns the next whole command, including preceding text. Text that cannot begin a command (a stray word or `)`) is returned at
    /// the end of its line, for the parser to report.
    pub fn next_command(&mut self) -> Option<Vec<u8>> {
        while self.seen < self.text.len() {
            if let Some(hiding) = self.inside {
                // A string whose doubled quote is split between two pieces is left and entered again, with the same result.
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

    /// Returns the rest when the stream ends.
    pub fn rest(mut self) -> Vec<u8> {
        self.text.split_off(self.begin)
    }
}
