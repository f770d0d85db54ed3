//! A stream of text cut into whole commands, each byte looked at once.

/// Takes text in pieces and gives out whole commands.
#[derive(Default, Debug)]
pub struct Splitter {
    text: Vec<u8>,
    /// Up to where the text has been looked at.
    seen: usize,
    depth: usize,
    inside: Inside,
}

/// What hides parentheses (SMT-LIB 2.7, section 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Inside {
    #[default]
    Nothing,
    Comment,
    String,
    Symbol,
}

impl Splitter {
    /// Adds a piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.text.extend_from_slice(piece);
    }

    /// The next whole command, with whatever stands before it. Text that cannot begin a command (a stray word or `)`) is
    /// given out at the end of its line, for the reader to complain about.
    pub fn next_command(&mut self) -> Option<Vec<u8>> {
        while let Some(&byte) = self.text.get(self.seen) {
            self.seen += 1;
            let whole = match (self.inside, byte) {
                (Inside::Comment, b'\n') | (Inside::String, b'"') | (Inside::Symbol, b'|') => {
                    // A doubled quote leaves the string and enters it again, which comes to the same.
                    self.inside = Inside::Nothing;
                    false
                }
                (Inside::Nothing, b';') => self.enter(Inside::Comment),
                (Inside::Nothing, b'"') => self.enter(Inside::String),
                (Inside::Nothing, b'|') => self.enter(Inside::Symbol),
                (Inside::Nothing, b'(') => {
                    self.depth += 1;
                    false
                }
                (Inside::Nothing, b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    self.depth == 0
                }
                (Inside::Nothing, b'\n') => self.depth == 0 && !self.text[..self.seen].trim_ascii().is_empty(),
                _ => false,
            };
            if whole {
                let rest = self.text.split_off(self.seen);
                self.seen = 0;
                return Some(std::mem::replace(&mut self.text, rest));
            }
        }
        None
    }

    /// What is left when the stream ends.
    pub fn rest(self) -> Vec<u8> {
        self.text
    }

    fn enter(&mut self, inside: Inside) -> bool {
        self.inside = inside;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Splitter;

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
    }
}
