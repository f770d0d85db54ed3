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

#[cfg(test)]
mod tests {
    use super::Splitter;

    /// Blank lines, and small commands in large pieces, were once looked at or copied over and over.
    #[test]
    fn a_million_lines_are_split_in_one_go() {
        let mut splitter = Splitter::default();
        splitter.push(&b"\n".repeat(3_000_000));
        splitter.push(&b"(a)\n".repeat(1_000_000));
        let mut count = 0;
        while splitter.next_command().is_some() {
            count += 1;
        }
        assert_eq!((count, splitter.rest()), (1_000_000, b"\n".to_vec()));
    }

    #[test]
    fn commands_come_whole_however_they_are_cut() {
        let check = |text: &str, expect: &[&str]| {
            for piece in [1, 2, 3, 1000] {
                let mut splitter = Splitter::default();
                let mut found = Vec::new();
                for piece in text.as_bytes().chunks(piece) {
                    splitter.push(piece);
                    while let Some(command) = splitter.next_command() {
                        let command = String::from_utf8_lossy(&command).trim().to_string();
                        if !command.is_empty() {
                            found.push(command);
                        }
                    }
                }
                assert_eq!(found, expect, "pieces of {piece}");
            }
        };
        check("(a)(b c)\n(d (e))", &["(a)", "(b c)", "(d (e))"]);
        check("(echo \")\"\") (\")(x)", &["(echo \")\"\") (\")", "(x)"]);
        check("(a |)|)(b ; )\n)", &["(a |)|)", "(b ; )\n)"]);
        check("; comment (\n(a)", &["; comment (\n(a)"]);
        check("check-sat\n(a)", &["check-sat", "(a)"]);
        check(")\n(a)", &[")", "(a)"]);
        check("(open", &[]);
        check("(\"a\"\")\" |;)| b)(c)", &["(\"a\"\")\" |;)| b)", "(c)"]);
    }
    /// Whatever the bytes, and wherever they are cut.
    #[test]
    fn pieces_make_no_difference() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let split = |pieces: &[&[u8]]| {
            let mut splitter = Splitter::default();
            let mut found = Vec::new();
            for piece in pieces {
                splitter.push(piece);
                while let Some(command) = splitter.next_command() {
                    found.push(command);
                }
            }
            found.push(splitter.rest());
            found
        };
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..random(40)).map(|_| b"()|\"; \na\x00\xff"[random(10)]).collect();
            let whole = split(&[&text]);
            assert_eq!(whole.concat(), text);
            let (a, b) = (random(text.len() + 1), random(text.len() + 1));
            let (a, b) = (a.min(b), a.max(b));
            assert_eq!(split(&[&text[..a], &text[a..b], &text[b..]]), whole, "{:?}", String::from_utf8_lossy(&text));
        }
    }
}
