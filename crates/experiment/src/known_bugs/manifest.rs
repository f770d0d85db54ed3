//! Lists of known bugs: a TOML file, a table of revealing scripts, or a folder of seeds.

use crate::campaigns::plan::CampaignArm;
use anyhow::{Context, Result, bail};
use finding::BugClass;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The built-in lists by name. The first list uses embedded seeds.
const LISTS: [(&str, &str); 2] = [("own", include_str!("own.toml")), ("storm", include_str!("storm.toml"))];
/// The prefix of embedded seeds' names.
pub const EMBEDDED: &str = "embedded:";

/// A bug that one release has and another does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseBug {
    /// Its name, also that of its folder.
    pub id: String,
    /// The only seed; `None` for the seeds of the experiment.
    pub seed: Option<PathBuf>,
    /// A script that shows the bug and is not used as a seed.
    pub revealing: Option<PathBuf>,
    /// The solver that has it, as an argument of `squall fuzz`.
    pub solver: String,
    /// A later release that has it: a finding must show it there, too. `None` if that is `solver`.
    pub last: Option<String>,
    /// The solver that fixed it. With `None`, every finding of the class counts; lists always name one.
    pub fixed: Option<String>,
    /// Its class.
    pub class: BugClass,
    /// Options of `squall fuzz`.
    pub words: Vec<String>,
}

impl ReleaseBug {
    /// Whether its options include this option of `squall fuzz`.
    pub(crate) fn sets(&self, option: &str) -> bool {
        self.words.iter().any(|word| word.split('=').next() == Some(option))
    }
}

/// Defaults for fields that a list leaves out.
#[derive(Clone, Default, Debug)]
pub struct BugDefaults {
    /// Folders to search for seeds that are not next to the list.
    pub folders: Vec<PathBuf>,
    /// The solver that has the bugs.
    pub solver: Option<String>,
    /// The solver that fixed them.
    pub fixed: Option<String>,
}

/// A list of bugs as a TOML file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BugList {
    /// One table per bug.
    pub bug: Vec<BugRow>,
}

/// One table of a list.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BugRow {
    /// Its name, also that of its folder.
    pub id: String,
    /// The only seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<PathBuf>,
    /// A script that shows it and is not used as a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revealing: Option<PathBuf>,
    /// The release to fuzz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// A later release that has it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The release that fixed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<String>,
    /// The letter of its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Options of the solver, for all releases.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// The tactic of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tactic: Option<String>,
    /// Options of `squall fuzz`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fuzz: String,
}

/// Reads a list: a file, a folder, or the name of a built-in list. Paths in a file are relative to its folder.
/// Errors: the list cannot be read or has a mistake.
pub fn read(list: &Path, defaults: &BugDefaults) -> Result<Vec<ReleaseBug>> {
    let named = || list.display().to_string();
    if let Some((_, text)) = LISTS.iter().find(|(name, _)| Path::new(name) == list) {
        return bugs(toml_rows(text)?, Path::new(""), defaults).with_context(named);
    }
    let around = list.parent().unwrap_or(Path::new(""));
    if list.is_dir() {
        return bugs(folder_rows(list), Path::new(""), defaults).with_context(named);
    }
    let text = std::fs::read_to_string(list).with_context(|| {
        let names = LISTS.map(|(name, _)| name).join(" and ");
        format!("cannot read the list '{}'; the lists of this program are {names}", list.display())
    })?;
    let rows = match list.extension().is_some_and(|end| end == "tsv") {
        true => table_rows(&text),
        false => toml_rows(&text),
    };
    rows.and_then(|rows| bugs(rows, around, defaults)).with_context(named)
}

fn toml_rows(text: &str) -> Result<Vec<BugRow>> {
    Ok(toml::from_str::<BugList>(text)?.bug)
}

/// Makes one bug per script of a folder, with the script as its seed.
fn folder_rows(folder: &Path) -> Vec<BugRow> {
    let row = |path: PathBuf| BugRow { id: stem(&path), seed: Some(path), ..BugRow::default() };
    files::scripts_below(folder).scripts.into_iter().map(row).collect()
}

/// Parses a table of scripts that show bugs: columns `file`, `solver`, `options` and `behaviour`, separated by tabs.
fn table_rows(text: &str) -> Result<Vec<BugRow>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| header.iter().position(|title| *title == name);
    let (Some(file), Some(solver), Some(behaviour)) = (column("file"), column("solver"), column("behaviour")) else {
        bail!("the first line must name the columns file, solver and behaviour, separated by tabs");
    };
    let options = column("options");
    let mut rows = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().with_context(|| format!("line {} is too short", number + 2));
        let class = match cell(behaviour)? {
            "wrong-unsat" => "A",
            "wrong-sat" | "invalid-model" => "B",
            "crash" => "D",
            other => bail!("line {}: '{other}' is not wrong-unsat, wrong-sat, invalid-model or crash", number + 2),
        };
        let revealing = PathBuf::from(cell(file)?);
        rows.push(BugRow {
            id: stem(&revealing),
            revealing: Some(revealing),
            solver: Some(cell(solver)?.to_string()),
            class: Some(class.to_string()),
            options: options.map(cell).transpose()?.filter(|text| *text != "-").unwrap_or_default().to_string(),
            ..BugRow::default()
        });
    }
    Ok(rows)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn bugs(rows: Vec<BugRow>, around: &Path, defaults: &BugDefaults) -> Result<Vec<ReleaseBug>> {
    let mut list: Vec<ReleaseBug> = Vec::new();
    for row in rows {
        let id = row.id.clone();
        let bug = bug(row, around, defaults).with_context(|| format!("bug '{id}'"))?;
        if list.iter().any(|earlier| earlier.id == bug.id) {
            bail!("two bugs are called '{id}'");
        }
        list.push(bug);
    }
    if list.is_empty() {
        bail!("it holds no bug");
    }
    Ok(list)
}

/// Returns the possible paths of a seed in a folder: by its name, or below the root or bug folder of the STORM paper's repository.
fn places_in(folder: &Path, path: &Path) -> [PathBuf; 3] {
    let in_repository = Path::new(&stem(path)).join("seed.smt2");
    [folder.join(path), folder.join(&in_repository), folder.join("storm/fse_repl").join(in_repository)]
}

fn bug(row: BugRow, around: &Path, defaults: &BugDefaults) -> Result<ReleaseBug> {
    let mut fuzz = row.fuzz;
    if let Some(tactic) = &row.tactic {
        fuzz.push_str(&format!(" --tactics {}", shlex::try_quote(tactic).context("its tactic")?));
    }
    // Parsed like an arm, which rejects options that the experiment sets itself.
    let mut arm: CampaignArm = format!("{}={fuzz}", row.id).parse()?;
    if row.seed.is_some() && !arm.words.iter().any(|word| word.starts_with("--mutator")) {
        // Other mutators also generate problems, which may show other bugs than that of the seed.
        arm.words.extend(["--mutator", "storm"].map(String::from));
    }
    let absolute = |path: PathBuf| -> Result<PathBuf> {
        if path.to_string_lossy().starts_with(EMBEDDED) {
            return Ok(path);
        }
        let places = [around].into_iter().chain(defaults.folders.iter().map(PathBuf::as_path));
        let found =
            places.flat_map(|folder| places_in(folder, &path)).filter_map(|path| path.canonicalize().ok()).next();
        found.with_context(|| {
            format!("there is no '{}'; name the folder that holds it as SEEDS", around.join(&path).display())
        })
    };
    let solver = row.solver.or_else(|| defaults.solver.clone());
    let fixed = row.fixed.or_else(|| defaults.fixed.clone());
    let with_options =
        |solver: String| if row.options.is_empty() { solver } else { format!("{solver} {}", row.options) };
    Ok(ReleaseBug {
        id: row.id,
        seed: row.seed.map(absolute).transpose()?,
        revealing: row.revealing.map(absolute).transpose()?,
        solver: with_options(
            solver.context("no solver is named; the list does it by `solver`, the command by --solver")?,
        ),
        last: row.last.map(with_options),
        fixed: Some(with_options(
            fixed.context("no fixed release is named; the list does it by `fixed`, the command by --fixed")?,
        )),
        class: row.class.as_deref().unwrap_or("A").parse()?,
        words: arm.words,
    })
}
