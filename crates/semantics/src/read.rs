//! Models as solvers print them: `(get-model)` and `(get-value)` answers of all the solvers, now and in older versions.
//!
//! Universes of uninterpreted sorts are fixed first: their elements, whatever they are called (`U!val!0`, `@uc_U_0`,
//! `(as @U_0 U)`, constants declared inside the model), are the elements that occur. Then every definition is read as a term;
//! definitions may stand in any order and use helper functions of the solver's (`k!0`, `f!12`). What can be evaluated
//! becomes a value, what is a tower of cases becomes a table, and the rest stays a body.

use crate::constructors::qualified;
use crate::dialects::rewritten;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::limits::Limits;
use crate::model::{Interpretation, Model, Table};
use crate::roots::{Root, name_roots};
use crate::sexpr::{atoms, bare, children, is_list, item_at, items, next_item};
use crate::tower::tower;
use crate::value::Value;
use crate::witness::mentioned;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::theories;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, Kind, Op, Scope, Script, Sort, SortId, Store, parse_commands};
use std::ops::Range;

/// Why an answer is no model of the instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The answer is something else, an error message for instance.
    #[error("the answer is no model: {0}")]
    NotAModel(String),
    /// A definition's sort is not that of the symbol in the script.
    #[error("the model defines `{name}` with the rank {found}, the script declares another")]
    Rank {
        /// The symbol.
        name: String,
        /// The rank in the model.
        found: String,
    },
    /// Definitions that lead back to themselves.
    #[error("the model defines `{0}` by itself")]
    Cyclic(String),
}

/// Reads a solver's answer to `(get-model)` or `(get-value)` as a model of an instance.
///
/// Symbols of the instance that the answer leaves out get a default and are marked as completed. A definition that cannot
/// be understood leaves its symbol without value: [`Model::unreadable`] lists it with the reason.
///
/// # Errors
/// [`ReadError`], when the answer as a whole cannot be a model of this instance.
pub fn read_model(store: &mut Store, instance: &Instance, response: &str) -> Result<Model, ReadError> {
    let mut reader = Reader::new(store, instance);
    let named = name_roots(response);
    let response = named.text.as_ref();
    reader.roots(named.roots);
    let rewritten = rewritten(reader.store, &reader.declared, response);
    let (response, partial) = match &rewritten {
        Some((text, partial)) => (text.as_str(), partial.as_slice()),
        None => (response, [].as_slice()),
    };
    let entries = entries(response)?;
    reader.elements(response, &entries);
    reader.declare_helpers(response, &entries);
    for entry in &entries {
        reader.entry(response, entry)?;
    }
    reader.check_acyclic()?;
    reader.evaluate();
    reader.complete(instance);
    for &f in partial {
        reader.model.mark_completed(f);
    }
    Ok(reader.model)
}

/// The entries of the answer: the items of every list of entries (a model, or pairs of `get-value`), and entries that stand
/// by themselves. An answer of several commands, one after the other, counts as one.
fn entries(response: &str) -> Result<Vec<Range<usize>>, ReadError> {
    let mut found = Vec::new();
    let mut understood = false;
    for top in items(response, 0..response.len()) {
        if !is_list(response, &top) {
            continue;
        }
        let inside = children(response, &top);
        match inside.first() {
            None => understood = true,
            Some(first) if is_list(response, first) => found.extend(inside),
            Some(first) => match &response[first.clone()] {
                "model" => {
                    understood = true;
                    found.extend_from_slice(&inside[1..]);
                }
                "define-fun" | "declare-fun" | "=" => found.push(top),
                _ => {}
            },
        }
    }
    if found.is_empty() && !understood {
        return Err(ReadError::NotAModel(response.trim().chars().take(200).collect()));
    }
    Ok(found)
}

struct Reader<'a> {
    store: &'a mut Store,
    scope: Scope,
    model: Model,
    /// The instance's declared symbols by name.
    declared: FxHashMap<String, Vec<FuncId>>,
    /// The model's helper functions by name.
    helpers: FxHashMap<String, FuncId>,
    counts: FxHashMap<SortId, u32>,
    fresh: u32,
}

impl<'a> Reader<'a> {
    fn new(store: &'a mut Store, instance: &Instance) -> Reader<'a> {
        let mut scope = Scope::new(store);
        let text = store.script_text(&Script { commands: instance.declarations.clone() });
        parse_commands(store, &mut scope, &text);
        let mut declared: FxHashMap<String, Vec<FuncId>> = FxHashMap::default();
        for command in &instance.declarations {
            if let Command::DeclareFun(f) = command {
                declared.entry(store.name(store.func(*f).name).to_string()).or_default().push(*f);
            }
        }
        Reader {
            store,
            scope,
            model: Model::new(),
            declared,
            helpers: FxHashMap::default(),
            counts: FxHashMap::default(),
            fresh: 0,
        }
    }

    /// Reads commands; the functions they declare or define, or the first mistake.
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

    /// Declares the elements of uninterpreted sorts and fixes the universes.
    fn elements(&mut self, response: &str, entries: &[Range<usize>]) {
        for entry in entries {
            let parts = children(response, entry);
            let text: Vec<&str> = parts.iter().map(|p| &response[p.clone()]).collect();
            if let ["declare-fun", name, "()", sort] | ["declare-const", name, sort] = text[..] {
                self.element(bare(name), sort);
            }
        }
        let all = atoms(response, 0..response.len());
        for (n, atom) in all.iter().enumerate() {
            let name = bare(&response[atom.clone()]);
            let before = n.checked_sub(1).map(|m| &response[all[m].clone()]);
            if before == Some("as") && name.starts_with('@') {
                // `(as @U_0 U)`: the sort is the item that follows.
                if let Some(sort) = next_item(response, atom.end) {
                    let sort = response[sort.clone()].to_string();
                    self.element(name, &sort);
                }
            } else if let Some(sort) = self.sort_in_name(name) {
                self.element(name, &sort);
            }
        }
        let universes: Vec<SortId> = self
            .store
            .sorts
            .iter()
            .filter(|(id, s)| matches!(s, Sort::Uninterpreted(..)) && !self.store.sorts.has_parameter(*id))
            .map(|s| s.0)
            .collect();
        for sort in universes {
            self.model.set_universe(sort, self.counts.get(&sort).copied().unwrap_or(1));
        }
    }

    /// The sort whose element a name is by the habits of the solvers: `S!val!N`, `@S_N`, `@uc_S_N`.
    fn sort_in_name(&self, name: &str) -> Option<String> {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let sort = match name.split_once("!val!") {
            Some((sort, number)) if digits(number) => sort,
            _ => {
                let (sort, number) = name.strip_prefix('@')?.rsplit_once('_')?;
                if !digits(number) {
                    return None;
                }
                sort.strip_prefix("uc_").unwrap_or(sort)
            }
        };
        let named =
            |s: &Sort| matches!(s, Sort::Uninterpreted(n, args) if args.is_empty() && self.store.name(*n) == sort);
        let found = self.store.sorts.iter().find(|(_, s)| named(s))?.0;
        Some(self.store.sort_text(found))
    }

    fn element(&mut self, name: &str, sort: &str) {
        if self.helpers.contains_key(name) || self.declared.contains_key(name) {
            return;
        }
        let Ok(found) = self.commands(&format!("(declare-fun |{name}| () {sort})")) else { return };
        let [f] = found[..] else { return };
        let sort = self.store.func(f).result;
        self.helpers.insert(name.to_string(), f);
        if !matches!(self.store.sorts.get(sort), Sort::Uninterpreted(..)) {
            return;
        }
        let count = self.counts.entry(sort).or_default();
        let value = Value::Element { sort, index: *count };
        *count += 1;
        if let Err(reason) = self.model.assign(self.store, f, value) {
            self.model.mark_unreadable(f, reason.to_string());
        }
    }

    /// Declares the names that stand for algebraic numbers.
    fn roots(&mut self, roots: Vec<Root>) {
        for root in roots {
            let Ok(found) = self.commands(&format!("(declare-fun |{}| () Real)", root.name)) else { continue };
            let [f] = found[..] else { continue };
            self.helpers.insert(root.name, f);
            let done =
                root.value.and_then(|v| self.model.assign(self.store, f, v).map_err(|reason| reason.to_string()));
            if let Err(reason) = done {
                self.model.mark_unreadable(f, reason);
            }
        }
    }

    /// Declares the functions the model defines beside the instance's, so that definitions may use them in any order.
    fn declare_helpers(&mut self, response: &str, entries: &[Range<usize>]) {
        for entry in entries {
            let Some(d) = Definition::of(response, entry) else { continue };
            // A theory's operator has its meaning; what a model says of one is no definition, and must not stand before it.
            if self.declared.contains_key(d.name) || self.helpers.contains_key(d.name) || is_operator(d.name) {
                continue;
            }
            let sorts: Vec<&str> = d.params.iter().map(|p| p.1).collect();
            let text = format!("(declare-fun |{}| ({}) {})", d.name, sorts.join(" "), d.result);
            if let Ok(found) = self.commands(&text)
                && let [f] = found[..]
            {
                self.helpers.insert(d.name.to_string(), f);
            }
        }
    }

    fn entry(&mut self, response: &str, entry: &Range<usize>) -> Result<(), ReadError> {
        if let Some(d) = Definition::of(response, entry) {
            return self.definition(&d);
        }
        // `(= x 5)` of yices and `(x 5)` of get-value.
        let parts = children(response, entry);
        let text: Vec<&str> = parts.iter().map(|p| &response[p.clone()]).collect();
        let (name, value) = match text[..] {
            ["=", name, value] | [name, value] if !name.starts_with('(') => (bare(name), value),
            _ => return Ok(()),
        };
        let Some([f]) = self.declared.get(name).map(|fs| &fs[..]) else { return Ok(()) };
        let func = self.store.func(*f);
        if !func.params.is_empty() {
            return Ok(());
        }
        let sort = self.store.sort_text(func.result);
        self.definition(&Definition { name, params: Vec::new(), result: &sort, body: value })
    }

    fn definition(&mut self, d: &Definition<'_>) -> Result<(), ReadError> {
        let candidates = match (self.declared.get(d.name), self.helpers.get(d.name)) {
            (Some(fs), _) => fs.clone(),
            (None, Some(&f)) => vec![f],
            (None, None) => return Ok(()),
        };
        let Some(&first) = candidates.first() else { return Ok(()) };
        self.fresh += 1;
        let params: Vec<String> = d.params.iter().map(|(n, s)| format!("({n} {s})")).collect();
        let body = without_as(d.body);
        let head = format!("(define-fun |squall!model!{}| ({}) {}", self.fresh, params.join(" "), d.result);
        let mut found = self.commands(&format!("{head} {body})"));
        if found.is_err()
            && let sort = self.store.func(first).result
            && let Some(body) = qualified(self.store, &body, sort)
        {
            found = self.commands(&format!("{head} {body})"));
        }
        let defined = match found {
            Ok(found) => found.first().copied(),
            Err(message) => {
                self.model.mark_unreadable(first, message);
                return Ok(());
            }
        };
        let Some(Func { params, result, body: FuncBody::Defined { vars, body }, .. }) =
            defined.map(|f| self.store.func(f).clone())
        else {
            return Ok(());
        };
        let fits = candidates.iter().copied().find(|&f| {
            let func = self.store.func(f);
            func.params == params && func.result == result
        });
        if let Some(f) = fits {
            if let Err(reason) = self.model.assign_body(self.store, f, vars, body) {
                self.model.mark_unreadable(f, reason.to_string());
            }
            return Ok(());
        }
        // Boolector and old Bitwuzla print an array as a function of its indices.
        if !params.is_empty() && self.store.func(first).params.is_empty() {
            let name = self.store.symbols.intern(&format!("squall!array!{}", self.fresh));
            let graph = self.store.declare(Func { name, params, result, body: FuncBody::Declared });
            if self.model.assign_body(self.store, graph, vars, body).is_ok()
                && let Ok(array) = self.store.as_array(graph)
                && self.model.assign_body(self.store, first, [].into(), array).is_ok()
            {
                return Ok(());
            }
        }
        let sorts: Vec<&str> = d.params.iter().map(|p| p.1).collect();
        let found = format!("({}) {}", sorts.join(" "), d.result);
        Err(ReadError::Rank { name: d.name.to_string(), found })
    }

    /// Refuses definitions that lead back to themselves.
    fn check_acyclic(&self) -> Result<(), ReadError> {
        let mut done: FxHashSet<FuncId> = FxHashSet::default();
        let mut underway: FxHashSet<FuncId> = FxHashSet::default();
        for f in self.model.symbols() {
            let mut stack = vec![(f, false)];
            while let Some((g, leave)) = stack.pop() {
                if leave {
                    underway.remove(&g);
                    done.insert(g);
                } else if underway.contains(&g) {
                    return Err(ReadError::Cyclic(self.store.name(self.store.func(g).name).to_string()));
                } else if !done.contains(&g) {
                    underway.insert(g);
                    stack.push((g, true));
                    stack.extend(self.uses(g).into_iter().filter(|h| !done.contains(h)).map(|h| (h, false)));
                }
            }
        }
        Ok(())
    }

    /// The functions the meaning of `f` rests on. A recursive function of the script may mention itself: that is its own
    /// definition's matter, not the model's.
    fn uses(&self, f: FuncId) -> Vec<FuncId> {
        let func = self.store.func(f);
        let body = match (&func.body, self.model.interpretation(f)) {
            (FuncBody::Recursive { body, .. }, _) => {
                let mut list = mentioned(self.store, *body);
                list.retain(|&g| !matches!(self.store.func(g).body, FuncBody::Recursive { .. }));
                return list;
            }
            (FuncBody::Defined { body, .. }, _) => *body,
            (FuncBody::Declared, Some(Interpretation::Body { body, .. })) => *body,
            _ => return Vec::new(),
        };
        mentioned(self.store, body)
    }

    /// Turns bodies into values and tables where they are such.
    fn evaluate(&mut self) {
        let mut evaluator = Evaluator::new(self.model.clone(), Limits::default());
        let mut better: Vec<(FuncId, Interpretation)> = Vec::new();
        let mut choices: Vec<(Op, Table)> = Vec::new();
        for f in self.model.symbols() {
            let Some(Interpretation::Body { params, body }) = self.model.interpretation(f) else { continue };
            if params.is_empty() {
                if let Ok(value) = evaluator.eval(self.store, *body)
                    && (value.is_exact() || matches!(value, Value::Algebraic(_)))
                {
                    let value = value.at_sort(self.store, self.store.func(f).result);
                    better.push((f, Interpretation::Value(value)));
                }
                continue;
            }
            let Some(tower) = tower(self.store, params, *body) else { continue };
            let values: FxHashMap<_, _> =
                tower.terms().into_iter().filter_map(|t| evaluator.eval(self.store, t).ok().map(|v| (t, v))).collect();
            let Some(table) = tower.table(&values) else { continue };
            if self.store.sort(*body) != self.store.func(f).result {
                continue;
            }
            let name = self.store.name(self.store.func(f).name);
            if self.helpers.get(name) == Some(&f)
                && let Some(op) = choice_operator(name)
            {
                choices.push((op, binary(op, &table)));
            }
            better.push((f, Interpretation::Table(table)));
        }
        for (f, interpretation) in better {
            self.model.improve(f, interpretation);
        }
        for (op, table) in choices {
            self.model.choose_table(op, table);
        }
    }

    fn complete(&mut self, instance: &Instance) {
        for command in &instance.declarations {
            let Command::DeclareFun(f) = command else { continue };
            if self.model.interpretation(*f).is_some() || self.model.unreadable().iter().any(|u| u.0 == *f) {
                continue;
            }
            let func = self.store.func(*f);
            let domains = Domains { store: self.store, model: &self.model };
            let Some(value) = domains.any(func.result) else { continue };
            let is_constant = func.params.is_empty();
            let done = if is_constant {
                self.model.assign(self.store, *f, value)
            } else {
                self.model.assign_table(self.store, *f, Table::new(Some(value)))
            };
            if done.is_ok() {
                self.model.mark_completed(*f);
            }
        }
    }
}

/// Whether a name is that of a theory's operator, and none under which solvers print what operators do at zero.
fn is_operator(name: &str) -> bool {
    choice_operator(name).is_none() && theories::rows().any(|row| row.name == name)
}

/// The operator whose values at zero Z3 prints as a function of this name.
fn choice_operator(name: &str) -> Option<Op> {
    let kind = match name {
        "/0" => Kind::RealDiv,
        "div0" => Kind::IntDiv,
        "mod0" => Kind::IntMod,
        "rem0" => Kind::IntRem,
        _ => return None,
    };
    Some(Op::new(kind))
}

/// Z3's functions for division by zero take the dividend, and in some versions the divisor too.
fn binary(op: Op, table: &Table) -> Table {
    let mut full = Table::new(table.default_value().cloned());
    for (args, value) in table.rows() {
        let mut args = args.to_vec();
        if args.len() == 1 {
            args.push(if op.kind == Kind::RealDiv {
                Value::real(dashu_ratio::RBig::ZERO)
            } else {
                Value::Int(dashu_int::IBig::ZERO)
            });
        }
        full.insert(args.into(), value.clone());
    }
    full
}

/// A definition, as text.
struct Definition<'t> {
    name: &'t str,
    params: Vec<(&'t str, &'t str)>,
    result: &'t str,
    body: &'t str,
}

impl<'t> Definition<'t> {
    fn of(text: &'t str, entry: &Range<usize>) -> Option<Definition<'t>> {
        let parts = children(text, entry);
        let [keyword, name, params, result, body] = &parts[..] else { return None };
        if &text[keyword.clone()] != "define-fun" {
            return None;
        }
        let params = children(text, params).into_iter().map(|p| {
            let pair = children(text, &p);
            match &pair[..] {
                [n, s] => Some((&text[n.clone()], &text[s.clone()])),
                _ => None,
            }
        });
        Some(Definition {
            name: bare(&text[name.clone()]),
            params: params.collect::<Option<Vec<_>>>()?,
            result: &text[result.clone()],
            body: &text[body.clone()],
        })
    }
}

/// The text with `(as @U_0 U)` replaced by `|@U_0|`, as the elements are declared.
fn without_as(text: &str) -> String {
    let all = atoms(text, 0..text.len());
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for pair in all.windows(2) {
        let (word, atom) = (&text[pair[0].clone()], bare(&text[pair[1].clone()]));
        let Some(open) = text[..pair[0].start].rfind('(') else { continue };
        if word != "as" || !atom.starts_with('@') || open < copied {
            continue;
        }
        let list = item_at(text, open);
        out.push_str(&text[copied..open]);
        out.push('|');
        out.push_str(atom);
        out.push('|');
        copied = list.end;
    }
    out.push_str(&text[copied..]);
    out
}
