//! The order of a mutant's assertions, and its checks.

use super::config::CoreConfig;
use crate::mutator::Mutant;
use crate::query_mode::QueryMode;
use crate::rng::RandomStream;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{Printer, Status, Store, TermId};

/// The maximum number of times that the rest of a core is asserted on levels.
const MAX_ROUNDS: u64 = 4;
/// The maximum length, in bytes, of a subterm bound by `let`.
const MAX_BOUND: usize = 1 << 10;
/// The name of the bound subterm.
const LET_NAME: &str = "bound!part";

/// The commands of a mutant under way.
pub(super) struct CoreLayout<'l, 's> {
    pub printer: Printer<'s>,
    pub store: &'s Store,
    pub config: &'l CoreConfig,
    pub rng: RandomStream,
    pub out: &'l mut Mutant,
}

impl CoreLayout<'_, '_> {
    /// Appends all assertions in some order, and one check.
    pub fn single(&mut self, core: Vec<TermId>, filler: Vec<TermId>, mode: QueryMode) {
        let mut all = self.with_filler(core, filler);
        if self.rng.percent(80) {
            self.rng.shuffle(&mut all);
        }
        all.into_iter().for_each(|t| self.assert(t));
        mode.check(&self.config.query, self.out);
        if let Some(expected) = self.out.expected.last_mut() {
            *expected = Status::Unsat;
        }
    }

    /// Appends the satisfied assertions, then the rest of the core on levels: checks are `sat` below and `unsat` on them.
    pub fn incremental(
        &mut self,
        mut satisfied: Vec<TermId>,
        others: Vec<TermId>,
        filler: Vec<TermId>,
    ) -> Result<(), &'static str> {
        if others.is_empty() {
            return Err("the assignment satisfies the core, whose :status is wrong");
        }
        let mut later = self.with_filler(Vec::new(), filler);
        self.rng.shuffle(&mut satisfied);
        satisfied.into_iter().for_each(|t| self.assert(t));
        let most = u64::from(self.config.query.max_checks);
        let rounds = self.rng.between(1, most.clamp(1, MAX_ROUNDS));
        for _ in 0..rounds {
            if (self.out.expected.len() as u64) + 1 < most && self.rng.coin() {
                self.check(Status::Sat);
            }
            let kept = self.rng.index(later.len() + 1);
            let mut beside = later.split_off(kept);
            let levels = self.rng.between(1, 3);
            let mut open: Vec<TermId> = others.clone();
            let mut on_levels = beside.split_off(self.rng.index(beside.len() + 1));
            beside.into_iter().for_each(|t| self.assert(t));
            open.append(&mut on_levels);
            self.rng.shuffle(&mut open);
            for level in 0..levels {
                self.out.text.push_str("(push 1)\n");
                let rest = (levels - level - 1) as usize;
                let take = if rest == 0 { open.len() } else { self.rng.index(open.len() + 1) };
                open.drain(..take).collect::<Vec<_>>().into_iter().for_each(|t| self.assert(t));
            }
            self.check(Status::Unsat);
            if self.out.expected.len() as u64 >= most {
                break;
            }
            self.out.text.push_str(&format!("(pop {levels})\n"));
        }
        Ok(())
    }

    /// Adds filler while there is room.
    fn with_filler(&mut self, mut all: Vec<TermId>, filler: Vec<TermId>) -> Vec<TermId> {
        let mut bytes = 0;
        for t in filler {
            let mut text = String::new();
            self.printer.term(t, &mut text);
            bytes += text.len();
            if bytes < self.config.max_bytes as usize {
                all.push(t);
            }
        }
        all
    }

    fn check(&mut self, expected: Status) {
        self.out.text.push_str("(check-sat)\n");
        self.out.expected.push(expected);
    }

    /// Appends an assertion, sometimes with a Boolean argument bound by `let`.
    fn assert(&mut self, t: TermId) {
        let mut text = String::new();
        self.printer.term(t, &mut text);
        if self.rng.percent(self.config.lets) {
            self.bind(t, &mut text);
        }
        self.out.text.push_str("(assert ");
        self.out.text.push_str(&text);
        self.out.text.push_str(")\n");
    }

    /// `(let ((l B)) …)` for a Boolean argument B, wherever it occurs. Assertions with variables stay unchanged, since a variable may
    /// have the name of a constant in B, and so do texts with quoted names, strings, a `let`, or sorts: `(P A)` may be a sort, too.
    fn bind(&mut self, t: TermId, text: &mut String) {
        let has_variables = self.store.flags(t) & (HAS_BINDER | HAS_VARIABLE) != 0;
        let has_names_within = text.contains(['"', '|']) || ["(let ", "(as "].iter().any(|word| text.contains(word));
        if has_variables || has_names_within || self.is_taken(LET_NAME) {
            return;
        }
        let is_compound = |a: &TermId| self.store.is_bool(*a) && !self.store.args(*a).is_empty();
        let parts: Vec<TermId> = self.store.args(t).iter().copied().filter(is_compound).collect();
        let Some(&part) = self.rng.pick(&parts) else { return };
        let mut bound = String::new();
        self.printer.term(part, &mut bound);
        if bound.len() <= MAX_BOUND && bound.starts_with('(') {
            *text = format!("(let (({LET_NAME} {bound})) {})", text.replace(&bound, LET_NAME));
        }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.store.symbols.get(name).is_some()
    }
}
