//! New terms of a sort: operators applied to expressions of a seed, each with its text.

use crate::edit::{SeedFormula, head_text};
use crate::mutator::TargetSpelling;
use crate::mutators::generative::instance::{Recipe, Recipes, TermMaker, recipes};
use crate::mutators::generative::pool::{self, Operands};
use crate::mutators::generative::signature::ExpressionSignature;
use crate::preamble::Uses;
use crate::rng::RandomStream;
use smtlib::printer::{push_function_name, quote_symbol};
use smtlib::{Dialect, FuncId, Kind, SortId, Store, Symbol, TermId};

/// How deep new terms nest.
const MAX_NESTING: u32 = 2;
/// How often an operand that is out of scope is redrawn.
const MAX_REDRAWS: u32 = 8;
/// The maximum length of a new term, in bytes.
const MAX_TEXT: usize = 20_000;

/// The ingredients of a seed's new terms.
pub struct ExpressionGrammar<'d> {
    operands: Operands,
    recipes: Recipes,
    /// How often an operand of a new term is also new, in percent.
    nested: u32,
    dialect: &'d Dialect,
}

/// A new term, its text, and its new nodes' features.
pub struct NewTerm {
    /// The term.
    pub term: TermId,
    /// Its text at its place.
    pub text: String,
    /// The features of its new nodes.
    pub features: u32,
}

/// A term under construction: its place, its text, and its new nodes' features.
struct Draft<'f> {
    /// The variables bound at its place.
    scope: &'f [(Symbol, SortId)],
    text: String,
    features: u32,
}

impl<'d> ExpressionGrammar<'d> {
    /// Collects the expressions of a formula, and the signatures at their sorts.
    pub fn new(
        store: &mut Store,
        formula: &SeedFormula,
        signatures: &[ExpressionSignature],
        nested: u32,
        target: &'d TargetSpelling,
        rng: &mut RandomStream,
    ) -> ExpressionGrammar<'d> {
        let dialect = &target.dialect;
        let has = |s: &&ExpressionSignature| s.row.is_none_or(|row| !target.lacks(row.kind));
        let signatures: Vec<ExpressionSignature> = signatures.iter().filter(has).cloned().collect();
        let operands = pool::operands(store, formula, dialect, rng);
        let mut sorts: Vec<SortId> = operands.keys().copied().collect();
        sorts.sort_unstable();
        let proven: Vec<TermId> = formula.lines.iter().filter(|l| !l.is_unproven).map(|l| l.term).collect();
        // The functions of the formula, which its preamble declares.
        let mut uses = Uses::new(store);
        proven.iter().for_each(|&t| uses.term(t));
        let functions: Vec<FuncId> = uses.funcs().collect();
        let recipes = recipes(store, &signatures, &sorts, &functions);
        ExpressionGrammar { operands, recipes, nested, dialect }
    }

    /// Drops connectives for Booleans, if other operators give Booleans.
    pub fn keep_atoms(&mut self) {
        let is_atom = |recipe: &Recipe| recipe.args.iter().any(|&arg| arg != SortId::BOOL);
        if let Some(recipes) = self.recipes.get_mut(&SortId::BOOL)
            && recipes.iter().any(is_atom)
        {
            recipes.retain(is_atom);
        }
    }

    /// Whether terms of a sort can be made.
    pub fn makes(&self, sort: SortId) -> bool {
        self.recipes.contains_key(&sort)
    }

    /// A new term of a sort under these bound variables. `None` if a draw does not fit; another one may.
    pub fn draw(
        &self,
        store: &mut Store,
        sort: SortId,
        scope: &[(Symbol, SortId)],
        rng: &mut RandomStream,
    ) -> Option<NewTerm> {
        let mut draft = Draft { scope, text: String::new(), features: 0 };
        let term = self.make(store, sort, MAX_NESTING, &mut draft, rng)?;
        let Draft { text, features, .. } = draft;
        (text.len() <= MAX_TEXT).then_some(NewTerm { term, text, features })
    }

    /// Returns a new term of a sort by a random recipe. Recursion is at most [`MAX_NESTING`] deep.
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

    /// Returns a random expression of a sort whose free variables are all bound there.
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

    /// Appends the head of an application of a function, constructor, tester or selector.
    fn symbol_text(&self, store: &Store, maker: &TermMaker, out: &mut String) {
        let constructor = |d: smtlib::DatatypeId, c: u32| &store.datatype(d).constructors[c as usize];
        match *maker {
            TermMaker::Function(f) => push_function_name(store, self.dialect, store.func(f), out),
            TermMaker::Constructor(d, c) => quote_symbol(store.name(constructor(d, c).name), out),
            // Its name is its identifier, `(_ tuple.select 0)`.
            TermMaker::Selector(d, c, n) if d.is_tuple() => {
                out.push_str(store.name(constructor(d, c).fields[n as usize].0));
            }
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
