//! `squall report --list`: the causes of a campaign's findings, the most important first.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::causes;
use crate::render::say::counted;
use anyhow::Result;
use std::path::Path;
use triage::folder::{CampaignFindings, CauseGroup};

/// Lists the causes of the campaign in `folder`.
/// Errors: a folder without a campaign.
pub fn run(folder: &Path, format: OutputFormat) -> Result<Exit> {
    let out = CampaignFindings::load(folder)?;
    let groups = out.rows();
    match format {
        OutputFormat::Text => print(&out, &groups),
        OutputFormat::Json => groups.iter().for_each(|group| println!("{}", json(group))),
    }
    for error in &out.damaged {
        eprintln!("squall: skipped: {error}");
    }
    Ok(match (out.damaged.is_empty(), groups.is_empty()) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Found,
        (true, true) => Exit::Clean,
    })
}

fn print(out: &CampaignFindings, groups: &[CauseGroup<'_>]) {
    if groups.is_empty() {
        println!("no findings in {}", out.root.display());
        return;
    }
    println!("{}", causes::HEAD);
    causes::rows_with_folders(groups).for_each(|row| println!("{row}"));
    let count = out.count();
    println!("\n{}: {count}", counted(out.findings.len(), "finding"));
    if count.not_reduced > 0 {
        println!("findings that are not reduced (?) may have the same causes: squall reduce {}", out.root.display());
    }
}

fn json(group: &CauseGroup<'_>) -> serde_json::Value {
    let best = group.best();
    serde_json::json!({
        "class": best.finding.class,
        "count": group.members.len(),
        "reduced": group.reduced,
        "finished": best.is_reduced(),
        "bytes": best.bytes(),
        "trust": best.trust().to_string(),
        "solver": best.finding.solver.label,
        "mode": best.mode(),
        "options": best.options(),
        "default": best.is_default(),
        "grade": best.grade(),
        "current": best.is_current(),
        "versions": best.versions(),
        "signature": group.signature,
        "about": group.about(),
        "folder": best.folder.display().to_string(),
        "members": group.members.iter().map(|m| m.name()).collect::<Vec<_>>(),
    })
}
