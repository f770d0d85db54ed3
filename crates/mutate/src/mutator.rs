//! The mutator trait, its inputs and outputs.

use crate::parameter::{MutatorParameter, ParameterError};
use crate::rng::Unit;
use finding::Trust;
use semantics::Model;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use smtlib::{Command, Dialect, Instance, Kind, Sort, SortId, Status, Store, TermId, logic, theories};
use solver::gate;
use solver::profile::Profile;
use std::sync::Arc;

/// Theories that few solvers have, as bits of [`smtlib::logic`], with the names of their sorts, a command or an operator.
const SOLVERS_THEORIES: [(u32, &str); 8] = [
    (logic::HIGHER_ORDER, "->"),
    (logic::SETS, "Set"),
    (logic::BAGS, "Bag"),
    (logic::FINITE_FIELDS, "FiniteField"),
    (logic::HEAPS, "declare-heap"),
    (logic::RELATIONS, "Tuple"),
    (logic::ORDERS, "partial-order"),
    (logic::CARDINALITIES, "at-most"),
];

/// The description of a mutator, and its constructor.
pub struct MutatorEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the mutator does, in one line.
    pub about: &'static str,
    /// The truth of its mutants.
    pub truth: &'static str,
    /// How many seeds one unit takes.
    pub parents: usize,
    /// Whether its mutants are over small finite sets, so that those of later mutators of a chain are decided by exhaustion.
    pub makes_small_worlds: bool,
    /// Its default weight, relative to 1 for most; 0: never.
    pub share: u32,
    /// Its parameters.
    pub parameters: fn() -> Vec<MutatorParameter>,
    /// Builds it.
    pub build: BuildMutator,
}

/// Makes a mutator with `(name, value)` settings over its defaults.
pub type BuildMutator = fn(&[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError>;

/// The solver that the mutants are for.
#[derive(Clone, Default, Debug)]
pub struct TargetSpelling {
    /// Its input dialect.
    pub dialect: Dialect,
    /// The keys of seed options it may be sent, such as `:smt.string_solver`; one that ends in `*` is a prefix. Options in
    /// seeds usually belong to other solvers, and an unknown one is an error that voids every answer.
    pub options: Vec<Box<str>>,
    /// The profile that lists these options' values; without one they take numbers, true and false.
    pub profile: Option<Arc<Profile>>,
    /// The standard names of operators it lacks; mutators never introduce them.
    pub lacks: Vec<Box<str>>,
    /// The standard names of chainable operators that it supports only with two arguments.
    pub binary_only: Vec<Box<str>>,
    /// The names of set operators that it supports only for infinite element sorts.
    pub infinite_only: Vec<Box<str>>,
    /// The formats of floats it has, as widths of exponent and significand; empty: all.
    pub float_formats: Vec<(u32, u32)>,
    /// The features of each accepted logic, as bits of [`smtlib::logic`]; empty: it accepts all.
    pub logics: Vec<u32>,
    /// Commands that every script begins with, right after its logic.
    pub commands: Vec<Box<str>>,
    /// Features that its mode does not support, whatever its logics grant, as bits of [`smtlib::logic`].
    pub lacked: u32,
    /// What to do if a seed names no logic.
    pub unnamed_logic: UnnamedLogic,
}

/// What to do if a seed names no logic.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum UnnamedLogic {
    /// Name none: most solvers then accept everything they know.
    #[default]
    LeftOut,
    /// Name the smallest one, for solvers that require a logic before declarations.
    Smallest {
        /// The accepted logics; empty: the standard ones.
        accepted: std::sync::Arc<[String]>,
    },
}

/// One check of one seed, and its assignment.
#[derive(Clone, Debug)]
pub struct Parent {
    /// The declarations and assertions of the check.
    pub instance: Instance,
    /// A known model; ignored if the mutator uses a random one.
    pub given: GivenModel,
}

/// One unit of work.
#[derive(Clone, Copy, Debug)]
pub struct MutantRequest<'r> {
    /// The seeds, all in one store; [`Mutator::parents`] many.
    pub parents: &'r [Parent],
    /// The solver that the mutants are for.
    pub target: &'r TargetSpelling,
    /// The unit's position in the campaign.
    pub unit: Unit,
}

/// Why a mutator cannot use a seed. The seed is skipped and counted, never fatal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// No Boolean subterm has a value that the evaluator or a trusted model knows.
    #[error("no fragment of the seed has a known value ({seen} examined); another assignment may give some")]
    NoFragments {
        /// The number of Boolean subterms examined.
        seen: usize,
    },
    /// The seeds have nothing that this mutator changes, for this reason.
    #[error("{0}")]
    Nothing(&'static str),
    /// The seed cannot be made finite, or exhaustion does not decide it, for this reason.
    #[error("no small world can be made from the seed: {0}")]
    NotFinite(String),
    /// The unit has another number of seeds than the mutator takes.
    #[error("the mutator takes {expected} seeds a unit, {given} were given")]
    Parents {
        /// The expected number.
        expected: usize,
        /// The given number.
        given: usize,
    },
}

/// A way to make mutants.
pub trait Mutator: Send + Sync {
    /// Returns its entry.
    fn entry(&self) -> &'static MutatorEntry;

    /// Returns its name in records.
    fn name(&self) -> &str {
        self.entry().name
    }

    /// How many seeds one unit takes.
    fn parents(&self) -> usize {
        self.entry().parents
    }

    /// Prepares a unit. New terms go to `store`, which should be a copy that is dropped with the batch.
    /// Errors: [`Unfit`] if this mutator cannot use the seeds.
    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit>;

    /// Like [`Mutator::prepare`], for any seeds. A formula about a heap means something else under another operator of separation logic,
    /// and two seeds would share one heap.
    /// Errors: as there, or a seed has a heap.
    fn prepare_any<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        let declares =
            |parent: &Parent| parent.instance.declarations.iter().any(|c| matches!(c, Command::DeclareHeap(..)));
        match self.parents() > 0 && request.parents.iter().any(declares) {
            true => Err(Unfit::Nothing("the seed has a heap, and only generated problems are varied with one")),
            false => self.prepare(store, request),
        }
    }
}

/// The mutants of one unit, by index.
///
/// Invariant: mutant `n` depends only on the seeds, the unit and `n`, not on earlier mutants.
pub trait Batch {
    /// Returns the number of mutants in the unit. Larger indices work, too.
    fn size(&self) -> u64;

    /// Overwrites `out` with the mutant of an index, reusing its memory. One without checks could not be made.
    fn mutant(&mut self, index: u64, out: &mut Mutant);

    /// Returns the store of the mutants' terms.
    fn store(&self) -> &Store;

    /// Returns the features of all generated mutants, as bits of [`smtlib::logic`]; none for mutants of seeds.
    fn needs(&self) -> u32 {
        0
    }

    /// Returns the assignment that makes every assertion of a satisfiable mutant true.
    fn witness(&mut self, index: u64) -> Option<Arc<Model>>;

    /// Returns the assignment that makes every assertion live at one check true, if each check has its own.
    fn check_witness(&mut self, index: u64, _check: usize) -> Option<Arc<Model>> {
        self.witness(index)
    }

    /// Why the last failed mutant could not be made; `None` if mutants never fail.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Parameters for a finding's record. With the seed files they suffice to recreate the mutant of this index.
    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)>;
}

/// A script with its answers. Meant to be reused: its buffers grow once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The script in the target's dialect, ready to be sent.
    pub text: String,
    /// The right answer to each check, in order.
    pub expected: Vec<Status>,
    /// Who vouches for them: [`Trust::Certified`] if the witness makes every live assertion true, as [`semantics::truth::witness::certify`]
    /// can check without any solver; a seed's status or a reference solver's model; `None` if only solvers' answers are compared.
    pub truth: Option<Trust>,
}

/// A known model of a parent.
#[derive(Clone, Debug, Default)]
pub enum GivenModel {
    /// No model.
    #[default]
    Nothing,
    /// Some solver's model, whether it satisfies the assertions or not: only the evaluator's values under it count.
    Assignment(Arc<Model>),
    /// A model of the parent's assertions according to a reference solver, which must not be the target.
    Trusted(Arc<Model>, Arc<str>),
}

impl UnnamedLogic {
    /// For a solver that requires a logic and accepts these (empty: the standard ones), or one that does not.
    pub fn among(accepted: Option<&[String]>) -> UnnamedLogic {
        accepted.map_or(UnnamedLogic::LeftOut, |accepted| UnnamedLogic::Smallest { accepted: accepted.into() })
    }
}

impl TargetSpelling {
    /// Whether the solver is not known to be limited to some logics.
    pub fn takes_all_logics(&self) -> bool {
        self.logics.is_empty()
    }

    /// Whether the solver is not known to be limited to some logics, nor to lack a non-standard theory.
    pub fn takes_all(&self) -> bool {
        self.takes_all_logics() && self.lacked == 0 && !SOLVERS_THEORIES.iter().any(|(_, sort)| self.lacks_name(sort))
    }

    /// Whether one of its logics grants all these features, as bits of [`smtlib::logic`].
    pub fn takes(&self, needed: u32) -> bool {
        let has = |&(theory, sort): &(u32, &str)| needed & theory == 0 || !self.lacks_name(sort);
        needed & self.lacked == 0
            && SOLVERS_THEORIES.iter().all(has)
            && (self.logics.is_empty() || self.logics.iter().any(|granted| needed & !granted == 0))
    }

    /// Whether the solver is known to lack the sorts of this name, and so their theory, or a command of this name.
    pub fn lacks_name(&self, name: &str) -> bool {
        self.lacks.iter().any(|lacked| **lacked == *name)
    }

    /// Whether it is known to lack an operator; constant arrays have the name `const`, and all operators of sequences together `Seq`.
    pub fn lacks(&self, kind: Kind) -> bool {
        is_among(&self.lacks, kind) || (is_of_sequences(kind) && self.lacks_name("Seq"))
    }

    /// Whether the solver is known not to support an operator with this number of arguments.
    pub fn lacks_with(&self, kind: Kind, arguments: usize) -> bool {
        self.lacks(kind) || (arguments > 2 && is_among(&self.binary_only, kind))
    }

    /// Whether the solver is known not to support a set operator at arguments of these sorts, because they have too few elements.
    pub fn lacks_at(&self, store: &Store, kind: Kind, args: &[SortId]) -> bool {
        let model = Model::new();
        let domains = Domains { store, model: &model };
        let is_finite = |&sort: &SortId| match *store.sorts.get(sort) {
            Sort::Set(element) => matches!(domains.cardinality(element), Cardinality::Finite(_) | Cardinality::Huge),
            _ => false,
        };
        is_among(&self.infinite_only, kind) && args.iter().any(is_finite)
    }

    /// Whether these terms have an operator that it is known to lack.
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

/// Whether an operator is one of sequences, a non-standard theory.
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
