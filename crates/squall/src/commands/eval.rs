//! `squall eval`: the value of a term under a model.

use crate::args::format::RowFormat;
use crate::commands::validate::{judged, models_in, no_such_check, read};
use crate::exit::Exit;
use anyhow::{Context, Result, bail};
use semantics::{EvalLimits, Evaluator, Model, read_model};
use serde_json::json;
use smtlib::{Scope, Script, Store};
use std::path::PathBuf;

/// Print the value of a term under a model.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall eval problem.smt2 --model model.txt '(+ x 1)'\n  \
                  squall eval problem.smt2 '(bvadd #xff #x01)'\n\n\
                  Exit codes: 0 the value is known, 11 it is not, 1 failure, 2 usage.")]
pub struct Args {
    /// The file with the declarations of the term.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The term.
    #[arg(value_name = "TERM")]
    term: String,
    /// A solver's output for (get-model) or (get-value …) [default: no assignment].
    #[arg(long, short, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The check whose declarations and model to use, from 1 [default: the last].
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    #[command(flatten)]
    print: RowFormat,
}

/// Runs the subcommand.
///
/// # Errors
/// A file or term with errors, or a model that does not fit the file.
pub fn run(args: Args) -> Result<Exit> {
    let mut store = Store::new();
    let (_, parsed) = read(&mut store, &args.file)?;
    let checks = parsed.script.check_count();
    let number = args.check.unwrap_or(checks);
    let Some(instance) = number.checked_sub(1).and_then(|n| parsed.script.instance(n)) else {
        usage!("{}", no_such_check(checks));
    };
    let instance = &instance;
    let model = match &args.model {
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
    let term = match smtlib::parse_term(&mut store, &mut scope, &args.term) {
        Ok(term) => term,
        Err(error) => usage!("{}", error.render("TERM", &args.term)),
    };
    let mut evaluator = Evaluator::new(model, EvalLimits::default());
    match evaluator.eval(&store, term) {
        Ok(value) => {
            let sort = store.sort(term);
            match value.to_term(&mut store, sort) {
                Some(literal) => {
                    let value = store.term_text(literal);
                    args.print
                        .row(&value, || json!({ "term": args.term, "check": number, "value": value, "cause": null }));
                }
                None => bail!("the value has no literal: it is {}", value.why_no_term()),
            }
            Ok(Exit::Clean)
        }
        Err(unknown) => {
            let cause = format!("{}: {}", unknown.reason, judged::term_text(&store, unknown.term));
            let json = || json!({ "term": args.term, "check": number, "value": null, "cause": cause });
            args.print.row(format_args!("unknown: {cause}"), json);
            Ok(Exit::Unknown)
        }
    }
}
