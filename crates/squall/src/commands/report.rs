//! `squall report`: a campaign as a page to look at, and its groups of findings as issues ready to paste.

mod campaign;
mod harvest;
mod issue;

use crate::exit;
use crate::render::html;
use crate::render::say::counted;
use ::finding::BugClass;
use anyhow::{Context, Result};
use issue::Issue;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use triage::folder::{CampaignFindings, CauseGroup};

/// Write a page about a campaign, and an issue for each group of its findings.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall report squall-out\n  squall report squall-out --to public/\n  squall report --harvest found run1 run2\n\n\
    OUT/report.html is one file that needs nothing else; OUT/issues/ holds a Markdown text for each group, the most important first. \
    Reduce and bisect first: `squall reduce OUT`, `squall bisect FINDING`.\n\n    --harvest keeps crashes and proven wrong answers that replay, without what names this machine. DIR/notes.toml may add links \
    and a sentence to a finding by its name: [\"z3@4.8.7-A-0a1b2c3d\"] with tracker = [\"https://…\"] and text = \"…\".\n\n\
    Exit codes: 0 written, 2 usage, 1 failure (a folder that is no campaign's, or that cannot be written)."
)]
pub struct Args {
    /// A campaign's folder; with --harvest any number of them.
    #[arg(value_name = "OUT", required = true, num_args = 1..)]
    out: Vec<PathBuf>,
    /// Instead of a report: keep the reduced finding of each cause in this folder, with a page of all that lies there.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["to", "title"])]
    harvest: Option<PathBuf>,
    /// Where report.html and issues/ go [default: OUT].
    #[arg(long, short = 'o', value_name = "DIR")]
    to: Option<PathBuf>,
    /// The page's heading [default: the solvers under test].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

const PAGE: &str = include_str!("report/templates/report.html.j2");
const CHART: &str = include_str!("report/templates/chart.html.j2");
const FOUND: &str = include_str!("report/templates/found.md.j2");
const ISSUE: &str = include_str!("report/templates/issue.md.j2");

/// A group as the page shows it.
#[derive(Debug, Serialize)]
struct ShownGroup {
    number: usize,
    class: BugClass,
    meaning: &'static str,
    about: String,
    trust: String,
    bytes: usize,
    erring: String,
    folder: String,
    sizes: String,
    #[serde(flatten)]
    issue: Issue,
    /// Where its issue lies, relative to the page.
    file: String,
}

/// Runs the subcommand.
///
/// # Errors
/// A folder that is no campaign's, or that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(kept) = &args.harvest {
        return harvest::run(kept, &args.out);
    }
    let [root] = args.out.as_slice() else { usage!("a report is about one campaign; --harvest takes several") };
    let out = CampaignFindings::load(root)?;
    let groups = out.groups();
    let to = args.to.unwrap_or_else(|| root.clone());
    let templates = templates()?;
    let issues = to.join("issues");
    std::fs::create_dir_all(&issues).with_context(|| format!("cannot make the folder {}", issues.display()))?;
    let mut shown = Vec::new();
    for (n, group) in groups.iter().enumerate() {
        let issue = Issue::of(group);
        let name = file_name(n + 1, group);
        let text = templates.get_template("issue.md")?.render(Value::from(Serde(&issue)))?;
        write(&issues.join(&name), &text)?;
        shown.push(show(n + 1, group, issue, format!("issues/{name}")));
    }
    remove_stale(&issues, &shown);
    let page = page(&templates, &out, &shown, args.title)?;
    let path = to.join("report.html");
    write(&path, &page)?;
    out.damaged.iter().for_each(|error| eprintln!("squall: left out: {error}"));
    println!("{}", path.display());
    println!("{} in {}", counted(shown.len(), "issue"), issues.display());
    Ok(ExitCode::from(exit::CLEAN))
}

fn write(path: &Path, text: &str) -> Result<()> {
    files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Issues of an earlier report that this one does not write again would pass for current ones.
fn remove_stale(issues: &Path, shown: &[ShownGroup]) {
    for entry in std::fs::read_dir(issues).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.split('-').next().is_some_and(|n| n.len() == 3 && n.bytes().all(|b| b.is_ascii_digit()));
        if is_ours && name.ends_with(".md") && !shown.iter().any(|s| s.file == format!("issues/{name}")) {
            // One that stays does no more harm than before.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn file_name(number: usize, group: &CauseGroup<'_>) -> String {
    format!("{number:03}-{}.md", group.best().name())
}

fn show(number: usize, group: &CauseGroup<'_>, issue: Issue, file: String) -> ShownGroup {
    let best = group.best();
    let sizes = match issue.original {
        Some(before) => format!(
            "{} bytes, {}, depth {} (found with {} bytes, {}, depth {})",
            issue.size.bytes,
            counted(issue.size.assertions, "assertion"),
            issue.size.depth,
            before.bytes,
            counted(before.assertions, "assertion"),
            before.depth
        ),
        None => format!("{} bytes; not reduced", issue.size.bytes),
    };
    ShownGroup {
        number,
        class: best.finding.class,
        meaning: best.finding.class.meaning(),
        about: group.about(),
        trust: best.trust().to_string(),
        bytes: best.script().len(),
        erring: best.versions().unwrap_or_else(|| "not asked".to_string()),
        folder: best.folder.display().to_string(),
        sizes,
        issue,
        file,
    }
}

fn templates() -> Result<Environment<'static>> {
    let mut templates =
        html::templates(&[("chart.html", CHART), ("report.html", PAGE), ("issue.md", ISSUE), ("found.md", FOUND)])?;
    templates.add_filter("plain", plain);
    templates.add_filter("fence", fence);
    Ok(templates)
}

/// Text within a line of Markdown: nothing in it marks anything up, begins a mention or a link, or ends a table's cell.
fn plain(text: String) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' => {
                out.push('\\');
                out.push(c);
            }
            // A mention would notify a person; within a word there is none.
            '@' if !before.is_alphanumeric() => out.push_str("@\u{200b}"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// A block of code, fenced by more backticks than it holds in a row.
fn fence(text: String, language: String) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

fn page(
    templates: &Environment<'_>,
    out: &CampaignFindings,
    shown: &[ShownGroup],
    title: Option<String>,
) -> Result<String> {
    let mut solvers: Vec<&String> = out.history.runs.iter().flat_map(|run| &run.solvers).collect();
    solvers.extend(out.findings.iter().map(|f| &f.finding.solver.label));
    solvers.sort();
    solvers.dedup();
    let names: Vec<&str> = solvers.iter().map(|s| s.as_str()).collect();
    let title = title.unwrap_or_else(|| {
        format!("Fuzzing {}", if names.is_empty() { "solvers".to_string() } else { names.join(", ") })
    });
    let reduced = out.findings.iter().filter(|f| f.reduced.is_some()).count();
    let findings_note = format!(
        "{} in {}, the most important first; {reduced} of {} reduced.",
        counted(out.findings.len(), "finding"),
        counted(shown.len(), "cause"),
        out.findings.len()
    );
    let subtitle = match out.history.runs.first() {
        Some(run) => format!("Campaign in {}, begun {} UTC", out.root.display(), campaign::utc(run.started_at)),
        None => format!("Campaign in {}", out.root.display()),
    };
    let present: Vec<_> = BugClass::ALL
        .into_iter()
        .filter(|class| shown.iter().any(|s| s.class == *class))
        .map(|class| context! { class => class.letter(), text => class.meaning() })
        .collect();
    let campaign::Tables { solvers, mutators, logics } = campaign::tables(out);
    let values = context! {
        title,
        subtitle,
        findings_note,
        tiles => Value::from(Serde(campaign::tiles(out, shown.len()))),
        groups => Value::from(Serde(shown)),
        meanings => present,
        damaged => out.damaged.clone(),
        plots => Value::from(Serde(campaign::plots(out))),
        solvers => Value::from(Serde(solvers)),
        mutators => Value::from(Serde(mutators)),
        logics => Value::from(Serde(logics)),
        seeds_note => campaign::seeds_note(out),
        runs => Value::from(Serde(campaign::runs(out))),
    };
    html::page(templates, "report.html", values)
}

#[cfg(test)]
mod tests {
    use super::{fence, plain};

    #[test]
    fn nothing_in_a_line_marks_anything_up() {
        let check = |text: &str, expect: &str| assert_eq!(plain(text.to_string()), expect);
        check("a|b\nc", "a\\|b c");
        check("<img src=x>", "\\<img src=x\\>");
        check("[x](http://y) *b* `c` #1", "\\[x\\](http://y) \\*b\\* \\`c\\` \\#1");
        check("z3@4.8.7 for @someone", "z3@4.8.7 for @\u{200b}someone");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_fences() {
        let check = |text: &str, expect: &str| assert_eq!(fence(text.to_string(), "smt2".to_string()), expect);
        check("(check-sat)", "```smt2\n(check-sat)\n```");
        check("; ```` four", "`````smt2\n; ```` four\n`````");
    }
}
