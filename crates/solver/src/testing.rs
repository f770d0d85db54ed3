//! Helpers for the tests of several crates: the solver for comparisons.

use crate::install::Fleet;
use crate::session::Solver;
use crate::spec::SolverSpec;

/// Returns the z3 for comparisons, with its name: the value of `SQUALL_Z3`, else the version whose bugs are known, else any.
pub fn z3() -> Option<(String, Solver)> {
    let fleet = Fleet::of_user().ok()?;
    let names = std::env::var("SQUALL_Z3").into_iter().chain(["z3@4.15.4".to_string(), "z3".to_string()]);
    names.into_iter().find_map(|name| {
        let spec: SolverSpec = name.parse().ok()?;
        let installed = fleet.resolve(&spec).ok()?;
        Some((name, fleet.solver(installed)))
    })
}
