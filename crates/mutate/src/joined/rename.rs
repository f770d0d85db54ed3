//! Renames two seeds apart: every name of the second gets a unique suffix.
//!
//! Renaming is by token, over functions, sorts, datatypes, constructors, selectors and bound variables alike. As it is one
//! to one on names, it changes no meaning.

use crate::edit::constructor_names;
use crate::joined::types::SharedTypes;
use crate::mutator::GivenModel;
use crate::mutator::Parent;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::collections::BagValue;
use semantics::{FunctionTable, Interpretation, Model, Value};
use smtlib::printer::quote_symbol;
use smtlib::sexpr::{atoms, bare};
use smtlib::sort::Sort;
use smtlib::{
    Command, Dialect, FuncId, Instance, Kind, Printer, Scope, SortId, Store, Symbol, TermId, parse_commands, theories,
};
use std::sync::Arc;

/// A parent under other names.
pub struct Renamed {
    /// The parent.
    pub parent: Parent,
    /// The former names of its functions.
    pub functions: FxHashMap<FuncId, FuncId>,
    /// The names of its sorts.
    pub sort_names: FxHashSet<Symbol>,
}

/// Renames everything in `parent` except shared types, and parses it in `scope`, which gets its declarations; `None` if it
/// does not parse, which can happen only with solver-specific commands.
pub fn apart(store: &mut Store, scope: &mut Scope, parent: &Parent, shared: &SharedTypes) -> Option<Renamed> {
    let instance = &parent.instance;
    let own: Vec<&Command> = instance.declarations.iter().filter(|&c| !shared.declares(c)).collect();
    let mut names = names(store, instance);
    names.retain(|name| !shared.names.contains_key(name));
    let suffix = suffix(store, &names);
    let dialect = Dialect::default();
    let mut text = String::new();
    let mut printer = Printer::new(store, &dialect);
    for command in &own {
        printer.command(command, &mut text);
        text.push('\n');
    }
    for &t in &instance.assertions {
        printer.command(&Command::Assert(t, None), &mut text);
        text.push('\n');
    }
    let suffixed = names.iter().map(|&n| (store.name(n), format!("{}{suffix}", store.name(n))));
    let taken_over = shared.names.iter().map(|(&old, &new)| (store.name(old), store.name(new).to_string()));
    let names: FxHashMap<&str, String> = suffixed.chain(taken_over).collect();
    let text = rename(&text, &names);
    let parsed = parse_commands(store, scope, &text);
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
    if declarations.len() != own.len() || assertions.len() != instance.assertions.len() {
        return None;
    }
    let mut functions = FxHashMap::default();
    let mut sort_names = FxHashSet::default();
    for (old, new) in own.into_iter().zip(&declarations) {
        match (old, new) {
            (Command::DeclareFun(a) | Command::DefineFun(a), Command::DeclareFun(b) | Command::DefineFun(b)) => {
                functions.insert(*b, *a);
            }
            (Command::DefineFunsRec(a), Command::DefineFunsRec(b)) => {
                functions.extend(b.iter().copied().zip(a.iter().copied()));
            }
            (_, Command::DeclareSort(name, _)) => {
                sort_names.insert(*name);
            }
            _ => {}
        }
    }
    let instance = Instance { declarations, assertions, ..instance.clone() };
    let given = translate(store, &parent.given, &functions);
    Some(Renamed { parent: Parent { instance, given }, functions, sort_names })
}

/// Returns all names of an instance except those of theories.
pub fn names(store: &Store, instance: &Instance) -> FxHashSet<Symbol> {
    let (mut names, mut variables) = (FxHashSet::default(), FxHashSet::<Symbol>::default());
    let mut stack: Vec<TermId> = instance.assertions.clone();
    let mut define = |f: FuncId, stack: &mut Vec<TermId>| {
        let func = store.func(f);
        names.insert(func.name);
        if let Some((vars, body)) = func.definition() {
            variables.extend(vars);
            stack.push(body);
        }
    };
    for command in &instance.declarations {
        match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => define(*f, &mut stack),
            Command::DefineFunsRec(fs) => fs.iter().for_each(|&f| define(f, &mut stack)),
            _ => {}
        }
    }
    for command in &instance.declarations {
        match command {
            Command::DeclareSort(name, _) | Command::DefineSort(name, ..) => {
                names.insert(*name);
            }
            Command::DeclareDatatypes(first, count) => {
                names.extend(constructor_names(store, command));
                names.extend(datatype_names(store, first.index()..first.index() + *count as usize));
            }
            _ => {}
        }
    }
    // Declared names are renamed even if a theory has them, too; bound variables with a theory's name are not.
    let declared = names.clone();
    names.extend(variables);
    let mut seen = vec![false; store.len()];
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        let op = store.op(t);
        if let Some(b) = op.binder() {
            names.extend(store.binder(b).vars.iter().map(|v| v.0));
        }
        if let Some(m) = op.cases() {
            names.extend(store.cases(m).iter().flat_map(|c| c.vars.iter().flatten()));
        }
        stack.extend_from_slice(store.args(t));
    }
    names.retain(|&n| declared.contains(&n) || !theories::rows().any(|r| r.name == store.name(n)));
    names
}

fn datatype_names(store: &Store, members: std::ops::Range<usize>) -> Vec<Symbol> {
    let named = store.sorts.iter().filter_map(|(_, sort)| match sort {
        Sort::Datatype(d, _) if members.contains(&d.index()) => Some(store.datatype(*d).name),
        _ => None,
    });
    named.collect()
}

/// `!1`, `!2` …: the first suffix that makes every name new to the store.
fn suffix(store: &Store, names: &FxHashSet<Symbol>) -> String {
    let fresh =
        |suffix: &str| names.iter().all(|&n| store.symbols.get(&format!("{}{suffix}", store.name(n))).is_none());
    let mut n = 1u32;
    loop {
        let suffix = format!("!{n}");
        if fresh(&suffix) {
            return suffix;
        }
        n += 1;
    }
}

/// Returns the text with other names.
fn rename(text: &str, names: &FxHashMap<&str, String>) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut at = 0;
    for span in atoms(text) {
        let atom = &text[span.clone()];
        // A numeral, a string or a keyword may read like a quoted name.
        let is_symbol = !atom.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '#' | '"' | ':'));
        if let Some(new) = names.get(bare(atom)).filter(|_| is_symbol) {
            out.push_str(&text[at..span.start]);
            quote_symbol(new, &mut out);
            at = span.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Returns the model of the parent under its new names. Values that cannot be carried over are left out and redrawn; trust
/// in the whole model is lost then.
fn translate(store: &mut Store, given: &GivenModel, functions: &FxHashMap<FuncId, FuncId>) -> GivenModel {
    let (old, who) = match given {
        GivenModel::Nothing => return GivenModel::Nothing,
        GivenModel::Assignment(model) => (model, None),
        GivenModel::Trusted(model, who) => (model, Some(who)),
    };
    let sorts = sort_pairs(store, functions);
    let mut model = Model::new();
    let mut complete = true;
    for (sort, elements) in old.universes() {
        model.set_universe(sorts.get(&sort).copied().unwrap_or(sort), elements);
    }
    for (&new, &f) in functions {
        let translated = match old.interpretation(f) {
            None => continue,
            Some(Interpretation::Value(value)) => value_of(store, value, store.func(f).result, &sorts)
                .is_some_and(|v| model.assign(store, new, v).is_ok()),
            Some(Interpretation::Table(table)) => {
                table_of(store, table, f, &sorts).is_some_and(|table| model.assign_table(store, new, table).is_ok())
            }
            Some(Interpretation::Body { .. }) => false,
        };
        complete &= translated;
    }
    for (op, table) in old.choices() {
        // A selector's choice on the wrong constructor belongs to a datatype with a new name.
        if op.kind == Kind::Select {
            complete = false;
            continue;
        }
        for (args, value) in table.rows() {
            model.choose(op, args.into(), value.clone());
        }
        if let Some(default) = table.default_value() {
            model.choose_default(op, default.clone());
        }
    }
    match who {
        Some(who) if complete => GivenModel::Trusted(Arc::new(model), who.clone()),
        _ => GivenModel::Assignment(Arc::new(model)),
    }
}

/// Maps old sorts to renamed ones, from the ranks of functions down to fields.
fn sort_pairs(store: &mut Store, functions: &FxHashMap<FuncId, FuncId>) -> FxHashMap<SortId, SortId> {
    let mut open: Vec<(SortId, SortId)> = Vec::new();
    for (&new, &old) in functions {
        let (new, old) = (store.func(new), store.func(old));
        open.push((old.result, new.result));
        open.extend(old.params.iter().copied().zip(new.params.iter().copied()));
    }
    let mut pairs = FxHashMap::default();
    while let Some((old, new)) = open.pop() {
        if old == new || pairs.insert(old, new).is_some() {
            continue;
        }
        open.extend(store.sorts.children(old).into_iter().zip(store.sorts.children(new)));
        if let Sort::Datatype(d, _) = *store.sorts.get(old) {
            for c in 0..store.datatype(d).constructors.len() {
                let (a, b) = (store.field_sorts(old, c), store.field_sorts(new, c));
                open.extend(a.into_iter().zip(b));
            }
        }
    }
    pairs
}

/// Returns a value of the renamed sort; recursion is as deep as the value.
fn value_of(store: &Store, value: &Value, sort: SortId, sorts: &FxHashMap<SortId, SortId>) -> Option<Value> {
    let Some(&new) = sorts.get(&sort) else { return Some(value.clone()) };
    match value {
        Value::Element { index, .. } => Some(Value::Element { sort: new, index: *index }),
        Value::Seq(s) => {
            let Sort::Seq(element) = *store.sorts.get(sort) else { return None };
            let elements = s.elements().iter().map(|v| value_of(store, v, element, sorts));
            Value::sequence(new, elements.collect::<Option<_>>()?)
        }
        Value::Bag(bag) => {
            let Sort::Bag(element) = *store.sorts.get(sort) else { return None };
            let entries = bag.entries().iter();
            let entries = entries.map(|(v, count)| Some((value_of(store, v, element, sorts)?, count.clone())));
            BagValue::new(new, entries.collect::<Option<_>>()?).ok().map(|bag| Value::Bag(Arc::new(bag)))
        }
        Value::Datatype(d) => {
            let Sort::Datatype(id, ref args) = *store.sorts.get(sort) else { return None };
            let datatype = store.datatype(id);
            let fields = &datatype.constructors.get(d.constructor as usize)?.fields;
            let instance = |field: SortId| match store.sorts.get(field) {
                Sort::Parameter(name) => args[..].get(datatype.params.iter().position(|p| p == name)?).copied(),
                // Its instance may be new to the store.
                _ => Some(field).filter(|&field| !store.sorts.has_parameter(field)),
            };
            let parts = d.fields.iter().zip(fields).map(|(v, field)| value_of(store, v, instance(field.1)?, sorts));
            Value::datatype(new, d.constructor, parts.collect::<Option<_>>()?)
        }
        _ => None,
    }
}

fn table_of(
    store: &Store,
    table: &FunctionTable,
    f: FuncId,
    sorts: &FxHashMap<SortId, SortId>,
) -> Option<FunctionTable> {
    let func = store.func(f);
    let default = match table.default_value() {
        Some(value) => Some(value_of(store, value, func.result, sorts)?),
        None => None,
    };
    let mut new = FunctionTable::new(default);
    for (args, value) in table.rows() {
        let args = args.iter().zip(&func.params).map(|(a, &p)| value_of(store, a, p, sorts));
        new.insert(args.collect::<Option<_>>()?, value_of(store, value, func.result, sorts)?);
    }
    Some(new)
}

/// Merges both models: the second's interpretations and universes are added to the first's.
///
/// If both choose a value that the standard leaves open, the first's counts, so values under the second may change.
pub fn union(store: &Store, first: &Model, second: &Model, renamed: &Renamed) -> Model {
    let mut model = Model::new();
    let is_second = |sort: SortId| match store.sorts.get(sort) {
        Sort::Uninterpreted(name, _) => renamed.sort_names.contains(name),
        _ => false,
    };
    let universes = first.universes().into_iter().filter(|u| !is_second(u.0));
    for (sort, elements) in universes.chain(second.universes()) {
        // A shared sort gets the larger of both sizes.
        model.set_universe(sort, elements.max(model.universe(sort).unwrap_or(0)));
    }
    for (source, own) in [(first, false), (second, true)] {
        for f in source.symbols() {
            if renamed.functions.contains_key(&f) != own {
                continue;
            }
            // An interpretation that fitted in its own model fits in this one.
            let _ = match source.interpretation(f) {
                Some(Interpretation::Value(value)) => model.assign(store, f, value.clone()),
                Some(Interpretation::Table(table)) => model.assign_table(store, f, table.clone()),
                Some(Interpretation::Body { params, body }) => model.assign_body(store, f, params.clone(), *body),
                None => Ok(()),
            };
        }
        for (op, table) in source.choices() {
            for (args, value) in table.rows() {
                if model.choice(op, args).is_none() {
                    model.choose(op, args.into(), value.clone());
                }
            }
            if let (Some(default), None) =
                (table.default_value(), model.choices_of(op).and_then(FunctionTable::default_value))
            {
                model.choose_default(op, default.clone());
            }
        }
    }
    model
}
