//! One fusion of two variables: a fusion function at their sorts, with its constants drawn, its fresh symbols declared and,
//! if there is a witness, its equations checked.

use crate::assignment::ValueGenerator;
use crate::edit::limits;
use crate::mutator::TargetSpelling;
use crate::mutators::fusion::function::{FusionFunction, ParameterValues, evaluate, substitute};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use semantics::{Evaluator, FunctionTable, Model, Value};
use smtlib::printer::quote_symbol;
use smtlib::{Command, FuncId, Kind, Scope, SortId, Store, TermId, parse_commands};

/// A fusion of x and y that mutants choose from.
#[derive(Clone, Debug)]
pub struct FusionEntry {
    /// The fusion function: its number in its file, or its term over x and y.
    pub function: String,
    /// x and y.
    pub variables: [FuncId; 2],
    /// The fresh symbols.
    pub declarations: Vec<Command>,
    /// z = f(x, y), x = g(y, z) and y = h(x, z).
    pub equations: [TermId; 3],
    /// g(y, z) and h(x, z).
    pub inversions: [TermId; 2],
    /// Whether the evaluator knows that all equations hold under the witness.
    pub holds: bool,
    /// Its features.
    pub features: u32,
}

/// The context of entries.
pub struct FusionBuilder<'w> {
    /// The store of both parents.
    pub store: &'w mut Store,
    /// The scope with the declarations of both.
    pub scope: &'w mut Scope,
    /// The witness so far, with a source of random values.
    pub generator: ValueGenerator,
    /// The solver that the mutants are for.
    pub target: &'w TargetSpelling,
    /// Variables of both parents by their sort.
    pub others: FxHashMap<SortId, Vec<FuncId>>,
    /// How often one of them replaces a constant, in percent.
    pub others_percent: u32,
}

impl FusionBuilder<'_> {
    /// Makes an entry; `None` if the function does not fit these variables, or does not parse.
    pub fn make(
        &mut self,
        name: String,
        function: &FusionFunction,
        variables: [FuncId; 2],
        rng: &mut RandomStream,
    ) -> Option<FusionEntry> {
        let store = &mut *self.store;
        let sorts = variables.map(|v| store.func(v).result);
        let mut bindings = function.bind(&store.sort_text(sorts[0]), &store.sort_text(sorts[1]))?;
        draw_indices(function, &mut bindings, rng)?;
        for (name, variable) in ["x", "y"].iter().zip(variables) {
            let mut text = String::new();
            quote_symbol(store.name(store.func(variable).name), &mut text);
            bindings.insert(name.to_string(), text);
        }
        for (name, sort) in &function.constants {
            let sort = match sort {
                own if *own == function.sorts[0] => sorts[0],
                own if *own == function.sorts[1] => sorts[1],
                own => simple_sort(own)?,
            };
            let is_other = |other: &&FuncId| !variables.contains(other);
            let others: Vec<&FuncId> = self.others.get(&sort).into_iter().flatten().filter(is_other).collect();
            let text = match rng.pick(&others).filter(|_| rng.percent(self.others_percent)) {
                Some(&&other) => {
                    let mut text = String::new();
                    quote_symbol(store.name(store.func(other).name), &mut text);
                    text
                }
                None => constant(store, &mut self.generator, sort, rng)?,
            };
            bindings.insert(name.clone(), text);
        }
        let fresh: Vec<&str> = std::iter::once("z").chain(function.fresh.iter().map(String::as_str)).collect();
        let suffix = suffix(store, &fresh);
        for name in &fresh {
            let mut text = String::new();
            quote_symbol(&format!("{name}{suffix}"), &mut text);
            bindings.insert(name.to_string(), text);
        }
        let mut text = String::new();
        for declaration in &function.declarations {
            text.push_str(&substitute(declaration, &bindings)?);
            text.push('\n');
        }
        text.push_str(&format!("(declare-fun {} () {})\n", bindings["z"], substitute(&function.sorts[2], &bindings)?));
        for (name, term) in ["z", "x", "y"].iter().zip(&function.terms) {
            text.push_str(&format!("(assert (= {} {}))\n", bindings[*name], substitute(term, &bindings)?));
        }
        for condition in &function.conditions {
            text.push_str(&format!("(assert {})\n", substitute(condition, &bindings)?));
        }
        let parsed = parse_commands(store, self.scope, &text);
        if !parsed.errors.is_empty() {
            return None;
        }
        let (mut declarations, mut assertions) = (Vec::new(), Vec::new());
        for command in parsed.script.commands {
            match command {
                Command::Assert(t, _) => assertions.push(t),
                declaration => declarations.push(declaration),
            }
        }
        let equations: [TermId; 3] = assertions.get(..3)?.try_into().ok()?;
        if self.target.lacks_any(store, &equations) {
            return None;
        }
        let right = |t: TermId| store.args(t).get(1).copied();
        let inversions = [right(equations[1])?, right(equations[2])?];
        let features = smtlib::logic::of_terms(store, &equations);
        // A pair is a datatype, which not every solver supports.
        if !self.target.takes(features) {
            return None;
        }
        let holds = self.satisfy(&declarations, &assertions, rng);
        Some(FusionEntry { function: name, variables, declarations, equations, inversions, holds, features })
    }

    /// Gives the fresh symbols values so that every assertion is true; returns false, without an effect, if that fails.
    fn satisfy(&mut self, declarations: &[Command], assertions: &[TermId], rng: &mut RandomStream) -> bool {
        let fresh: Vec<FuncId> = declarations
            .iter()
            .filter_map(|c| match c {
                Command::DeclareFun(f) => Some(*f),
                _ => None,
            })
            .collect();
        if self.assign(&fresh, assertions, rng).is_some() {
            let mut evaluator = Evaluator::new(self.generator.model.clone(), limits());
            // Invariant: an inversion replaces a variable in certified mutants only if the evaluator says they are equal.
            if assertions.iter().all(|&t| evaluator.truth(self.store, t) == Some(true)) {
                return true;
            }
        }
        fresh.iter().for_each(|&f| self.generator.model.remove(f));
        false
    }

    fn assign(&mut self, fresh: &[FuncId], assertions: &[TermId], rng: &mut RandomStream) -> Option<()> {
        let store = &mut *self.store;
        let mut tables: FxHashMap<FuncId, FunctionTable> = FxHashMap::default();
        let (left, _) = sides(store, *assertions.first()?)?;
        let z = store.applied(left)?;
        for &f in fresh {
            if f == z || !store.func(f).params.is_empty() {
                continue;
            }
            let sort = store.func(f).result;
            let value = self.generator.value(store, sort, rng)?;
            self.generator.model.assign(store, f, value).ok()?;
        }
        for &equation in assertions.get(..3)? {
            let (left, right) = sides(store, equation)?;
            let variable = store.applied(left)?;
            let head = store.applied(right).filter(|f| fresh.contains(f) && !store.func(*f).params.is_empty());
            let mut evaluator = Evaluator::new(self.generator.model.clone(), limits());
            let Some(f) = head else {
                if variable == z {
                    let value = evaluator.eval(store, right).ok()?;
                    self.generator.model.assign(store, z, value).ok()?;
                }
                continue;
            };
            // The equation defines a fresh function at one point; a value of z is drawn.
            if variable == z {
                let value = self.generator.value(store, store.func(z).result, rng)?;
                self.generator.model.assign(store, z, value).ok()?;
            }
            let mut evaluator = Evaluator::new(self.generator.model.clone(), limits());
            let value = evaluator.eval(store, left).ok()?;
            let args: Vec<TermId> = store.args(right).to_vec();
            let args: Option<Box<[Value]>> = args.iter().map(|&a| evaluator.eval(store, a).ok()).collect();
            let (args, table) = (args?, tables.entry(f).or_insert_with(|| FunctionTable::new(Some(value.clone()))));
            if !table.is_empty() && table.get(&args).is_some_and(|known| *known != value) {
                return None;
            }
            if !table.insert(args, value) {
                return None;
            }
            self.generator.model.assign_table(store, f, table.clone()).ok()?;
        }
        Some(())
    }

    /// Returns the current witness.
    pub fn into_model(self) -> Model {
        self.generator.model
    }
}

/// Draws the function's own indices, each from 0 to below its bound.
fn draw_indices(function: &FusionFunction, bindings: &mut ParameterValues, rng: &mut RandomStream) -> Option<()> {
    for (name, bound) in &function.indices {
        let bound = bound.parse().ok().or_else(|| evaluate(bound, bindings))?;
        bindings.insert(name.clone(), rng.below(bound).to_string());
    }
    Some(())
}

/// Returns a sort that needs no declaration.
fn simple_sort(text: &str) -> Option<SortId> {
    Some(match text {
        "Bool" => SortId::BOOL,
        "Int" => SortId::INT,
        "Real" => SortId::REAL,
        "String" => SortId::STRING,
        "RoundingMode" => SortId::ROUNDING_MODE,
        _ => return None,
    })
}

/// Returns the text of a random literal. Small numbers other than 0 come often.
fn constant(store: &mut Store, generator: &mut ValueGenerator, sort: SortId, rng: &mut RandomStream) -> Option<String> {
    let small = rng.between(1, 12);
    let negative = rng.coin();
    if (sort == SortId::INT || sort == SortId::REAL) && rng.percent(70) {
        let point = if sort == SortId::REAL { ".0" } else { "" };
        return Some(if negative { format!("(- {small}{point})") } else { format!("{small}{point}") });
    }
    let value = generator.value(store, sort, rng)?;
    let term = value.to_term(store, sort)?;
    Some(store.term_text(term))
}

/// Returns the two sides of an equation.
fn sides(store: &Store, t: TermId) -> Option<(TermId, TermId)> {
    match (store.kind(t), store.args(t)) {
        (Kind::Eq, &[left, right]) => Some((left, right)),
        _ => None,
    }
}

/// Returns the first suffix that makes all names new.
fn suffix(store: &Store, names: &[&str]) -> String {
    let mut n = 1u32;
    loop {
        let suffix = format!("!f{n}");
        if names.iter().all(|name| store.symbols.get(&format!("{name}{suffix}")).is_none()) {
            return suffix;
        }
        n += 1;
    }
}
