//! The problems of a comparison: files with one check, what is known of their answers, and who else had them.

use anyhow::{Context, Result};
use smtlib::{Instance, Status, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One file.
pub struct BenchProblem {
    /// Where it is.
    pub path: PathBuf,
    /// Its name without folders.
    pub name: String,
    /// The group it is counted in: what the manifest says, else its folder's name.
    pub suite: String,
    /// The answer it is known to have, by the manifest or its own `:status`.
    pub expected: Option<Status>,
    /// Its text.
    pub text: String,
}

/// A row of a manifest.
pub struct ManifestRow {
    suite: String,
    expected: Option<Status>,
    /// What others are published to have answered: names in the heading, answers or seconds.
    pub published: Vec<String>,
}

/// `manifest.tsv` of a folder: file, suite, expected answer, then a column for each published solver.
#[derive(Default)]
pub struct SuiteManifest {
    /// The published solvers.
    pub solvers: Vec<String>,
    /// The rows by file name.
    pub rows: BTreeMap<String, ManifestRow>,
}

impl SuiteManifest {
    /// Reads the manifests of these folders; one that has none counts for nothing.
    ///
    /// # Errors
    /// A manifest that cannot be read, or whose heading is another one's.
    pub fn read(folders: &[PathBuf]) -> Result<SuiteManifest> {
        let mut manifest = SuiteManifest::default();
        for path in folders.iter().map(|f| f.join("manifest.tsv")).filter(|p| p.is_file()) {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            manifest.add(&text).with_context(|| format!("{} is no manifest", path.display()))?;
        }
        Ok(manifest)
    }

    fn add(&mut self, text: &str) -> Result<()> {
        let mut lines = text.lines();
        let heading: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        anyhow::ensure!(
            heading.starts_with(&["file", "suite", "expected"]),
            "its first line must begin with file, suite, expected"
        );
        self.solvers = heading[3..].iter().map(|s| s.to_string()).collect();
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
                published: cells[3..].iter().map(|s| s.to_string()).collect(),
            };
            self.rows.insert(cells[0].to_string(), row);
        }
        Ok(())
    }

    /// How many files of a suite (of all, if none) each published solver answered, of those given.
    pub fn published<'p>(&self, problems: impl Iterator<Item = &'p BenchProblem> + Clone) -> Vec<(String, usize)> {
        let answered = |cell: &str| cell.parse::<f64>().is_ok();
        let count = |n: usize| {
            problems.clone().filter_map(|p| self.rows.get(&p.name)).filter(|row| answered(&row.published[n])).count()
        };
        self.solvers.iter().enumerate().map(|(n, name)| (name.clone(), count(n))).collect()
    }
}

fn status(word: &str) -> Option<Status> {
    match word {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        _ => None,
    }
}

impl BenchProblem {
    /// Reads a file, or says why it is no problem for a comparison.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: &Path, manifest: &SuiteManifest) -> Result<Result<BenchProblem, &'static str>> {
        let bytes = files::named(path)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(Err("the text is not UTF-8"));
        };
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut store = Store::new();
        let Some(instance) = instance(&mut store, &text) else {
            return Ok(Err("not exactly one check, or not understood"));
        };
        let row = manifest.rows.get(&name);
        let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
        let own = instance.status.filter(|s| *s != Status::Unknown);
        Ok(Ok(BenchProblem {
            path: path.to_path_buf(),
            suite: row.map(|r| r.suite.clone()).or(folder).unwrap_or_default(),
            expected: row.and_then(|r| r.expected).or(own),
            name,
            text,
        }))
    }
}

/// The one check of a script, if it has exactly one and all of it is understood.
pub fn instance(store: &mut Store, text: &str) -> Option<Instance> {
    let parsed = smtlib::parse(store, text);
    let mut instances = parsed.script.instances();
    let only = instances.pop().filter(|i| parsed.errors.is_empty() && instances.is_empty() && !i.incomplete)?;
    Some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SuiteManifest> {
        let mut manifest = SuiteManifest::default();
        manifest.add(text)?;
        Ok(manifest)
    }

    #[test]
    fn manifests_tell_what_is_known() {
        let text =
            "file\tsuite\texpected\tA\tB\nx.smt2\tQF_FP\tsat\t1.5\tunknown\ny.smt2\tQF_FP\tunknown\twrong\t900\n";
        let Ok(manifest) = read(text) else { panic!("a manifest") };
        assert_eq!(manifest.rows["x.smt2"].expected, Some(Status::Sat));
        assert_eq!(manifest.rows["y.smt2"].expected, None);
        let problem = |name: &str| BenchProblem {
            path: PathBuf::new(),
            name: name.to_string(),
            suite: String::new(),
            expected: None,
            text: String::new(),
        };
        let both = [problem("x.smt2"), problem("y.smt2"), problem("z.smt2")];
        assert_eq!(manifest.published(both.iter()), [("A".to_string(), 1), ("B".to_string(), 1)]);
    }

    #[test]
    fn other_tables_are_no_manifests() {
        assert!(read("name\tx\n").is_err());
        assert!(read("file\tsuite\texpected\nx.smt2\tQF_FP\n").is_err());
    }

    #[test]
    fn a_problem_has_one_check() {
        let one = |text: &str| instance(&mut Store::new(), text).is_some();
        assert!(one("(declare-const x Int)(assert (< x 0))(check-sat)"));
        assert!(!one("(check-sat)(check-sat)"));
        assert!(!one("(assert x)(check-sat)"));
        assert!(!one("(assert true)"));
    }
}
