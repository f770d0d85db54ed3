//! Writes one session: assertions of two parts among levels, and checks, each with the knowledge about both parts.

use super::config::SpliceConfig;
use super::part::{Part, PartLiteral, PartRefutation, PartTruth};
use crate::mutator::Mutant;
use crate::rng::RandomStream;
use finding::Trust;
use rustc_hash::FxHashMap;
use semantics::Model;
use smtlib::{FuncId, Status, Store};
use std::sync::Arc;

/// The maximum number of levels that are open at once, and that one pop closes.
const MAX_LEVELS: usize = 8;
const MAX_STEP: u64 = 3;
/// The maximum number of steps per wanted check: some steps lead to sets of unknown status.
const STEPS_A_CHECK: u64 = 6;
/// How often a step is followed by a check, in percent.
const CHECKED: u32 = 85;
/// How often levels are closed after the answer `unsat`, and otherwise, in percent.
const CLOSED: (u32, u32) = (70, 25);
/// How often all assertions are removed, if possible, in percent of the steps.
const RESET: u32 = 12;
/// How often an assertion on a level must leave its part satisfiable; below all levels each must. In percent.
const CAREFUL: u32 = 70;
/// How many assertions depend on a selector in mutants with assumptions, in percent.
const GUARDED: u32 = 40;
/// How often a literal, and the assumptions of a check, are redrawn.
const DRAWS: u32 = 8;

/// Where functions are declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeclarationStyle {
    /// Before everything else.
    First,
    /// On the level of their first use, and again if they are used after its end.
    Scoped,
    /// Once at their first use: they outlive levels and `(reset-assertions)`.
    Global,
}

/// The layout of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SplicePlan {
    /// The intended number of checks.
    pub checks: u64,
    /// Whether checks assume selectors and Boolean constants.
    pub has_assumptions: bool,
    /// Where functions are declared.
    pub style: DeclarationStyle,
}

/// A fresh Boolean constant: formulas of one part under it hold if it is assumed. Parts share none, since exhaustion of one part
/// would need the other.
#[derive(Clone, Debug)]
pub(super) struct Selector {
    pub part: usize,
    pub func: FuncId,
    pub text: String,
}

/// The common source of a unit's mutants.
pub(super) struct SpliceSource<'a> {
    pub store: &'a mut Store,
    pub parts: &'a mut [Part; 2],
    pub selectors: &'a [Selector],
    /// The declaration of each function, with a line end.
    pub declarations: &'a FxHashMap<FuncId, String>,
    pub config: &'a SpliceConfig,
}

/// The knowledge about a check.
#[derive(Clone, Debug)]
pub(super) struct CheckRecord {
    /// The assignments of both parts if the check is satisfiable; `None` for a part: the base assignment.
    pub models: Option<[Option<Arc<Model>>; 2]>,
    /// The true selectors.
    pub selected: Vec<bool>,
    /// Why the check is unsatisfiable, if it is.
    pub refutation: Option<PartRefutation>,
}

/// A live assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LiveAssertion {
    pub part: usize,
    pub literal: PartLiteral,
    /// The selector that it depends on.
    pub selector: Option<usize>,
}

/// The contents of a level.
#[derive(Clone, Default, Debug)]
pub(super) struct SpliceLevel {
    pub asserted: Vec<LiveAssertion>,
    pub declared: Vec<FuncId>,
}

/// A mutant under construction.
pub(super) struct SpliceSession<'a, 'm> {
    pub source: SpliceSource<'a>,
    pub plan: SplicePlan,
    pub rng: &'m mut RandomStream,
    pub out: &'m mut Mutant,
    start: usize,
    /// The first is below all levels.
    pub levels: Vec<SpliceLevel>,
    records: Vec<CheckRecord>,
}

/// Writes a mutant after its preamble; returns the knowledge about each check.
///
/// Invariant: a check is written only where both parts' live formulas are decided, and its record says how.
pub(super) fn write(
    source: SpliceSource<'_>,
    plan: SplicePlan,
    rng: &mut RandomStream,
    out: &mut Mutant,
) -> Vec<CheckRecord> {
    let start = out.text.len();
    let levels = vec![SpliceLevel::default()];
    let mut session = SpliceSession { source, plan, rng, out, start, levels, records: Vec::new() };
    session.run();
    let records = session.records;
    let mut words: Vec<&str> = records.iter().filter_map(|r| r.refutation?.trust()).collect();
    words.sort_unstable();
    words.dedup();
    out.truth = if words.is_empty() { Some(Trust::Certified) } else { Some(Trust::in_words(words.join("; "))) };
    records
}

impl SpliceSession<'_, '_> {
    fn run(&mut self) {
        for part in [0, 1] {
            if self.rng.percent(CAREFUL) {
                self.group(part);
            }
        }
        let mut steps = STEPS_A_CHECK * self.plan.checks;
        while steps > 0 && self.has_room() && (self.records.len() as u64) < self.plan.checks {
            steps -= 1;
            self.step();
            if self.rng.percent(CHECKED) {
                self.check();
            }
        }
    }

    fn has_room(&self) -> bool {
        self.out.text.len() - self.start < self.source.config.max_bytes as usize
    }

    fn open(&self) -> usize {
        self.levels.len() - 1
    }

    /// Makes one change of the live assertions.
    fn step(&mut self) {
        let is_refuted = self.records.last().is_some_and(|record| record.refutation.is_some());
        let closed = if is_refuted { CLOSED.0 } else { CLOSED.1 };
        let part = self.rng.index(2);
        if self.open() > 0 && self.rng.percent(closed) {
            return self.pop();
        }
        if self.plan.style == DeclarationStyle::Global && self.rng.percent(RESET) {
            return self.reset();
        }
        let refutes = self.rng.percent(self.source.config.refuting);
        // An unsatisfiable set must not stay to the end.
        if self.open() < MAX_LEVELS && (self.rng.coin() || (refutes && self.open() == 0)) {
            self.push(1);
        }
        match refutes && self.open() > 0 {
            true => self.refute(part),
            false => self.group(part),
        }
    }

    fn push(&mut self, levels: u64) {
        self.out.text.push_str(&format!("(push {levels})\n"));
        (0..levels).for_each(|_| self.levels.push(SpliceLevel::default()));
    }

    /// Closes levels, and sometimes reopens them with their contents in another order.
    fn pop(&mut self) {
        let levels = self.rng.between(1, MAX_STEP.min(self.open() as u64));
        self.out.text.push_str(&format!("(pop {levels})\n"));
        let kept = self.levels.len() - levels as usize;
        let mut removed: Vec<LiveAssertion> = self.levels.drain(kept..).flat_map(|level| level.asserted).collect();
        if !self.rng.percent(self.source.config.again) {
            return;
        }
        if self.rng.coin() && (self.records.len() as u64) + 1 < self.plan.checks {
            self.check();
        }
        self.push(levels);
        self.rng.shuffle(&mut removed);
        removed.into_iter().for_each(|one| self.assert(one));
    }

    /// Removes all assertions and levels.
    fn reset(&mut self) {
        self.out.text.push_str("(reset-assertions)\n");
        let declared = std::mem::take(&mut self.levels[0].declared);
        self.levels = vec![SpliceLevel { asserted: Vec::new(), declared }];
        if self.rng.coin() {
            self.group(0);
            self.group(1);
        }
    }

    /// Asserts a few formulas of one part.
    fn group(&mut self, part: usize) {
        let group = self.source.config.group;
        for _ in 0..self.rng.between(u64::from(group.low), u64::from(group.high)) {
            let is_careful = self.open() == 0 || self.rng.percent(CAREFUL);
            let Some(literal) = self.draw(part, is_careful) else { continue };
            let selector = self.selector(part);
            self.assert(LiveAssertion { part, literal, selector });
        }
    }

    /// Returns a selector for an assertion, in mutants with assumptions.
    fn selector(&mut self, part: usize) -> Option<usize> {
        if !self.plan.has_assumptions || !self.rng.percent(GUARDED) {
            return None;
        }
        let own: Vec<usize> =
            (0..self.source.selectors.len()).filter(|&n| self.source.selectors[n].part == part).collect();
        self.rng.pick(&own).copied()
    }

    /// Returns a literal of a part; a careful choice keeps assertions without selectors satisfiable.
    fn draw(&mut self, part: usize, is_careful: bool) -> Option<PartLiteral> {
        let mut live = self.live(part, &[]);
        if !live.is_empty() && self.rng.percent(self.source.config.redundant) {
            return self.rng.pick(&live).copied();
        }
        for _ in 0..DRAWS {
            let own = &self.source.parts[part];
            let formula = self.rng.index(own.formulas.len());
            let (is_small, known) = (own.is_small, own.true_literal(formula));
            if is_small && own.formulas[formula].is_guard {
                continue;
            }
            let literal = match known {
                Some(literal) if !is_small || self.rng.coin() => literal,
                _ if is_small => PartLiteral { formula, is_positive: self.rng.coin() },
                _ => continue,
            };
            if !is_careful || !is_small {
                return Some(literal);
            }
            let before = live.len();
            live.extend(own.guards().chain([literal]));
            if matches!(self.source.parts[part].truth(self.source.store, &live), PartTruth::Sat(_)) {
                return Some(literal);
            }
            live.truncate(before);
        }
        None
    }

    /// Assertions that make a part unsatisfiable.
    fn refute(&mut self, part: usize) {
        let whole = self.source.parts[part].whole.clone();
        if !whole.is_empty() && self.rng.percent(60) {
            let live = self.live(part, &[]);
            for literal in whole {
                if !live.contains(&literal) || self.rng.percent(self.source.config.redundant) {
                    self.assert(LiveAssertion { part, literal, selector: None });
                }
            }
            return;
        }
        let live = self.live(part, &[]);
        if self.source.parts[part].is_small && self.rng.percent(60) {
            return self.group(part);
        }
        let is_opposable = |l: &&PartLiteral| {
            let own = &self.source.parts[part];
            !(own.is_small && own.formulas[l.formula].is_guard)
        };
        let opposable: Vec<PartLiteral> = live.iter().filter(is_opposable).copied().collect();
        let Some(&literal) = self.rng.pick(&opposable) else { return self.group(part) };
        let literal = PartLiteral { is_positive: !literal.is_positive, ..literal };
        let selector = self.selector(part);
        self.assert(LiveAssertion { part, literal, selector });
    }

    /// Returns the literals of a part that hold if these selectors are assumed.
    pub(super) fn live(&self, part: usize, selected: &[Option<bool>]) -> Vec<PartLiteral> {
        let holds = |one: &&LiveAssertion| {
            one.part == part && one.selector.is_none_or(|n| selected.get(n).copied().flatten() == Some(true))
        };
        self.levels.iter().flat_map(|level| &level.asserted).filter(holds).map(|one| one.literal).collect()
    }

    /// Adds a check, if some assumptions, or none, give a known answer.
    fn check(&mut self) {
        for draw in 0..DRAWS {
            let has_assumptions = self.plan.has_assumptions && draw + 1 < DRAWS && self.rng.percent(75);
            let (selected, names) = if has_assumptions { self.assumptions() } else { Default::default() };
            let Some(record) = self.decided(&selected, &names) else { continue };
            self.write_check(has_assumptions, &selected, &names);
            let is_unsat = record.refutation.is_some();
            self.out.expected.push(if is_unsat { Status::Unsat } else { Status::Sat });
            self.records.push(record);
            return;
        }
    }

    /// Assumed values of selectors, and literals of Boolean constants.
    fn assumptions(&mut self) -> (Vec<Option<bool>>, Vec<(usize, PartLiteral)>) {
        let mut selected = Vec::new();
        for _ in self.source.selectors {
            selected.push([Some(true), Some(true), Some(false), None][self.rng.index(4)]);
        }
        let mut names = Vec::new();
        for part in [0, 1] {
            let formulas = &self.source.parts[part].formulas;
            let known: Vec<usize> = (0..formulas.len()).filter(|&n| formulas[n].is_name).collect();
            if let Some(&formula) = self.rng.pick(&known)
                && self.rng.percent(30)
            {
                let is_positive = formulas[formula].value.unwrap_or(true) ^ self.rng.percent(25);
                names.push((part, PartLiteral { formula, is_positive }));
            }
        }
        (selected, names)
    }

    /// Returns the knowledge about a check under assumptions; `None` if it is not decided.
    fn decided(&mut self, selected: &[Option<bool>], names: &[(usize, PartLiteral)]) -> Option<CheckRecord> {
        let mut models = [None, None];
        let mut refutation = None;
        let mut is_open = false;
        for part in [0, 1] {
            let mut literals = self.live(part, selected);
            literals.extend(names.iter().filter(|(of, _)| *of == part).map(|(_, literal)| *literal));
            match self.source.parts[part].truth(self.source.store, &literals) {
                PartTruth::Sat(model) => models[part] = model,
                PartTruth::Unsat(why) => {
                    refutation = Some(refutation.map_or(why, |other: PartRefutation| other.min(why)))
                }
                PartTruth::Unknown => is_open = true,
            }
        }
        if is_open && refutation.is_none() {
            return None;
        }
        let of = |n: usize| selected.get(n).copied().flatten() == Some(true);
        let selected = (0..self.source.selectors.len()).map(of).collect();
        let models = if refutation.is_none() { Some(models) } else { None };
        Some(CheckRecord { models, selected, refutation })
    }
}
