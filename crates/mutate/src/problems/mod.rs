//! Small random problems of one theory or of several together, using all operators of the signature tables.
//!
//! A problem follows from (field, seed, number) alone. Its number selects its operator, so that consecutive numbers cover every
//! operator of the field; the operator's arguments and the other assertions are random, with values at the corners of their
//! sorts. Operators at open values occur like everything else.

mod draw;
pub mod fields;

use crate::mutators::generative::signature::ExpressionSignature;
use crate::mutators::generative::{Recipes, recipes};
use crate::preamble::needed;
use crate::rng::unit_rng;
use draw::TermDraw;
use fields::{FieldSorts, TheoryField};
use smtlib::signature::{Arity, OperatorOrigin};
use smtlib::theories::THEORIES;
use smtlib::{Command, Func, FuncBody, FuncId, Script, Sort, SortId, Store, TermId};

/// Constants declared of every sort.
const CONSTANTS: usize = 2;

/// A problem: one script with one check.
pub struct SolverProblem {
    /// The terms.
    pub store: Store,
    /// Declarations, assertions and `(check-sat)`, in the logic `ALL`.
    pub script: Script,
    /// How the problem was made.
    pub shape: SymbolRole,
    /// Whether the evaluator knows an assignment that makes all assertions true; if not, nothing is known.
    pub satisfiable: bool,
}

/// How the symbols of a problem are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolRole {
    /// Symbols are free.
    Free,
    /// Assertions fix the values of most constants.
    Pinned,
    /// There are none, only values.
    Ground,
    /// One operator has different values at equal arguments: unsatisfiable, whatever the standard leaves open.
    Twin,
}

/// Shapes in the order of problem numbers.
const SHAPES: [SymbolRole; 8] = {
    use SymbolRole::*;
    [Free, Pinned, Ground, Free, Twin, Pinned, Ground, Free]
};

/// One in this many problems has a quantifier.
const QUANTIFIED: u64 = 16;

/// Returns the problem of a number.
/// Errors: what is wrong with the field's text.
pub fn problem(field: &TheoryField, seed: u64, number: u64) -> Result<SolverProblem, String> {
    let mut rng = unit_rng(seed ^ hash(field.name), number);
    let variant = rng.pick(field.variants).ok_or_else(|| format!("{} has no sorts", field.name))?;
    let mut place = TermMaterial::new(field, variant)?;
    let shape = SHAPES[rng.index(SHAPES.len())];
    let quantified = shape != SymbolRole::Twin && rng.below(QUANTIFIED) == 0;
    let mut draw = TermDraw::new(&mut place, field, shape, &mut rng);
    let mut assertions = draw.assertions(number);
    if quantified {
        draw.quantify(&mut assertions);
    }
    let (shape, satisfiable) = (draw.shape, draw.is_satisfied(&assertions));
    let TermMaterial { store, declarations, .. } = place;
    let mut commands = vec![Command::SetLogic(store.symbols.get("ALL").ok_or("there is no name ALL")?)];
    commands.extend(needed(&store, &declarations, &assertions).into_iter().cloned());
    commands.extend(assertions.into_iter().map(|t| Command::Assert(t, None)));
    commands.push(Command::CheckSat);
    Ok(SolverProblem { store, script: Script { commands }, shape, satisfiable })
}

/// FNV-1a, so that fields of one seed have separate streams.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The ingredients of a problem's terms.
struct TermMaterial {
    store: Store,
    /// The sorts of the variant, in its order.
    sorts: Vec<SortId>,
    /// Constants by their sort.
    constants: Vec<(SortId, Vec<TermId>)>,
    /// All declared functions.
    symbols: Vec<FuncId>,
    recipes: Recipes,
    declarations: Vec<Command>,
}

impl TermMaterial {
    fn new(field: &TheoryField, variant: &FieldSorts) -> Result<TermMaterial, String> {
        let mut text = String::from("(set-logic ALL)");
        text.push_str(variant.declarations);
        for (n, sort) in variant.sorts.iter().enumerate() {
            text.push_str(&format!("(declare-fun sort!{n} () {sort})"));
        }
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        if let Some(error) = parsed.errors.first() {
            return Err(format!("{}: {error}", field.name));
        }
        let mut declarations = parsed.script.commands;
        let mut sorts = Vec::new();
        let mut functions: Vec<FuncId> = Vec::new();
        declarations.retain(|command| match command {
            Command::DeclareFun(f) if store.name(store.func(*f).name).starts_with("sort!") => {
                sorts.push(store.func(*f).result);
                false
            }
            Command::DeclareFun(f) => {
                functions.push(*f);
                true
            }
            Command::SetLogic(_) => false,
            _ => true,
        });
        let (mut constants, mut symbols) = (Vec::new(), functions.clone());
        for (n, &sort) in sorts.iter().enumerate() {
            if matches!(store.sorts.get(sort), Sort::RegLan) {
                continue;
            }
            let mut terms = Vec::new();
            for k in 0..CONSTANTS {
                let name = store.symbols.intern(&format!("{}{k}", letter(n)));
                let f = store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
                declarations.push(Command::DeclareFun(f));
                symbols.push(f);
                terms.extend(store.constant_of(f).ok());
            }
            constants.push((sort, terms));
        }
        let recipes = recipes(&mut store, &signatures(field), &sorts, &functions);
        Ok(TermMaterial { store, sorts, constants, symbols, recipes, declarations })
    }
}

fn letter(n: usize) -> char {
    char::from(b'a' + (n % 26) as u8)
}

/// The operators of Core and of the field's theories that are in the standard. Variadic ones are used with two and with three arguments.
fn signatures(field: &TheoryField) -> Vec<ExpressionSignature> {
    let theories = THEORIES.iter().filter(|t| t.name == "Core" || field.theories.contains(&t.name));
    let rows = theories.flat_map(|t| t.rows).filter(|row| row.origin != OperatorOrigin::Extension);
    let mut list = Vec::new();
    for row in rows {
        let arities = if row.arity == Arity::Exact { vec![row.args.len()] } else { vec![2, 3] };
        list.extend(arities.into_iter().map(|arity| ExpressionSignature { row: Some(row), arity, args: Vec::new() }));
    }
    list
}
