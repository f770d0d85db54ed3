//! The problems of a comparison: files, their known answers, and published results.

use anyhow::{Context, Result};
use serde::Serialize;
use smtlib::{Instance, Status, Store};
use solver::script::count_checks;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One file.
pub struct BenchProblem {
    /// Its path.
    pub path: PathBuf,
    /// Its name without folders.
    pub name: String,
    /// Its group in tables: the suite in the manifest, else its folder's name.
    pub suite: String,
    /// The known answers of its checks, by the manifest or the `:status`.
    pub expected: Vec<Option<Status>>,
    /// The right answers of its checks, where exhaustion proved them; see [`crate::results::BenchSamples::settle`]. May be shorter.
    pub proven: Vec<Option<Status>>,
    /// Its text.
    pub text: String,
}

/// A row of a manifest.
pub struct ManifestRow {
    suite: String,
    /// The known answer.
    pub expected: Option<Status>,
    /// Published results by solver: an answer, or seconds.
    pub published: BTreeMap<String, String>,
}

/// A published solver's results on some files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PublishedScore {
    /// The solver.
    pub name: String,
    /// Files it answered.
    pub solved: usize,
    /// Files it answered wrongly.
    pub wrong: usize,
}

/// The file name of manifests.
const MANIFEST: &str = "manifest.tsv";

/// `manifest.tsv` of a folder: file, suite, expected answer, then one column per published solver.
#[derive(Default)]
pub struct SuiteManifest {
    /// The published solvers.
    pub solvers: Vec<String>,
    /// The rows by file name.
    pub rows: BTreeMap<String, ManifestRow>,
}

impl SuiteManifest {
    /// Reads the nearest manifest of each file, in its folder or a folder around it. Outside the given folders, a table of that name may be
    /// unrelated, and counts only if it has the heading of a manifest.
    /// Errors: a manifest cannot be read, or one among the files has another heading.
    pub fn read(files: &[PathBuf]) -> Result<SuiteManifest> {
        let mut manifest = SuiteManifest::default();
        let own: BTreeSet<PathBuf> = files.iter().filter_map(|file| folder_of(file)).collect();
        let mut done = BTreeSet::new();
        for folder in &own {
            for around in folder.ancestors() {
                let path = around.join(MANIFEST);
                if !done.insert(path.clone()) {
                    break;
                }
                if !path.is_file() {
                    continue;
                }
                let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                match is_manifest(&text) {
                    false if around != folder => continue,
                    _ => manifest.add(&text).with_context(|| format!("{} is not a manifest", path.display()))?,
                }
                break;
            }
        }
        Ok(manifest)
    }

    fn add(&mut self, text: &str) -> Result<()> {
        let mut lines = text.lines();
        let heading: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        anyhow::ensure!(is_manifest(text), "its first line must begin with file, suite, expected");
        let solvers: Vec<String> = heading.iter().skip(HEADING.len()).map(|s| s.to_string()).collect();
        for solver in &solvers {
            if !self.solvers.contains(solver) {
                self.solvers.push(solver.clone());
            }
        }
        for line in lines.filter(|l| !l.is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            anyhow::ensure!(
                cells.len() == heading.len(),
                "a row has {} cells, the heading {}",
                cells.len(),
                heading.len()
            );
            let row = ManifestRow {
                suite: cells[1].to_string(),
                expected: status(cells[2]),
                published: solvers.iter().cloned().zip(cells[3..].iter().map(|s| s.to_string())).collect(),
            };
            self.rows.insert(cells[0].to_string(), row);
        }
        Ok(())
    }

    /// Counts the problems that each published solver answered.
    pub fn published<'p>(&self, problems: impl Iterator<Item = &'p BenchProblem> + Clone) -> Vec<PublishedScore> {
        let count = |name: &str, is: fn(&str) -> bool| {
            let rows = problems.clone().filter_map(|p| self.rows.get(&p.name));
            rows.filter(|row| row.published.get(name).is_some_and(|cell| is(cell))).count()
        };
        let score = |name: &String| PublishedScore {
            name: name.clone(),
            solved: count(name, |cell| cell.parse::<f64>().is_ok()),
            wrong: count(name, |cell| cell == "wrong"),
        };
        self.solvers.iter().map(score).filter(|score| score.solved + score.wrong > 0).collect()
    }
}

/// The columns of every manifest.
const HEADING: [&str; 3] = ["file", "suite", "expected"];

/// Whether a table has the heading of a manifest.
fn is_manifest(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.split('\t').take(HEADING.len()).eq(HEADING))
}

/// Returns the absolute folder of a file.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.parent().map(Path::to_path_buf)
}

fn status(word: &str) -> Option<Status> {
    match word {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        _ => None,
    }
}

impl BenchProblem {
    /// Reads a file, or returns why it cannot be compared.
    /// Errors: it cannot be read.
    pub fn read(path: &Path, manifest: &SuiteManifest) -> Result<Result<BenchProblem, &'static str>> {
        let bytes = files::named(path)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(Err("the text is not UTF-8"));
        };
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let checks = count_checks(text.as_bytes());
        if checks == 0 {
            return Ok(Err("it has no complete check-sat command"));
        }
        let mut store = Store::new();
        let instances = smtlib::parse(&mut store, &text).script.instances();
        let row = manifest.rows.get(&name);
        let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
        let mut expected: Vec<Option<Status>> = match instances.len() == checks {
            true => instances.iter().map(|instance| instance.status.filter(|s| *s != Status::Unknown)).collect(),
            false => vec![None; checks],
        };
        if let (Some(known), [only]) = (row.and_then(|r| r.expected), &mut expected[..]) {
            *only = Some(known);
        }
        Ok(Ok(BenchProblem {
            path: path.to_path_buf(),
            suite: row.map(|r| r.suite.clone()).or(folder).unwrap_or_default(),
            expected,
            proven: Vec::new(),
            name,
            text,
        }))
    }
}

/// Returns the check of a script if it has exactly one and all of the script is understood.
pub fn instance(store: &mut Store, text: &str) -> Option<Instance> {
    let parsed = smtlib::parse(store, text);
    let mut instances = parsed.script.instances();
    let only = instances.pop().filter(|i| parsed.errors.is_empty() && instances.is_empty() && !i.incomplete)?;
    Some(only)
}
