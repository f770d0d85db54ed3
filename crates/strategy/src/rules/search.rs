//! Matching of patterns whose arguments commute: the ways in which they may stand, one after the other, as they are written first.

use rewrite::commuting::{ArgumentGrouping, commuting};
use rewrite::walk::{TermMap, bottom_up};
use smtlib::{Store, TermId};

/// The most arguments of an operator that are tried in other orders; more match as they are written.
const MAX_ARGUMENTS: usize = 16;
/// The most ways that are begun for a pattern and a term.
const MAX_TRIES: usize = 1000;

/// In which orders arguments that commute may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArgumentOrder {
    /// In that of the pattern.
    AsWritten,
    /// In any.
    Any,
}

impl ArgumentOrder {
    /// As it is written where both sides of a rule are the same but for order and nesting: what such a rule has sorted it would match
    /// again in another order, for ever.
    pub fn of(store: &mut Store, left: TermId, right: TermId) -> ArgumentOrder {
        match sorted(store, left) == sorted(store, right) {
            true => ArgumentOrder::AsWritten,
            false => ArgumentOrder::Any,
        }
    }
}

/// A term with the arguments that commute in one order, and nested applications that are one as one.
fn sorted(store: &mut Store, root: TermId) -> TermId {
    let mut images = TermMap::default();
    for t in bottom_up(store, [root]) {
        let mut args: Vec<TermId> = store.args(t).iter().map(|&a| images.get(a).unwrap_or(a)).collect();
        let mut image = store.with_args(t, &args);
        if let Some(how) = commuting(store.kind(t)) {
            if how.grouping == ArgumentGrouping::Free {
                let opened = |&a: &TermId| match store.op(a) == store.op(t) {
                    true => store.args(a).to_vec(),
                    false => vec![a],
                };
                args = args.iter().flat_map(opened).collect();
            }
            args[how.from..].sort_unstable();
            image = store.app(store.op(t), &args).unwrap_or(image);
        }
        images.insert(t, image);
    }
    images.get(root).unwrap_or(root)
}

/// What a pattern says of a term.
pub(super) enum Meeting<P> {
    /// It does not match.
    Not,
    /// It matches, whatever the arguments are.
    Whole,
    /// It matches if these match the arguments.
    Parts(Vec<P>),
}

/// A way to match.
pub(super) struct FoundMatch<F> {
    /// What the pattern has found out.
    pub found: F,
    /// Arguments of the term that are left over: an operator that may be grouped freely may have more of them than the pattern.
    pub rest: Vec<TermId>,
}

/// How much of a term a pattern has to match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    All,
    /// All but some arguments of an operator that may be grouped freely.
    Some,
}

/// What is still to be matched.
#[derive(Clone)]
enum OpenMatch<P> {
    /// A pattern and a term.
    Pair(P, TermId, Extent),
    /// Patterns, each by another one of the terms.
    Among(Vec<P>, Vec<TermId>),
}

/// A way to match that has been begun.
struct MatchState<P, F> {
    /// The next one last.
    open: Vec<OpenMatch<P>>,
    found: F,
    rest: Vec<TermId>,
}

/// The ways in which a pattern matches a term.
pub(super) struct MatchSearch<P, F> {
    order: ArgumentOrder,
    /// Those to be looked at, the next one last.
    states: Vec<MatchState<P, F>>,
    tries: usize,
}

impl<P: Copy, F: Clone> MatchSearch<P, F> {
    /// The ways to match a term by a pattern, of which this is known beforehand.
    pub fn new(pattern: P, t: TermId, found: F, order: ArgumentOrder) -> MatchSearch<P, F> {
        let open = vec![OpenMatch::Pair(pattern, t, Extent::Some)];
        MatchSearch { order, states: vec![MatchState { open, found, rest: Vec::new() }], tries: 0 }
    }

    /// The next way; `meet` says what a pattern says of a term by what was found, and notes what it finds.
    pub fn next(
        &mut self,
        store: &Store,
        mut meet: impl FnMut(P, TermId, &mut F) -> Meeting<P>,
    ) -> Option<FoundMatch<F>> {
        while let Some(state) = self.states.pop() {
            self.tries += 1;
            if self.tries > MAX_TRIES {
                self.states.clear();
                return None;
            }
            let found = self.finished(store, state, &mut meet);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A way followed to its end; none where it has none, or parts into several, which are looked at later.
    fn finished(
        &mut self,
        store: &Store,
        mut state: MatchState<P, F>,
        meet: &mut impl FnMut(P, TermId, &mut F) -> Meeting<P>,
    ) -> Option<FoundMatch<F>> {
        while let Some(next) = state.open.pop() {
            let (pattern, t, extent) = match next {
                OpenMatch::Pair(pattern, t, extent) => (pattern, t, extent),
                OpenMatch::Among(patterns, terms) => match patterns.split_first() {
                    Some((&first, others)) => {
                        self.part(first, others, &terms, &state);
                        return None;
                    }
                    None => {
                        state.rest = terms;
                        continue;
                    }
                },
            };
            match meet(pattern, t, &mut state.found) {
                Meeting::Not => return None,
                Meeting::Whole => {}
                Meeting::Parts(parts) => self.open(store, t, &parts, extent, &mut state.open)?,
            }
        }
        Some(FoundMatch { found: state.found, rest: state.rest })
    }

    /// Puts the parts of a pattern and the arguments of a term before what is open; none if there are too few or too many.
    fn open(&self, store: &Store, t: TermId, parts: &[P], extent: Extent, open: &mut Vec<OpenMatch<P>>) -> Option<()> {
        let args = store.args(t);
        let is_tried = self.order == ArgumentOrder::Any && args.len() <= MAX_ARGUMENTS;
        let how = commuting(store.kind(t)).filter(|_| is_tried);
        let may_leave = extent == Extent::Some && how.is_some_and(|how| how.grouping == ArgumentGrouping::Free);
        if parts.len() != args.len() && !(may_leave && parts.len() < args.len()) {
            return None;
        }
        let from = how.map_or(args.len(), |how| how.from.min(args.len()));
        if from < args.len() {
            open.push(OpenMatch::Among(parts[from..].to_vec(), args[from..].to_vec()));
        }
        let fixed = parts.iter().zip(args).take(from).rev();
        open.extend(fixed.map(|(&part, &a)| OpenMatch::Pair(part, a, Extent::All)));
        Some(())
    }

    /// Begins a way for each of the terms that may match the first pattern; the first is looked at first.
    fn part(&mut self, first: P, others: &[P], terms: &[TermId], state: &MatchState<P, F>) {
        for (n, &t) in terms.iter().enumerate().rev() {
            if terms[..n].contains(&t) {
                continue;
            }
            let mut open = state.open.clone();
            open.push(OpenMatch::Among(others.to_vec(), [&terms[..n], &terms[n + 1..]].concat()));
            open.push(OpenMatch::Pair(first, t, Extent::All));
            self.states.push(MatchState { open, found: state.found.clone(), rest: state.rest.clone() });
        }
    }
}
