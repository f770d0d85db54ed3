//! Lists of known bugs: a TOML file, a table of revealing scripts, or a folder of seeds.

use crate::campaigns::plan::CampaignArm;
use anyhow::{Context, Result, bail};
use finding::BugClass;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The lists that this program has, by name. The first is that of bugs whose seeds are embedded.
const LISTS: [(&str, &str); 2] = [("own", include_str!("own.toml")), ("storm", include_str!("storm.toml"))];
/// How a seed that is embedded in this program is named.
pub const EMBEDDED: &str = "embedded:";

/// A bug that one release has and another does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseBug {
    /// Its name, also that of its folder.
    pub id: String,
    /// The only seed; none for those of the experiment.
    pub seed: Option<PathBuf>,
    /// A script that shows the bug, which is no seed.
    pub revealing: Option<PathBuf>,
    /// The solver that has it, as `squall fuzz` is told it.
    pub solver: String,
    /// A later release that has it: what is found must show it there, too. None where it is `solver`.
    pub last: Option<String>,
    /// The solver that has it no more; none where every finding of the class counts, which no list has.
    pub fixed: Option<String>,
    /// What it does.
    pub class: BugClass,
    /// Options of `squall fuzz`.
    pub words: Vec<String>,
}

impl ReleaseBug {
    /// Whether its options set this one of `squall fuzz`.
    pub(crate) fn sets(&self, option: &str) -> bool {
        self.words.iter().any(|word| word.split('=').next() == Some(option))
    }
}

/// What stands for what a list does not say.
#[derive(Clone, Default, Debug)]
pub struct BugDefaults {
    /// Folders in which seeds are looked for that do not lie beside the list.
    pub folders: Vec<PathBuf>,
    /// The solver that has the bugs.
    pub solver: Option<String>,
    /// The solver that has them no more.
    pub fixed: Option<String>,
}

/// A list of bugs, as a TOML file has it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BugList {
    /// A table for each.
    pub bug: Vec<BugRow>,
}

/// A row of a list, as it is written.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BugRow {
    /// Its name, also that of its folder.
    pub id: String,
    /// The only seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<PathBuf>,
    /// A script that shows it, which is no seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revealing: Option<PathBuf>,
    /// The release that is fuzzed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// A later release that has it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The release that has it no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<String>,
    /// The letter of its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Options of the solver, for all releases.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// The tactic that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tactic: Option<String>,
    /// Options of `squall fuzz`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fuzz: String,
}

/// The bugs of a list: a file or folder, or the name of a list that this program has. Paths in a file begin at its folder.
///
/// # Errors
/// The list cannot be read, or what is wrong in it.
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

/// Each script of a folder as the seed of a bug.
fn folder_rows(folder: &Path) -> Vec<BugRow> {
    let row = |path: PathBuf| BugRow { id: stem(&path), seed: Some(path), ..BugRow::default() };
    files::scripts_below(folder).scripts.into_iter().map(row).collect()
}

/// A table of scripts that show bugs: columns `file`, `solver`, `options` and `behaviour`, separated by tabs.
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
            other => bail!("line {}: '{other}' is no wrong-unsat, wrong-sat, invalid-model or crash", number + 2),
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

/// Where a seed may lie in a folder: under its name, or as the repository of the STORM paper has it, whose root or folder of bugs this is.
fn places_in(folder: &Path, path: &Path) -> [PathBuf; 3] {
    let in_repository = Path::new(&stem(path)).join("seed.smt2");
    [folder.join(path), folder.join(&in_repository), folder.join("storm/fse_repl").join(in_repository)]
}

fn bug(row: BugRow, around: &Path, defaults: &BugDefaults) -> Result<ReleaseBug> {
    let mut fuzz = row.fuzz;
    if let Some(tactic) = &row.tactic {
        fuzz.push_str(&format!(" --tactics {}", shlex::try_quote(tactic).context("its tactic")?));
    }
    // Its options are those of an arm: what the experiment sets itself is refused.
    let mut arm: CampaignArm = format!("{}={fuzz}", row.id).parse()?;
    if row.seed.is_some() && !arm.words.iter().any(|word| word.starts_with("--mutator")) {
        // Others also make problems from nothing, of which the bug that is found need not be that of the seed.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> BugDefaults {
        BugDefaults { solver: Some("z3@4.8.7".into()), fixed: Some("z3@4.15.4".into()), folders: Vec::new() }
    }

    #[test]
    fn the_known_bugs_read() {
        let list = read(Path::new("own"), &BugDefaults::default()).expect("a list");
        assert!(list.len() >= 40, "{}", list.len());
        let is_made = |bug: &ReleaseBug| bug.words.iter().any(|word| word == "finite");
        for bug in &list {
            assert!(Some(&bug.solver) != bug.fixed.as_ref() && bug.last != bug.fixed, "{bug:?}");
            assert!(bug.seed.is_some() || is_made(bug), "{bug:?}");
        }
        let error = read(Path::new("storm"), &BugDefaults::default()).expect_err("its seeds are elsewhere");
        assert!(format!("{error:#}").contains("bug 'bug3': there is no 'bug3.smt2'; name the folder"), "{error:#}");
    }

    #[test]
    fn lists_say_what_is_wrong_in_them() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join("s.smt2"), "(check-sat)").expect("a file");
        let check = |name: &str, text: &str, defaults: &BugDefaults, part: &str| {
            let path = root.path().join(name);
            std::fs::write(&path, text).expect("a file");
            match read(&path, defaults) {
                Ok(list) => assert_eq!((list.len(), part), (1, ""), "{text}"),
                Err(error) => assert!(!part.is_empty() && format!("{error:#}").contains(part), "{text}: {error:#}"),
            }
        };
        let (known, none) = (defaults(), BugDefaults::default());
        check("a.toml", "[[bug]]\nid='b'\nseed='s.smt2'", &known, "");
        check("a.toml", "[[bug]]\nid='b'\nseed='t.smt2'", &known, "there is no");
        check("a.toml", "[[bug]]\nid='b'", &none, "no solver is named");
        check("a.toml", "[[bug]]\nid='b'\nsolver='z3'", &none, "no fixed release is named");
        check("a.toml", "[[bug]]\nid='b'\nclass='Q'", &known, "'Q'");
        check("a.toml", "[[bug]]\nid='b'\nfuzz='--seed 3'", &known, "sets --seed");
        check("a.toml", "[[bug]]\nid='../b'", &known, "no name");
        check("a.toml", "[[bug]]\nid='b'\n[[bug]]\nid='b'", &known, "two bugs are called 'b'");
        check("a.toml", "bug=[]", &known, "it holds no bug");
        check("a.toml", "[[bug]]\nid='b'\ntheory='x'", &known, "unknown field `theory`");
        let table = |row: &str| format!("file\tsolver\toptions\tbehaviour\n{row}\n");
        check("a.tsv", &table("s.smt2\tz3@4.8.7\t-\twrong-unsat"), &known, "");
        check("a.tsv", &table("s.smt2\tz3@4.8.7\t-\tslow"), &known, "line 2: 'slow' is no wrong-unsat");
        check("a.tsv", &table("s.smt2\tz3@4.8.7"), &known, "line 2 is too short");
        check("a.tsv", "s.smt2\n", &known, "the first line must name the columns");
        assert!(read(Path::new("no-such-list.toml"), &known).is_err());
    }

    #[test]
    fn seeds_may_lie_as_in_the_repository_of_the_paper() {
        let root = tempfile::tempdir().expect("a folder");
        let seeds = root.path().join("copy/storm/fse_repl");
        for bug in ["bug3", "bug7", "bug9", "bug11", "bug12"] {
            std::fs::create_dir_all(seeds.join(bug)).expect("a folder");
            std::fs::write(seeds.join(bug).join("seed.smt2"), "(check-sat)").expect("a file");
        }
        for folder in [root.path().join("copy"), seeds] {
            let list = read(Path::new("storm"), &BugDefaults { folders: vec![folder], ..BugDefaults::default() });
            let list = list.expect("all seeds are there");
            assert!(list.len() == 5 && list[0].seed.as_ref().is_some_and(|seed| seed.ends_with("bug3/seed.smt2")));
        }
    }

    #[test]
    fn rows_become_bugs() {
        let root = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| std::fs::write(root.path().join(name), text).expect("a file");
        file("s.smt2", "(check-sat)");
        file("a.toml", "[[bug]]\nid='b'\nclass='B'\noptions='model_validate=true'\ntactic='(then simplify smt)'");
        let bug = read(&root.path().join("a.toml"), &defaults()).expect("a list").remove(0);
        assert_eq!((bug.class, bug.words), (BugClass::B, vec!["--tactics".into(), "(then simplify smt)".to_string()]));
        assert_eq!(bug.solver, "z3@4.8.7 model_validate=true");
        assert_eq!(bug.fixed.as_deref(), Some("z3@4.15.4 model_validate=true"));
        let list = read(root.path(), &defaults()).expect("a list");
        assert_eq!(list.iter().map(|bug| (&*bug.id, bug.seed.is_some())).collect::<Vec<_>>(), [("s", true)]);
        // A seed is looked for beside the list, then in the folders; with a seed, mutants are those of it.
        file("b.toml", "[[bug]]\nid='b'\nseed='only.smt2'\nfuzz='--models 0'");
        let elsewhere = tempfile::tempdir().expect("a folder");
        std::fs::write(elsewhere.path().join("only.smt2"), "(check-sat)").expect("a file");
        let known = BugDefaults { folders: vec![elsewhere.path().to_path_buf()], ..defaults() };
        let bug = read(&root.path().join("b.toml"), &known).expect("a list").remove(0);
        assert_eq!(bug.words, ["--models", "0", "--mutator", "storm"]);
    }
}
