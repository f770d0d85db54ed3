//! The summary of a campaign: counts, causes, and the commands to run next.

use super::screen::{EarlierEvents, by_class};
use crate::args::units::time_text;
use crate::render::causes;
use crate::render::say::{counted, quoted};
use crate::render::titles::SolverTitles;
use ::fuzz::counts::untested::Untested;
use ::fuzz::state::event::CampaignStatus;
use std::path::Path;
use triage::folder::CampaignFindings;

/// The number of listed causes; `squall report --list` lists all.
const CAUSES_SHOWN: usize = 12;

/// Returns the summary: the work done, the causes, and the commands to run next.
pub(super) fn summary(standing: &CampaignStatus, seen: &EarlierEvents) -> String {
    let (counts, tally) = (&standing.counts, &standing.tally);
    let origin = match seen.seeds {
        0 => "without seeds".to_string(),
        _ => format!("from {} ({} skipped)", counted(counts.seeds, "seed"), standing.skipped),
    };
    let mut lines = vec![format!(
        "{} in {} {origin}; {} sat, {} unsat, {} unknown, {}, {} of dialect or options.",
        counted(counts.mutants, "mutant"),
        time_text(standing.wall_s.round()),
        counts.sat,
        counts.unsat,
        counts.unknown,
        counted(counts.timeouts, "timeout"),
        counted(counts.errors, "error")
    )];
    let lost = [
        (counts.memouts, "out of memory or with too much output"),
        (counts.crashed, "crashed"),
        (counts.missing, "without an answer"),
        (counts.failed_runs, "whose solver could not be run"),
    ];
    let lost: Vec<String> = lost.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{n} {why}")).collect();
    if !lost.is_empty() {
        lines.push(format!("Checks not answered: {}.", lost.join(", ")));
    }
    if counts.proofs > 0 {
        lines.push(format!(
            "Asked for proofs: {}, with {}.",
            counted(counts.proofs, "run"),
            counted(counts.proof_holes, "hole")
        ));
    }
    let silent = counts.errors + counts.missing;
    if counts.unmade > 0 {
        lines.push(format!("Mutants that could not be made: {}.", counts.unmade));
        lines.extend(standing.unmade_texts.iter().map(|why| format!("  {:>6} × {}", why.mutants, why.text)));
    }
    if !standing.error_texts.is_empty() {
        lines.push(format!("Messages instead of answers to {}:", counted(silent, "check")));
        let rows = standing.error_texts.iter();
        lines.extend(rows.map(|said| format!("  {:>6} × {}", said.checks, said.text)));
    }
    let checks =
        counts.sat + counts.unsat + counts.unknown + counts.timeouts + counts.memouts + counts.crashed + silent;
    if silent * 10 > checks {
        lines.push(format!(
            "{silent} of {checks} checks, more than a tenth, had errors or no answer. Check the solver's options and profile \
             with `squall solver doctor {}`.",
            seen.solvers.iter().map(|label| specification(label)).collect::<Vec<_>>().join(" ")
        ));
    }
    let untested = Untested::of(counts);
    if tally.findings.is_empty() && tally.seed_findings.is_empty() {
        lines.push(match untested {
            Some(untested) => untested.to_string(),
            None if counts.compared == 0 => format!(
                "Nothing wrong was found in the models of {}. No other answer was tested, because the right ones are unknown: \
                 name a second --solver or a --reference.",
                counted(counts.models_valid + counts.models_invalid, "mutant")
            ),
            None if silent * 10 > checks => {
                format!("Nothing wrong was found in the other {}.", counted(checks - silent, "check"))
            }
            None => "Nothing wrong was found.".to_string(),
        });
    } else {
        lines.push(format!(
            "Found: {}{}; {}.",
            by_class(&tally.findings),
            if tally.seed_findings.is_empty() {
                String::new()
            } else {
                format!(", {} of unchanged seeds", by_class(&tally.seed_findings))
            },
            standing.causes.unwrap_or_default(),
        ));
        lines.extend(untested.filter(|untested| untested.is_unresolved()).map(|open| open.to_string()));
    }
    if standing.quarantined > 0 {
        let seeds = counted(standing.quarantined as u64, "seed");
        lines.push(format!("Quarantined for a wrong status: {seeds}, listed in {}/quarantine.json.", seen.out));
    }
    let others = [
        (tally.repeats, "similar ones (not confirmed one by one)"),
        (tally.flaky, "flaky (not shown by every repetition)"),
        (tally.unconfirmed, "not confirmed (not recorded)"),
        (standing.refused, "rejected messages from other machines"),
    ];
    let others: Vec<String> = others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !others.is_empty() {
        lines.push(format!("Also: {}.", others.join("; ")));
    }
    if let Ok(found) = CampaignFindings::load(Path::new(&seen.out)) {
        lines.extend(causes(&found, seen));
    }
    lines.join("\n")
}

/// Returns a solver as a command takes it: without the version of a program, which its label has.
fn specification(label: &str) -> String {
    let program = label.rsplit_once('@').filter(|(path, version)| path.contains('/') && !version.contains('/'));
    quoted(program.map_or(label, |(path, _)| path))
}

/// Returns the most important causes, and the commands to run next.
fn causes(found: &CampaignFindings, seen: &EarlierEvents) -> Vec<String> {
    let groups = found.rows();
    let Some(first) = groups.first() else { return Vec::new() };
    let titles = SolverTitles::of_user();
    let mut lines = vec![String::new(), causes::HEAD.to_string()];
    lines.extend(causes::rows(&groups, &titles).into_iter().take(CAUSES_SHOWN));
    if groups.len() > CAUSES_SHOWN {
        lines.push(format!("     and {} more", groups.len() - CAUSES_SHOWN));
    }
    lines.push(String::new());
    let out = quoted(&seen.out);
    // As the command does: also those of a cause that another one has shown.
    let left = found.findings.iter().filter(|finding| !finding.is_reduced()).count();
    let reduce = format!("reduce {left} more");
    let next = [
        Some(("reproduce the first", format!("replay {}", quoted(&first.best().folder.display().to_string())))),
        Some(("list all causes and files", format!("report --list {out}"))),
        (left > 0).then_some((reduce.as_str(), format!("reduce {out}"))),
        Some(("write a page and issue texts", format!("report {out}"))),
    ];
    lines.push("Next:".to_string());
    lines.extend(next.into_iter().flatten().map(|(what, command)| format!("  {what:<30} squall {command}")));
    lines
}
