//! Witnesses as files: written so that any solver can check them, read back so that replay needs none.

use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, Dialect, Func, FuncBody, FuncId, Instance, Printer, Store};

/// Why a witness file gives no model.
#[derive(Debug, thiserror::Error)]
pub enum WitnessFileError {
    /// The file cannot be parsed.
    #[error("cannot parse the witness: {0}")]
    Unreadable(String),
    /// A definition has no value, or does not fit.
    #[error("the witness defines '{0}' by something that is not a value of its sort")]
    NoValue(String),
    /// The file has a command that no witness has.
    #[error("unexpected command in the witness: {0}")]
    Foreign(String),
}

/// Writes a witness: definitions that make every assertion of `instance` true, those assertions, and a check that every
/// solver must answer with `sat`. `None` if the model cannot be written.
pub fn write(store: &Store, model: &Model, instance: &Instance) -> Option<String> {
    let mut store = store.clone();
    let mut script = model.witness(&mut store, instance).ok()?;
    script.commands.splice(0..0, semantics::model_definitions::universes(&store, model, &instance.declarations));
    let mut text = String::from("; The definitions make every assertion below true: sat is the only right answer.\n");
    Printer::new(&store, &Dialect::default()).script(&script, &mut text);
    Some(text)
}

/// Reads a witness back into the store that its mutant was read into.
/// Errors: [`WitnessFileError`]; nothing is guessed.
pub fn read(store: &mut Store, text: &str) -> Result<Model, WitnessFileError> {
    let declared_before = store.func_count();
    let parsed = smtlib::parse(store, text);
    if let Some(first) = parsed.errors.first() {
        return Err(WitnessFileError::Unreadable(first.to_string()));
    }
    let mut model = Model::new();
    for command in &parsed.script.commands {
        semantics::model_definitions::read_universe(store, &mut model, command).map_err(WitnessFileError::Foreign)?;
    }
    semantics::model_definitions::read_roots(store, &mut model, &parsed.script.commands)
        .map_err(WitnessFileError::Foreign)?;
    for command in &parsed.script.commands {
        match command {
            Command::DeclareFun(f) => {
                let name = store.name(store.func(*f).name);
                let sort = store.func(*f).result;
                if let Some(index) = name.strip_prefix("elem!").and_then(|n| n.rsplit('!').next()?.parse().ok()) {
                    // A constant of that form that is not an element is an ordinary declaration.
                    let _ = model.assign(store, *f, Value::Element { sort, index });
                }
            }
            Command::DefineFun(f) => define(store, &mut model, *f, declared_before)?,
            Command::Assert(t, _) => semantics::model_definitions::read_choice(store, &mut model, *t),
            _ => {}
        }
    }
    Ok(model)
}

/// Matches a definition of the witness with the mutant's function of the same name and rank, one of the first
/// `declared_before` functions. Definitions that the mutant has too, or that only help, stay unchanged.
fn define(store: &mut Store, model: &mut Model, f: FuncId, declared_before: usize) -> Result<(), WitnessFileError> {
    let func = store.func(f).clone();
    let Some((vars, body)) = func.definition() else { return Ok(()) };
    let vars: Box<[_]> = vars.into();
    let name = func.name;
    let declared = store.declare(Func { body: FuncBody::Declared, ..func });
    if declared.index() >= declared_before {
        return Ok(());
    }
    let assigned = if vars.is_empty() {
        let value = Evaluator::new(model.clone(), EvalLimits::default()).eval(store, body);
        value.map_err(|unknown| unknown.reason).and_then(|value| model.assign(store, declared, value))
    } else {
        model.assign_body(store, declared, vars, body)
    };
    assigned.map_err(|_| WitnessFileError::NoValue(store.name(name).to_string()))
}
