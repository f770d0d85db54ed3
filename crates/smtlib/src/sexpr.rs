//! The s-expressions of any text as spans: scripts, solver output, users' tables.
//!
//! The tokens are those of the script reader, so that strings, quoted symbols and comments hide parentheses consistently (SMT-LIB 2.7,
//! section 3.1). The text need not be SMT-LIB: other text (`1/3`, `0b01`, `#f2m5`, `[`) is an atom up to the next blank, parenthesis,
//! quote, bar or semicolon, and a text may end anywhere. Nothing here is recursive, and everything takes linear time.

pub use crate::lexer::Hiding;
use crate::lexer::{Lexer, Loose};
use std::ops::Range;

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A word, number, keyword, string or quoted symbol.
    Atom,
    /// A list with its parentheses.
    List,
    /// A `)` that closes nothing.
    Stray,
    /// A list, string or quoted symbol that is not closed before the text ends.
    Cut,
}

/// An s-expression at the top level of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TopLevelSexpr {
    /// Its kind.
    pub kind: ItemKind,
    /// Its bytes.
    pub span: Range<usize>,
}

/// The iterator of [`items`].
#[derive(Clone)]
pub struct Items<'t> {
    lexer: Lexer<'t>,
}

/// An s-expression of a [`Sexprs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SexprNode(u32);

#[derive(Clone, Copy, Debug)]
struct SexprSpan {
    start: u32,
    end: u32,
    /// The first node after this one's contents.
    after: u32,
}

/// All s-expressions of a text, including nested ones: a list comes before its contents.
#[derive(Clone, Debug)]
pub struct Sexprs<'t> {
    text: &'t str,
    places: Vec<SexprSpan>,
    whole: bool,
}

/// Sibling nodes.
#[derive(Clone, Debug)]
pub struct Nodes<'s> {
    places: &'s [SexprSpan],
    next: u32,
    end: u32,
}

impl Iterator for Items<'_> {
    type Item = TopLevelSexpr;

    fn next(&mut self) -> Option<TopLevelSexpr> {
        let (first, mut span) = self.lexer.next_loose()?;
        let kind = match first {
            Loose::Atom => ItemKind::Atom,
            Loose::Close => ItemKind::Stray,
            Loose::Endless => ItemKind::Cut,
            Loose::Open => {
                let mut depth = 1usize;
                while depth > 0
                    && let Some((what, at)) = self.lexer.next_loose()
                {
                    span.end = at.end;
                    match what {
                        Loose::Open => depth += 1,
                        Loose::Close => depth -= 1,
                        Loose::Atom | Loose::Endless => {}
                    }
                }
                if depth == 0 { ItemKind::List } else { ItemKind::Cut }
            }
        };
        if kind == ItemKind::Cut {
            span.end = self.lexer.position();
        }
        Some(TopLevelSexpr { kind, span })
    }
}

impl SexprNode {
    /// Returns its number in [`Sexprs::nodes`], from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'t> Sexprs<'t> {
    /// Reads a text. Unclosed parts end with the text, and stray `)` are dropped; see [`Sexprs::is_whole`].
    ///
    /// A text of 4 GiB or more is not read at all.
    pub fn read(text: &'t str) -> Sexprs<'t> {
        let mut all = Sexprs { text, places: Vec::new(), whole: true };
        let Ok(length) = u32::try_from(text.len()) else {
            all.whole = false;
            return all;
        };
        let mut open: Vec<u32> = Vec::new();
        let mut lexer = Lexer::new(text);
        while let Some((what, span)) = lexer.next_loose() {
            let number = all.places.len() as u32;
            match what {
                Loose::Close => match open.pop() {
                    Some(list) => {
                        let place = &mut all.places[list as usize];
                        (place.end, place.after) = (span.end as u32, number);
                    }
                    None => all.whole = false,
                },
                Loose::Open | Loose::Atom | Loose::Endless => {
                    if what == Loose::Open {
                        open.push(number);
                    }
                    all.whole &= what != Loose::Endless;
                    all.places.push(SexprSpan { start: span.start as u32, end: span.end as u32, after: number + 1 });
                }
            }
        }
        all.whole &= open.is_empty();
        let count = all.places.len() as u32;
        for list in open {
            let place = &mut all.places[list as usize];
            (place.end, place.after) = (length, count);
        }
        all
    }

    /// Reads a non-empty text; `None` if its parentheses, quotes or bars do not match.
    pub fn read_whole(text: &'t str) -> Option<Sexprs<'t>> {
        Some(Sexprs::read(text)).filter(|all| all.whole && !all.places.is_empty())
    }

    /// Whether all parentheses, quotes and bars match.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the nodes of the top level.
    pub fn top(&self) -> Nodes<'_> {
        Nodes { places: &self.places, next: 0, end: self.places.len() as u32 }
    }

    /// Returns all nodes in text order.
    pub fn nodes(&self) -> impl Iterator<Item = SexprNode> + use<> {
        (0..self.places.len() as u32).map(SexprNode)
    }

    /// Returns the elements of a list; none for an atom.
    pub fn children(&self, node: SexprNode) -> Nodes<'_> {
        Nodes { places: &self.places, next: node.0 + 1, end: self.place(node).after }
    }

    /// Returns a node and all its descendants, in text order.
    pub fn within(&self, node: SexprNode) -> impl Iterator<Item = SexprNode> + use<> {
        (node.0..self.place(node).after).map(SexprNode)
    }

    /// Returns the bytes of a node.
    pub fn span(&self, node: SexprNode) -> Range<usize> {
        let SexprSpan { start, end, .. } = self.place(node);
        start as usize..end as usize
    }

    /// Returns the text of a node.
    pub fn text(&self, node: SexprNode) -> &'t str {
        &self.text[self.span(node)]
    }

    /// Returns the texts of a list's elements.
    pub fn words(&self, node: SexprNode) -> Vec<&'t str> {
        self.children(node).map(|child| self.text(child)).collect()
    }

    /// Whether a node is a list.
    pub fn is_list(&self, node: SexprNode) -> bool {
        // No atom begins with a parenthesis.
        self.text.as_bytes()[self.place(node).start as usize] == b'('
    }

    /// Returns the elements after the head of a list with this head.
    pub fn headed(&self, node: SexprNode, word: &str) -> Option<Vec<SexprNode>> {
        let mut children = self.children(node);
        let first = children.next()?;
        (!self.is_list(first) && self.text(first) == word).then(|| children.collect())
    }

    /// Returns the spans of all atoms, in order.
    pub fn atoms(&self) -> impl Iterator<Item = Range<usize>> {
        self.nodes().filter(|&n| !self.is_list(n)).map(|n| self.span(n))
    }

    fn place(&self, node: SexprNode) -> SexprSpan {
        self.places[node.0 as usize]
    }
}

impl Iterator for Nodes<'_> {
    type Item = SexprNode;

    fn next(&mut self) -> Option<SexprNode> {
        let node = SexprNode(self.next);
        if self.next >= self.end {
            return None;
        }
        self.next = self.places[self.next as usize].after;
        Some(node)
    }
}

/// Returns the s-expressions at the top level of a text, one after the other.
pub fn items<T: AsRef<[u8]> + ?Sized>(text: &T) -> Items<'_> {
    Items { lexer: Lexer::of_bytes(text.as_ref()) }
}

/// Whether a text is exactly one whole s-expression, except for comments.
pub fn is_one<T: AsRef<[u8]> + ?Sized>(text: &T) -> bool {
    let mut parts = items(text);
    parts.next().is_some_and(|item| matches!(item.kind, ItemKind::Atom | ItemKind::List)) && parts.next().is_none()
}

/// Returns the spans of all atoms of a text, at any depth.
pub fn atoms<T: AsRef<[u8]> + ?Sized>(text: &T) -> impl Iterator<Item = Range<usize>> {
    let mut lexer = Lexer::of_bytes(text.as_ref());
    std::iter::from_fn(move || {
        loop {
            let (what, span) = lexer.next_loose()?;
            if matches!(what, Loose::Atom | Loose::Endless) {
                return Some(span);
            }
        }
    })
}

/// Returns the first word of a list; empty for any other text.
pub fn head(list: &str) -> &str {
    let mut lexer = Lexer::new(list);
    match (lexer.next_loose(), lexer.next_loose()) {
        (Some((Loose::Open, _)), Some((Loose::Atom, word))) => &list[word],
        _ => "",
    }
}

/// Whether a command of this name is answered by `sat`, `unsat` or `unknown`.
pub fn is_check(name: &str) -> bool {
    matches!(name, "check-sat" | "check-sat-assuming" | "check-sat-using" | "query")
}

/// Returns a symbol's name: its text without the bars of a quoted one.
pub fn bare(atom: &str) -> &str {
    atom.strip_prefix('|').and_then(|a| a.strip_suffix('|')).unwrap_or(atom)
}

/// Puts `:status` before each check, in order; `None` leaves a check unchanged.
///
/// ```
/// let text = "(assert true)\n(check-sat)\n(check-sat-assuming ((not true)))\n";
/// let stated = smtlib::sexpr::with_status(text, ["sat", "unsat"].map(Some));
/// assert_eq!(
///     stated,
///     "(assert true)\n(set-info :status sat)\n(check-sat)\n(set-info :status unsat)\n(check-sat-assuming ((not true)))\n"
/// );
/// ```
pub fn with_status<'a>(text: &str, answers: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let mut answers = answers.into_iter();
    let mut out = String::with_capacity(text.len() + 64);
    let mut copied = 0;
    for item in items(text) {
        if is_check(head(&text[item.span.clone()]))
            && let Some(Some(answer)) = answers.next()
        {
            out.push_str(&text[copied..item.span.start]);
            out.push_str(&format!("(set-info :status {answer})\n"));
            copied = item.span.start;
        }
    }
    out + &text[copied..]
}

/// Removes every `(set-info :status …)`, with its line if it is alone there.
///
/// ```
/// let text = "; a\n(set-info :status sat)\n(check-sat)\n";
/// assert_eq!(smtlib::sexpr::without_status(text), "; a\n(check-sat)\n");
/// ```
pub fn without_status(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for item in items(text) {
        let mut words = text[item.span.clone()].trim_start_matches('(').split_ascii_whitespace();
        if (words.next(), words.next()) == (Some("set-info"), Some(":status")) {
            out.push_str(&text[copied..item.span.start]);
            copied = item.span.end + usize::from(text[item.span.end..].starts_with('\n'));
        }
    }
    out + &text[copied..]
}
