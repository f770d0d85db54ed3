//! The mutator `finite` and its batches.

use super::data_theory::DataTheory;
use super::grow::Grammar;
use super::problem::{self, FiniteProblem};
use super::theme::{self, DATA, ProblemVocabulary, THEMES, Theme};
use crate::mutator::{Batch, Mutant, MutantRequest, Mutator, MutatorEntry, TargetSpelling, Unfit};
use crate::parameter::{ParameterTable, Refused, number, percent, text};
use crate::rescoped::{AddedBinder, ScopeRules, rescope};
use crate::rng::{RandomStream, Unit};
use crate::{preamble, small_world};
use finding::Trust;
use semantics::Model;
use smtlib::{Command, Instance, Kind, Printer, Sort, SortId, Store, TermId, logic};
use std::sync::Arc;

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "finite",
    about: "generates problems over small domains",
    truth: "sat or unsat, certified by exhaustion",
    parents: 0,
    makes_small_worlds: true,
    // It finds wrong answers without seeds.
    share: 6,
    parameters: || PARAMETERS.parameters(),
    build: |settings| Ok(Box::new(PARAMETERS.over(FiniteMutator::default(), ENTRY.name, settings)?)),
};

/// The parameter that names the themes.
pub const THEORY: &str = "theory";

/// The parameter that holds a theory as data.
pub const DEFINITION: &str = "definition";

/// How often a problem is redrawn after a failed draw.
const MAX_DRAWS: u64 = 20;
/// After this many consecutive units without a problem none is expected.
const MAX_EMPTY: u32 = 200;
/// The maximum number of binders added to a problem with rebound names.
const MAX_BINDERS: u64 = 6;
/// How often the sorts of a unit are redrawn if the solver has no logic for them: all themes may be beyond it.
const MAX_VOCABULARIES: u64 = 100;

const PARAMETERS: ParameterTable<FiniteMutator> = ParameterTable(&[
    text(
        THEORY,
        "a theme of `squall mutate --list finite`, such as strings or fp",
        "themes by name, separated by commas; empty: all, by weight",
        |c| c.themes.iter().map(|theme| theme.name).collect::<Vec<_>>().join(","),
        |c, v| {
            c.themes = themes(v)?;
            Ok(())
        },
    ),
    text(
        DEFINITION,
        "the command of a theory as data",
        "a theory as data, as its command in scripts; instead of themes",
        |c| c.definition.as_deref().unwrap_or_default().to_string(),
        |c, v| {
            c.definition = (!v.is_empty()).then(|| v.into());
            match c.definition.is_some() && DataTheory::read(&mut Store::new(), v).is_none() {
                true => Err(Refused(None)),
                false => Ok(()),
            }
        },
    ),
    percent("incremental", "percent of problems that may have push, pop, assumptions and several checks", |c| {
        &mut c.incremental
    }),
    number("mutants", 1, "mutants per unit, at least 1", |c| &mut c.mutants),
]);

fn themes(names: &str) -> Result<Vec<&'static Theme>, Refused> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| theme::find(name).ok_or_else(|| Refused(Some(name.to_string())))).collect()
}

/// Generates problems.
#[derive(Clone, Debug)]
pub struct FiniteMutator {
    /// The themes to draw from; empty: all.
    pub themes: Vec<&'static Theme>,
    /// The command of a theory as data to draw from instead.
    pub definition: Option<Arc<str>>,
    /// How often a problem may have levels, assumptions and several checks, in percent.
    pub incremental: u32,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
}

impl Default for FiniteMutator {
    fn default() -> Self {
        FiniteMutator { themes: Vec::new(), definition: None, incremental: 100, mutants: 16 }
    }
}

impl FiniteMutator {
    /// Draws a theme by weight, among those that the solver may support.
    fn theme(&self, target: &TargetSpelling, rng: &mut RandomStream) -> &'static Theme {
        if let Some(theme) = rng.pick(&self.themes) {
            return theme;
        }
        let weight = |theme: &Theme| if is_lacked(theme, target) { 0 } else { u64::from(theme.weight) };
        let weights: Vec<u64> = THEMES.iter().map(weight).collect();
        &THEMES[rng.weighted(&weights).unwrap_or(0)]
    }

    /// Returns a theme and its sorts, redrawn if none of the solver's logics has them.
    fn vocabulary(
        &self,
        store: &mut Store,
        target: &TargetSpelling,
        rng: &mut RandomStream,
    ) -> (&'static Theme, ProblemVocabulary) {
        let mut draws = 1;
        loop {
            let theme = self.theme(target, rng);
            let mut drawn = store.clone();
            let vocabulary = theme.vocabulary(&mut drawn, &target.float_formats, rng);
            if draws == MAX_VOCABULARIES || (takes_sorts(target, &vocabulary, &drawn) && !lacks_need(theme, target)) {
                *store = drawn;
                return (theme, vocabulary);
            }
            draws += 1;
        }
    }

    /// Generates problems from a unit on, and passes each with the name of its theme to `take`, until there are `count`. Stops early
    /// after [`MAX_EMPTY`] consecutive units without one: the target may lack the themes' features. Returns the number made.
    /// Errors: the error of `take`.
    pub fn problems<E>(
        &self,
        target: &TargetSpelling,
        first: Unit,
        count: u64,
        mut take: impl FnMut(&'static str, &Mutant) -> Result<(), E>,
    ) -> Result<u64, E> {
        let (mut made, mut empty, mut mutant) = (0, 0, Mutant::default());
        for number in first.number.. {
            let before = made;
            let mut batch = self.batch(&mut Store::new(), target, Unit { number, ..first });
            for index in 0..batch.size() {
                if made == count {
                    return Ok(made);
                }
                batch.mutant(index, &mut mutant);
                if !mutant.expected.is_empty() {
                    take(batch.theory(), &mutant)?;
                    made += 1;
                }
            }
            empty = if made == before { empty + 1 } else { 0 };
            if empty == MAX_EMPTY {
                break;
            }
        }
        Ok(made)
    }

    /// Returns the batch of a unit, with its concrete type.
    pub fn batch<'s>(&self, store: &mut Store, target: &'s TargetSpelling, unit: Unit) -> FiniteBatch<'s> {
        let mut rng = unit.stream();
        let data = self.definition.as_deref().and_then(|command| DataTheory::read(store, command));
        let (data, (theme, vocabulary)) = match data {
            Some((data, vocabulary)) => (Some(data), (&*DATA, vocabulary)),
            None => (None, self.vocabulary(store, target, &mut rng)),
        };
        let grammar = Grammar::new(store, &vocabulary, target);
        FiniteBatch {
            theme,
            data,
            incremental: self.incremental,
            mutants: self.mutants,
            base: store.clone(),
            vocabulary,
            grammar,
            target,
            unit,
            last: None,
            store: Store::new(),
        }
    }
}

impl Mutator for FiniteMutator {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request.target, request.unit)))
    }
}

/// The problems of one unit: all over the same sorts.
pub struct FiniteBatch<'s> {
    theme: &'static Theme,
    data: Option<DataTheory>,
    incremental: u32,
    mutants: u32,
    /// The sorts and datatypes, to which each problem adds its own terms.
    base: Store,
    vocabulary: ProblemVocabulary,
    grammar: Grammar,
    target: &'s TargetSpelling,
    unit: Unit,
    /// The last problem, with its index.
    last: Option<(u64, Option<FiniteProblem>)>,
    store: Store,
}

/// Whether a theme is entirely about a feature that the solver lacks.
fn is_lacked(theme: &Theme, target: &TargetSpelling) -> bool {
    let needed = theme.own_theories();
    !target.takes(needed) || (needed & logic::FOREIGN != 0 && target.lacks(Kind::SeqEmpty)) || lacks_need(theme, target)
}

/// Whether the solver lacks a command or logic that the theme needs; a list of logics never includes HORN.
fn lacks_need(theme: &Theme, target: &TargetSpelling) -> bool {
    theme
        .needed_name()
        .is_some_and(|name| target.lacks_name(name) || (name == preamble::HORN && !target.takes_all_logics()))
}

/// Whether the solver has a logic with these sorts.
fn takes_sorts(target: &TargetSpelling, vocabulary: &ProblemVocabulary, store: &Store) -> bool {
    let is_seq = |&sort: &SortId| matches!(store.sorts.get(sort), Sort::Seq(_));
    target.takes(vocabulary.needs(store)) && !(target.lacks(Kind::SeqEmpty) && vocabulary.sorts.iter().any(is_seq))
}

/// Returns the themes that a solver supports, with their default weights.
pub fn themes_for(target: &TargetSpelling) -> Vec<(&'static str, u32)> {
    let is_of_use = |theme: &&Theme| {
        let mut rng = Unit { campaign: 0, number: 0 }.stream();
        !is_lacked(theme, target)
            && (0..MAX_VOCABULARIES).any(|_| {
                let mut store = Store::new();
                let vocabulary = theme.vocabulary(&mut store, &target.float_formats, &mut rng);
                takes_sorts(target, &vocabulary, &store)
            })
    };
    THEMES.iter().filter(is_of_use).map(|theme| (theme.name, theme.weight)).collect()
}

impl FiniteBatch<'_> {
    /// Returns the name of the theme that its problems are of.
    pub fn theory(&self) -> &'static str {
        self.theme.name
    }

    /// Returns the problem of an index; `None` if no draw succeeded.
    pub fn problem(&mut self, index: u64) -> Option<&FiniteProblem> {
        if self.last.as_ref().is_none_or(|(at, _)| *at != index) {
            let mut rng = self.unit.mutant_stream(index);
            let mut found = None;
            // Without the parameter nothing is drawn, so problems stay the same.
            let is_incremental = self.incremental == 100 || rng.percent(self.incremental);
            for _ in 0..MAX_DRAWS {
                self.store = self.base.clone();
                let mut drawn =
                    || problem::draw(&mut self.store, &self.vocabulary, &self.grammar, is_incremental, &mut rng);
                found = drawn();
                if self.vocabulary.rescoped && is_incremental && index % 4 == 3 {
                    let next = drawn();
                    // Some solvers keep declarations that they should forget; the others are still asked.
                    let is_reset = self.vocabulary.declarations.is_empty() && index % 8 == 7;
                    found = found.zip(next).map(|both| in_turn(&self.store, both, &self.vocabulary, is_reset));
                }
                if let Some(data) = &self.data {
                    found = found.and_then(|problem| data.spell(&mut self.store, problem));
                }
                found = found.filter(|problem| self.is_taken(problem));
                if found.is_some() {
                    break;
                }
            }
            self.last = Some((index, found));
        }
        self.last.as_ref().and_then(|(_, problem)| problem.as_ref())
    }
}

impl FiniteBatch<'_> {
    /// Whether the solver has a logic for a problem, and all of its operators.
    fn is_taken(&self, problem: &FiniteProblem) -> bool {
        let target = self.target;
        !lacks_need(self.theme, target)
            && (target.takes_all() || target.takes(needs(&self.store, problem)))
            && !target.lacks_any(&self.store, &[formulas(&self.store, problem), bodies(&self.store, problem)].concat())
    }

    /// Returns the rules for a problem with rebound names.
    fn scope_rules(&self, text: &str) -> ScopeRules {
        let mut rules = ScopeRules::of(text, MAX_BINDERS);
        let logic = text.lines().find_map(|line| line.strip_prefix("(set-logic "));
        let takes_all = self.target.takes_all_logics();
        if takes_all && logic.is_none_or(|logic| !logic.starts_with("QF_")) {
            rules.binders.push(AddedBinder::Quantifier);
        }
        // A defined function counts as one, for the named logics.
        if takes_all || logic.is_some_and(|logic| logic.contains("UF")) {
            rules.binders.push(AddedBinder::Definition);
        }
        if !self.target.lacks(Kind::Match) {
            rules.binders.push(AddedBinder::Match);
        }
        rules.binders.push(AddedBinder::Label);
        ScopeRules { takes_any_name: true, ..rules }
    }
}

/// Returns the assertions, assumptions and objectives of a problem.
fn formulas(store: &Store, problem: &FiniteProblem) -> Vec<TermId> {
    let of = |command: &Command| match command {
        Command::Assert(t, _) | Command::Extension(_, t, _) | Command::Rule(t, ..) | Command::Derive(t) => vec![*t],
        Command::CheckSatAssuming(terms) => terms.to_vec(),
        Command::DefineFun(f) => store.func(*f).definition().into_iter().map(|(_, body)| body).collect(),
        _ => Vec::new(),
    };
    problem.commands.iter().flat_map(of).collect()
}

/// Returns two consecutive problems: the second redeclares the names of the first, mostly with other sorts, once they are free after
/// `(pop)`, or after `(reset-assertions)`, which would also remove declared sorts.
fn in_turn(
    store: &Store,
    (mut first, next): (FiniteProblem, FiniteProblem),
    vocabulary: &ProblemVocabulary,
    is_reset: bool,
) -> FiniteProblem {
    let shared = vocabulary.declarations.len();
    let levels = first.commands.iter().fold(1u32, |levels, command| match command {
        Command::Push(n) => levels.saturating_add(*n),
        Command::Pop(n) => levels.saturating_sub(*n),
        _ => levels,
    });
    let all = |problem: &FiniteProblem| {
        let own = preamble::needed(store, &problem.declarations[shared..], &formulas(store, problem));
        own.into_iter().chain(&problem.commands).cloned().collect::<Vec<_>>()
    };
    let mut commands = if is_reset { Vec::new() } else { vec![Command::Push(1)] };
    commands.extend(all(&first));
    commands.push(if is_reset { Command::ResetAssertions } else { Command::Pop(levels) });
    commands.extend(all(&next));
    first.declarations.truncate(shared);
    first.answers.extend(next.answers);
    FiniteProblem { commands, ..first }
}

/// Returns the bodies of the functions that a problem defines.
fn bodies(store: &Store, problem: &FiniteProblem) -> Vec<TermId> {
    let functions = problem.declarations.iter().flat_map(|command| match command {
        Command::DefineFunsRec(functions) => &functions[..],
        _ => &[],
    });
    functions.filter_map(|&f| Some(store.func(f).definition()?.1)).collect()
}

/// Returns the features of a problem, as bits of [`smtlib::logic`].
fn needs(store: &Store, problem: &FiniteProblem) -> u32 {
    let formulas = formulas(store, problem);
    let declarations = preamble::needed(store, &problem.declarations, &formulas).into_iter().cloned().collect();
    smtlib::logic::of_instance(store, &Instance { declarations, assertions: formulas, ..Instance::default() })
}

impl Batch for FiniteBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.mutants)
    }

    fn needs(&self) -> u32 {
        self.vocabulary.needs(&self.base)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let Some(problem) = self.problem(index).cloned() else { return };
        let terms = formulas(&self.store, &problem);
        let logic = self.vocabulary.logic.map(|name| self.store.symbols.intern(name));
        if self.vocabulary.heap.is_some() {
            // cvc5 refuses heaps otherwise, and after `(reset)`.
            out.text.push_str("(set-option :incremental false)\n");
        }
        let instance = Instance { logic, declarations: problem.declarations, ..Instance::default() };
        if self.vocabulary.is_horn {
            out.text.push_str("(set-logic HORN)\n");
        }
        let before = out.text.len();
        preamble::print(&self.store, &instance, &terms, self.target, &mut out.text);
        if self.vocabulary.is_horn && out.text[before..].starts_with("(set-logic") {
            out.clear();
            return;
        }
        let mut printer = Printer::new(&self.store, &self.target.dialect);
        for command in &problem.commands {
            printer.command(command, &mut out.text);
            out.text.push('\n');
        }
        if self.vocabulary.rescoped {
            let mut rng = self.unit.rewording_stream(index);
            let rules = self.scope_rules(&out.text);
            out.text = rescope(&out.text, &rules, &mut rng).unwrap_or(std::mem::take(&mut out.text));
        }
        out.expected.extend(problem.answers.iter().map(small_world::expected));
        out.truth = Some(Trust::Certified);
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        // No assignment of the symbols says what the heap has, what is ordered, or which facts follow: exhaustion certifies the text.
        if self.vocabulary.heap.is_some() || self.vocabulary.has_rules || self.vocabulary.has_orders {
            return None;
        }
        let has_roots = self.vocabulary.has_roots;
        let answers = &self.problem(index)?.answers;
        // The only check, or the second of three, has all assertions.
        let is_sat = has_roots && answers.iter().all(|answer| answer.model().is_some());
        small_world::witness(if is_sat { answers.get(answers.len() / 2..=answers.len() / 2)? } else { answers })
    }

    fn parameters(&mut self, _index: u64) -> Vec<(&'static str, String)> {
        vec![
            (THEORY, self.theme.name.to_string()),
            ("incremental", self.incremental.to_string()),
            ("mutants", self.mutants.to_string()),
        ]
    }
}
