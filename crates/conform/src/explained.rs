//! Known facts about solvers: how they are asked, and disagreements that were traced to a clause of the standard.

use crate::application::{Application, ApplicationBlock};
use crate::passes::PassCommand;
use serde::Deserialize;
use smtlib::Sort;
use solver::install::InstalledSolver;
use solver::spec::SolverSpec;
use solver::version::VersionRange;

/// The built-in table.
pub const BUILT_IN: &str = include_str!("../explained.toml");

/// The table of explanations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// How solvers are asked.
    #[serde(default)]
    pub asking: Vec<SolverSetup>,
    /// Disagreements.
    #[serde(default)]
    pub explained: Vec<Explanation>,
}

/// How a solver is asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverSetup {
    /// The profile's name.
    pub solver: String,
    /// Options needed for all questions.
    #[serde(default)]
    pub options: Vec<String>,
    /// Options that limit the time of each check, in a solver that supports this. One second is long for most applications, but far too
    /// short for some with hidden arguments.
    #[serde(default)]
    pub bounds: Vec<String>,
    /// Chainable operators that it accepts with two arguments only, from its profile.
    #[serde(skip)]
    pub binary_only: Vec<String>,
    /// How the solver prints the result of its passes; `None` if it does not.
    pub passes_by: Option<PassCommand>,
    /// Options needed for every pass, if they are set in the script.
    #[serde(default)]
    pub pass_options: Vec<String>,
    /// The passes checked by default.
    #[serde(default)]
    pub passes: Vec<String>,
}

impl SolverSetup {
    /// Whether the solver accepts an operator with this number of arguments.
    pub fn takes(&self, operator: &str, arguments: usize) -> bool {
        arguments <= 2 || !self.binary_only.iter().any(|name| name == operator)
    }
}

/// A disagreement that is not our error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The name of the solver's profile.
    pub solver: String,
    /// Its versions.
    pub versions: VersionRange,
    /// The operators applied, by their standard names; if empty, any.
    #[serde(default)]
    pub operators: Vec<String>,
    /// Float formats. An argument or the result must have one of them; if empty, any format matches.
    #[serde(default)]
    pub formats: Vec<[u32; 2]>,
    /// Texts that all occur in the application.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Texts. At least one must occur in the application; if empty, every application matches.
    #[serde(default)]
    pub contains_one: Vec<String>,
    /// A text that occurs at least twice in the application.
    pub twice: Option<String>,
    /// The clause of the standard that supports our value.
    pub clause: String,
    /// The solver's behavior.
    pub why: String,
}

/// A malformed table.
#[derive(Debug, thiserror::Error)]
#[error("the table of explained disagreements is malformed: {0}")]
pub struct TableError(#[from] toml::de::Error);

impl Explained {
    /// Parses a table.
    /// Errors: [`TableError`], with line and column.
    pub fn parse(text: &str) -> Result<Explained, TableError> {
        Ok(toml::from_str(text)?)
    }

    /// Returns how a solver is asked; without a row it gets no options.
    pub fn asking(&self, solver: &InstalledSolver) -> SolverSetup {
        let row = self.asking.iter().find(|row| row.solver == name(solver)).cloned().unwrap_or_default();
        let dialects = solver.profile.dialects(solver.version.as_ref());
        SolverSetup { binary_only: dialects.flat_map(|dialect| dialect.binary_only.iter().cloned()).collect(), ..row }
    }

    /// Returns the first row that explains a disagreement about an application, and its number.
    pub fn find(
        &self,
        solver: &InstalledSolver,
        block: &ApplicationBlock,
        application: &Application,
        text: &str,
    ) -> Option<(usize, &Explanation)> {
        let version = solver.version.as_ref();
        self.explained.iter().enumerate().find(|(_, row)| {
            row.solver == name(solver)
                && row.versions.contains(version)
                && (row.operators.is_empty() || row.operators.iter().any(|o| o == block.row.name))
                && (row.formats.is_empty() || formats(block, application).any(|f| row.formats.contains(&f)))
                && row.contains.iter().all(|part| text.contains(part.as_str()))
                && (row.contains_one.is_empty() || row.contains_one.iter().any(|part| text.contains(part.as_str())))
                && row.twice.as_ref().is_none_or(|part| text.matches(part.as_str()).count() >= 2)
        })
    }
}

/// Returns the name of the solver's profile, or of its program.
fn name(solver: &InstalledSolver) -> &str {
    match &solver.spec {
        SolverSpec::Named(named) => &named.name,
        _ => &solver.profile.name,
    }
}

/// Returns the float formats of the application's arguments and of its value.
fn formats<'b>(block: &'b ApplicationBlock, application: &Application) -> impl Iterator<Item = [u32; 2]> + 'b {
    let store = &block.store;
    let terms = store.args(application.term).iter().copied().chain([application.term]);
    let sorts: Vec<_> = terms.map(|t| store.sort(t)).collect();
    sorts.into_iter().filter_map(move |sort| match store.sorts.get(sort) {
        Sort::Float { eb, sb } => Some([*eb, *sb]),
        _ => None,
    })
}
