//! Reads models printed by solvers, and witnesses written by Squall, into a store.

use rustc_hash::FxHashMap;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::sexpr::{SexprNode, Sexprs};
use smtlib::{Command, Func, FuncBody, FuncId, Sort, SortId, Store, TermId};

/// Reads definitions into a model of the functions of the same names and ranks in `store`.
///
/// The text is a solver's response to `(get-model)`, or the commands of a witness file: definitions, constants that name the elements of
/// uninterpreted sorts (all constants of such a sort that the text only declares), and equations that choose what the standard leaves
/// open. `declarations` contains the sorts and datatypes that the definitions need. `None` unless the whole text is understood.
pub fn read(store: &mut Store, declarations: &[Command], text: &str) -> Option<Model> {
    let mut source = preamble(store, declarations);
    source.push_str(&commands_of(text)?);
    let parsed = smtlib::parse(store, &source);
    if !parsed.errors.is_empty() {
        return None;
    }
    let commands = parsed.script.commands;
    let mut model = Model::new();
    elements(store, &commands, &mut model)?;
    semantics::model_definitions::read_roots(store, &mut model, &commands).ok()?;
    for command in &commands {
        match command {
            Command::DefineFun(f) => define(store, &mut model, *f)?,
            Command::Assert(t, _) => semantics::model_definitions::read_choice(store, &mut model, *t),
            Command::Opaque(..) => return None,
            _ => {}
        }
    }
    Some(model)
}

/// Reads a witness file, which declares the sorts itself, or a solver's model, which does not.
pub fn read_either(store: &mut Store, declarations: &[Command], text: &str) -> Option<Model> {
    read(store, &[], text).or_else(|| read(store, declarations, text))
}

/// Returns the declarations, as text, of the sorts and datatypes that a model's definitions mention.
fn preamble(store: &Store, declarations: &[Command]) -> String {
    let sorts = declarations.iter().filter(|c| {
        matches!(c, Command::DeclareSort(..) | Command::DeclareDatatypes(..) | Command::DeclareSortParameter(_))
    });
    store.script_text(&smtlib::Script { commands: sorts.cloned().collect() })
}

/// Returns the commands in a response: `(model …)`, `(…)` around them, or nothing. `None` if it is cut off or has other content. Z3's
/// cardinality constraints `(forall …)` are ignored.
pub fn commands_of(text: &str) -> Option<String> {
    let all = Sexprs::read(text);
    let mut commands: Vec<SexprNode> = Vec::new();
    for node in all.top() {
        if !all.is_list(node) {
            return None;
        }
        let mut inside = all.children(node);
        match inside.clone().next() {
            Some(first) if all.text(first) == "model" => commands.extend(inside.by_ref().skip(1)),
            Some(first) if !all.is_list(first) => commands.push(node),
            _ => commands.extend(inside),
        }
    }
    let commands = commands.into_iter().filter(|&command| all.headed(command, "forall").is_none());
    all.is_whole().then(|| commands.map(|command| all.text(command)).collect::<Vec<_>>().join("\n"))
}

/// Assigns elements to the declared constants of uninterpreted sorts, and sizes to the sorts.
fn elements(store: &mut Store, commands: &[Command], model: &mut Model) -> Option<()> {
    let mut counts: FxHashMap<SortId, u32> = FxHashMap::default();
    let mut constants = Vec::new();
    for command in commands {
        if let Command::DeclareFun(f) = command
            && store.func(*f).params.is_empty()
            && matches!(store.sorts.get(store.func(*f).result), Sort::Uninterpreted(..))
        {
            let sort = store.func(*f).result;
            let count = counts.entry(sort).or_default();
            constants.push((*f, Value::Element { sort, index: *count }));
            *count += 1;
        }
        semantics::model_definitions::read_universe(store, model, command).ok()?;
    }
    for (&sort, &count) in &counts {
        if model.universe(sort).is_none() {
            model.set_universe(sort, count);
        }
    }
    for (f, value) in constants {
        // A value of the constant's own sort is always accepted.
        let _ = model.assign(store, f, value);
    }
    Some(())
}

fn define(store: &mut Store, model: &mut Model, f: FuncId) -> Option<()> {
    let func = store.func(f).clone();
    let (vars, body) = func.definition()?;
    let (vars, body): (Box<[_]>, TermId) = (vars.into(), body);
    let declared = store.declare(Func { body: FuncBody::Declared, ..func.clone() });
    if !vars.is_empty() {
        return model.assign_body(store, declared, vars, body).ok();
    }
    match Evaluator::new(model.clone(), EvalLimits::default()).eval(store, body) {
        Ok(value) => model.assign(store, declared, value).ok(),
        // Not a value for this evaluator (an irrational number, say): the body itself defines it.
        Err(_) => model.assign_body(store, declared, vars, body).ok(),
    }
}
