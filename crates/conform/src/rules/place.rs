//! Where rules stand in a file, by line and column.

/// Where something stands in a file, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RulePlace {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// Counts lines and columns along a text.
pub struct PlaceCounter<'t> {
    text: &'t str,
    offset: usize,
    place: RulePlace,
}

impl<'t> PlaceCounter<'t> {
    /// Begins at the first byte.
    pub fn new(text: &'t str) -> PlaceCounter<'t> {
        PlaceCounter { text, offset: 0, place: RulePlace { line: 1, column: 1 } }
    }

    /// The place of a byte that is not before the one asked for last.
    pub fn at(&mut self, offset: usize) -> RulePlace {
        for c in self.text.get(self.offset..offset).unwrap_or_default().chars() {
            self.place = match c {
                '\n' => RulePlace { line: self.place.line + 1, column: 1 },
                _ => RulePlace { column: self.place.column + 1, ..self.place },
            };
        }
        self.offset = self.offset.max(offset);
        self.place
    }
}
