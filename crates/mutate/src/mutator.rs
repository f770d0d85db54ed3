//! What every mutator is: the trait, and what goes in and comes out.

use crate::parameter::{MutatorParameter, ParameterError};
use crate::rng::Unit;
use finding::Trust;
use semantics::Model;
use semantics::domain::{Cardinality, Domains};
use smtlib::{Dialect, Instance, Kind, Sort, SortId, Status, Store, TermId, logic, theories};
use solver::gate;
use solver::profile::Profile;
use std::sync::Arc;

/// Theories that few solvers have, as bits of [`smtlib::logic`], with the names of their sorts.
const SOLVERS_THEORIES: [(u32, &str); 4] =
    [(logic::HIGHER_ORDER, "->"), (logic::SETS, "Set"), (logic::BAGS, "Bag"), (logic::FINITE_FIELDS, "FiniteField")];

/// What is said of a mutator, and how to make one.
pub struct MutatorEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What truth its mutants have.
    pub truth: &'static str,
    /// How many seeds one unit takes.
    pub parents: usize,
    /// Whether its mutants are over small finite sets, so that those of later mutators of a chain are decided by exhaustion.
    pub makes_small_worlds: bool,
    /// How often it is drawn where no mutator is named, against 1 of most; 0: not at all.
    pub share: u32,
    /// Its parameters.
    pub parameters: fn() -> Vec<MutatorParameter>,
    /// Makes it.
    pub build: BuildMutator,
}

/// Makes a mutator with `(name, value)` settings over its defaults.
pub type BuildMutator = fn(&[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError>;

/// Whom the mutants are for.
#[derive(Clone, Default, Debug)]
pub struct TargetSpelling {
    /// How it wants its input spelled.
    pub dialect: Dialect,
    /// The keys of seed options it may be sent, such as `:smt.string_solver`; one that ends in `*` stands for all that start
    /// so. Options of seeds are other solvers' more often than not, and an unknown one is an error that voids every answer.
    pub options: Vec<Box<str>>,
    /// The profile by whose lists these options take values; without one they take numbers, true and false.
    pub profile: Option<Arc<Profile>>,
    /// The standard names of operators it does not have; mutators put none of them where there was none.
    pub lacks: Vec<Box<str>>,
    /// The standard names of chainable operators that it takes with two arguments only.
    pub binary_only: Vec<Box<str>>,
    /// The names of operators of sets that it takes only where there are infinitely many elements.
    pub infinite_only: Vec<Box<str>>,
    /// The formats of floats it has, as widths of exponent and significand; empty: all.
    pub float_formats: Vec<(u32, u32)>,
    /// What each of the logics that it accepts grants, as bits of [`smtlib::logic`]; empty: it accepts all.
    pub logics: Vec<u32>,
    /// Commands that every script begins with, right after its logic.
    pub commands: Vec<Box<str>>,
    /// What the mode in which it is asked does not support, whatever its logics grant, as bits of [`smtlib::logic`].
    pub lacked: u32,
    /// What is done where a seed names no logic.
    pub unnamed_logic: UnnamedLogic,
}

/// What is done where a seed names no logic.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum UnnamedLogic {
    /// None is named: most solvers then take everything they know.
    #[default]
    LeftOut,
    /// The smallest one is, for solvers that read no declaration before a logic.
    Smallest {
        /// The logics it accepts; empty: the standard ones.
        accepted: std::sync::Arc<[String]>,
    },
}

/// One check of one seed, and the assignment it comes with.
#[derive(Clone, Debug)]
pub struct Parent {
    /// The declarations and assertions of the check.
    pub instance: Instance,
    /// What the caller knows of a model; it decides nothing where the mutator takes a random one.
    pub given: GivenModel,
}

/// One unit of work.
#[derive(Clone, Copy, Debug)]
pub struct MutantRequest<'r> {
    /// The seeds, all in one store; as many as [`Mutator::parents`] says.
    pub parents: &'r [Parent],
    /// Whom the mutants are for.
    pub target: &'r TargetSpelling,
    /// Where the unit stands in the campaign.
    pub unit: Unit,
}

/// Why a seed gives a mutator nothing. The seed is skipped and counted, never fatal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// No Boolean subterm has a value that the evaluator or a trusted model knows.
    #[error("no fragment of the seed has a known value ({seen} looked at); another assignment may give some")]
    NoFragments {
        /// How many Boolean subterms were looked at.
        seen: usize,
    },
    /// The seeds have nothing that this mutator changes, as the words say.
    #[error("{0}")]
    Nothing(&'static str),
    /// The seed cannot be made finite, or not so that exhaustion decides it; the words say what stands in the way.
    #[error("no small world can be made of the seed: {0}")]
    NotFinite(String),
    /// The unit has another number of seeds than the mutator takes.
    #[error("the mutator takes {expected} seeds a unit, {given} were given")]
    Parents {
        /// As many as it takes.
        expected: usize,
        /// As many as there were.
        given: usize,
    },
}

/// A way to make mutants.
pub trait Mutator: Send + Sync {
    /// What is said of it.
    fn entry(&self) -> &'static MutatorEntry;

    /// Its name in records.
    fn name(&self) -> &str {
        self.entry().name
    }

    /// How many seeds one unit takes.
    fn parents(&self) -> usize {
        self.entry().parents
    }

    /// Does what a unit does once. New terms go to `store`, which should be a copy that is dropped with the batch.
    ///
    /// # Errors
    /// [`Unfit`] when the seeds give this mutator nothing.
    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit>;
}

/// The mutants of one unit, by index.
///
/// Invariant: mutant `n` depends on the seeds, the unit and `n` only, not on which were made before it.
pub trait Batch {
    /// How many mutants the unit is worth. Indices beyond it work too.
    fn size(&self) -> u64;

    /// Writes the mutant of an index over what `out` held, reusing its memory. One without checks could not be made.
    fn mutant(&mut self, index: u64, out: &mut Mutant);

    /// The store the mutants are made of.
    fn store(&self) -> &Store;

    /// What all mutants made from nothing need of a solver, as bits of [`smtlib::logic`]; nothing of those whose seed tells.
    fn needs(&self) -> u32 {
        0
    }

    /// The assignment that makes every assertion of a satisfiable mutant true.
    fn witness(&mut self, index: u64) -> Option<Arc<Model>>;

    /// The assignment that makes every assertion live at one check true, where each check has one of its own.
    fn check_witness(&mut self, index: u64, _check: usize) -> Option<Arc<Model>> {
        self.witness(index)
    }

    /// Why the last mutant that has no check could not be made; none where mutants are always made.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Parameters for a finding's record. With the seed files they suffice to make the mutant of this index again.
    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)>;
}

/// A script with its answers. Meant to be reused: its buffers grow once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The script in the target's dialect, ready to be sent.
    pub text: String,
    /// The right answer to each check, in order.
    pub expected: Vec<Status>,
    /// On whose word: [`Trust::Certified`] where the witness makes every live assertion true, as [`semantics::truth::witness::certify`] can
    /// check without any solver; a seed's status or a reference solver's model; none where only solvers' answers are compared.
    pub truth: Option<Trust>,
}

/// A model that the caller knows of a parent.
#[derive(Clone, Debug, Default)]
pub enum GivenModel {
    /// None.
    #[default]
    Nothing,
    /// Some solver's model, be it of the assertions or not: only what the evaluator says under it counts.
    Assignment(Arc<Model>),
    /// A model of the parent's assertions in the word of a reference solver, which must not be the target.
    Trusted(Arc<Model>, Arc<str>),
}

impl UnnamedLogic {
    /// For a solver that must be told a logic and accepts these (empty: the standard ones), or one that need not.
    pub fn among(accepted: Option<&[String]>) -> UnnamedLogic {
        accepted.map_or(UnnamedLogic::LeftOut, |accepted| UnnamedLogic::Smallest { accepted: accepted.into() })
    }
}

impl TargetSpelling {
    /// Whether it is not known to be limited to some logics.
    pub fn takes_all_logics(&self) -> bool {
        self.logics.is_empty()
    }

    /// Whether it is not known to be limited to some logics, nor to lack a theory that no standard has.
    pub fn takes_all(&self) -> bool {
        self.takes_all_logics() && self.lacked == 0 && !SOLVERS_THEORIES.iter().any(|(_, sort)| self.lacks_name(sort))
    }

    /// Whether one of its logics grants all that is needed, as bits of [`smtlib::logic`].
    pub fn takes(&self, needed: u32) -> bool {
        let has = |&(theory, sort): &(u32, &str)| needed & theory == 0 || !self.lacks_name(sort);
        needed & self.lacked == 0
            && SOLVERS_THEORIES.iter().all(has)
            && (self.logics.is_empty() || self.logics.iter().any(|granted| needed & !granted == 0))
    }

    /// Whether it is known not to have the sorts of this name, and so none of their theory, or a command of this name.
    pub fn lacks_name(&self, name: &str) -> bool {
        self.lacks.iter().any(|lacked| **lacked == *name)
    }

    /// Whether it is known not to have an operator; constant arrays have the name `const`, and all operators of sequences together
    /// `Seq`.
    pub fn lacks(&self, kind: Kind) -> bool {
        is_among(&self.lacks, kind) || (is_of_sequences(kind) && self.lacks_name("Seq"))
    }

    /// Whether it is known not to take an operator with so many arguments.
    pub fn lacks_with(&self, kind: Kind, arguments: usize) -> bool {
        self.lacks(kind) || (arguments > 2 && is_among(&self.binary_only, kind))
    }

    /// Whether it is known not to take an operator of sets at arguments of these sorts, because their elements are too few.
    pub fn lacks_at(&self, store: &Store, kind: Kind, args: &[SortId]) -> bool {
        let model = Model::new();
        let domains = Domains { store, model: &model };
        let is_finite = |&sort: &SortId| match *store.sorts.get(sort) {
            Sort::Set(element) => matches!(domains.cardinality(element), Cardinality::Finite(_) | Cardinality::Huge),
            _ => false,
        };
        is_among(&self.infinite_only, kind) && args.iter().any(is_finite)
    }

    /// Whether an operator in these terms is one it is known not to have.
    pub fn lacks_any(&self, store: &Store, terms: &[TermId]) -> bool {
        let has_all = self.lacks.is_empty() && self.infinite_only.is_empty();
        let mut open = if has_all { Vec::new() } else { terms.to_vec() };
        while let Some(t) = open.pop() {
            let sorts = || store.args(t).iter().map(|&a| store.sort(a)).collect::<Vec<_>>();
            if self.lacks(store.kind(t)) || self.lacks_at(store, store.kind(t), &sorts()) {
                return true;
            }
            open.extend_from_slice(store.args(t));
        }
        false
    }

    /// Whether an option of a seed is passed on, with this value.
    pub fn keeps_option(&self, key: &str, value: &str) -> bool {
        let is_admitted = match &self.profile {
            Some(profile) => profile.admits_option(key, value),
            None => gate::is_harmless(key, value),
        };
        is_admitted
            && self.options.iter().any(|known| match known.strip_suffix('*') {
                Some(prefix) => key.starts_with(prefix),
                None => key == &**known,
            })
    }
}

impl Default for Mutant {
    fn default() -> Mutant {
        Mutant { text: String::new(), expected: Vec::new(), truth: Some(Trust::Certified) }
    }
}

impl Mutant {
    /// Empties the buffers and keeps their memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.expected.clear();
        self.truth = Some(Trust::Certified);
    }
}

/// Whether an operator is one of sequences, a theory beside the standard's.
pub fn is_of_sequences(kind: Kind) -> bool {
    kind == Kind::SeqEmpty
        || (Kind::SeqUnit..=Kind::SeqRev).contains(&kind)
        || (Kind::SeqMap..=Kind::SeqFoldli).contains(&kind)
}

fn is_among(names: &[Box<str>], kind: Kind) -> bool {
    let name = match kind {
        Kind::ConstArray => Some("const"),
        Kind::SetEmpty | Kind::SetUniverse => theories::collections::constant_name(kind),
        Kind::BagEmpty => Some("bag.empty"),
        kind => theories::row(kind).map(|row| row.name),
    };
    !names.is_empty() && name.is_some_and(|name| names.iter().any(|n| **n == *name))
}
