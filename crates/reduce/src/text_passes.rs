//! Ways to make a text smaller of which nothing need be understood but its parentheses, its lines and its words.

use crate::pass::Grouping;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::sexpr::{SexprNode, Sexprs};
use std::ops::Range;

/// Texts longer than this, in bytes, are not cut character by character.
const MAX_CHARACTERS: usize = 2_000;
/// Words longer than this, in bytes, are cut character by character.
const LONG_WORD: usize = 8;

/// A change of a text: the same words in several places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TextChange {
    /// The places, in order.
    places: Vec<Range<usize>>,
    with: String,
}

/// A way to make texts smaller.
pub(crate) struct TextPass {
    /// Its name.
    pub name: &'static str,
    /// How its edits are tried.
    pub group: Grouping,
    /// Proposes edits in batches.
    pub propose: fn(&Sexprs<'_>, &str) -> Vec<Vec<TextChange>>,
}

/// All passes, in the order in which they are tried.
pub(crate) static PASSES: [TextPass; 6] = [
    TextPass { name: "lines", group: Grouping::Halving, propose: lines },
    TextPass { name: "blanks", group: Grouping::Halving, propose: blanks },
    TextPass { name: "expressions", group: Grouping::Halving, propose: expressions },
    TextPass { name: "parts", group: Grouping::Single, propose: parts },
    TextPass { name: "words", group: Grouping::Single, propose: words },
    TextPass { name: "characters", group: Grouping::Halving, propose: characters },
];

/// A text with some edits made. Of places that overlap the outermost counts, of equal ones the first.
pub(crate) fn edited<'e>(text: &str, edits: impl IntoIterator<Item = &'e TextChange>) -> String {
    let each = edits.into_iter().flat_map(|edit| edit.places.iter().map(|place| (place, &*edit.with)));
    let mut changes: Vec<_> = each.collect();
    changes.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (place, with) in changes {
        if place.start >= at {
            out.push_str(&text[at..place.start]);
            out.push_str(with);
            at = place.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

fn edit(place: Range<usize>, with: &str) -> TextChange {
    TextChange { places: vec![place], with: with.to_string() }
}

/// Lines that go: of texts whose parentheses do not match.
fn lines(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    if all.is_whole() {
        return Vec::new();
    }
    let mut start = 0;
    let spans = text.split_inclusive('\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    vec![spans.map(|span| edit(span, "")).collect()]
}

/// Blanks and comments that go, but for what parts two words, and a line for each command.
fn blanks(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let mut edits = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    let ends = all.atoms().chain(std::iter::once(text.len()..text.len()));
    for atom in ends {
        let gap = from..atom.start;
        let mut least = String::new();
        for line in text[gap.clone()].lines() {
            for c in line.split(';').next().unwrap_or_default().chars() {
                if c == '(' && depth == 0 && from + least.len() > 0 {
                    least.push('\n');
                }
                match c {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => continue,
                }
                least.push(c);
            }
        }
        if least.is_empty() && gap.start > 0 && gap.end < text.len() {
            least.push(' ');
        }
        if least.len() < gap.len() {
            edits.push(edit(gap, &least));
        }
        from = atom.end;
    }
    vec![edits]
}

/// Expressions that go, with the blanks before them, or lists that give way to a constant, level by level.
fn expressions(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let drop = |&node: &SexprNode| {
        let span = all.span(node);
        edit(text[..span.start].trim_end().len()..span.end, "")
    };
    let mut batches = Vec::new();
    for mut level in levels(all) {
        // What comes later uses what came before.
        level.reverse();
        batches.push(level.iter().map(drop).collect());
        let lists = || level.iter().filter(|&&node| all.is_list(node));
        batches.extend(["true", "0"].map(|with| lists().map(|&node| edit(all.span(node), with)).collect()));
    }
    batches
}

/// Lists that give way to one of their parts, level by level.
fn parts(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let with = |node| all.children(node).map(move |part| edit(all.span(node), &text[all.span(part)]));
    levels(all).into_iter().map(|level| level.into_iter().flat_map(with).collect()).collect()
}

/// Words that give way to shorter ones wherever they stand.
fn words(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let mut places: FxHashMap<&str, Vec<Range<usize>>> = FxHashMap::default();
    let mut order = Vec::new();
    for span in all.atoms() {
        let word = &text[span.clone()];
        places.entry(word).or_insert_with(|| {
            order.push(word);
            Vec::new()
        });
        places.entry(word).or_default().push(span);
    }
    let taken: FxHashSet<&str> = order.iter().copied().collect();
    let mut names = ('a'..='z').map(String::from).filter(|name| !taken.contains(name.as_str()));
    let mut edits = Vec::new();
    for word in order {
        let shorter: Vec<String> = match word.as_bytes() {
            [b'"', ..] => vec!["\"\"".into()],
            [b'0'..=b'9', ..] => ["0", "1"].map(String::from).to_vec(),
            [b'#' | b':', ..] => Vec::new(),
            _ if word.len() > 1 => names.next().into_iter().collect(),
            _ => Vec::new(),
        };
        for with in shorter.into_iter().filter(|with| with.len() < word.len()) {
            edits.push(TextChange { places: places.get(word).cloned().unwrap_or_default(), with });
        }
    }
    vec![edits]
}

/// Characters that go: of long words, and of short texts whose parentheses do not match.
fn characters(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let each = |span: Range<usize>| {
        let start = span.start;
        let one = move |(at, c): (usize, char)| edit(start + at..start + at + c.len_utf8(), "");
        text[span].char_indices().map(one).collect::<Vec<_>>()
    };
    match !all.is_whole() && text.len() <= MAX_CHARACTERS {
        true => vec![each(0..text.len())],
        false => {
            let long = all.atoms().filter(|span| (LONG_WORD..MAX_CHARACTERS).contains(&span.len()));
            long.map(each).collect()
        }
    }
}

/// All nodes by their depth.
fn levels(all: &Sexprs<'_>) -> Vec<Vec<SexprNode>> {
    let mut levels: Vec<Vec<SexprNode>> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    for node in all.nodes() {
        let span = all.span(node);
        while ends.last().is_some_and(|&end| end <= span.start) {
            ends.pop();
        }
        if levels.len() <= ends.len() {
            levels.push(Vec::new());
        }
        levels[ends.len()].push(node);
        if all.is_list(node) {
            ends.push(span.end);
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(pass: &str, text: &str) -> Vec<String> {
        let pass = PASSES.iter().find(|p| p.name == pass).expect("a pass");
        let batches = (pass.propose)(&Sexprs::read(text), text);
        batches.iter().flatten().map(|one| edited(text, [one])).collect()
    }

    #[test]
    fn passes_propose_smaller_texts() {
        let check = |pass: &str, text: &str, expect: &[&str]| assert_eq!(made(pass, text), expect, "{pass}: {text}");
        check("expressions", "(a (b))", &["", "true", "0", "(a)", "( (b))", "(a true)", "(a 0)", "(a ())"]);
        check("parts", "(a (b c))", &["a", "(b c)", "(a b)", "(a c)"]);
        check("words", "(long 25 a long)", &["(b 25 a b)", "(long 0 a long)", "(long 1 a long)"]);
        check("lines", "(a\nb\n", &["b\n", "(a\n"]);
        check("lines", "(a)\n(b)\n", &[]);
        check("characters", "(a", &["a", "("]);
        check("characters", "(a \"12345\")", &[]);
        assert_eq!(made("characters", "(a \"123456\")").len(), 8);
    }

    #[test]
    fn blanks_and_comments_go_but_for_one_between_words() {
        let all = |text: &str| {
            let edits = blanks(&Sexprs::read(text), text);
            edited(text, edits.iter().flatten())
        };
        let check = |text: &str, expect: &str| assert_eq!(all(text), expect, "{text}");
        check("; a (comment\n(a  (b )\n c) ; end\n(d)", "(a(b)c)\n(d)");
        check("(a |x  y| \"p ; q\")", "(a |x  y| \"p ; q\")");
        check("a\n\n\nb", "a b");
    }

    #[test]
    fn of_places_that_overlap_the_outermost_counts() {
        let (inner, outer) = (edit(3..4, "x"), edit(1..5, "y"));
        assert_eq!(edited("abcdef", [&inner, &outer]), "ayf");
        assert_eq!(edited("abcdef", [&inner]), "abcxef");
    }
}
