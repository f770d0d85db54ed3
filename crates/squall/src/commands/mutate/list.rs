//! `squall mutate --list`: the mutators, the truth of their mutants, and their parameters.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use ::mutate::{MutatorEntry, REGISTRY};
use anyhow::Result;
use serde_json::json;
use std::fmt::Write;

/// Lists the mutators, or those named.
/// Errors: an unknown mutator, or output that cannot be written.
pub fn run(names: &[String], format: OutputFormat) -> Result<Exit> {
    let all = || REGISTRY.iter().copied().chain(::mutate::exec::ENTRIES);
    for name in names {
        if !all().any(|e| e.name == name) {
            let known: Vec<&str> = all().map(|e| e.name).collect();
            usage!("there is no mutator `{name}`; there are {}", known.join(", "));
        }
    }
    for entry in all().filter(|e| names.is_empty() || names.iter().any(|n| n == e.name)) {
        format.row(words(entry)?, || json(entry));
    }
    Ok(Exit::Clean)
}

fn words(entry: &MutatorEntry) -> Result<String> {
    let seeds = if entry.parents == 1 { "one seed".to_string() } else { format!("{} seeds", entry.parents) };
    let mut text = format!("{}: {}\n  takes {seeds}\n  truth: {}\n", entry.name, entry.about, entry.truth);
    for parameter in (entry.parameters)() {
        let default = if parameter.default.is_empty() { "none" } else { &parameter.default };
        writeln!(text, "  {:<18} {} (default: {default})", parameter.name, parameter.about)?;
    }
    Ok(text)
}

fn json(entry: &MutatorEntry) -> serde_json::Value {
    let parameters =
        (entry.parameters)().into_iter().map(|p| json!({ "name": p.name, "about": p.about, "default": p.default }));
    let parameters: Vec<_> = parameters.collect();
    json!({ "name": entry.name, "about": entry.about, "seeds": entry.parents, "truth": entry.truth, "parameters": parameters })
}
