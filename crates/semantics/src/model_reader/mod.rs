//! Models as solvers print them: replies to `(get-model)` and `(get-value)` of all solvers and their older versions.
//!
//! Universes of uninterpreted sorts are fixed first: their elements, whatever their names (`U!val!0`, `@uc_U_0`, `(as @U_0
//! U)`, constants declared inside the model), are those that occur. Then every definition is read as a term; definitions may
//! come in any order and use the solver's helper functions (`k!0`, `f!12`). A body that can be evaluated becomes a value, a
//! chain of cases becomes a table, and the rest stays a body.

mod answer;
mod dialects;
mod elements;
mod roots;
mod settle;
mod spellings;

use crate::choices::ChoiceDefinition;
use crate::model::{Interpretation, Model};
use answer::{AnswerItem, Definition, ModelAnswer};
use dialects::{Rewritten, SEVERAL, rewritten};
use roots::{NamedRoot, name_roots};
use rustc_hash::{FxHashMap, FxHashSet};
use settle::choice_operator;
use smtlib::printer::quote_symbol;
use smtlib::sexpr::{Sexprs, bare};
use smtlib::{
    Binder, Command, Func, FuncBody, FuncId, Instance, Kind, Scope, Script, Sort, SortId, Store, Symbol, TermId,
    parse_commands, theories,
};
use spellings::as_strings;
use spellings::qualified;

/// Returns the names of the selectors that a check's datatypes declare.
fn selectors(store: &Store, instance: &Instance) -> FxHashSet<Symbol> {
    let groups = instance.declarations.iter().filter_map(|command| match command {
        Command::DeclareDatatypes(first, _) => Some(*first),
        _ => None,
    });
    let datatypes = groups.flat_map(|first| store.datatype_group(first)).map(|id| store.datatype(id));
    datatypes.flat_map(|datatype| &datatype.constructors).flat_map(|c| c.fields.iter().map(|field| field.0)).collect()
}

/// Z3's name for `seq.nth` where its value is open.
const NTH_OUTSIDE: &str = "seq.nth_u";

/// Why a reply is not a model of the instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelReadError {
    /// The reply is something else, such as an error message.
    #[error("the reply is not a model: {0}")]
    NotAModel(String),
    /// A definition has another sort than the symbol in the script.
    #[error("the model defines `{name}` with rank {found}, unlike the script")]
    Rank {
        /// The symbol.
        name: String,
        /// The rank in the model.
        found: String,
    },
    /// Definitions that depend on themselves.
    #[error("the definition of `{0}` is cyclic")]
    Cyclic(String),
}

/// Reads a solver's answer to `(get-model)` or `(get-value)` as a model of an instance.
///
/// Missing symbols of the instance get a default and are marked as completed. A definition that is not understood leaves
/// its symbol without a value: [`Model::unreadable`] lists it with the reason. If a reply has an unknown part that may
/// concern any symbol, or contradicts itself, no symbol gets a value: the reply is ignored.
/// Errors: [`ModelReadError`] if the reply as a whole cannot be a model of this instance.
pub fn read_model(store: &mut Store, instance: &Instance, response: &str) -> Result<Model, ModelReadError> {
    let mut reader = ModelReader::new(store, instance);
    let response = as_strings(response);
    let named = name_roots(&response);
    reader.roots(named.roots);
    let mut all = Sexprs::read(&named.text);
    let rewritten = rewritten(reader.store, &reader.declared, &all);
    if let Some(rewritten) = &rewritten {
        all = Sexprs::read(&rewritten.text);
    }
    let Some(answer) = ModelAnswer::of(&all) else {
        return Err(ModelReadError::NotAModel(response.trim().chars().take(200).collect()));
    };
    reader.doubt = answer.doubt;
    if reader.doubt.is_none() {
        reader.elements(&response, &all, &answer.items);
    }
    if reader.doubt.is_none() {
        reader.declare_helpers(&answer.items, &selectors(reader.store, instance));
        for item in &answer.items {
            reader.item(&all, item)?;
        }
        let Rewritten { partial, unreadable, .. } = rewritten.unwrap_or_default();
        unreadable.into_iter().for_each(|(f, why)| reader.model.mark_unreadable(f, why));
        reader.forget_unreadable();
        reader.check_acyclic()?;
        reader.evaluate();
        reader.complete(instance);
        partial.into_iter().for_each(|f| reader.model.mark_completed(f));
        reader.check_claims();
    }
    Ok(reader.finish())
}

/// A statement of the reply that must hold in the model, with its subject.
struct Claim {
    holds: TermId,
    about: String,
}

struct ModelReader<'a> {
    store: &'a mut Store,
    scope: Scope,
    model: Model,
    /// The instance's declared symbols by name.
    declared: FxHashMap<String, Vec<FuncId>>,
    /// The model's helper functions by name.
    helpers: FxHashMap<String, FuncId>,
    /// The uninterpreted sorts without parameters by name.
    sort_names: FxHashMap<String, SortId>,
    /// The declared names of elements that the reply calls `(as name sort)`.
    elements: FxHashMap<(String, String), String>,
    counts: FxHashMap<SortId, u32>,
    claims: Vec<Claim>,
    /// Statements about operators where the standard leaves their values open.
    choices: Vec<ChoiceDefinition>,
    /// Why the reply is ignored.
    doubt: Option<String>,
    fresh: u32,
}

impl<'a> ModelReader<'a> {
    fn new(store: &'a mut Store, instance: &Instance) -> ModelReader<'a> {
        let mut scope = Scope::new(store);
        let text = store.script_text(&Script { commands: instance.declarations.clone() });
        parse_commands(store, &mut scope, &text);
        let mut declared: FxHashMap<String, Vec<FuncId>> = FxHashMap::default();
        for command in &instance.declarations {
            if let Command::DeclareFun(f) = command {
                declared.entry(store.name(store.func(*f).name).to_string()).or_default().push(*f);
            }
        }
        let sort_names = store.sorts.iter().filter_map(|(id, sort)| match sort {
            Sort::Uninterpreted(name, args) if args.is_empty() => Some((store.name(*name).to_string(), id)),
            _ => None,
        });
        let sort_names = sort_names.collect();
        ModelReader {
            store,
            scope,
            model: Model::new(),
            declared,
            helpers: FxHashMap::default(),
            sort_names,
            elements: FxHashMap::default(),
            counts: FxHashMap::default(),
            claims: Vec::new(),
            choices: Vec::new(),
            doubt: None,
            fresh: 0,
        }
    }

    /// Reads commands. Returns the functions they declare or define, or the first error.
    fn commands(&mut self, text: &str) -> Result<Vec<FuncId>, String> {
        let parsed = parse_commands(self.store, &mut self.scope, text);
        if let Some(error) = parsed.errors.first() {
            return Err(error.message.clone());
        }
        Ok(parsed
            .script
            .commands
            .iter()
            .filter_map(|c| match c {
                Command::DeclareFun(f) | Command::DefineFun(f) => Some(*f),
                _ => None,
            })
            .collect())
    }

    /// Reads a declaration.
    fn declare(&mut self, name: &str, params: &str, sort: &str) -> Result<FuncId, String> {
        let found = self.commands(&format!("(declare-fun |{name}| ({params}) {sort})"))?;
        found.first().copied().ok_or_else(|| "it is solver-specific".to_string())
    }

    /// Stores the first reason to ignore the reply.
    fn doubt(&mut self, why: impl FnOnce() -> String) {
        self.doubt.get_or_insert_with(why);
    }

    /// Whether a name belongs to the script or is declared already.
    fn is_taken(&self, name: &str) -> bool {
        self.declared.contains_key(name) || self.helpers.contains_key(name)
    }

    /// Declares the names of algebraic numbers.
    fn roots(&mut self, roots: Vec<NamedRoot>) {
        for root in roots {
            let f = match self.declare(&root.name, "", "Real") {
                Ok(f) => f,
                Err(why) => return self.doubt(|| format!("its algebraic numbers cannot be named: {why}")),
            };
            self.helpers.insert(root.name, f);
            let done =
                root.value.and_then(|v| self.model.assign(self.store, f, v).map_err(|reason| reason.to_string()));
            if let Err(reason) = done {
                self.model.mark_unreadable(f, reason);
            }
        }
    }

    /// Declares the model's helper functions, so that definitions may use them in any order.
    fn declare_helpers(&mut self, items: &[AnswerItem<'_>], selectors: &FxHashSet<Symbol>) {
        for item in items {
            let AnswerItem::Definition(d) = item else { continue };
            // A definition of a selector gives its value on other constructors; it is no helper.
            let is_selector = selectors.contains(&self.store.symbols.intern(d.name));
            if self.is_taken(d.name) || is_selector || is_operator(d.name) || d.name == NTH_OUTSIDE {
                continue;
            }
            let sorts: Vec<&str> = d.params.iter().map(|p| p.1).collect();
            // Functions that cannot be declared are unknown, and so are terms with them.
            if let Ok(f) = self.declare(d.name, &sorts.join(" "), d.result) {
                self.helpers.insert(d.name.to_string(), f);
            }
        }
    }

    fn item(&mut self, all: &Sexprs<'_>, item: &AnswerItem<'_>) -> Result<(), ModelReadError> {
        match *item {
            AnswerItem::Definition(ref d) => return self.definition(d, &self.spelled(all, d.body)),
            AnswerItem::Value { name: spelling, value } => {
                let name = bare(spelling);
                match self.declared.get(name).map(|fs| &fs[..]) {
                    Some(&[f]) if self.store.func(f).params.is_empty() => {
                        let sort = self.store.sort_text(self.store.func(f).result);
                        let d = Definition { name, params: Vec::new(), result: &sort, body: value };
                        return self.definition(&d, &self.spelled(all, value));
                    }
                    Some(&[_]) => {
                        self.unreadable(name, "the value of a function is not given by a definition");
                    }
                    Some(_) => self.unreadable(name, SEVERAL),
                    // A name of the solver or of an assertion.
                    None if is_symbol(spelling) => {}
                    None => self.doubt(|| format!("`{spelling}` is no symbol")),
                }
            }
            AnswerItem::Claim { term, value } => {
                let about = all.text(term).chars().take(60).collect::<String>();
                let text = format!("(= {} {})", self.spelled(all, term), self.spelled(all, value));
                match self.term(&text) {
                    Ok(holds) => self.claims.push(Claim { holds, about }),
                    Err(why) => self.doubt(|| format!("its value of `{about}` is not understood: {why}")),
                }
            }
            AnswerItem::Unreadable { name, why } => self.unreadable(name, why),
            AnswerItem::Element { .. } => {}
        }
        Ok(())
    }

    /// Marks the symbols of a name. Symbols that the script defines keep their meaning, and a helper is unknown where
    /// it is used.
    fn unreadable(&mut self, name: &str, why: &str) {
        for &f in self.declared.get(name).into_iter().flatten() {
            self.model.mark_unreadable(f, why.to_string());
        }
    }

    /// Returns a Boolean term of the reply.
    fn term(&mut self, text: &str) -> Result<TermId, String> {
        self.fresh += 1;
        let found = self.commands(&format!("(define-fun |squall!claim!{}| () Bool {text})", self.fresh))?;
        match found.first().map(|&f| &self.store.func(f).body) {
            Some(FuncBody::Defined { body, .. }) => Ok(*body),
            _ => Err("it is solver-specific".to_string()),
        }
    }

    fn definition(&mut self, d: &Definition<'_>, body: &str) -> Result<(), ModelReadError> {
        let candidates = match (self.declared.get(d.name), self.helpers.get(d.name)) {
            (Some(fs), _) => fs.clone(),
            (None, Some(&f)) => vec![f],
            (None, None) => {
                if !self.choice(d, body) && is_operator(d.name) {
                    // Its meaning in the other definitions is unknown.
                    self.doubt(|| format!("it redefines `{}`, an operator of a theory", d.name));
                }
                // Else a function that the script itself defines, or a helper that could not be declared.
                return Ok(());
            }
        };
        let Some(&first) = candidates.first() else { return Ok(()) };
        self.fresh += 1;
        let params: Vec<String> = d.params.iter().map(|(n, s)| format!("({n} {s})")).collect();
        let head = format!("(define-fun |squall!model!{}| ({}) {}", self.fresh, params.join(" "), d.result);
        let mut found = self.commands(&format!("{head} {body})"));
        if found.is_err()
            && let sort = self.store.func(first).result
            && let Some(body) = qualified(self.store, body, sort)
        {
            found = self.commands(&format!("{head} {body})"));
        }
        let defined = match found {
            Ok(found) => found.first().map(|&f| self.store.func(f).clone()),
            Err(message) => {
                candidates.iter().for_each(|&f| self.model.mark_unreadable(f, message.clone()));
                return Ok(());
            }
        };
        let Some(Func { params, result, body: FuncBody::Defined { vars, body }, .. }) = defined else {
            let why = "solver-specific definition";
            candidates.iter().for_each(|&f| self.model.mark_unreadable(f, why.to_string()));
            return Ok(());
        };
        let fits = candidates.iter().copied().find(|&f| {
            let func = self.store.func(f);
            func.params == params && func.result == result
        });
        if let Some(f) = fits {
            self.assign(f, d.name, vars, body);
            return Ok(());
        }
        // Cvc5 prints a map as a function of its arguments, including those of its values.
        for &f in &candidates {
            let func = self.store.func(f).clone();
            let own = func.params.len();
            if own < params.len()
                && *func.params == params[..own]
                && let Some(map) = self.map_over(&vars[own..], &params[own..], body)
                && self.store.sort(map) == func.result
            {
                self.assign(f, d.name, vars[..own].into(), map);
                return Ok(());
            }
        }
        // Boolector and old Bitwuzla print an array as a function of its indices.
        if !params.is_empty() && self.store.func(first).params.is_empty() {
            let name = self.store.symbols.intern(&format!("squall!array!{}", self.fresh));
            let graph = self.store.declare(Func { name, params, result, body: FuncBody::Declared });
            if self.model.assign_body(self.store, graph, vars, body).is_ok()
                && let Ok(array) = self.store.as_array(graph)
                && self.array_fits(array, first)
            {
                self.assign(first, d.name, [].into(), array);
                return Ok(());
            }
        }
        let sorts: Vec<&str> = d.params.iter().map(|p| p.1).collect();
        let found = format!("({}) {}", sorts.join(" "), d.result);
        Err(ModelReadError::Rank { name: d.name.to_string(), found })
    }

    /// Returns the map from the arguments `vars` to a body.
    fn map_over(&mut self, vars: &[Symbol], sorts: &[SortId], body: TermId) -> Option<TermId> {
        let vars = vars.iter().copied().zip(sorts.iter().copied()).collect();
        let binder = Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        self.store.bind(Kind::Lambda, binder, &[body]).ok()
    }

    /// Reads a choice: a definition of a theory's operator or selector where the standard leaves values open. Returns
    /// whether it is one.
    fn choice(&mut self, d: &Definition<'_>, body: &str) -> bool {
        self.fresh += 1;
        let params: Vec<String> = d.params.iter().map(|(n, s)| format!("({n} {s})")).collect();
        let head = format!("(define-fun |squall!model!{}| ({}) {}", self.fresh, params.join(" "), d.result);
        let Ok(found) = self.commands(&format!("{head} {body})")) else { return false };
        let func = found.first().map(|&f| self.store.func(f).clone());
        let Some(Func { params, body: FuncBody::Defined { vars, body }, .. }) = func else { return false };
        let name = if d.name == NTH_OUTSIDE { "seq.nth" } else { d.name };
        let choice = ChoiceDefinition::of(self.store, name, &vars, &params, body);
        let is_choice = choice.is_some();
        self.choices.extend(choice);
        is_choice
    }

    /// Whether an array can define a symbol.
    fn array_fits(&self, array: TermId, f: FuncId) -> bool {
        Model::new().assign_body(self.store, f, [].into(), array).is_ok()
    }

    /// Gives a symbol its definition. A second one must be equivalent.
    fn assign(&mut self, f: FuncId, name: &str, vars: Box<[Symbol]>, body: TermId) {
        let same = match self.model.interpretation(f) {
            None => {
                if let Err(reason) = self.model.assign_body(self.store, f, vars, body) {
                    self.model.mark_unreadable(f, reason.to_string());
                }
                return;
            }
            Some(Interpretation::Body { params, body: first }) => *params == vars && *first == body,
            Some(_) => false,
        };
        if same {
            return;
        }
        let about = name.chars().take(60).collect::<String>();
        let symbol = if vars.is_empty() { self.store.apply(f, &[]).ok() } else { None };
        match symbol.and_then(|symbol| self.store.eq(symbol, body).ok()) {
            Some(holds) => self.claims.push(Claim { holds, about }),
            None => self.doubt(|| format!("it defines `{about}` twice, differently")),
        }
    }

    /// Removes symbols that are not understood, whatever else the reply says of them.
    fn forget_unreadable(&mut self) {
        let unreadable: Vec<FuncId> = self.model.unreadable().iter().map(|u| u.0).collect();
        unreadable.into_iter().for_each(|f| self.model.remove(f));
    }

    /// Returns the model. In a doubtful reply no symbol is readable.
    fn finish(self) -> Model {
        let Some(doubt) = self.doubt else { return self.model };
        let mut model = Model::new();
        let mut symbols: Vec<FuncId> = self.declared.into_values().flatten().collect();
        symbols.sort_unstable();
        symbols.into_iter().for_each(|f| model.mark_unreadable(f, format!("{NOT_UNDERSTOOD}: {doubt}")));
        model
    }
}

/// Why no symbol of a model is readable: the beginning of the reason, if no symbol is to blame.
pub const NOT_UNDERSTOOD: &str = "the model is not understood";

/// Whether an atom is a symbol, and not a reserved word.
fn is_symbol(atom: &str) -> bool {
    let mut symbol = String::new();
    quote_symbol(atom, &mut symbol);
    atom.starts_with('|') || symbol == atom
}

/// Whether a name is a theory's operator, and not a solver's name for an operator's values at zero.
fn is_operator(name: &str) -> bool {
    choice_operator(name).is_none() && theories::rows().any(|row| row.name == name)
}
