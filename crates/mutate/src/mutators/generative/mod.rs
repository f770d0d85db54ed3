//! Generative type-aware mutation: a term is replaced by a new one of its sort, an operator applied to expressions of
//! the seed (Park, Winterer, Zhang, Su, OOPSLA 2021, "TypeFuzz").
//!
//! Before: `(assert (< x (+ y 1)))`. After: `(assert (< x (ite (< x y) (* x 2) (+ y 1))))`, or its negation if the assignment
//! makes that true.

mod grammar;
mod instance;
mod pool;
pub mod signature;

pub use grammar::{ExpressionGrammar, NewTerm};
pub use instance::{IndexRule, Recipe, Recipes, TermMaker, grouped, recipes};
pub use pool::{Operands, PoolOperand};

use crate::data_file::{DataFile, Loaded};
use crate::edit::{DrawChange, EditBatch, EditConfig, PARAMETERS, Replacement, SeedFormula, TextEdit};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use crate::parameter::{ParameterTable, file, percent};
use crate::rng::RandomStream;
use signature::ExpressionSignature;
use smtlib::Store;

/// The entry of generative mutation.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "generative",
    about: "replaces terms by new ones built from operators and the seed's expressions",
    truth: "sat, certified by the assignment; or differential",
    parents: 1,
    makes_small_worlds: false,
    share: 1,
    parameters: || OWN.beside(&PARAMETERS),
    build: |settings| Ok(Box::new(OWN.with_shared(ENTRY.name, settings, &PARAMETERS, |c| &mut c.config)?)),
};

/// Files of signatures.
pub const SIGNATURES: DataFile<Vec<ExpressionSignature>> = DataFile {
    parameter: "signatures",
    expected: "a file with one `(op T1 … T)` per line",
    read: signature::read,
    is_empty: Vec::is_empty,
    default: signature::standard,
};

/// The parameters in addition to those of [`EditConfig`].
const OWN: ParameterTable<Generative> = ParameterTable(&[
    percent("nested", "percent of new operands that are new terms too", |c| &mut c.nested),
    file(
        SIGNATURES.parameter,
        SIGNATURES.expected,
        "a file of `(op T1 … T)` instead of all standard operators",
        |text| SIGNATURES.problems(text),
        |c| c.signatures.path.clone(),
        |c, v| SIGNATURES.load_into(&mut c.signatures, v),
    ),
]);

/// The generative mutator.
#[derive(Clone, Debug)]
pub struct Generative {
    /// Its parameters.
    pub config: EditConfig,
    /// How often an operand of a new term is also new, in percent.
    pub nested: u32,
    /// The operators of new terms.
    pub signatures: Loaded<Vec<ExpressionSignature>>,
}

impl Default for Generative {
    fn default() -> Self {
        Generative { config: EditConfig::default(), nested: 20, signatures: SIGNATURES.built_in() }
    }
}

impl Generative {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no assertion has a known value or no term can be replaced.
    pub fn batch<'s>(
        &self,
        store: &'s mut Store,
        request: MutantRequest<'s>,
    ) -> Result<EditBatch<'s, GenerativeDraw<'s>>, Unfit> {
        let settings = PARAMETERS.settings(&self.config).into_iter().chain(OWN.settings(self)).collect();
        EditBatch::new(&ENTRY, store, request, &self.config, settings, |store, formula, request, rng| {
            let signatures = &self.signatures.data;
            let grammar = ExpressionGrammar::new(store, formula, signatures, self.nested, request.target, rng);
            let mut places = Vec::new();
            for (line, l) in formula.lines.iter().enumerate() {
                let Some(tree) = l.tree() else { continue };
                for (n, place) in tree.places().iter().enumerate() {
                    if !place.frozen && grammar.makes(store.sort(place.term)) {
                        places.push((line as u32, n as u32));
                    }
                }
            }
            match places.is_empty() {
                true => Err(Unfit::Nothing("no signature gives a sort that a term of the seed has")),
                false => Ok(GenerativeDraw { places, grammar }),
            }
        })
    }
}

impl Mutator for Generative {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

/// The places of a seed, and their replacements.
pub struct GenerativeDraw<'d> {
    /// Places that may be changed: the number of the assertion and of the place.
    places: Vec<(u32, u32)>,
    grammar: ExpressionGrammar<'d>,
}

impl DrawChange for GenerativeDraw<'_> {
    fn draw(
        &mut self,
        store: &mut Store,
        formula: &SeedFormula,
        rng: &mut RandomStream,
        edits: &mut Vec<TextEdit>,
    ) -> Option<usize> {
        let &(line, place) = rng.pick(&self.places)?;
        let tree = formula.lines[line as usize].tree()?;
        let sort = store.sort(tree.place(place).term);
        let NewTerm { term, text, features } = self.grammar.draw(store, sort, tree.scope(place), rng)?;
        edits.push(TextEdit { place, change: Replacement::Whole(term), text, features });
        Some(line as usize)
    }
}
