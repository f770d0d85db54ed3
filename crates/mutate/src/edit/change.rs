//! Changes at places: to the text by splicing, to the term by rebuilding its ancestors.

use crate::edit::printed_tree::PrintedTree;
use smtlib::{Kind, Op, Store, TermId};

/// The replacement at a place.
#[derive(Clone, Debug)]
pub enum Replacement {
    /// Another operator on the same arguments.
    Head(Op),
    /// Another term.
    Whole(TermId),
}

/// A change at a place, with the text that goes there.
#[derive(Clone, Debug)]
pub struct TextEdit {
    /// The number of the place.
    pub place: u32,
    /// The change of the term.
    pub change: Replacement,
    /// The new text of the operator or of the whole.
    pub text: String,
    /// The features of the new parts.
    pub features: u32,
}

impl TextEdit {
    fn span(&self, tree: &PrintedTree) -> (u32, u32) {
        let place = tree.place(self.place);
        match self.change {
            Replacement::Head(_) => place.head,
            Replacement::Whole(_) => place.span,
        }
    }
}

/// Changes of one assertion with disjoint spans, in text order.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    list: Vec<TextEdit>,
}

/// Tables reused between changes.
#[derive(Default)]
pub struct Scratch {
    epoch: u32,
    marks: Vec<u32>,
    new: Vec<TermId>,
    dirty: Vec<u32>,
    args: Vec<TermId>,
}

impl Edits {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds a change. It replaces earlier ones inside it; inside an earlier one it is not added, and false is returned.
    pub fn add(&mut self, tree: &PrintedTree, edit: TextEdit) -> bool {
        let (start, end) = edit.span(tree);
        let covers = |e: &TextEdit| {
            let (s, t) = e.span(tree);
            start <= s && t <= end
        };
        let inside = |e: &TextEdit| {
            let (s, t) = e.span(tree);
            s < end && start < t
        };
        if self.list.iter().any(|e| inside(e) && !covers(e)) {
            return false;
        }
        self.list.retain(|e| !covers(e));
        let position = self.list.iter().position(|e| e.span(tree).0 > start).unwrap_or(self.list.len());
        self.list.insert(position, edit);
        true
    }

    /// Appends the changed text.
    pub fn render(&self, tree: &PrintedTree, out: &mut String) {
        let text = tree.text();
        let mut at = 0;
        for edit in &self.list {
            let (start, end) = edit.span(tree);
            out.push_str(&text[at..start as usize]);
            out.push_str(&edit.text);
            at = end as usize;
        }
        out.push_str(&text[at..]);
    }

    /// Returns the changed term and its new nodes' features; `None` if an operator does not fit after all.
    pub fn apply(&self, store: &mut Store, tree: &PrintedTree, scratch: &mut Scratch) -> Option<(TermId, u32)> {
        scratch.begin(tree);
        for edit in &self.list {
            scratch.mark(edit.place);
        }
        let mut next = 0;
        while next < scratch.dirty.len() {
            for &parent in tree.parents(scratch.dirty[next]) {
                scratch.mark(parent);
            }
            next += 1;
        }
        // Places come before their children, so from the last to the first children are ready before parents.
        scratch.dirty.sort_unstable_by(|a, b| b.cmp(a));
        let mut features = 0;
        for n in 0..scratch.dirty.len() {
            let number = scratch.dirty[n];
            let change = self.list.iter().find(|e| e.place == number);
            if let Some(edit) = change {
                features |= edit.features;
            }
            let new = match change.map(|e| &e.change) {
                Some(Replacement::Whole(term)) => *term,
                change => {
                    let place = tree.place(number);
                    let mut args = std::mem::take(&mut scratch.args);
                    args.clear();
                    args.extend(tree.children(number).iter().map(|&c| scratch.term(tree, c)));
                    let new = match change {
                        _ if place.is_reference => args.first().copied(),
                        Some(Replacement::Head(op)) => with_operator(store, place.term, *op, &args),
                        _ => Some(store.with_args(place.term, &args)),
                    };
                    scratch.args = args;
                    let new = new?;
                    features |= smtlib::logic::of_node(store, new);
                    new
                }
            };
            scratch.new[number as usize] = new;
        }
        Some((scratch.term(tree, 0), features))
    }
}

/// `t` with another operator; a quantifier keeps its variables.
fn with_operator(store: &mut Store, t: TermId, op: Op, args: &[TermId]) -> Option<TermId> {
    let new = match store.op(t).binder() {
        Some(b) if matches!(op.kind, Kind::Forall | Kind::Exists) => {
            let binder = store.binder(b).clone();
            store.bind(op.kind, binder, args)
        }
        _ => store.app(op, args),
    };
    new.ok().filter(|&n| store.sort(n) == store.sort(t))
}

impl Scratch {
    fn begin(&mut self, tree: &PrintedTree) {
        let count = tree.places().len();
        if self.marks.len() < count {
            self.marks.resize(count, 0);
            self.new.resize(count, TermId::from_index(0));
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.marks.fill(0);
            self.epoch = 1;
        }
        self.dirty.clear();
    }

    fn mark(&mut self, place: u32) {
        if std::mem::replace(&mut self.marks[place as usize], self.epoch) != self.epoch {
            self.dirty.push(place);
        }
    }

    /// Returns the current term at a place.
    fn term(&self, tree: &PrintedTree, place: u32) -> TermId {
        if self.marks[place as usize] == self.epoch { self.new[place as usize] } else { tree.place(place).term }
    }
}
