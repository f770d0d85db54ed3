//! `squall report --list`: the causes of a campaign's findings, the most important first.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::causes;
use crate::render::say::counted;
use anyhow::Result;
use std::path::Path;
use triage::folder::{CampaignFindings, CauseGroup};
use triage::ledger::{LEDGER, Ledger};

/// Lists the causes of the campaign in `folder`, or of nights. A cause that their ledger calls gone is marked.
/// Errors: a folder without a campaign, or with a damaged ledger.
pub fn run(folder: &Path, format: OutputFormat) -> Result<Exit> {
    let out = CampaignFindings::load(folder)?;
    let path = folder.join(LEDGER);
    let ledger = if path.exists() { Ledger::read(&path)? } else { Ledger::default() };
    let groups = out.rows();
    match format {
        OutputFormat::Text => print(&out, &groups, &ledger),
        OutputFormat::Json => groups.iter().for_each(|group| println!("{}", json(group, &ledger))),
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

fn print(out: &CampaignFindings, groups: &[CauseGroup<'_>], ledger: &Ledger) {
    if groups.is_empty() {
        println!("no findings in {}", out.root.display());
        return;
    }
    println!("{}", causes::HEAD);
    for (row, group) in causes::rows_with_folders(groups).zip(groups) {
        println!("{row}");
        if let Some(night) = gone_since(group, ledger) {
            println!("     gone since night {night}");
        }
    }
    let count = out.count();
    println!("\n{}: {count}", counted(out.findings.len(), "finding"));
    if count.not_reduced > 0 {
        println!("findings that are not reduced (?) may have the same causes: squall reduce {}", out.root.display());
    }
}

/// Returns the first night without the group, if all its findings are of gone causes.
fn gone_since(group: &CauseGroup<'_>, ledger: &Ledger) -> Option<u64> {
    let night = |id: &str| Some(ledger.causes.get(id)?.gone.as_ref()?.night);
    let nights: Option<Vec<u64>> = group.members.iter().map(|member| night(member.name())).collect();
    nights?.into_iter().max()
}

fn json(group: &CauseGroup<'_>, ledger: &Ledger) -> serde_json::Value {
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
        "gone_since": gone_since(group, ledger),
        "members": group.members.iter().map(|m| m.name()).collect::<Vec<_>>(),
    })
}
