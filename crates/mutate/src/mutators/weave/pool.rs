//! The formulas of a unit: the seed's fragments, formulas built from them, and names of some.

use super::assignments::ValuedFormula;
use super::config::WeaveConfig;
use super::truths::{AssignmentSet, MAX_ASSIGNMENTS, TruthVector};
use crate::mutator::TargetSpelling;
use crate::rng::RandomStream;
use rustc_hash::FxHashSet;
use smtlib::{Func, FuncBody, FuncId, Kind, Op, Printer, SortId, Store, TermId};
use std::ops::Range;

/// The size of the cache of rendered formulas, in bytes; a full cache is cleared. Mutants do not depend on it.
const MAX_RENDERED: usize = 1 << 26;
/// How often a formula that is too deep or already there is redrawn before it is skipped.
const MAX_REDRAWS: u32 = 8;
/// How often an operand with the values of the previous one is redrawn.
const MAX_SIMILAR: u32 = 3;
/// Fragments with a name, at most.
const MAX_ALIASES: usize = 8;
/// The sets of assignments.
const SETS: usize = 1 << MAX_ASSIGNMENTS;

/// The connectives that formulas are built with, and how often each is drawn.
const CONNECTIVES: [(Kind, u64); 6] =
    [(Kind::And, 5), (Kind::Or, 5), (Kind::Implies, 3), (Kind::Ite, 3), (Kind::Xor, 2), (Kind::Eq, 2)];

/// Aliases by number, one bit each.
pub type AliasSet = u16;

/// A fresh Boolean constant that a definition makes equal to a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FragmentAlias {
    /// The constant.
    pub func: FuncId,
    /// The position of the constant in the pool.
    pub constant: usize,
    /// The position of its definition in the pool.
    pub definition: usize,
    /// The values of the fragment.
    pub truths: TruthVector,
}

/// A formula or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolLiteral {
    /// The formula's position.
    pub position: usize,
    /// Whether the literal is not negated.
    pub positive: bool,
}

/// A formula of the pool.
#[derive(Clone, Debug)]
struct PooledFormula {
    formula: ValuedFormula,
    aliases: AliasSet,
    /// Its span in the rendered text; empty until needed.
    text: Range<usize>,
}

/// The formulas of a unit.
#[derive(Clone, Debug)]
pub struct WeavePool {
    entries: Vec<PooledFormula>,
    aliases: Vec<FragmentAlias>,
    /// Those of the first are the seed's own or name them.
    initial: usize,
    /// The literals by [`shelf`].
    shelves: Vec<Vec<PoolLiteral>>,
    max_depth: u32,
    rendered: String,
}

/// Returns the list of literals by pool, sign, and the assignments that make them true.
fn shelf(constructed: bool, positive: bool, yes: AssignmentSet) -> usize {
    (2 * usize::from(constructed) + usize::from(positive)) * SETS + usize::from(yes)
}

impl WeavePool {
    /// Builds the pool. `fragments` are the seed's; some of those that distinguish assignments get a fresh constant.
    ///
    /// Invariant: asserting a literal that [`WeavePool::draw`] gives is an assertion no deeper than `max_depth`.
    pub fn build(
        store: &mut Store,
        fragments: &[ValuedFormula],
        max_depth: u32,
        (config, target): (&WeaveConfig, &TargetSpelling),
        rng: &mut RandomStream,
    ) -> WeavePool {
        let mut pool = WeavePool {
            entries: Vec::new(),
            aliases: Vec::new(),
            initial: 0,
            shelves: vec![Vec::new(); 4 * SETS],
            max_depth,
            rendered: String::new(),
        };
        for &fragment in fragments {
            pool.put(store, fragment, 0, false);
        }
        pool.name_some(store, fragments, rng);
        pool.initial = pool.entries.len();
        let mut present: FxHashSet<TermId> = pool.entries.iter().map(|entry| entry.formula.term).collect();
        let weights = CONNECTIVES.map(|(kind, weight)| if target.lacks(kind) { 0 } else { weight });
        for _ in 0..config.constructed.scaled(fragments.len()) {
            for _ in 0..MAX_REDRAWS {
                let Some((formula, aliases)) = pool.construct(store, config, &weights, rng) else { break };
                let is_new = present.insert(formula.term) && formula.truths != TruthVector::default();
                if is_new && store.depth(formula.term) < max_depth {
                    pool.put(store, formula, aliases, true);
                    break;
                }
            }
        }
        pool
    }

    /// Adds a formula; it and its negation can be drawn if they are not too deep.
    fn put(&mut self, store: &Store, formula: ValuedFormula, aliases: AliasSet, constructed: bool) {
        let position = self.entries.len();
        for positive in [false, true] {
            let yes = formula.truths.with_sign(positive).yes;
            let depth = store.depth(formula.term).saturating_add(u32::from(!positive));
            if yes != 0 && depth <= self.max_depth {
                self.shelves[shelf(constructed, positive, yes)].push(PoolLiteral { position, positive });
            }
        }
        self.entries.push(PooledFormula { formula, aliases, text: 0..0 });
    }

    /// Gives names to fragments that distinguish assignments.
    fn name_some(&mut self, store: &mut Store, fragments: &[ValuedFormula], rng: &mut RandomStream) {
        let mut telling: Vec<&ValuedFormula> =
            fragments.iter().filter(|f| f.truths.tells_apart() && store.depth(f.term) < self.max_depth).collect();
        rng.shuffle(&mut telling);
        for fragment in telling.into_iter().take(MAX_ALIASES) {
            let Some((func, constant)) = fresh_bool(store, "p") else { break };
            let Ok(equation) = store.eq(constant, fragment.term) else { break };
            let bit: AliasSet = 1 << self.aliases.len();
            let TruthVector { yes, no } = fragment.truths;
            let definition = self.entries.len();
            let formula = ValuedFormula { term: equation, truths: TruthVector { yes: yes | no, no: 0 } };
            // It is asserted only where the name is used, so it is on no shelf.
            self.entries.push(PooledFormula { formula, aliases: 0, text: 0..0 });
            self.put(store, ValuedFormula { term: constant, truths: fragment.truths }, bit, false);
            self.aliases.push(FragmentAlias { func, constant: definition + 1, definition, truths: fragment.truths });
        }
    }

    /// Returns one formula of two or three literals. If possible the operands have different values, so that each assignment
    /// takes its own path through it.
    fn construct(
        &self,
        store: &mut Store,
        config: &WeaveConfig,
        weights: &[u64],
        rng: &mut RandomStream,
    ) -> Option<(ValuedFormula, AliasSet)> {
        let (kind, _) = CONNECTIVES[rng.weighted(weights)?];
        let mut operands: Vec<(ValuedFormula, AliasSet)> = Vec::new();
        for _ in 0..if kind == Kind::Ite { 3 } else { 2 } {
            let mut drawn = self.operand(store, config, rng)?;
            for _ in 0..MAX_SIMILAR {
                let is_similar =
                    operands.iter().any(|(o, _)| o.truths == drawn.0.truths) || !drawn.0.truths.tells_apart();
                if !is_similar {
                    break;
                }
                drawn = self.operand(store, config, rng)?;
            }
            operands.push(drawn);
        }
        let terms: Vec<TermId> = operands.iter().map(|(o, _)| o.term).collect();
        let aliases = operands.iter().fold(0, |all, (_, aliases)| all | aliases);
        let (a, b) = (operands[0].0.truths, operands[1].0.truths);
        let truths = match kind {
            Kind::And => a.and(b),
            Kind::Or => a.or(b),
            Kind::Implies => (!a).or(b),
            Kind::Xor => !a.same(b),
            Kind::Eq => a.same(b),
            _ => a.choose(b, operands[2].0.truths),
        };
        let term = store.app(Op::new(kind), &terms).ok()?;
        Some((ValuedFormula { term, truths }, aliases))
    }

    fn operand(
        &self,
        store: &mut Store,
        config: &WeaveConfig,
        rng: &mut RandomStream,
    ) -> Option<(ValuedFormula, AliasSet)> {
        let PoolLiteral { position, positive } = self.draw(config.initial_operand, |_| true, rng)?;
        let PooledFormula { formula, aliases, .. } = &self.entries[position];
        let term = if positive { formula.term } else { store.not(formula.term) };
        Some((ValuedFormula { term, truths: formula.truths.with_sign(positive) }, *aliases))
    }

    /// Returns a random literal with a wanted set of satisfying assignments: from the initial pool `percent` times in a
    /// hundred, otherwise a constructed one. Sets are equally likely, and so are signs, if available.
    pub fn draw(
        &self,
        percent: u32,
        is_wanted: impl Fn(AssignmentSet) -> bool,
        rng: &mut RandomStream,
    ) -> Option<PoolLiteral> {
        let (constructed, positive) = (!rng.percent(percent), rng.coin());
        let order =
            [(constructed, positive), (constructed, !positive), (!constructed, positive), (!constructed, !positive)];
        for (constructed, positive) in order {
            let sets = (1..SETS as AssignmentSet).filter(|&yes| is_wanted(yes));
            let shelves = sets.map(|yes| &self.shelves[shelf(constructed, positive, yes)]);
            let shelves: Vec<&Vec<PoolLiteral>> = shelves.filter(|shelf| !shelf.is_empty()).collect();
            if let Some(literal) = rng.pick(&shelves).and_then(|shelf| rng.pick(shelf)) {
                return Some(*literal);
            }
        }
        None
    }

    /// Returns the assignments under which some literal is known to be true.
    pub fn known(&self) -> AssignmentSet {
        let filled = (0..self.shelves.len()).filter(|&n| !self.shelves[n].is_empty());
        filled.fold(0, |known, n| known | (n % SETS) as AssignmentSet)
    }

    /// Returns the positions of formulas in the initial pool, if they are in it.
    pub fn literals_of(&self, formulas: &[ValuedFormula]) -> Vec<PoolLiteral> {
        let wanted: FxHashSet<TermId> = formulas.iter().map(|formula| formula.term).collect();
        let positions = (0..self.initial).filter(|&n| wanted.contains(&self.entries[n].formula.term));
        positions.map(|position| PoolLiteral { position, positive: true }).collect()
    }

    /// Returns the values of a literal.
    pub fn truths(&self, literal: PoolLiteral) -> TruthVector {
        self.entries[literal.position].formula.truths.with_sign(literal.positive)
    }

    /// Returns the aliases that a literal uses.
    pub fn aliases_of(&self, literal: PoolLiteral) -> AliasSet {
        self.entries[literal.position].aliases
    }

    /// Returns all aliases.
    pub fn aliases(&self) -> &[FragmentAlias] {
        &self.aliases
    }

    /// Whether a literal may be below this many further operators.
    pub fn leaves_room(&self, store: &Store, literal: PoolLiteral, operators: u32) -> bool {
        let own = store.depth(self.entries[literal.position].formula.term).saturating_add(u32::from(!literal.positive));
        own.saturating_add(operators) <= self.max_depth
    }

    /// Returns all formulas of the initial pool and the definitions of aliases: the parts of every formula.
    pub fn parts(&self) -> Vec<TermId> {
        self.entries[..self.initial].iter().map(|entry| entry.formula.term).collect()
    }

    /// Returns the number of formulas, and how many of them are initial.
    pub fn sizes(&self) -> (usize, usize) {
        (self.entries.len(), self.initial)
    }

    /// Appends a literal. Its formula is rendered on first use.
    pub fn print(&mut self, literal: PoolLiteral, printer: &mut Printer<'_>, out: &mut String) {
        if self.rendered.len() > MAX_RENDERED {
            self.rendered.clear();
            self.entries.iter_mut().for_each(|entry| entry.text = 0..0);
        }
        let entry = &mut self.entries[literal.position];
        if entry.text.is_empty() {
            let start = self.rendered.len();
            printer.term(entry.formula.term, &mut self.rendered);
            entry.text = start..self.rendered.len();
        }
        let text = &self.rendered[entry.text.clone()];
        if literal.positive {
            out.push_str(text);
        } else {
            out.push_str("(not ");
            out.push_str(text);
            out.push(')');
        }
    }
}

/// Returns a new Boolean constant with a fresh name.
pub fn fresh_bool(store: &mut Store, base: &str) -> Option<(FuncId, TermId)> {
    let known = store.symbols.len();
    let name = store.fresh_symbol(base, |symbol| symbol.index() < known);
    let func = store.declare(Func { name, params: Box::default(), result: SortId::BOOL, body: FuncBody::Declared });
    Some((func, store.constant_of(func).ok()?))
}
