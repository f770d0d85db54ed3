//! Writes one mutant: assertions, levels and checks, each check with the assignment that satisfies it.

use super::config::WeaveConfig;
use super::pool::{AliasSet, PoolLiteral, WeavePool};
use super::truths::{AssignmentSet, members, only};
use crate::mutator::Mutant;
use crate::query_mode::{LevelChange, OpenLevels, QueryMode};
use crate::rng::RandomStream;
use smtlib::{Printer, Status, Store};

/// How often an assertion of a mutant with selectors is guarded by one, in percent.
const GUARDED_ASSERTIONS: u32 = 40;
/// The percentage of checks whose witness differs from the previous check's, if another one exists.
const NEXT_WITNESS: u32 = 80;

/// The layout of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionPlan {
    /// The query mode.
    pub mode: QueryMode,
    /// The maximum number of assertions.
    pub asserts: u64,
    /// Whether a selector for each assignment guards some assertions.
    pub has_selectors: bool,
    /// Whether checks assume selectors and names.
    pub has_assumptions: bool,
    /// Whether one assignment is excluded by the values of its constants.
    pub has_blocking: bool,
}

impl SessionPlan {
    /// Draws a plan as the configuration's percentages say.
    pub fn draw(config: &WeaveConfig, rng: &mut RandomStream) -> SessionPlan {
        let mode = QueryMode::draw(&config.query, rng);
        let has_assumptions = mode == QueryMode::Incremental && rng.percent(config.assuming);
        SessionPlan {
            mode,
            asserts: rng.between(1, u64::from(config.max_asserts)),
            // `(or s s)` and `(=> s F)` need their depth.
            has_selectors: config.max_depth > 1 && (has_assumptions || rng.percent(config.guarded)),
            has_assumptions,
            has_blocking: rng.percent(config.blocking),
        }
    }
}

/// The purpose of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AssertionAim {
    /// The assertion is true under all of these assignments, so it allows all of them.
    Share(AssignmentSet),
    /// The assertion is true under the witness, and false under some of these assignments. It steers the solver to the witness.
    Steer(AssignmentSet),
    /// True under the witness.
    Any,
}

/// The positions of a group's steering assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SteeringPlace {
    Early,
    Late,
    Anywhere,
}

/// The purpose of the assertions between two checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GroupAim {
    /// The assignment that satisfies the next check.
    witness: usize,
    /// The witness and the assignments that it is distinguished from.
    shared: AssignmentSet,
    /// Whether all of `shared` satisfy every assertion, so that later checks may have another witness.
    keeps_all: bool,
}

/// The state of a session's level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SessionLevel {
    /// The assignments that make all live assertions true.
    live: AssignmentSet,
    /// The aliases whose definitions are live.
    defined: AliasSet,
}

/// The common source of a unit's mutants.
pub struct SessionSource<'a, 's> {
    /// The store of all terms.
    pub store: &'s Store,
    /// The formulas.
    pub pool: &'a mut WeavePool,
    /// Formulas that are true under one assignment only, or few.
    pub corners: &'a [PoolLiteral],
    /// The selectors as text, one for each assignment.
    pub selectors: &'a [String],
    /// The parameters.
    pub config: &'a WeaveConfig,
    /// Writes terms.
    pub printer: &'a mut Printer<'s>,
}

/// A mutant under construction.
struct SessionWriter<'a, 's, 'm> {
    source: SessionSource<'a, 's>,
    plan: SessionPlan,
    rng: &'m mut RandomStream,
    out: &'m mut Mutant,
    start: usize,
    left: u64,
    top: SessionLevel,
    below: Vec<SessionLevel>,
    witnesses: Vec<usize>,
}

/// Writes a mutant after its preamble; returns the assignment that satisfies each check.
///
/// Invariant: every assertion live at a check is certainly true under the check's assignment, where the selectors and aliases
/// have the values that [`super::batch`] gives them.
pub fn write(source: SessionSource<'_, '_>, plan: SessionPlan, rng: &mut RandomStream, out: &mut Mutant) -> Vec<usize> {
    let all = source.pool.known();
    let start = out.text.len();
    let top = SessionLevel { live: all, defined: 0 };
    let (left, below, witnesses) = (plan.asserts, Vec::new(), Vec::new());
    let mut session = SessionWriter { source, plan, rng, out, start, left, top, below, witnesses };
    match plan.mode {
        QueryMode::Incremental => session.incremental(),
        _ => session.single(),
    }
    session.witnesses
}

impl SessionWriter<'_, '_, '_> {
    /// Adds one group of assertions and one check.
    fn single(&mut self) {
        let witness = self.witness(None);
        let shared = self.some_with(self.top.live, witness);
        self.paths(shared);
        self.group(self.left, GroupAim { witness, shared, keeps_all: false });
        self.plan.mode.check(&self.source.config.query, self.out);
        self.witnesses.push(witness);
    }

    /// Groups of assertions, each followed by a check with its own witness.
    fn incremental(&mut self) {
        let checks = self.rng.between(1, u64::from(self.source.config.query.max_checks).min(self.left).max(1));
        let mut levels = OpenLevels::default();
        let mut last = None;
        if self.plan.has_selectors && !self.plan.has_assumptions {
            self.paths(self.top.live);
        }
        for check in 0..checks {
            match levels.step(self.rng, &mut self.out.text) {
                LevelChange::Stay => {}
                LevelChange::Push(n) => (0..n).for_each(|_| self.below.push(self.top)),
                LevelChange::Pop(n) => (0..n).for_each(|_| self.top = self.below.pop().unwrap_or(self.top)),
            }
            let witness = self.witness(last);
            let groups_after = checks - check - 1;
            let most = self.left.saturating_sub(groups_after);
            let group = if groups_after == 0 { most } else { self.rng.between(most.min(1), most) };
            // Assertions below all levels, or under assumptions, stay.
            let keeps_all = levels.open() == 0 && groups_after > 0 || self.plan.has_assumptions;
            let shared = if keeps_all { self.top.live } else { self.some_with(self.top.live, witness) };
            self.group(group, GroupAim { witness, shared, keeps_all });
            self.check(witness);
            last = Some(witness);
        }
    }

    /// Returns the witness of the next check.
    fn witness(&mut self, last: Option<usize>) -> usize {
        let live: Vec<usize> = members(self.top.live).collect();
        let others: Vec<usize> = live.iter().copied().filter(|n| Some(*n) != last).collect();
        let among = if self.rng.percent(NEXT_WITNESS) && !others.is_empty() { &others } else { &live };
        self.rng.pick(among).copied().unwrap_or(0)
    }

    /// Returns a random subset of a set with the witness and, if there is one, some other assignment.
    fn some_with(&mut self, set: AssignmentSet, witness: usize) -> AssignmentSet {
        let others: Vec<usize> = members(set).filter(|&n| n != witness).collect();
        let Some(&sure) = self.rng.pick(&others) else { return set };
        let part = others.iter().filter(|&&n| n == sure || self.rng.coin());
        part.fold(only(witness), |part, &n| part | only(n))
    }

    /// `(or s1 s2 …)` over the selectors of a set: the solver must take one of the paths.
    fn paths(&mut self, set: AssignmentSet) {
        if !self.plan.has_selectors || self.left < 2 || members(set).count() < 2 {
            return;
        }
        self.left -= 1;
        self.out.text.push_str("(assert (or");
        for n in members(set) {
            self.out.text.push(' ');
            self.out.text.push_str(&self.source.selectors[n]);
        }
        self.out.text.push_str("))\n");
        self.top.live &= set;
    }

    /// About `count` assertions that the witness satisfies.
    fn group(&mut self, count: u64, group: GroupAim) {
        let GroupAim { witness, shared, keeps_all } = group;
        let end = self.left.saturating_sub(count);
        let config = self.source.config;
        let steering = (count * u64::from(config.steering)).div_ceil(100);
        let place = [SteeringPlace::Early, SteeringPlace::Late, SteeringPlace::Anywhere][self.rng.index(3)];
        let is_blocked = self.plan.has_blocking && !keeps_all && count > 1;
        let blocks_late = is_blocked && place != SteeringPlace::Early;
        if is_blocked && !blocks_late {
            self.block(witness, shared);
        }
        while self.left > end + u64::from(blocks_late) && self.out.text.len() - self.start < config.max_bytes as usize {
            let (before, after) = (count - (self.left - end).min(count), self.left - end);
            let steers = match place {
                SteeringPlace::Early => before < steering,
                SteeringPlace::Late => after <= steering,
                SteeringPlace::Anywhere => self.rng.percent(config.steering),
            };
            let aim = match steers && !keeps_all && shared != only(witness) {
                true => AssertionAim::Steer(shared),
                false if keeps_all || self.rng.percent(config.shared) => AssertionAim::Share(shared),
                false => AssertionAim::Any,
            };
            if !self.step(witness, shared, aim) {
                break;
            }
        }
        if blocks_late {
            self.block(witness, shared);
        }
        self.left = self.left.min(end);
    }

    /// Adds one assertion, with the definitions that it needs; false if there is none.
    fn step(&mut self, witness: usize, shared: AssignmentSet, aim: AssertionAim) -> bool {
        if self.plan.has_selectors && self.rng.percent(GUARDED_ASSERTIONS) {
            let paths: Vec<usize> = members(shared).collect();
            let path = self.rng.pick(&paths).copied().unwrap_or(witness);
            if aim != AssertionAim::Share(shared) && path != witness && self.rng.coin() {
                return self.literal_of_selector(path, witness);
            }
            let percent = self.source.config.initial_assertion;
            let is_wanted = |yes: AssignmentSet| yes & only(path) != 0;
            if let Some(literal) = self.source.pool.draw(percent, is_wanted, self.rng)
                && self.source.pool.leaves_room(self.source.store, literal, 2)
            {
                return self.assert(literal, Some(path), witness);
            }
        }
        let has_witness = |yes: AssignmentSet| yes & only(witness) != 0;
        let is_wanted = |yes: AssignmentSet| match aim {
            AssertionAim::Share(set) => yes & set == set,
            AssertionAim::Steer(set) => has_witness(yes) && yes & set != set,
            AssertionAim::Any => has_witness(yes),
        };
        let percent = self.source.config.initial_assertion;
        let drawn = self.source.pool.draw(percent, is_wanted, self.rng);
        match drawn.or_else(|| self.source.pool.draw(percent, has_witness, self.rng)) {
            Some(literal) => self.assert(literal, None, witness),
            None => false,
        }
    }

    /// Asserts the selector of the witness, or the negation of another path's.
    fn literal_of_selector(&mut self, path: usize, witness: usize) -> bool {
        let text = &mut self.out.text;
        self.left -= 1;
        if self.rng.coin() {
            text.push_str("(assert (not ");
            text.push_str(&self.source.selectors[path]);
            text.push_str("))\n");
            self.top.live &= !only(path);
        } else {
            text.push_str("(assert ");
            text.push_str(&self.source.selectors[witness]);
            text.push_str(")\n");
            self.top.live &= only(witness);
        }
        true
    }

    /// Excludes another assignment by the values of its constants.
    fn block(&mut self, witness: usize, shared: AssignmentSet) {
        let others = shared & !only(witness);
        let pool = &self.source.pool;
        let fits = |literal: &&PoolLiteral| {
            let truths = pool.truths(**literal);
            truths.no & only(witness) != 0 && truths.yes & others != 0
        };
        let blocks: Vec<PoolLiteral> = self.source.corners.iter().filter(fits).copied().collect();
        if let Some(corner) = self.rng.pick(&blocks)
            && self.left > 0
        {
            self.assert(PoolLiteral { positive: !corner.positive, ..*corner }, None, witness);
        }
    }

    /// Asserts a literal, under a path's selector if one is given, after the definitions of the aliases in it. If these do not fit, the
    /// aliases stay unconstrained; the same witness still satisfies it.
    fn assert(&mut self, literal: PoolLiteral, path: Option<usize>, witness: usize) -> bool {
        let missing = self.source.pool.aliases_of(literal) & !self.top.defined;
        for n in 0..self.source.pool.aliases().len() {
            let alias = self.source.pool.aliases()[n];
            if missing & (1 << n) != 0 && self.left > 1 && (alias.truths.yes | alias.truths.no) & only(witness) != 0 {
                self.top.defined |= 1 << n;
                self.write(PoolLiteral { position: alias.definition, positive: true }, None);
            }
        }
        self.write(literal, path);
        true
    }

    fn write(&mut self, literal: PoolLiteral, path: Option<usize>) {
        self.left = self.left.saturating_sub(1);
        let yes = self.source.pool.truths(literal).yes;
        let text = &mut self.out.text;
        text.push_str("(assert ");
        let close = match path {
            Some(path) => {
                let as_or = self.rng.coin();
                text.push_str(if as_or { "(or (not " } else { "(=> " });
                text.push_str(&self.source.selectors[path]);
                text.push_str(if as_or { ") " } else { " " });
                // Under the other assignments the selector is false.
                self.top.live &= yes | !only(path);
                "))\n"
            }
            None => {
                self.top.live &= yes;
                ")\n"
            }
        };
        self.source.pool.print(literal, self.source.printer, text);
        text.push_str(close);
    }

    /// Adds a check that the witness satisfies, under assumptions if the plan says so.
    fn check(&mut self, witness: usize) {
        self.witnesses.push(witness);
        if !self.plan.has_assumptions {
            return self.plan.mode.check(&self.source.config.query, self.out);
        }
        let text = &mut self.out.text;
        text.push_str("(check-sat-assuming (");
        text.push_str(&self.source.selectors[witness]);
        for (n, selector) in self.source.selectors.iter().enumerate() {
            if n != witness && self.rng.coin() {
                text.push_str(" (not ");
                text.push_str(selector);
                text.push(')');
            }
        }
        for n in 0..self.source.pool.aliases().len() {
            let alias = self.source.pool.aliases()[n];
            let known = (alias.truths.yes | alias.truths.no) & only(witness) != 0;
            if known && self.top.defined & (1 << n) != 0 && self.rng.coin() {
                text.push(' ');
                let positive = alias.truths.yes & only(witness) != 0;
                let literal = PoolLiteral { position: alias.constant, positive };
                self.source.pool.print(literal, self.source.printer, text);
            }
        }
        text.push_str("))\n");
        self.out.expected.push(Status::Sat);
    }
}
