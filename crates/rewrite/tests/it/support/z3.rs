//! Asks z3, if installed, for models of goals.

use semantics::{Model, read_model};
use smtlib::{Command, Dialect, Instance, Printer, Script, Sort, Store, TermId};
use solver::process::ProcessLimits;
use solver::series::ScriptSeries;
use solver::session::SessionNeeds;
use std::time::Duration;

/// An incremental z3.
pub struct Z3(ScriptSeries);

impl Z3 {
    /// Returns the z3 of the tests; `None`, with a message, without one.
    pub fn start() -> Option<Z3> {
        let (_, solver) = testing::require("z3", solver::testing::z3())?;
        let limits = ProcessLimits { wall: Duration::from_secs(2), ..ProcessLimits::default() };
        Some(Z3(ScriptSeries::new(solver, SessionNeeds::MODELS, limits)))
    }

    /// Returns z3's answer: a model, none, or unknown.
    pub fn decide(&mut self, store: &mut Store, formulas: &[TermId]) -> Option<Option<Model>> {
        let mut commands = Vec::new();
        for (_, sort) in store.sorts.iter() {
            if let Sort::Uninterpreted(name, args) = sort {
                commands.push(Command::DeclareSort(*name, args.len() as u32));
            }
        }
        commands.extend(super::declarations(store, formulas));
        let declarations = commands.clone();
        commands.extend(formulas.iter().map(|&t| Command::Assert(t, None)));
        commands.push(Command::CheckSat);
        let mut text = String::from("(set-option :produce-models true)\n");
        Printer::new(store, &Dialect::default()).script(&Script { commands }, &mut text);
        let answer = self.0.script(&text).ok()?;
        match answer.trim() {
            "unsat" => Some(None),
            "sat" => {
                let model = self.0.more("(get-model)").ok()?;
                let instance = Instance { declarations, assertions: formulas.to_vec(), ..Instance::default() };
                read_model(store, &instance, &model).ok().map(Some)
            }
            "unknown" | "timeout" => None,
            // Releases know different names of SMT-LIB 2.7.
            other if other.contains("unknown constant") => None,
            other => panic!("z3 says {other} of\n{text}"),
        }
    }
}
