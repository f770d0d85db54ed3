//! Formats a text readably: one command per line, lines of at most 100 columns.
//!
//! Invariant: s-expressions and comments are preserved.

use smtlib::sexpr::{SexprNode, Sexprs, is_check};

/// The maximum width of a line, unless a word or comment is longer.
const COLUMNS: usize = 100;
/// The maximum indentation, which keeps the size of deep texts linear.
const MAX_INDENT: usize = 40;
/// From this column on, only arguments that end on the same line follow the head of a list.
const LATE: usize = 60;
/// Longer texts, in bytes, stay unformatted.
const MAX_BYTES: usize = 1 << 20;
/// Heads whose next list stays on the same line.
const BINDERS: [&str; 6] = ["let", "forall", "exists", "lambda", "match", "!"];

/// Formats a text with single blanks, and breaks lines longer than 100 columns. Expressions with comments are unchanged.
pub fn shaped(text: &str) -> String {
    let Some(all) = Sexprs::read_whole(text).filter(|_| text.len() <= MAX_BYTES) else { return text.to_string() };
    let mut shape = TextShape { all: &all, widths: widths(&all), out: String::with_capacity(text.len()), line: 0 };
    let (mut at, mut was_list) = (0, false);
    for top in all.top() {
        let span = all.span(top);
        let gap = &text[at..span.start];
        match at > 0 && !gap.contains('\n') && (was_list || all.is_list(top)) {
            true => shape.new_line(0),
            false => shape.verbatim(gap),
        }
        match has_comment(&all, top, text) {
            true => shape.verbatim(&text[span.clone()]),
            false => shape.expression(top),
        }
        (at, was_list) = (span.end, all.is_list(top));
    }
    shape.verbatim(&text[at..]);
    shape.out
}

/// Inserts a comment before a check, counted from 0; returns the text unchanged without such a check.
pub fn marked(text: &str, check: usize, comment: &str) -> String {
    let all = Sexprs::read(text);
    let is_check = |node: &SexprNode| {
        let head = if all.is_list(*node) { all.children(*node).next() } else { None };
        head.is_some_and(|head| is_check(all.text(head)))
    };
    let Some(place) = all.top().filter(is_check).nth(check).map(|node| all.span(node).start) else {
        return text.to_string();
    };
    let before = if text[..place].is_empty() || text[..place].ends_with('\n') { "" } else { "\n" };
    format!("{}{before}; {comment}\n{}", &text[..place], &text[place..])
}

fn has_comment(all: &Sexprs<'_>, top: SexprNode, text: &str) -> bool {
    let mut at = all.span(top).start;
    all.within(top).any(|node| {
        let span = all.span(node);
        let gap = &text[at.min(span.start)..span.start];
        at = if all.is_list(node) { span.start } else { span.end };
        gap.contains(';')
    }) || text[at..all.span(top).end].contains(';')
}

/// Returns the width of each node on one line, by number.
fn widths(all: &Sexprs<'_>) -> Vec<usize> {
    let nodes: Vec<SexprNode> = all.nodes().collect();
    let mut widths = vec![0; nodes.len()];
    for &node in nodes.iter().rev() {
        widths[node.index()] = match all.is_list(node) {
            true => all.children(node).map(|child| widths[child.index()] + 1).sum::<usize>().max(1) + 1,
            false => all.span(node).len(),
        };
    }
    widths
}

/// The placement of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodePlace {
    Head,
    /// After a blank, or on its own line if the current one is full.
    Same,
    Line,
}

struct TextShape<'a, 't> {
    all: &'a Sexprs<'t>,
    widths: Vec<usize>,
    out: String,
    line: usize,
}

impl TextShape<'_, '_> {
    fn column(&self) -> usize {
        self.out.len() - self.line
    }

    fn new_line(&mut self, depth: usize) {
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', (2 * depth).min(MAX_INDENT)));
    }

    fn verbatim(&mut self, words: &str) {
        let begins = self.out.len();
        self.out.push_str(words);
        self.line = words.rfind('\n').map_or(self.line, |at| begins + at + 1);
    }

    /// Appends an expression, on several lines if it is too long for one.
    fn expression(&mut self, top: SexprNode) {
        enum Step {
            /// A node, and the number of parentheses closed after it.
            Node(SexprNode, NodePlace, usize),
            Close,
        }
        let mut steps = vec![Step::Node(top, NodePlace::Head, 0)];
        let mut depth = 0;
        while let Some(step) = steps.pop() {
            let Step::Node(node, place, closes) = step else {
                depth -= 1;
                if self.column() >= COLUMNS {
                    self.new_line(depth);
                }
                self.out.push(')');
                continue;
            };
            let width = self.widths[node.index()] + closes;
            match place {
                NodePlace::Head => {}
                NodePlace::Same if self.column() <= LATE || self.column() + 1 + width <= COLUMNS => self.out.push(' '),
                NodePlace::Same | NodePlace::Line => self.new_line(depth),
            }
            if self.column() + width <= COLUMNS || !self.all.is_list(node) {
                self.flat(node);
                continue;
            }
            self.out.push('(');
            depth += 1;
            let children: Vec<SexprNode> = self.all.children(node).collect();
            steps.push(Step::Close);
            for (n, &child) in children.iter().enumerate().rev() {
                let place = match n {
                    0 => NodePlace::Head,
                    1 if children.len() == 2 || BINDERS.contains(&self.all.text(children[0])) => NodePlace::Same,
                    1 if !self.all.is_list(child) => NodePlace::Same,
                    _ => NodePlace::Line,
                };
                steps.push(Step::Node(child, place, if n + 1 == children.len() { closes + 1 } else { 0 }));
            }
        }
    }

    /// Appends an expression on one line.
    fn flat(&mut self, top: SexprNode) {
        let mut ends: Vec<usize> = Vec::new();
        let mut is_first = true;
        for node in self.all.within(top) {
            let span = self.all.span(node);
            while ends.last().is_some_and(|&end| end <= span.start) {
                ends.pop();
                self.out.push(')');
                is_first = false;
            }
            if !is_first {
                self.out.push(' ');
            }
            is_first = self.all.is_list(node);
            match is_first {
                true => {
                    self.out.push('(');
                    ends.push(span.end);
                }
                false => self.verbatim(self.all.text(node)),
            }
        }
        self.out.extend(ends.iter().map(|_| ')'));
    }
}
