//! The fragments of a seed: its Boolean subterms with their values under an assignment.

use crate::preamble::{is_truth_constant, needs_unproven};
use crate::rng::RandomStream;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Instance, Kind, Op, Store, TermId};

/// A formula whose value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// The formula.
    pub term: TermId,
    /// Its value under the assignment.
    pub value: bool,
    /// Whether the evaluator knows the value; otherwise the seed's own model is trusted for it.
    pub certified: bool,
}

/// The fragments found, and how many Boolean subterms were examined.
#[derive(Clone, Default, Debug)]
pub struct Fragments {
    /// Each formula once, in the order of first meeting.
    pub list: Vec<Fragment>,
    /// The number of Boolean subterms examined, including those of unknown value.
    pub seen: usize,
}

/// Returns the depth of `term` when it is asserted with a given value: a false one is negated, and `not` counts.
pub fn asserted_depth(store: &Store, term: TermId, value: bool) -> u32 {
    store.depth(term).saturating_add(u32::from(!value))
}

/// Returns every Boolean subterm of the assertions, under any operator, that can stand alone.
///
/// Left out are literals, terms with free variables, and terms that need a recursive function not proven total. A
/// closed term below a binder means the same outside and is kept. Bodies of defined constants are entered.
pub fn candidates(store: &Store, instance: &Instance) -> Vec<TermId> {
    let unproven = needs_unproven(store, &instance.declarations);
    let mut free = smtlib::free_vars::FreeVars::default();
    let mut visited = vec![false; store.len()];
    let mut found = Vec::new();
    let mut stack: Vec<TermId> = instance.assertions.iter().rev().copied().collect();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut visited[t.index()], true) {
            continue;
        }
        let closed = store.flags(t) & HAS_VARIABLE == 0 || free.of(store, t).is_empty();
        if store.is_bool(t) && closed && !unproven[t.index()] && !is_truth_constant(store, t) {
            found.push(t);
        }
        if let Some(f) = store.applied(t)
            && let Some((vars, body)) = store.func(f).definition()
            && vars.is_empty()
        {
            stack.push(body);
        }
        // Patterns of quantifiers are children, too, and are skipped: they are for instantiation, not for truth.
        let args = store.args(t);
        let args = if store.op(t).binder().is_some() { &args[..1] } else { args };
        stack.extend(args.iter().rev());
    }
    found
}

/// Evaluates the candidates and keeps those that are known and, when asserted, no deeper than `max_depth`.
///
/// `truth` is the evaluator under the assignment. `trusted` is called only if that fails, and may answer only if the
/// reference model fixes every symbol of the term.
pub fn value(
    store: &Store,
    candidates: &[TermId],
    max_depth: u32,
    mut truth: impl FnMut(&Store, TermId) -> Option<bool>,
    trusted: impl Fn(TermId) -> Option<bool>,
) -> Fragments {
    let mut fragments = Fragments { list: Vec::new(), seen: candidates.len() };
    for &term in candidates.iter().filter(|&&t| store.depth(t) <= max_depth) {
        let known = truth(store, term);
        let Some(value) = known.or_else(|| trusted(term)) else { continue };
        if asserted_depth(store, term, value) <= max_depth {
            fragments.list.push(Fragment { term, value, certified: known.is_some() });
        }
    }
    fragments
}

impl Fragments {
    /// Keeps `count` fragments, see [`focus`].
    pub fn focus(&mut self, count: usize, rng: &mut RandomStream) {
        focus(&mut self.list, count, rng);
    }

    /// Keeps at most `limit` fragments, see [`thin`].
    pub fn thin(&mut self, limit: usize, rng: &mut RandomStream) {
        thin(&mut self.list, limit, rng);
    }
}

/// Distinct formulas built from others, and from each other, by a connective: up to `count`. Operands are negated half of the time.
pub fn combined(store: &mut Store, of: &[TermId], count: usize, rng: &mut RandomStream) -> Vec<TermId> {
    /// The deepest operand.
    const MAX_DEPTH: u32 = 40;
    /// Draws for each wanted formula.
    const DRAWS: usize = 4;
    const CONNECTIVES: [(Kind, usize); 7] = [
        (Kind::And, 2),
        (Kind::Or, 2),
        (Kind::Or, 3),
        (Kind::Implies, 2),
        (Kind::Xor, 2),
        (Kind::Eq, 2),
        (Kind::Ite, 3),
    ];
    let mut pool: Vec<TermId> = of.iter().copied().filter(|&t| store.depth(t) <= MAX_DEPTH).collect();
    let first = pool.len();
    for _ in 0..DRAWS * count {
        if pool.is_empty() || pool.len() - first >= count {
            break;
        }
        let mut operand = |store: &mut Store| {
            let term = pool[rng.index(pool.len())];
            if rng.coin() { store.not(term) } else { term }
        };
        let operands = [operand(store), operand(store), operand(store)];
        let (kind, arguments) = CONNECTIVES[rng.index(CONNECTIVES.len())];
        let Ok(term) = store.app(Op::new(kind), &operands[..arguments]) else { continue };
        if !pool.contains(&term) && store.depth(term) <= MAX_DEPTH {
            pool.push(term);
        }
    }
    pool.split_off(first)
}

/// Keeps `count` consecutive fragments from a random position on, or random ones: neighbours come from the same part of
/// the seed and share symbols.
pub fn focus<T>(list: &mut Vec<T>, count: usize, rng: &mut RandomStream) {
    if list.len() <= count {
        return;
    }
    if rng.coin() {
        return thin(list, count, rng);
    }
    let start = rng.index(list.len() - count + 1);
    list.truncate(start + count);
    list.drain(..start);
}

/// Keeps a random choice of at most `limit` fragments, in their order.
pub fn thin<T>(list: &mut Vec<T>, limit: usize, rng: &mut RandomStream) {
    if list.len() <= limit {
        return;
    }
    // Selection sampling (Knuth, TAOCP 3.4.2, algorithm S): each subset of that size is equally likely.
    let (mut left, mut wanted) = (list.len() as u64, limit as u64);
    list.retain(|_| {
        let keep = rng.below(left) < wanted;
        left -= 1;
        wanted -= u64::from(keep);
        keep
    });
}
