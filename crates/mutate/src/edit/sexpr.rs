//! The s-expressions of a text as spans, for finding the places of a printed term again.

/// No node: the end of a list of children.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    first: u32,
    next: u32,
    list: bool,
}

/// All s-expressions of a text; node 0 is the first of the top level.
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    nodes: Vec<Node>,
}

impl Sexprs {
    /// Reads a text; none where parentheses, bars or quotes do not match. Comments (from `;` to the line's end) are skipped.
    pub fn read(text: &str) -> Option<Sexprs> {
        let bytes = text.as_bytes();
        let mut nodes: Vec<Node> = Vec::new();
        // Open lists with their last child so far; the top level stands at the bottom.
        let mut open: Vec<(u32, u32)> = vec![(NONE, NONE)];
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            let start = at;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
                    continue;
                }
                b')' => {
                    let (list, _) = open.pop()?;
                    if list == NONE {
                        return None;
                    }
                    at += 1;
                    nodes[list as usize].end = at as u32;
                    continue;
                }
                b'(' => at += 1,
                b'|' => at += 2 + bytes[at + 1..].iter().position(|&b| b == b'|')?,
                b'"' => at = string_end(bytes, at)?,
                _ => {
                    let ends = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'(' | b')' | b';');
                    at += bytes[at..].iter().position(|&b| ends(b)).unwrap_or(bytes.len() - at);
                }
            }
            let number = nodes.len() as u32;
            let list = byte == b'(';
            nodes.push(Node { start: start as u32, end: at as u32, first: NONE, next: NONE, list });
            let (parent, last) = open.last_mut()?;
            match *last {
                NONE if *parent == NONE => {}
                NONE => nodes[*parent as usize].first = number,
                before => nodes[before as usize].next = number,
            }
            *last = number;
            if list {
                open.push((number, NONE));
            }
        }
        (open.len() == 1 && !nodes.is_empty()).then_some(Sexprs { nodes })
    }

    /// Where a node begins and ends.
    pub fn span(&self, node: u32) -> (u32, u32) {
        let n = self.nodes[node as usize];
        (n.start, n.end)
    }

    /// The text of a node.
    pub fn text<'t>(&self, text: &'t str, node: u32) -> &'t str {
        let (start, end) = self.span(node);
        &text[start as usize..end as usize]
    }

    /// Whether a node is a list.
    pub fn is_list(&self, node: u32) -> bool {
        self.nodes[node as usize].list
    }

    /// The children of a node, none of an atom.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.chain(self.nodes[node as usize].first)
    }

    /// The spans of all atoms, in order.
    pub fn atoms(&self) -> impl Iterator<Item = (u32, u32)> {
        self.nodes.iter().filter(|n| !n.list).map(|n| (n.start, n.end))
    }

    /// The nodes of the top level.
    pub fn top(&self) -> impl Iterator<Item = u32> {
        self.chain(if self.nodes.is_empty() { NONE } else { 0 })
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = u32> {
        let some = |n: u32| (n != NONE).then_some(n);
        std::iter::successors(some(first), move |&n| some(self.nodes[n as usize].next))
    }

    /// The children of a list that begins with this word.
    pub fn headed(&self, text: &str, node: u32, word: &str) -> Option<Vec<u32>> {
        let mut children = self.children(node);
        let first = children.next()?;
        (!self.is_list(first) && self.text(text, first) == word).then(|| children.collect())
    }
}

/// Behind the closing quote of the string that begins at `at`; `""` in it is a quote.
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += bytes[at..].iter().position(|&b| b == b'"')? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}
