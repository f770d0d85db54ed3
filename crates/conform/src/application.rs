//! Random ground applications of one operator, each with our value.

use crate::setting::Setting;
use crate::values::LiteralMaker;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{EvalLimits, Evaluator, Model, UnknownReason};
use smtlib::signature::{Arity, Pattern, SignatureRow};
use smtlib::theories::Theory;
use smtlib::{BuildError, Dialect, Kind, Op, Printer, SortId, Store, TermId};

/// The maximum number of different applications per block.
pub const BLOCK: usize = 250;

/// The maximum width of an integer value, in bits: towers of powers are useless.
const MAX_BITS: usize = 1 << 12;

/// A ground application with a known value.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The term asked about: the application, or membership of a word if it is a regular expression.
    pub term: TermId,
    /// Our value of it, as a literal term.
    pub value: TermId,
    /// `(= term value)`.
    pub equation: TermId,
}

/// Applications of one operator, from one store.
pub struct ApplicationBlock {
    /// The operator.
    pub row: &'static SignatureRow,
    /// Their terms.
    pub store: Store,
    /// The applications, all different.
    pub applications: Vec<Application>,
    /// The number of applications without a value by the standard, by reason.
    pub unspecified: FxHashMap<UnknownReason, u64>,
}

/// Returns the theories whose operators have values.
pub fn theories() -> impl Iterator<Item = &'static Theory> {
    smtlib::theories::THEORIES.iter().filter(|theory| theory.rows.iter().any(|row| row.is_evaluated()))
}

impl ApplicationBlock {
    /// Makes block number `number` of a seed's applications of an operator.
    ///
    /// Invariant: it depends on nothing else.
    /// Errors: the arguments of a row cannot be made: a fault of the generator.
    pub fn new(row: &'static SignatureRow, seed: u64, number: u64) -> Result<ApplicationBlock, BuildError> {
        let mixed = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((row.kind as u64) << 48);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(mixed);
        let mut block =
            ApplicationBlock { row, store: Store::new(), applications: Vec::new(), unspecified: FxHashMap::default() };
        let mut evaluator = Evaluator::new(Model::new(), EvalLimits { bits: MAX_BITS, ..EvalLimits::default() });
        let mut seen = FxHashSet::default();
        // A small operator has fewer different applications than fit in a block.
        for _ in 0..2 * BLOCK {
            if block.applications.len() == BLOCK {
                break;
            }
            let term = apply(&mut rng, &mut block.store, row)?;
            if seen.insert(term) {
                block.add(term, &mut evaluator)?;
            }
        }
        Ok(block)
    }

    fn add(&mut self, term: TermId, evaluator: &mut Evaluator) -> Result<(), BuildError> {
        let sort = self.store.sort(term);
        match evaluator.eval(&self.store, term) {
            Ok(value) => {
                let Some(value) = value.to_term(&mut self.store, sort) else {
                    *self.unspecified.entry(UnknownReason::NoTable).or_default() += 1;
                    return Ok(());
                };
                let equation = self.store.eq(term, value)?;
                self.applications.push(Application { term, value, equation });
            }
            Err(unknown) => *self.unspecified.entry(unknown.reason).or_default() += 1,
        }
        Ok(())
    }

    /// Prints a term of the block in a dialect.
    pub fn text(&self, term: TermId, dialect: &Dialect) -> String {
        let mut text = String::new();
        Printer::new(&self.store, dialect).term(term, &mut text);
        text
    }
}

/// Makes one application to random values.
fn apply(rng: &mut Xoshiro256PlusPlus, store: &mut Store, row: &'static SignatureRow) -> Result<TermId, BuildError> {
    let setting = Setting::random(rng, store, row);
    let count = match row.arity {
        Arity::Exact => row.args.len(),
        _ => 2 + [0, 0, 0, 0, 1, 2][rng.random_range(0..6usize)],
    };
    let sorts: Vec<SortId> =
        (0..count).filter_map(|n| row.arg(n, count)).map(|pattern| setting.sort(store, pattern)).collect();
    let mut values = LiteralMaker::new(store, rng);
    if row.result == Pattern::FloatIndex {
        values.format = Some((setting.op.i, setting.op.j));
    }
    let args: Vec<TermId> = sorts.into_iter().map(|sort| values.literal(sort)).collect::<Result<_, _>>()?;
    let term = values.store.app(setting.op, &args)?;
    if values.store.sort(term) != SortId::REGLAN {
        return Ok(term);
    }
    // A language is tested by membership.
    let word = values.literal(SortId::STRING)?;
    values.store.app(Op::new(Kind::StrInRe), &[word, term])
}
