//! The mutants of one seed: laws applied step by step, with the resulting truth.

use super::ENTRY;
use super::apply::{DirectedLaw, LawBook};
use super::config::{EqualConfig, EqualTruth};
use super::law::Law;
use super::occurrence::{Occurrence, occurrences, replaced, size};
use crate::assignment::{self, AssignmentSource};
use crate::edit::{self, GuardUse};
use crate::guards::is_guard;
use crate::mutator::{Batch, Mutant, MutantRequest, TargetSpelling, Unfit};
use crate::preamble;
use crate::rng::{RandomStream, Unit};
use finding::Trust;
use semantics::{Evaluator, Model};
use smtlib::{Instance, Kind, Printer, Status, Store, TermId};
use std::sync::Arc;

/// The maximum number of occurrences of a changed assertion: larger ones cost more than they gain.
const MAX_OCCURRENCES: usize = 20_000;
/// How often a failed step is redrawn.
const MAX_REDRAWS: u32 = 12;
/// How many steps, in percent, change the result of the previous step.
const AGAIN: u32 = 40;
/// How many changes, in percent, are kept although they add theories to the seed: a law may introduce arrays or reals.
const FOREIGN: u32 = 10;
/// How many steps, in percent, replace a term everywhere in the assertion, not at one place.
const EVERYWHERE: u32 = 50;

/// An assertion of the seed.
struct SeedLine {
    term: TermId,
    /// Its value under the assignment, if the evaluator knows it.
    value: Option<bool>,
    /// Whether the assertion needs a recursive definition that is not proven total, so that no certified mutant may contain it.
    is_unproven: bool,
    /// Where the assertion may change; empty if it must stay unchanged.
    occurrences: Vec<Occurrence>,
}

/// A mutant before it is printed.
#[derive(Clone)]
struct EqualMutant {
    truth: Status,
    /// The assertions, one for each of the seed's.
    terms: Vec<TermId>,
    laws: Vec<DirectedLaw>,
    /// Whether the mutant needs more than the seed's logic.
    is_beyond: bool,
}

/// The mutants of one seed.
pub struct EqualBatch<'s> {
    store: &'s mut Store,
    instance: Instance,
    lines: Vec<SeedLine>,
    /// The lines that may change, repeated by weight.
    changeable: Vec<usize>,
    is_unsat: bool,
    evaluator: Evaluator,
    source: AssignmentSource,
    book: LawBook,
    laws: Arc<[Law]>,
    config: EqualConfig,
    settings: Vec<(&'static str, String)>,
    target: &'s TargetSpelling,
    unit: Unit,
    /// The seed's features, and those beyond its logic.
    own: u32,
    refused: u32,
    /// In the logic `ALL` a name of the seed might mean something else.
    keeps_logic: bool,
    /// The number of distinct subterms of the seed, and the allowed growth.
    most: usize,
    last: Option<(u64, EqualMutant)>,
}

impl<'s> EqualBatch<'s> {
    pub(super) fn new(
        store: &'s mut Store,
        request: MutantRequest<'s>,
        config: &EqualConfig,
        laws: Arc<[Law]>,
        settings: Vec<(&'static str, String)>,
    ) -> Result<EqualBatch<'s>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let mut rng = request.unit.stream();
        let instance = parent.instance.clone();
        let unproven = preamble::needs_unproven(store, &instance.declarations);
        let proven: Vec<TermId> = instance.assertions.iter().copied().filter(|t| !unproven[t.index()]).collect();
        let chosen = assignment::choose(store, parent, &proven, u32::MAX, config.assignment, &mut rng);
        let mut evaluator = Evaluator::new(chosen.model, edit::limits());
        let is_unsat = instance.status == Some(Status::Unsat) && !instance.incomplete;
        let is_satisfied = match config.truth {
            EqualTruth::Certified => true,
            EqualTruth::Seed => !is_unsat,
            EqualTruth::Differential | EqualTruth::Both => false,
        };
        let unfolded = edit::unfolded(store, &instance);
        let line = |(&given, term): (&TermId, TermId)| {
            let is_unproven = unproven[given.index()];
            let value = if is_unproven { None } else { evaluator.truth(store, term) };
            let is_kept = config.guards == GuardUse::Keep && is_guard(store, term);
            // An assertion without a known value is in no certified mutant.
            let is_fixed = is_unproven || is_kept || (is_satisfied && value.is_none());
            let found = if is_fixed { None } else { occurrences(store, term, MAX_OCCURRENCES) };
            SeedLine { term, value, is_unproven, occurrences: found.unwrap_or_default() }
        };
        let lines: Vec<SeedLine> = instance.assertions.iter().zip(unfolded).map(line).collect();
        let changeable = weighted(&lines);
        if changeable.is_empty() {
            return Err(Unfit::Nothing("no assertion of the seed has a known value, or all are too large or fixed"));
        }
        let terms: Vec<TermId> = lines.iter().filter(|l| !l.is_unproven).map(|l| l.term).collect();
        let target = request.target;
        // Solvers support `(as const …)` in few logics: only mutants of seeds with such arrays have them.
        let has_const = lines.iter().flat_map(|l| &l.occurrences).any(|o| store.kind(o.term) == Kind::ConstArray);
        let is_had = |kind| !target.lacks(kind) && (has_const || kind != Kind::ConstArray);
        let book = LawBook::new(store, laws.clone(), &terms, is_had, &mut rng);
        let all: Vec<TermId> = lines.iter().map(|l| l.term).collect();
        let logic = instance.logic.map(|l| store.name(l)).or(preamble::inferred_logic(store, &instance, &all, target));
        let own = edit::needs(store, &instance.declarations, &all);
        let refused = edit::refused(logic.unwrap_or("ALL"));
        let keeps_logic = edit::names_extension(store, &instance);
        let most = size(store, &all, usize::MAX) + config.growth as usize;
        Ok(EqualBatch {
            store,
            instance,
            lines,
            changeable,
            is_unsat,
            evaluator,
            source: chosen.source,
            book,
            laws,
            config: config.clone(),
            settings,
            target,
            unit: request.unit,
            own,
            refused,
            keeps_logic,
            most,
            last: None,
        })
    }

    /// Returns the mutant of an index.
    fn at(&mut self, index: u64) -> &EqualMutant {
        let last = match self.last.take() {
            Some(last) if last.0 == index => last,
            _ => (index, self.made(index)),
        };
        &self.last.insert(last).1
    }

    fn made(&mut self, index: u64) -> EqualMutant {
        let mut rng = self.unit.mutant_stream(index);
        let terms = self.lines.iter().map(|l| l.term).collect();
        let truth = match self.config.truth {
            EqualTruth::Differential => Status::Unknown,
            EqualTruth::Both if rng.coin() => Status::Unknown,
            EqualTruth::Seed | EqualTruth::Both if self.is_unsat => Status::Unsat,
            EqualTruth::Seed | EqualTruth::Both | EqualTruth::Certified => Status::Sat,
        };
        let mut mutant = EqualMutant { truth, terms, laws: Vec::new(), is_beyond: false };
        let mut before = None;
        for _ in 0..rng.between(u64::from(self.config.steps.low), u64::from(self.config.steps.high)) {
            for _ in 0..MAX_REDRAWS {
                if let Some(changed) = self.step(&mut mutant, before, &mut rng) {
                    before = Some(changed);
                    break;
                }
            }
        }
        mutant
    }

    /// Replaces one term; returns the line and the new term.
    fn step(
        &mut self,
        mutant: &mut EqualMutant,
        before: Option<(usize, TermId)>,
        rng: &mut RandomStream,
    ) -> Option<(usize, TermId)> {
        let again = before.filter(|_| rng.percent(AGAIN));
        let line = match again {
            Some((line, _)) => line,
            None => *rng.pick(&self.changeable)?,
        };
        let term = mutant.terms[line];
        let at = match again {
            // Inside the result of the previous step: replacing all of it is left to outer steps, which know the context.
            Some((_, part)) => {
                let inside = occurrences(self.store, part, MAX_OCCURRENCES)?;
                *rng.pick(inside.get(1..)?)?
            }
            None if term == self.lines[line].term => *rng.pick(&self.lines[line].occurrences)?,
            None => *rng.pick(&occurrences(self.store, term, MAX_OCCURRENCES)?)?,
        };
        let (new, law) = self.book.equal(self.store, at.term, rng)?;
        let everywhere = rng.percent(EVERYWHERE);
        let whole = replaced(self.store, term, at, new, everywhere);
        let is_kept = mutant.truth != Status::Sat || self.keeps_value(line, whole);
        if whole == term || !is_kept {
            return None;
        }
        let added = edit::needs(self.store, &[], &[whole]) & !self.own;
        let is_refused = self.keeps_logic && added & self.refused != 0;
        if is_refused || (added != 0 && !rng.percent(FOREIGN)) {
            return None;
        }
        let old = std::mem::replace(&mut mutant.terms[line], whole);
        if size(self.store, &mutant.terms, self.most) > self.most {
            mutant.terms[line] = old;
            return None;
        }
        // A seed that leaves its own logic gets the logic `ALL` once it is changed: solvers' tolerance is not known precisely.
        mutant.is_beyond |= !self.keeps_logic && (added | self.own) & self.refused != 0;
        mutant.laws.push(law);
        Some((line, new))
    }

    /// Whether a line keeps its known value under the assignment when it becomes `whole`.
    fn keeps_value(&mut self, line: usize, whole: TermId) -> bool {
        let value = self.lines[line].value;
        value.is_some() && self.evaluator.truth(self.store, whole) == value
    }
}

/// Returns the lines, repeated by the logarithm of their occurrences, so that a large one does not take all steps.
fn weighted(lines: &[SeedLine]) -> Vec<usize> {
    let weight = |line: &SeedLine| (usize::BITS - line.occurrences.len().leading_zeros()) as usize;
    lines.iter().enumerate().flat_map(|(n, line)| std::iter::repeat_n(n, weight(line))).collect()
}

impl Batch for EqualBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.config.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let EqualMutant { truth, terms, is_beyond, .. } = self.at(index).clone();
        let value = |line: &SeedLine| if truth == Status::Sat { line.value } else { Some(true) };
        let asserted: Vec<(TermId, bool)> =
            terms.iter().zip(&self.lines).filter_map(|(&t, line)| Some((t, value(line)?))).collect();
        let used: Vec<TermId> = asserted.iter().map(|a| a.0).collect();
        let all = self.store.symbols.intern("ALL");
        let logic = self.instance.logic.map(|logic| if is_beyond { all } else { logic });
        let instance = Instance { logic, ..self.instance.clone() };
        preamble::print(self.store, &instance, &used, self.target, &mut out.text);
        let mut printer = Printer::new(self.store, &self.target.dialect);
        for (t, value) in asserted {
            out.text.push_str(if value { "(assert " } else { "(assert (not " });
            printer.term(t, &mut out.text);
            out.text.push_str(if value { ")\n" } else { "))\n" });
        }
        out.text.push_str("(check-sat)\n");
        let (expected, truth) = match truth {
            Status::Sat => (Status::Sat, Some(Trust::Certified)),
            Status::Unsat => {
                (Status::Unsat, Some(Trust::in_words("the :status of the seed says unsat, and laws keep it")))
            }
            Status::Unknown => (Status::Unknown, None),
        };
        out.expected.push(expected);
        out.truth = truth;
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        (self.at(index).truth == Status::Sat).then(|| self.evaluator.model().clone())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let laws = self.at(index).laws.clone();
        let line = |law: &DirectedLaw| self.laws.get(law.law).map_or(0, |l| l.line);
        // The line of each law, with the side that was replaced.
        let used: Vec<String> =
            laws.iter().map(|law| format!("{}{}", line(law), if law.from == 0 { ">" } else { "<" })).collect();
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("laws-used", used.join(" ")),
            ("assignment-used", self.source.to_string()),
        ];
        list.extend(self.settings.iter().cloned());
        list
    }
}
