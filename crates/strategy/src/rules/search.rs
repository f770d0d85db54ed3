//! Matching of patterns with commuting arguments: enumerates the possible orders, the written one first.

use rewrite::commuting::{ArgumentGrouping, commuting};
use rewrite::walk::{TermMap, bottom_up};
use smtlib::{Store, TermId};

/// The maximum number of an operator's arguments that are tried in other orders; more match only as written.
const MAX_ARGUMENTS: usize = 16;
/// The maximum number of attempts per pattern and term.
const MAX_TRIES: usize = 1000;

/// The orders in which commuting arguments may occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArgumentOrder {
    /// The order of the pattern.
    AsWritten,
    /// Any order.
    Any,
}

impl ArgumentOrder {
    /// Returns `AsWritten` if both sides of a rule differ only in order and nesting: such a rule would match its own results in another
    /// order, forever.
    pub fn of(store: &mut Store, left: TermId, right: TermId) -> ArgumentOrder {
        match sorted(store, left) == sorted(store, right) {
            true => ArgumentOrder::AsWritten,
            false => ArgumentOrder::Any,
        }
    }
}

/// Sorts commuting arguments of a term, and flattens nested associative applications.
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

/// The result of comparing a pattern with a term.
pub(super) enum Meeting<P> {
    /// The pattern does not match.
    Not,
    /// The pattern matches, for any arguments.
    Whole,
    /// The pattern matches if these match the arguments.
    Parts(Vec<P>),
}

/// A way to match.
pub(super) struct FoundMatch<F> {
    /// The bindings of the pattern.
    pub found: F,
    /// Leftover arguments of the term: an associative operator may have more than the pattern.
    pub rest: Vec<TermId>,
}

/// How much of a term a pattern must match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    All,
    /// All but some arguments of an associative operator.
    Some,
}

/// A part of the pattern that is not matched yet.
#[derive(Clone)]
enum OpenMatch<P> {
    /// A pattern and a term.
    Pair(P, TermId, Extent),
    /// Patterns, each to be matched with a different one of the terms.
    Among(Vec<P>, Vec<TermId>),
}

/// A partial match.
struct MatchState<P, F> {
    /// The unmatched parts; the next one is last.
    open: Vec<OpenMatch<P>>,
    found: F,
    rest: Vec<TermId>,
}

/// A search for the matches of a pattern.
pub(super) struct MatchSearch<P, F> {
    order: ArgumentOrder,
    /// The partial matches to continue, the next one last.
    states: Vec<MatchState<P, F>>,
    tries: usize,
}

impl<P: Copy, F: Clone> MatchSearch<P, F> {
    /// Makes a search for matches of a term by a pattern, with given initial bindings.
    pub fn new(pattern: P, t: TermId, found: F, order: ArgumentOrder) -> MatchSearch<P, F> {
        let open = vec![OpenMatch::Pair(pattern, t, Extent::Some)];
        MatchSearch { order, states: vec![MatchState { open, found, rest: Vec::new() }], tries: 0 }
    }

    /// Returns the next match; `meet` compares a pattern with a term under the current bindings, and records new ones.
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

    /// Completes a partial match; `None` if that fails, or if it splits into several, which are tried later.
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

    /// Adds the parts of a pattern and the arguments of a term to the unmatched parts; `None` if there are too few or too many.
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

    /// Starts a partial match for each term that may match the first pattern; the first is tried first.
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
