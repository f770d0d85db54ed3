//! `squall setup clean`: the disk usage of the cache and campaigns, and the removal of caches and leftovers.

mod places;

use crate::args::format::OutputFormat;
use crate::args::units::size_text;
use crate::exit::Exit;
use crate::render::date::day;
use crate::render::say::counted;
use ::solver::cache::SolverCache;
use anyhow::Result;
use places::{CACHES, DiskItem, KINDS, of_cache, of_campaign};
use serde_json::json;
use std::path::PathBuf;

/// Show the disk usage of the cache and campaigns, and remove caches and leftovers.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall setup clean\n  squall setup clean squall-out nights\n  squall setup clean --remove caches,leftovers\n  \
    squall setup clean --remove solvers=z3@4.8.7\n\n\
    Nothing is removed without --remove. Findings, corpora (see squall corpus remove), files that squall did not make, and files in use \
    by another squall are never removed. Links are not followed.\n\n\
    Exit codes: 0 done, 2 usage, 1 failure (something could not be removed, a folder without a campaign)."
)]
pub struct Args {
    /// Folders of campaigns and of nights.
    #[arg(value_name = "OUT")]
    out: Vec<PathBuf>,
    /// What to remove, separated by commas: solvers, or solvers=NAME@VERSION; builds, or builds=NAME@VERSION; commits (built ones);
    /// answers; seeds; caches (the last four); leftovers of killed processes.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = wanted)]
    remove: Vec<WantedRemoval>,
    /// The output: text, or one JSON object per line: one for each item, then the sums.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// The items of `--remove`.
#[derive(Clone, Debug)]
struct WantedRemoval {
    what: String,
    name: Option<String>,
}

impl WantedRemoval {
    fn is(&self, item: &DiskItem) -> bool {
        let is_kind = self.what == item.what || (self.what == "caches" && CACHES.contains(&item.what));
        is_kind && self.name.as_ref().is_none_or(|name| *name == item.name)
    }
}

fn wanted(text: &str) -> Result<WantedRemoval, String> {
    let (what, name) = text.split_once('=').map_or((text, None), |(what, name)| (what, Some(name.to_string())));
    match KINDS.contains(&what) && (name.is_none() || ["solvers", "builds"].contains(&what)) {
        true => Ok(WantedRemoval { what: what.to_string(), name }),
        false => Err(format!("write {}, solvers=NAME@VERSION or builds=NAME@VERSION", KINDS.join(", "))),
    }
}

/// Runs the subcommand.
/// Errors: there is no place for a cache, a folder has no campaign, or an item of `--remove` does not exist.
pub fn run(args: Args) -> Result<Exit> {
    let cache = SolverCache::of_user()?;
    let mut places = vec![of_cache(&cache)];
    for out in &args.out {
        places.push(of_campaign(out)?);
    }
    for wanted in args.remove.iter().filter(|wanted| wanted.name.is_some()) {
        if !places.iter().flatten().any(|item| wanted.is(item)) {
            let there = places.iter().flatten().filter(|item| item.what == wanted.what).map(|item| item.name.as_str());
            let (what, there) = (&wanted.what, there.collect::<Vec<_>>().join(", "));
            let name = wanted.name.as_deref().unwrap_or_default();
            usage!("there is no '{name}' among the {what}; there are: {there}");
        }
    }
    let (mut bytes, mut freed, mut failed) = (0, 0, 0u64);
    for items in &places {
        let taken: u64 = items.iter().map(|item| item.taken.bytes).sum();
        bytes += taken;
        if let (OutputFormat::Text, Some(item)) = (args.format, items.first()) {
            println!("{} takes {}", item.root.display(), size_text(taken));
        }
        for item in items.iter().filter(|item| item.taken.bytes > 0) {
            let is_wanted = args.remove.iter().any(|wanted| wanted.is(item));
            let removed = is_wanted.then(|| item.remove(&cache));
            match &removed {
                Some(Ok(bytes)) => freed += bytes,
                Some(Err(_)) => failed += 1,
                None => {}
            }
            show(&args, item, removed.as_ref());
        }
    }
    match args.format {
        OutputFormat::Json => println!("{}", json!({ "bytes": bytes, "freed": freed, "failed": failed })),
        OutputFormat::Text if args.remove.is_empty() => {
            println!("nothing was removed; --remove takes {}, and solvers=NAME@VERSION", KINDS.join(", "));
        }
        OutputFormat::Text => println!("{} freed", size_text(freed)),
    }
    Ok(if failed > 0 { Exit::Failure } else { Exit::Clean })
}

fn show(args: &Args, item: &DiskItem, removed: Option<&Result<u64>>) {
    let cause = removed.and_then(|removed| removed.as_ref().err()).map(triage::error_text);
    let freed = removed.and_then(|removed| removed.as_ref().ok());
    if args.format == OutputFormat::Json {
        let folder = item.root.display().to_string();
        let row = json!({
            "what": item.what, "name": item.name, "folder": folder, "bytes": item.taken.bytes, "files": item.taken.files,
            "last_used": item.last_used, "removed": freed.is_some(), "freed": freed.unwrap_or(&0), "cause": cause,
        });
        return println!("{row}");
    }
    let size = size_text(item.taken.bytes);
    let then = match (&cause, freed, item.last_used) {
        (Some(cause), ..) => format!("not removed: {cause}"),
        (_, Some(freed), _) if *freed < item.taken.bytes => {
            format!("removed; {} remain under other names", size_text(item.taken.shared))
        }
        (_, Some(_), _) => "removed".to_string(),
        (.., Some(last)) => format!("last used {}", day(last)),
        _ => String::new(),
    };
    let name = if item.name.is_empty() { counted(item.taken.files, "file") } else { item.name.clone() };
    println!("{}", format!("  {:<10} {name:<24} {size:>9}  {then}", item.what).trim_end());
}
