//! The value of a term under a model.

use super::{Args, judged, models_in, no_such_check, read};
use crate::exit::Exit;
use anyhow::{Context, Result, bail};
use semantics::{EvalLimits, Evaluator, Model, read_model};
use serde_json::json;
use smtlib::{Scope, Script, Store};

/// Prints the value of a term under the model of a check; without a model, symbols have no value.
/// Errors: a file or term with errors, or a model that does not fit the file.
pub fn print(args: &Args, text: &str) -> Result<Exit> {
    if let Some(solver) = args.solver.first() {
        usage!(
            "--eval takes the model from a file, and {solver} would give another one: leave out --solver, or keep the solver's model in a \
             file first and name it: squall validate FILE MODEL --eval TERM"
        );
    }
    let (file, model) = match &args.files[..] {
        [file] => (file, None),
        [file, model] => (file, Some(model)),
        _ => usage!("--eval needs one file and at most one model: squall validate FILE [MODEL] --eval TERM"),
    };
    let mut store = Store::new();
    let (_, parsed) = read(&mut store, file, &args.theory)?;
    let checks = parsed.script.check_count();
    let number = args.check.unwrap_or(checks);
    let Some(instance) = number.checked_sub(1).and_then(|n| parsed.script.instance(n)) else {
        usage!("{}", no_such_check(checks));
    };
    let instance = &instance;
    let model = match model {
        None => Model::new(),
        Some(path) => {
            let bytes = files::named(path)?;
            let models = models_in(&String::from_utf8_lossy(&bytes), checks)
                .with_context(|| format!("in {}", path.display()))?;
            let Some(text) = models.into_iter().nth(instance.check).and_then(|check| check.model) else {
                bail!("{} has no model for check {number}", path.display());
            };
            read_model(&mut store, instance, &text).with_context(|| format!("in {}", path.display()))?
        }
    };
    let mut scope = Scope::new(&store);
    let declarations = store.script_text(&Script { commands: instance.declarations.clone() });
    smtlib::parse_commands(&mut store, &mut scope, &declarations);
    let term = match smtlib::parse_term(&mut store, &mut scope, text) {
        Ok(term) => term,
        Err(error) => usage!("{}", error.render("TERM", text)),
    };
    let mut evaluator = Evaluator::new(model, EvalLimits::default());
    match evaluator.eval(&store, term) {
        Ok(value) => {
            let sort = store.sort(term);
            match value.to_term(&mut store, sort) {
                Some(literal) => {
                    let value = store.term_text(literal);
                    args.format.row(&value, || json!({ "term": text, "check": number, "value": value, "cause": null }));
                }
                None => {
                    let root = value.root_object();
                    let cause = root.is_none().then(|| format!("the value is {}", value.why_no_term()));
                    let json = || json!({ "term": text, "check": number, "value": &root, "cause": &cause });
                    let unknown = format!("unknown: {}", cause.as_deref().unwrap_or_default());
                    args.format.row(root.as_ref().unwrap_or(&unknown), json);
                    return Ok(if root.is_some() { Exit::Clean } else { Exit::Unknown });
                }
            }
            Ok(Exit::Clean)
        }
        Err(unknown) => {
            let cause = format!("{}: {}", unknown.reason, judged::term_text(&store, unknown.term));
            let json = || json!({ "term": text, "check": number, "value": null, "cause": cause });
            args.format.row(format_args!("unknown: {cause}"), json);
            Ok(Exit::Unknown)
        }
    }
}
