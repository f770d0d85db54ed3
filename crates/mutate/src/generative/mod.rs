//! Generative type-aware mutation: a term replaced by a new one of its sort, made by an operator from expressions of the
//! seed (Park, Winterer, Zhang, Su, OOPSLA 2021, "TypeFuzz").
//!
//! Before: `(assert (< x (+ y 1)))`. After: `(assert (< x (ite (< x y) (* x 2) (+ y 1))))`, or its negation where that is what
//! the assignment makes true.

mod instance;
mod pool;
pub mod signature;

pub use instance::{IndexRule, Recipe, Recipes, TermMaker, grouped, recipes};
pub use pool::{Operands, PoolOperand};

use crate::data_file::{DataFile, Loaded};
use crate::edit::{DrawChange, EditBatch, EditConfig, PARAMETERS, Replacement, SeedFormula, TextEdit, head_text};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use crate::parameter::{MutatorParameter, ParameterError, ParameterTable, configure, percent, text};
use crate::preamble::Uses;
use crate::rng::RandomStream;
use signature::ExpressionSignature;
use smtlib::printer::quote_symbol;
use smtlib::{Dialect, FuncId, Kind, SortId, Store, Symbol, TermId};

/// What is said of generative mutation.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "generative",
    about: "replaces terms by new ones made of operators and the seed's expressions",
    truth: "sat, certified by the assignment; or differential",
    parents: 1,
    makes_small_worlds: false,
    parameters,
    build,
};

/// Files of signatures.
pub const SIGNATURES: DataFile<Vec<ExpressionSignature>> = DataFile {
    parameter: "signatures",
    expected: "a file with one `(op T1 … T)` a line",
    read: signature::read,
    is_empty: Vec::is_empty,
    default: signature::standard,
};

/// How deep new terms nest.
const MAX_NESTING: u32 = 2;
/// How often an operand that is out of scope is drawn again.
const MAX_REDRAWS: u32 = 8;
/// The longest new term, in bytes.
const MAX_TEXT: usize = 20_000;

/// The parameters beside those of [`EditConfig`].
const OWN: ParameterTable<Generative> = ParameterTable(&[
    percent("nested", "percent of new operands that are new terms too", |c| &mut c.nested),
    text(
        SIGNATURES.parameter,
        SIGNATURES.expected,
        "a file of `(op T1 … T)` instead of all standard operators",
        |c| c.signatures.path.clone(),
        |c, v| SIGNATURES.load_into(&mut c.signatures, v),
    ),
]);

fn parameters() -> Vec<MutatorParameter> {
    PARAMETERS.parameters().into_iter().chain(OWN.parameters()).collect()
}

fn build(settings: &[(&str, &str)]) -> Result<Box<dyn Mutator>, ParameterError> {
    let mut generative = Generative::default();
    configure(ENTRY.name, parameters, settings, |name, value| {
        Ok(PARAMETERS.set(&mut generative.config, name, value)? || OWN.set(&mut generative, name, value)?)
    })?;
    Ok(Box::new(generative))
}

/// The generative mutator.
#[derive(Clone, Debug)]
pub struct Generative {
    /// Its parameters.
    pub config: EditConfig,
    /// How often an operand of a new term is a new term too, in percent.
    pub nested: u32,
    /// The operators new terms are made with.
    pub signatures: Loaded<Vec<ExpressionSignature>>,
}

impl Default for Generative {
    fn default() -> Self {
        Generative { config: EditConfig::default(), nested: 20, signatures: SIGNATURES.built_in() }
    }
}

impl Generative {
    /// The batch of a unit, as its own type.
    ///
    /// # Errors
    /// [`Unfit`] when no assertion has a known value or no term can be replaced.
    pub fn batch<'s>(
        &self,
        store: &'s mut Store,
        request: MutantRequest<'s>,
    ) -> Result<EditBatch<'s, GenerativeDraw<'s>>, Unfit> {
        let settings = PARAMETERS.settings(&self.config).into_iter().chain(OWN.settings(self)).collect();
        EditBatch::new(&ENTRY, store, request, &self.config, settings, |store, formula, request, rng| {
            let dialect = &request.target.dialect;
            let has = |s: &&ExpressionSignature| s.row.is_none_or(|row| !request.target.lacks(row.kind));
            let signatures: Vec<ExpressionSignature> = self.signatures.data.iter().filter(has).cloned().collect();
            let operands = pool::operands(store, formula, dialect, rng);
            let mut sorts: Vec<SortId> = operands.keys().copied().collect();
            sorts.sort_unstable();
            let proven: Vec<TermId> = formula.lines.iter().filter(|l| !l.is_unproven).map(|l| l.term).collect();
            // The functions of the formula, which its preamble declares.
            let mut uses = Uses::new(store);
            proven.iter().for_each(|&t| uses.term(t));
            let functions: Vec<FuncId> = uses.funcs().collect();
            let recipes = recipes(store, &signatures, &sorts, &functions);
            let mut places = Vec::new();
            for (line, l) in formula.lines.iter().enumerate() {
                let Some(tree) = l.tree() else { continue };
                for (n, place) in tree.places().iter().enumerate() {
                    if !place.frozen && recipes.contains_key(&store.sort(place.term)) {
                        places.push((line as u32, n as u32));
                    }
                }
            }
            let nested = self.nested;
            match places.is_empty() {
                true => Err(Unfit::Nothing("no signature gives a sort that a term of the seed has")),
                false => Ok(GenerativeDraw { places, operands, recipes, nested, dialect }),
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

/// What new terms of a seed are made of.
pub struct GenerativeDraw<'d> {
    /// Places that may be changed: the number of the assertion and of the place.
    places: Vec<(u32, u32)>,
    operands: Operands,
    recipes: Recipes,
    nested: u32,
    dialect: &'d Dialect,
}

/// A term under way: where it stands, its text, and what its new nodes need of a logic.
struct Draft<'f> {
    /// The variables bound where it stands.
    scope: &'f [(Symbol, SortId)],
    text: String,
    features: u32,
}

impl DrawChange for GenerativeDraw<'_> {
    fn draw(&mut self, store: &mut Store, formula: &SeedFormula, rng: &mut RandomStream) -> Option<(usize, TextEdit)> {
        let &(line, place) = rng.pick(&self.places)?;
        let tree = formula.lines[line as usize].tree()?;
        let sort = store.sort(tree.place(place).term);
        let mut draft = Draft { scope: tree.scope(place), text: String::new(), features: 0 };
        let term = self.make(store, sort, MAX_NESTING, &mut draft, rng)?;
        let Draft { text, features, .. } = draft;
        let edit = TextEdit { place, change: Replacement::Whole(term), text, features };
        (edit.text.len() <= MAX_TEXT).then_some((line as usize, edit))
    }
}

impl GenerativeDraw<'_> {
    /// A new term of a sort by a random recipe. Recursion is at most [`MAX_NESTING`] deep.
    fn make(
        &self,
        store: &mut Store,
        sort: SortId,
        fuel: u32,
        draft: &mut Draft<'_>,
        rng: &mut RandomStream,
    ) -> Option<TermId> {
        let recipe = rng.pick(self.recipes.get(&sort)?)?;
        if recipe.maker == TermMaker::Identity {
            return self.operand(sort, draft, rng);
        }
        let op = recipe.maker.operator(rng);
        let old_loop = op.is_some_and(|op| op.kind == Kind::ReLoop) && !self.dialect.indexed_loop;
        let applied = !recipe.args.is_empty();
        if applied {
            draft.text.push('(');
        }
        match op {
            Some(op) if old_loop => draft.text.push_str(self.dialect.name(op.kind)),
            Some(op) => head_text(self.dialect, op, &mut draft.text),
            None => self.symbol_text(store, &recipe.maker, &mut draft.text),
        }
        let mut args = Vec::with_capacity(recipe.args.len());
        for &arg in &recipe.args {
            draft.text.push(' ');
            let term = match fuel > 1 && rng.percent(self.nested) {
                true => self.make(store, arg, fuel - 1, draft, rng)?,
                false => self.operand(arg, draft, rng)?,
            };
            args.push(term);
        }
        if let (true, Some(op)) = (old_loop, op) {
            draft.text.push_str(&format!(" {} {}", op.i, op.j));
        }
        if applied {
            draft.text.push(')');
        }
        let term = recipe.maker.apply(store, op, &args, sort)?;
        draft.features |= smtlib::logic::of_node(store, term);
        Some(term)
    }

    /// A random expression of a sort whose free variables are all bound there.
    fn operand(&self, sort: SortId, draft: &mut Draft<'_>, rng: &mut RandomStream) -> Option<TermId> {
        let list = self.operands.get(&sort)?;
        for _ in 0..MAX_REDRAWS {
            let operand = rng.pick(list)?;
            if operand.free.iter().all(|v| draft.scope.contains(v)) {
                draft.text.push_str(&operand.text);
                return Some(operand.term);
            }
        }
        None
    }

    /// The head of an application of a function, constructor, tester or selector.
    fn symbol_text(&self, store: &Store, maker: &TermMaker, out: &mut String) {
        let constructor = |d: smtlib::DatatypeId, c: u32| &store.datatype(d).constructors[c as usize];
        match *maker {
            TermMaker::Function(f) => quote_symbol(store.name(store.func(f).name), out),
            TermMaker::Constructor(d, c) => quote_symbol(store.name(constructor(d, c).name), out),
            TermMaker::Selector(d, c, n) => quote_symbol(store.name(constructor(d, c).fields[n as usize].0), out),
            TermMaker::Tester(d, c) if self.dialect.old_testers => {
                quote_symbol(&format!("is-{}", store.name(constructor(d, c).name)), out);
            }
            TermMaker::Tester(d, c) => {
                out.push_str("(_ is ");
                quote_symbol(store.name(constructor(d, c).name), out);
                out.push(')');
            }
            TermMaker::Identity | TermMaker::Operator(_) | TermMaker::Drawn(..) => {}
        }
    }
}
