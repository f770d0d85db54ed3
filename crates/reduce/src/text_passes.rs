//! Passes over a text of which only parentheses, lines and words are understood.

use crate::pass::Grouping;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The maximum number of pieces by which a text or word is cut.
const MAX_RUNS: usize = 2_000;
/// Above this number of lines, or of expressions on one level, an edit covers several neighbours.
const MAX_EDITS: usize = 1 << 14;
/// Texts with more expressions are only cut by lines and expressions, since all other passes take long.
const MAX_NODES: usize = 200_000;
/// The deepest level that is distinguished from deeper ones.
const MAX_LEVELS: usize = 1 << 12;
/// Texts with fewer levels lose them one by one.
const MANY_LEVELS: usize = 64;
/// Words longer than this, in bytes, are cut character by character.
const LONG_WORD: usize = 8;

/// A change of a text: one replacement in several places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TextChange {
    /// The places, in order.
    places: Vec<Range<usize>>,
    with: NewWords,
}

impl TextChange {
    fn of(places: Vec<Range<usize>>, with: &str) -> TextChange {
        TextChange { places, with: NewWords::Words(with.to_string()) }
    }

    /// Returns the effect on the surrounding command: equal for the same command elsewhere. `None` for a change of the whole text, or in
    /// several commands.
    pub(crate) fn key(&self, text: &str, commands: &[Range<usize>]) -> Option<u64> {
        let (first, last) = (self.places.first()?, self.places.last()?);
        let command = commands.get(commands.partition_point(|command| command.end <= first.start))?;
        if last.end > command.end || first.start < command.start || command.len() == first.len() {
            return None;
        }
        let mut hasher = FxHasher::default();
        text[command.clone()].hash(&mut hasher);
        for place in &self.places {
            (place.start - command.start, place.len()).hash(&mut hasher);
        }
        match &self.with {
            NewWords::Words(words) => words.hash(&mut hasher),
            NewWords::Part(part) => text[part.clone()].hash(&mut hasher),
        }
        Some(hasher.finish())
    }
}

/// The replacement text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum NewWords {
    /// These words.
    Words(String),
    /// Another part of the text. Copies could have quadratic total size in a deep text.
    Part(Range<usize>),
}

/// A pass over texts.
pub(crate) struct TextPass {
    /// Its name.
    pub name: &'static str,
    /// How its edits are tried.
    pub group: Grouping,
    /// The maximum number of expressions of its texts.
    pub most: usize,
    /// Proposes edits in batches.
    pub propose: fn(&Sexprs<'_>, &str) -> Vec<Vec<TextChange>>,
}

/// All passes in order.
pub(crate) static PASSES: [TextPass; 9] = [
    TextPass { name: "lines", group: Grouping::Halving, most: usize::MAX, propose: lines },
    TextPass { name: "levels", group: Grouping::Again, most: usize::MAX, propose: many_levels },
    TextPass { name: "blanks", group: Grouping::Halving, most: MAX_NODES, propose: blanks },
    TextPass { name: "expressions", group: Grouping::Halving, most: usize::MAX, propose: expressions },
    TextPass { name: "lists", group: Grouping::Halving, most: MAX_NODES, propose: lists },
    TextPass { name: "lets", group: Grouping::Single, most: MAX_NODES, propose: lets },
    TextPass { name: "parts", group: Grouping::Single, most: MAX_NODES, propose: parts },
    TextPass { name: "words", group: Grouping::Single, most: MAX_NODES, propose: words },
    TextPass { name: "characters", group: Grouping::Coarse, most: MAX_NODES, propose: characters },
];

/// Returns the results of each single edit of a named pass.
pub fn proposed(pass: &str, text: &str) -> Vec<String> {
    let all = Sexprs::read(text);
    let batches = PASSES.iter().filter(|one| one.name == pass).flat_map(|pass| (pass.propose)(&all, text));
    batches.flatten().map(|one| edited(text, [&one])).collect()
}

/// Applies edits to a text. If places overlap, the outermost counts; if equal, the first.
pub(crate) fn edited<'e>(text: &str, edits: impl IntoIterator<Item = &'e TextChange>) -> String {
    let each = edits.into_iter().flat_map(|edit| edit.places.iter().map(|place| (place, &edit.with)));
    let mut changes: Vec<_> = each.collect();
    changes.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (place, with) in changes {
        if place.start >= at {
            out.push_str(&text[at..place.start]);
            out.push_str(match with {
                NewWords::Words(words) => words,
                NewWords::Part(part) => &text[part.clone()],
            });
            at = place.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

fn edit(place: Range<usize>, with: &str) -> TextChange {
    TextChange::of(vec![place], with)
}

/// Drops lines of texts without structure.
fn lines(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    if !is_loose(all) {
        return Vec::new();
    }
    let mut start = 0;
    let spans: Vec<Range<usize>> = text
        .split_inclusive('\n')
        .map(|line| {
            start += line.len();
            start - line.len()..start
        })
        .collect();
    let runs = spans.chunks(spans.len().div_ceil(MAX_EDITS).max(1));
    vec![runs.map(|run| edit(run[0].start..run[run.len() - 1].end, "")).collect()]
}

/// Drops blanks and comments except between words, and puts each command on a line.
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

/// Drops expressions with the preceding blanks, or replaces lists by a constant, level by level.
fn expressions(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let place = |&node: &SexprNode| {
        let span = all.span(node);
        text[..span.start].trim_end().len()..span.end
    };
    let mut batches = Vec::new();
    for mut level in levels(all) {
        // Later parts use earlier ones.
        level.reverse();
        let runs = level.chunks(level.len().div_ceil(MAX_EDITS).max(1));
        batches.push(runs.map(|run| TextChange::of(run.iter().rev().map(place).collect(), "")).collect());
        // A command cannot be a constant.
        if batches.len() > 1 && level.len() <= MAX_RUNS {
            let lists = || level.iter().filter(|&&node| all.is_list(node));
            batches.extend(["true", "0"].map(|with| lists().map(|&node| edit(all.span(node), with)).collect()));
        }
    }
    batches
}

/// In deep texts, replaces lists around the deepest word by one many levels below.
fn many_levels(all: &Sexprs<'_>, _: &str) -> Vec<Vec<TextChange>> {
    let Some(last) = levels(all).last().and_then(|level| level.last().map(|&node| all.span(node))) else {
        return Vec::new();
    };
    let spans = all.nodes().map(|node| all.span(node));
    let deepest: Vec<_> = spans.filter(|span| span.start <= last.start && last.end <= span.end).collect();
    let depth = deepest.len();
    let steps = [depth - 1].into_iter().chain((1..7).map(|n| depth >> n)).filter(|_| depth > MANY_LEVELS);
    let below = |step: usize| {
        let pairs = deepest.iter().zip(deepest.iter().skip(step)).step_by(step);
        pairs.map(|(outer, inner)| TextChange { places: vec![outer.clone()], with: NewWords::Part(inner.clone()) })
    };
    steps.map(|step| below(step).collect()).collect()
}

/// Drops the same element of several lists: parallel lists as in `declare-datatypes`, and a function's parameters and arguments.
fn lists(all: &Sexprs<'_>, _: &str) -> Vec<Vec<TextChange>> {
    let mut headed: FxHashMap<&str, Vec<Vec<SexprNode>>> = FxHashMap::default();
    for list in all.nodes().filter(|&node| all.is_list(node)) {
        let children: Vec<SexprNode> = all.children(list).collect();
        if let Some(&head) = children.first() {
            headed.entry(all.text(head)).or_default().push(children);
        }
    }
    let mut batches = Vec::new();
    for command in all.top() {
        let parts: Vec<SexprNode> = all.children(command).collect();
        let items = |list: SexprNode| all.children(list).collect::<Vec<_>>();
        let together = match parts.as_slice() {
            [.., first, second] if all.is_list(*first) && items(*first).len() == items(*second).len() => {
                vec![items(*first), items(*second)]
            }
            [_, name, parameters, ..] if all.is_list(*parameters) && items(*parameters).len() > 1 => {
                let parameters = items(*parameters);
                let calls = headed.get(all.text(*name)).into_iter().flatten();
                let calls = calls.filter(|call| call.len() == parameters.len() + 1).map(|call| call[1..].to_vec());
                calls.chain([parameters.clone()]).collect()
            }
            _ => continue,
        };
        let nth = |n: usize| {
            let mut places: Vec<_> = together.iter().map(|list| all.span(list[n])).collect();
            places.sort_by_key(|place| place.start);
            TextChange::of(places, "")
        };
        batches.push((0..together[0].len()).rev().map(nth).collect());
    }
    batches
}

/// Replaces `let`s by their bodies with the values in place of the variables, as if no name had two meanings.
fn lets(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let inlined = |list| {
        let rest = all.headed(list, "let")?;
        let &[bindings, body] = rest.as_slice() else { return None };
        let pair = |pair| match all.words(pair)[..] {
            [name, value] => Some((bare(name), value)),
            _ => None,
        };
        let values: FxHashMap<&str, &str> = all.children(bindings).filter_map(pair).collect();
        let (mut out, mut at) = (String::new(), all.span(body).start);
        for node in all.within(body).filter(|&node| !all.is_list(node)) {
            if let Some(value) = values.get(bare(all.text(node))) {
                out.extend([&text[at..all.span(node).start], value]);
                at = all.span(node).end;
            }
        }
        out.push_str(&text[at..all.span(body).end]);
        Some(edit(all.span(list), &out))
    };
    vec![all.nodes().filter_map(inlined).take(MAX_RUNS).collect()]
}

/// Replaces lists by one of their parts, or removes their parentheses inside a list that begins alike, level by level.
fn parts(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let part = |node, part| TextChange { places: vec![all.span(node)], with: NewWords::Part(all.span(part)) };
    let first = |node| all.children(node).next().filter(|&head| !all.is_list(head)).map(|head| all.span(head));
    let with = |node| {
        // `(f x (f y))` is `(f x y)` if `f` is associative.
        let same = move |child: &SexprNode| {
            let (outer, inner) = (first(node)?, first(*child)?);
            let end = all.span(*child).end;
            (text[outer] == text[inner.clone()])
                .then(|| TextChange::of(vec![all.span(*child).start..inner.end, end - 1..end], ""))
        };
        let flat = all.children(node).filter_map(move |child| same(&child));
        all.children(node).map(move |child| part(node, child)).chain(flat)
    };
    levels(all).into_iter().map(|level| level.into_iter().flat_map(with).collect()).collect()
}

/// Returns the words of a text in order, each with all of its places.
fn places<'t>(all: &Sexprs<'t>, text: &'t str) -> Vec<(&'t str, Vec<Range<usize>>)> {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut places: Vec<(&str, Vec<Range<usize>>)> = Vec::new();
    for span in all.atoms() {
        let word = &text[span.clone()];
        let number = *numbers.entry(word).or_insert(places.len());
        if number == places.len() {
            places.push((word, Vec::new()));
        }
        places[number].1.push(span);
    }
    places
}

/// Replaces words by shorter ones, everywhere.
fn words(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let places = places(all, text);
    let taken: FxHashSet<&str> = places.iter().map(|(word, _)| *word).collect();
    let mut names = ('a'..='z').map(String::from).filter(|name| !taken.contains(name.as_str()));
    let mut edits = Vec::new();
    for (word, places) in &places {
        let shorter: Vec<String> = match word.as_bytes() {
            [b'"', ..] => vec!["\"\"".into()],
            [b'0'..=b'9', ..] => ["0", "1"].map(String::from).to_vec(),
            [b'#' | b':', ..] => Vec::new(),
            b"distinct" => vec!["=".into()],
            _ if word.len() > 1 => names.next().into_iter().collect(),
            _ => Vec::new(),
        };
        let shorter = shorter.into_iter().filter(|with| with.len() < word.len());
        edits.extend(shorter.map(|with| TextChange::of(places.clone(), &with)));
    }
    vec![edits]
}

/// Drops characters: of long words, everywhere, and of short texts without structure.
fn characters(all: &Sexprs<'_>, text: &str) -> Vec<Vec<TextChange>> {
    let each = |spans: &[Range<usize>]| {
        let word = text.get(spans[0].clone()).unwrap_or_default();
        let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let starts: Vec<usize> = starts.iter().copied().step_by(starts.len().div_ceil(MAX_RUNS).max(1)).collect();
        let ends = starts.iter().copied().skip(1).chain([word.len()]);
        let run = |(start, end)| spans.iter().map(|span| span.start + start..span.start + end).collect();
        starts.iter().copied().zip(ends).map(|ends| TextChange::of(run(ends), "")).collect::<Vec<_>>()
    };
    if is_loose(all) && (text.len() <= MAX_RUNS || all.nodes().nth(1).is_none()) {
        return vec![each(std::slice::from_ref(&(0..text.len())))];
    }
    let long = places(all, text).into_iter().filter(|(word, _)| word.len() >= LONG_WORD);
    long.map(|(_, places)| each(&places)).collect()
}

/// Whether a text is no sequence of lists: its parentheses do not match, words are outside of them, or it consists of comments.
fn is_loose(all: &Sexprs<'_>) -> bool {
    !all.is_whole() || all.top().next().is_none() || all.top().any(|node| !all.is_list(node))
}

/// Returns all nodes by depth, joining neighbouring levels where there are very many.
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
    let together = levels.len().div_ceil(MAX_LEVELS).max(1);
    match together {
        1 => levels,
        _ => levels.chunks(together).map(|some| some.concat()).collect(),
    }
}
