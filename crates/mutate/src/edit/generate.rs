//! The batch of a mutator of places: draws changes, keeps those whose truth is known, and prints only what changed.

use crate::edit::change::{Edits, Scratch, TextEdit};
use crate::edit::formula::SeedFormula;
use crate::edit::{EditConfig, TruthMode};
use crate::mutator::{Batch, Mutant, MutantRequest, MutatorEntry, Unfit};
use crate::rng::{RandomStream, Unit};
use finding::Trust;
use semantics::Model;
use smtlib::{Status, Store, TermId};
use std::sync::Arc;

/// How often a change is redrawn that does not fit, or leaves an assertion without a known value.
const MAX_REDRAWS: u32 = 12;

/// How many edits of a change are negated in turn, to see whether that makes an assertion true.
const MAX_NEGATIONS: usize = 4;

/// The changes a mutator can make.
pub trait DrawChange {
    /// Draws a random change of one assertion and returns its number; the change is appended to `edits`.
    fn draw(
        &mut self,
        store: &mut Store,
        formula: &SeedFormula,
        rng: &mut RandomStream,
        edits: &mut Vec<TextEdit>,
    ) -> Option<usize>;

    /// Whether edits may be negated.
    fn negates(&self) -> bool {
        false
    }

    /// Returns the negation of an edit's new part, for an assertion that the edit made false; `None` if the whole assertion
    /// is to be negated, or, without a certified truth, to stay false.
    fn negated(&mut self, _store: &mut Store, _edit: &TextEdit, _rng: &mut RandomStream) -> Option<TextEdit> {
        None
    }
}

/// An assertion that differs from the seed's.
struct Changed {
    line: usize,
    edits: Edits,
    /// Its value under the assignment, if relevant.
    value: Option<bool>,
    /// The features of the changed parts.
    features: u32,
}

/// The state of a run of consecutive mutants.
struct RunState {
    run: u64,
    steps: u64,
    rng: RandomStream,
    certified: bool,
    changed: Vec<Changed>,
    features: u32,
}

/// The mutants of one seed under one assignment.
pub struct EditBatch<'s, D> {
    store: &'s mut Store,
    formula: SeedFormula,
    draw: D,
    config: EditConfig,
    unit: Unit,
    scratch: Scratch,
    /// The edits of the current change.
    drawn: Vec<TextEdit>,
    state: Option<RunState>,
    settings: Vec<(&'static str, String)>,
}

impl<'s, D: DrawChange> EditBatch<'s, D> {
    /// Makes a batch of changes drawn by `draw`, which is made once the assertions are printed.
    /// Errors: [`Unfit`] if there is not exactly one seed, or `draw` says so. A seed without assertions of known value is fit: a
    /// change may give one, and a mutant without assertions is satisfiable, too.
    pub fn new(
        entry: &'static MutatorEntry,
        store: &'s mut Store,
        request: MutantRequest<'s>,
        config: &EditConfig,
        settings: Vec<(&'static str, String)>,
        draw: impl FnOnce(&mut Store, &SeedFormula, MutantRequest<'s>, &mut RandomStream) -> Result<D, Unfit>,
    ) -> Result<EditBatch<'s, D>, Unfit> {
        let [parent] = request.parents else {
            return Err(Unfit::Parents { expected: entry.parents, given: request.parents.len() });
        };
        let mut rng = request.unit.stream();
        let formula = SeedFormula::new(store, parent, request.target, config, &mut rng);
        let draw = draw(store, &formula, request, &mut rng)?;
        Ok(EditBatch::of(store, formula, draw, config, request.unit, settings))
    }

    /// Returns a batch of the changes of `draw` in a formula, for mutators that make it from several seeds.
    pub fn of(
        store: &'s mut Store,
        formula: SeedFormula,
        draw: D,
        config: &EditConfig,
        unit: Unit,
        settings: Vec<(&'static str, String)>,
    ) -> EditBatch<'s, D> {
        EditBatch {
            store,
            formula,
            draw,
            config: config.clone(),
            unit,
            scratch: Scratch::default(),
            drawn: Vec::new(),
            state: None,
            settings,
        }
    }

    /// Advances the state to the mutant of an index, from the previous one if that is on the way.
    ///
    /// Invariant: a mutant is the result of its run's first steps, all drawn from the run's own stream, so that it is the
    /// same whether the steps before have just been made or are made again.
    fn go_to(&mut self, index: u64) -> &RunState {
        let length = u64::from(self.config.consecutive.max(1));
        let (run, steps) = (index / length, index % length + 1);
        let mut state = match self.state.take() {
            Some(state) if state.run == run && state.steps <= steps => state,
            _ => {
                let mut rng = self.unit.mutant_stream(run);
                let certified = match self.config.truth {
                    TruthMode::Certified => true,
                    TruthMode::Differential => false,
                    TruthMode::Both => rng.coin(),
                };
                RunState { run, steps: 0, rng, certified, changed: Vec::new(), features: 0 }
            }
        };
        while state.steps < steps {
            state.steps += 1;
            let changes = &self.config.changes;
            for _ in 0..state.rng.between(u64::from(changes.low), u64::from(changes.high)) {
                for _ in 0..MAX_REDRAWS {
                    if self.change(&mut state) {
                        break;
                    }
                }
            }
        }
        self.state.insert(state)
    }

    /// Draws one change and keeps it if it fits.
    fn change(&mut self, state: &mut RunState) -> bool {
        self.drawn.clear();
        let drawn = self.draw.draw(self.store, &self.formula, &mut state.rng, &mut self.drawn);
        let Some(line) = drawn else { return false };
        let Some(tree) = self.formula.lines[line].tree() else { return false };
        let known = state.changed.iter().position(|c| c.line == line);
        let mut edits = known.map_or_else(Edits::default, |n| state.changed[n].edits.clone());
        self.drawn.retain(|edit| edits.add(tree, edit.clone()));
        if self.drawn.is_empty() {
            return false;
        }
        let Some(mut changed) = self.changed(line, edits, state.certified) else { return false };
        if changed.value == Some(false) {
            changed = self.negated(changed, state.certified, &mut state.rng);
        }
        state.features |= changed.features;
        match known {
            Some(n) => state.changed[n] = changed,
            None => state.changed.push(changed),
        }
        true
    }

    /// The assertion of a number with these edits; `None` if they do not fit, or leave a certified mutant without its value.
    fn changed(&mut self, line: usize, edits: Edits, certified: bool) -> Option<Changed> {
        let tree = self.formula.lines[line].tree()?;
        let (term, features) = edits.apply(self.store, tree, &mut self.scratch)?;
        if term == self.formula.lines[line].term || !self.formula.admits(features) {
            return None;
        }
        // Without a certified truth a value only says which edits to negate, so that more mutants are satisfiable.
        let value = if certified || self.draw.negates() { self.truth(term) } else { None };
        (value.is_some() || !certified).then_some(Changed { line, edits, value, features })
    }

    /// Returns a false assertion, with one of the latest edits negated if that makes it true; otherwise unchanged.
    fn negated(&mut self, changed: Changed, certified: bool, rng: &mut RandomStream) -> Changed {
        for n in 0..self.drawn.len().min(MAX_NEGATIONS) {
            let at = n + rng.index(self.drawn.len() - n);
            self.drawn.swap(n, at);
            let Some(edit) = self.draw.negated(self.store, &self.drawn[n], rng) else { break };
            let mut edits = changed.edits.clone();
            // The same place, so that the negation replaces the negated part.
            if self.formula.lines[changed.line].tree().is_some_and(|tree| edits.add(tree, edit))
                && let Some(better) = self.changed(changed.line, edits, certified)
                && better.value == Some(true)
            {
                return better;
            }
        }
        changed
    }

    fn truth(&mut self, term: TermId) -> Option<bool> {
        self.formula.evaluator.truth(self.store, term)
    }
}

impl<D: DrawChange> Batch for EditBatch<'_, D> {
    fn size(&self) -> u64 {
        u64::from(self.config.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        self.go_to(index);
        let Some(state) = &self.state else { return };
        let certified = state.certified;
        let text = &mut out.text;
        text.push_str(self.formula.preamble(certified, state.features));
        for (n, line) in self.formula.lines.iter().enumerate() {
            let changed = state.changed.iter().find(|c| c.line == n);
            let value = match certified {
                true => changed.map_or(line.value, |c| c.value),
                false => Some(true),
            };
            let Some(value) = value else { continue };
            text.push_str(if value { "(assert " } else { "(assert (not " });
            match (changed, line.tree()) {
                (Some(changed), Some(tree)) => changed.edits.render(tree, text),
                _ => text.push_str(line.text()),
            }
            text.push_str(if value { ")\n" } else { "))\n" });
        }
        text.push_str("(check-sat)\n");
        out.expected.push(if certified { Status::Sat } else { Status::Unknown });
        out.truth = if certified { Some(Trust::Certified) } else { None };
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        let certified = self.go_to(index).certified;
        certified.then(|| self.formula.model().clone())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let state = self.go_to(index);
        let (changed, steps) = (state.changed.len(), state.steps);
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("steps", steps.to_string()),
            ("assertions-changed", changed.to_string()),
            ("assignment-used", self.formula.source.to_string()),
        ];
        list.extend(self.settings.iter().cloned());
        list
    }
}
