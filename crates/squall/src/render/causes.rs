//! Causes as rows of a table, for the list of findings and the end of a campaign.

use ::finding::symptom;
use triage::folder::CauseGroup;

/// What stands above the rows.
pub const HEAD: &str = "  #  class count   bytes  trust      solver         what, versions, smallest";

/// A cause in one line, with its number.
pub fn row(n: usize, group: &CauseGroup<'_>) -> String {
    let best = group.best();
    let trust = best.trust().to_string();
    format!(
        "{n:>3}  {:<5} {:>5} {:>7}  {:<10} {:<14} {}",
        best.finding.class,
        group.members.len(),
        best.script().len(),
        trust.split(':').next().unwrap_or_default(),
        best.finding.solver.label,
        group.about()
    )
}

/// Whether its wrong answers are not reduced yet, so that it may be of the cause of another row.
pub fn waits_for_reduction(group: &CauseGroup<'_>) -> bool {
    let finding = &group.best().finding;
    group.reduced == 0 && !symptom::tells(finding.class, finding.telling_symptom())
}
