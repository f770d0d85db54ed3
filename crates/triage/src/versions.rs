//! The installed versions of a solver, and a solver without its options.

use finding::Finding;
use reduce::query::label;
use solver::install::{Fleet, InstalledSolver};
use solver::session::Solver;
use solver::spec::{NamedSpec, PathSpec, SolverSpec};

/// Returns the installed releases of the solver, oldest first, with the options of `spec`; also the target if it is not a release.
pub fn versions(fleet: &Fleet, target: &Solver, spec: &SolverSpec) -> Vec<Solver> {
    let name = &target.profile().name;
    let text = |i: &InstalledSolver| i.version.as_ref().map(ToString::to_string);
    let is_asked = |i: &InstalledSolver| i.is_release() || text(i) == text(target.installed());
    let mut list: Vec<InstalledSolver> =
        fleet.list().into_iter().filter(|i| i.profile.name == *name && is_asked(i)).collect();
    if let SolverSpec::Path(_) = spec {
        list.push(target.installed().clone());
    }
    list.sort_by(|a, b| a.version.cmp(&b.version));
    list.dedup_by(|a, b| a.version.is_some() && a.version == b.version && label(a) == label(b));
    let own = |i: &InstalledSolver| matches!(i.spec, SolverSpec::Path(_));
    list.into_iter()
        .map(|i| {
            // A program given by its path has its own options.
            let options = if own(&i) { Vec::new() } else { spec.options().to_vec() };
            fleet.solver(i).with_options(options)
        })
        .collect()
}

/// Returns the drawn options of a campaign as command-line words.
pub fn drawn_words(finding: &Finding) -> Vec<String> {
    finding.solver.drawn_options.iter().filter(|option| !option.starts_with('(')).cloned().collect()
}

/// Returns a solver without options. Those after a program's path belong to the program, except `drawn` at the end.
pub fn without_options(installed: &InstalledSolver, drawn: &[String]) -> InstalledSolver {
    let spec = match &installed.spec {
        SolverSpec::Named(named) => SolverSpec::Named(NamedSpec { options: Vec::new(), ..named.clone() }),
        SolverSpec::Path(own) => {
            let options = own.options.strip_suffix(drawn).unwrap_or(&own.options).to_vec();
            SolverSpec::Path(PathSpec { options, ..own.clone() })
        }
        SolverSpec::Builtin(builtin) => SolverSpec::Builtin(*builtin),
    };
    InstalledSolver { spec, ..installed.clone() }
}
