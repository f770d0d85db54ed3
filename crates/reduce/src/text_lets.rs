//! `let`s of a text that give way to what they bind, where that makes it no longer, whatever else the text is.
//!
//! What is bound moves only to places where each of its names means the same: its value is kept in any text that is SMT-LIB.

use rustc_hash::FxHashMap;
use smtlib::sexpr::{SexprNode, Sexprs, bare};

/// What a name is bound by.
struct LetName {
    /// How many lists bind it.
    count: usize,
    /// The list that binds it, with the scope.
    binder: SexprNode,
    /// Whether that is a `let`.
    is_let: bool,
}

/// A `let` whose variables may go.
struct LetList {
    list: SexprNode,
    body: SexprNode,
    /// Variables with their values.
    bindings: Vec<[SexprNode; 2]>,
}

/// A text being read.
struct LetText<'a, 't> {
    all: &'a Sexprs<'t>,
    /// The list that holds a node, by number; none at the top.
    parents: Vec<Option<SexprNode>>,
    /// By the top-level expression and the name.
    bound: FxHashMap<(SexprNode, &'t str), LetName>,
    uses: FxHashMap<(SexprNode, &'t str), Vec<SexprNode>>,
    tops: Vec<SexprNode>,
}

/// The text without the `let`s that bind a word, or what is used once or is so short that the text gets no longer. Blanks and comments within
/// them go.
pub(crate) fn inlined(all: &Sexprs<'_>, text: &str) -> String {
    let lets: Vec<LetList> = all.nodes().filter_map(|node| LetList::of(all, node)).collect();
    if lets.is_empty() || !all.is_whole() {
        return text.to_string();
    }
    let names = LetText::of(all);
    let mut values: FxHashMap<SexprNode, SexprNode> = FxHashMap::default();
    let mut changed: FxHashMap<SexprNode, (Vec<SexprNode>, SexprNode)> = FxHashMap::default();
    for found in &lets {
        let mut kept = Vec::new();
        for &[variable, value] in &found.bindings {
            match names.places(found, variable, value) {
                Some(places) => values.extend(places.iter().map(|&place| (place, value))),
                None => kept.extend(names.parents[variable.index()]),
            }
        }
        if kept.len() < found.bindings.len() {
            changed.insert(found.list, (kept, found.body));
        }
    }
    printed(all, text, &values, &changed)
}

impl LetList {
    fn of(all: &Sexprs<'_>, list: SexprNode) -> Option<LetList> {
        let rest = all.headed(list, "let")?;
        let &[bindings, body] = rest.as_slice() else { return None };
        let pair = |pair: SexprNode| <[SexprNode; 2]>::try_from(all.children(pair).collect::<Vec<_>>()).ok();
        let bindings = all.children(bindings).map(pair).collect::<Option<Vec<_>>>()?;
        bindings.iter().all(|[name, _]| !all.is_list(*name)).then_some(LetList { list, body, bindings })
    }
}

impl<'a, 't> LetText<'a, 't> {
    fn of(all: &'a Sexprs<'t>) -> LetText<'a, 't> {
        let count = all.nodes().count();
        let (mut parents, mut tops) = (vec![None; count], Vec::with_capacity(count));
        for top in all.top() {
            tops.extend(all.within(top).map(|_| top));
        }
        for list in all.nodes().filter(|&node| all.is_list(node)) {
            all.children(list).for_each(|child| parents[child.index()] = Some(list));
        }
        let mut names = LetText { all, parents, bound: FxHashMap::default(), uses: FxHashMap::default(), tops };
        for node in all.nodes() {
            match all.is_list(node) {
                true => names.add_bound(node),
                false => names.uses.entry(names.key(node)).or_default().push(node),
            }
        }
        names
    }

    fn key(&self, atom: SexprNode) -> (SexprNode, &'t str) {
        (self.tops[atom.index()], bare(self.all.text(atom)))
    }

    /// The names that a list of lists may bind: `((x Int))`, `((x 1))`, or the patterns of `((nil a) ((cons h t) b))`.
    fn add_bound(&mut self, lists: SexprNode) {
        let all = self.all;
        let Some(binder) = self.parents[lists.index()] else { return };
        if !all.children(lists).next().is_some_and(|first| all.is_list(first)) {
            return;
        }
        let is_let = LetList::of(all, binder).is_some() && all.children(binder).nth(1) == Some(lists);
        for first in all.children(lists).filter_map(|list| all.children(list).next()) {
            for atom in all.within(first).filter(|&node| !all.is_list(node)) {
                let key = self.key(atom);
                self.bound.entry(key).or_insert(LetName { count: 0, binder, is_let }).count += 1;
            }
        }
    }

    /// Where the value of a variable may stand instead of it: everywhere that it is used.
    fn places(&self, found: &LetList, variable: SexprNode, value: SexprNode) -> Option<Vec<SexprNode>> {
        let all = self.all;
        let bound = |node: SexprNode| self.bound.get(&self.key(node));
        if bound(variable)?.count != 1 {
            return None;
        }
        let body = all.span(found.body);
        let is_used = |&&place: &&SexprNode| place != variable;
        let places: Vec<SexprNode> = self.uses.get(&self.key(variable))?.iter().filter(is_used).copied().collect();
        let is_term = |&place: &SexprNode| self.is_term(place) && body.contains(&all.span(place).start);
        // A name within must not be bound otherwise on the way: what binds it is around the `let`, or nothing does.
        let atoms = || all.within(value).filter(|&node| !all.is_list(node));
        let keeps = |name: &LetName| name.count == 1 && name.binder < found.list;
        let is_around = |name: &LetName| keeps(name) && all.span(name.binder).end >= all.span(found.list).end;
        if !places.iter().all(is_term) || !atoms().all(|atom| bound(atom).is_none_or(is_around)) {
            return None;
        }
        let [long, short] = [value, variable].map(|node| all.span(node).len());
        let is_small = match places.len() {
            0 => !all.text(value).contains(":named"),
            1 => true,
            // Values of such values would be copied over and over.
            n => n * long <= (n + 1) * short + long && atoms().all(|atom| bound(atom).is_none_or(|name| !name.is_let)),
        };
        is_small.then_some(places)
    }

    /// Whether an atom stands where a term stands, so that a list may.
    fn is_term(&self, atom: SexprNode) -> bool {
        let Some(parent) = self.parents[atom.index()] else { return false };
        let mut siblings = self.all.children(parent);
        let Some(head) = siblings.next().filter(|&head| head != atom) else { return false };
        let is_in_list_of_lists = || {
            let lists = self.parents[parent.index()];
            lists.and_then(|lists| self.parents[lists.index()].map(|binder| (lists, binder))).is_some_and(
                |(lists, binder)| {
                    // Of `((x Int))` the second word is a sort, of `((x 1))` a term.
                    self.all.children(lists).next().is_some_and(|first| self.all.is_list(first))
                        && LetList::of(self.all, binder).is_none()
                },
            )
        };
        match self.all.text(head) {
            "_" | "as" => false,
            "!" => siblings.next() == Some(atom),
            _ => !is_in_list_of_lists(),
        }
    }
}

/// The text with values in the place of words, and lists of the bindings that are left.
fn printed(
    all: &Sexprs<'_>,
    text: &str,
    values: &FxHashMap<SexprNode, SexprNode>,
    changed: &FxHashMap<SexprNode, (Vec<SexprNode>, SexprNode)>,
) -> String {
    enum Piece<'p> {
        Node(SexprNode),
        Words(&'p str),
    }
    let mut out = String::with_capacity(text.len());
    let gaps = |start: usize, end: usize, nodes: &[SexprNode]| {
        let mut pieces = Vec::new();
        let mut at = start;
        for &node in nodes {
            let span = all.span(node);
            pieces.extend([Piece::Words(&text[at..span.start]), Piece::Node(node)]);
            at = span.end;
        }
        pieces.push(Piece::Words(&text[at..end]));
        pieces
    };
    let mut stack = gaps(0, text.len(), &all.top().collect::<Vec<_>>());
    stack.reverse();
    while let Some(piece) = stack.pop() {
        let node = match piece {
            Piece::Words(words) => {
                out.push_str(words);
                continue;
            }
            Piece::Node(node) => node,
        };
        let pieces = match (values.get(&node), changed.get(&node)) {
            (Some(&value), _) => vec![Piece::Node(value)],
            (None, Some((kept, body))) if kept.is_empty() => vec![Piece::Node(*body)],
            (None, Some((kept, body))) => {
                let mut pieces = vec![Piece::Words("(let (")];
                for (n, &binding) in kept.iter().enumerate() {
                    pieces.extend([Piece::Words(if n == 0 { "" } else { " " }), Piece::Node(binding)]);
                }
                pieces.extend([Piece::Words(") "), Piece::Node(*body), Piece::Words(")")]);
                pieces
            }
            (None, None) => {
                let span = all.span(node);
                gaps(span.start, span.end, &all.children(node).collect::<Vec<_>>())
            }
        };
        stack.extend(pieces.into_iter().rev());
    }
    out
}
