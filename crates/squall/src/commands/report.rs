//! `squall report`: a page about a campaign, and issue texts for its causes.

mod campaign;
mod harvest;
mod issue;
mod list;
mod next;
mod page;
mod proof;

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::markup;
use crate::render::say::counted;
use crate::render::titles::SolverTitles;
use ::fuzz::persist::history::RunHistory;
use anyhow::{Context, Result};
use campaign::ReportedCampaign;
use issue::Issue;
use minijinja::value::Serde;
use minijinja::{Environment, Value};
use page::ReportRow;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use triage::folder::{CampaignFindings, CauseGroup};

/// List the causes of a campaign's findings, or write a page and an issue text for each.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall report squall-out\n  squall report squall-out --list\n  squall report squall-out --next 3\n  squall report squall-out --to public/\n  \
    squall report --harvest found run1 run2\n\n\
    OUT/report.html is self-contained; OUT/issues/ holds a Markdown text for each cause, the most important first. \
    Most findings without a reduction are counted apart from causes. Reduce and bisect first: `squall reduce OUT`, `squall bisect FINDING`.\n\n\
    --next names the texts of the N most important causes that are ready to be filed: fully reduced, proven or seen in the run itself, and \
    still wrong in the newest tested release. It lists them in OUT/reported.toml, so that the next call gives the next ones. Edit that \
    file to get a text again or to exclude a cause. Projects such as cvc5 ask for at most three issues per fuzzer and week.\n\n\
    --harvest keeps crashes and proven wrong answers that reproduce, without data about this machine. DIR/notes.toml may add links \
    and a sentence to a finding by its name: [\"z3@4.8.7-A-0a1b2c3d\"] with tracker = [\"https://…\"] and text = \"…\".\n\n\
    Exit codes: 0 written or nothing to list, 10 causes are listed, 2 usage, 1 failure (a folder without a campaign, or that cannot be written)."
)]
pub struct Args {
    /// A campaign's folder; several with --harvest.
    #[arg(value_name = "OUT", required = true, num_args = 1..)]
    out: Vec<PathBuf>,
    /// Instead of a report: keep the reduced finding of each cause in this folder, with a page about all findings there.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["to", "title", "next"])]
    harvest: Option<PathBuf>,
    /// Also name the issue texts of the next N causes to file, and mark them as taken.
    #[arg(long, value_name = "N")]
    next: Option<NonZeroUsize>,
    /// Instead of a report: list the causes, the most important first. Exit code 10 if there are any.
    #[arg(long, conflicts_with_all = ["harvest", "to", "title", "next"])]
    list: bool,
    /// The output of --list: a table, or one JSON object per line.
    #[arg(long, value_enum, requires = "list", default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// The folder for report.html and issues/ [default: OUT].
    #[arg(long, short = 'o', value_name = "DIR")]
    to: Option<PathBuf>,
    /// The page's heading [default: the solvers under test].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

const PAGE: &str = include_str!("report/templates/report.html.j2");
const FOUND: &str = include_str!("report/templates/found.md.j2");
const ISSUE: &str = include_str!("report/templates/issue.md.j2");

/// Runs the subcommand.
/// Errors: a folder without a campaign, or that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    if let Some(kept) = &args.harvest {
        return harvest::run(kept, &args.out);
    }
    let [root] = args.out.as_slice() else { usage!("a report is about one campaign; --harvest takes several") };
    if args.list {
        return list::run(root, args.format);
    }
    let out = ReportedCampaign { found: CampaignFindings::load(root)?, history: RunHistory::load(root) };
    let count = out.found.count();
    let groups: Vec<CauseGroup<'_>> = out.found.groups().into_iter().filter(CauseGroup::is_cause).collect();
    let to = args.to.unwrap_or_else(|| root.clone());
    let templates = templates()?;
    let issues = to.join("issues");
    let made = std::fs::create_dir_all(&to).and_then(|()| files::inside::make_folder(&to, "issues"));
    made.with_context(|| format!("cannot make the folder {}", issues.display()))?;
    let titles = SolverTitles::of_user();
    let mut shown = Vec::new();
    for (n, group) in groups.iter().enumerate() {
        let issue = Issue::of(group, &titles);
        let name = file_name(n + 1, group);
        let text = templates.get_template("issue.md")?.render(Value::from(Serde(&issue)))?;
        write(&to, &format!("issues/{name}"), &(text + "\n"))?;
        shown.push(ReportRow::new(n + 1, group, issue, format!("issues/{name}")));
    }
    remove_stale(&to, &shown);
    let path = to.join("report.html");
    write(&to, "report.html", &page::of(&templates, &out, &groups, &shown, args.title)?)?;
    out.found.damaged.iter().for_each(|error| eprintln!("squall: skipped: {error}"));
    println!("{}", path.display());
    println!("{}: {count}", counted(out.found.findings.len(), "finding"));
    println!("{} in {}", counted(shown.len(), "issue"), issues.display());
    if let Some(count) = args.next {
        next::give(root, &to, count.get(), &groups, &shown, &titles)?;
    }
    Ok(Exit::Clean)
}

fn write(to: &Path, name: &str, text: &str) -> Result<()> {
    files::inside::write(to, name, text.as_bytes()).with_context(|| format!("cannot write {}", to.join(name).display()))
}

/// Removes issues of an earlier report, which would look current.
fn remove_stale(to: &Path, shown: &[ReportRow]) {
    for entry in std::fs::read_dir(to.join("issues")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.split('-').next().is_some_and(|n| n.len() == 3 && n.bytes().all(|b| b.is_ascii_digit()));
        let file = format!("issues/{name}");
        if is_ours && name.ends_with(".md") && !shown.iter().any(|s| s.file == file) {
            // A remaining one does no more harm than before.
            let _ = files::inside::remove(to, &file);
        }
    }
}

fn file_name(number: usize, group: &CauseGroup<'_>) -> String {
    format!("{number:03}-{}.md", group.best().name())
}

fn templates() -> Result<Environment<'static>> {
    let mut templates = markup::templates(&[
        ("chart.html", markup::CHART),
        ("report.html", PAGE),
        ("issue.md", ISSUE),
        ("found.md", FOUND),
    ])?;
    markup::add_filters(&mut templates);
    Ok(templates)
}
