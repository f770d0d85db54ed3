//! Scripts whose right answers follow from the standard, run through every command that answers, certifies or accuses.
//!
//! A script in `tests/truth` has `; expect: sat`, `unsat` or `open` before each check, and may have a model in a comment. A door (one way
//! through a command) may say less than that, never the opposite. If the answer is open, nothing is certified. No right solver is accused.

use crate::snapshots::subcommands;
use crate::support::{ALWAYS, printed, squall};
use mutate::rng::RandomStream;
use oracle::relation::{RelatedScript, Relation};
use serde_json::Value;
use smtlib::Store;
use smtlib::sexpr::with_status;
use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::CancelToken;
use solver::profiles::Profiles;
use solver::sources::path::SearchPath;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use triage::bisection::{BisectionOrder, bisect};
use triage::reduction::{ReductionOrder, begin};

/// Time limits of one check: our own engines, and solvers, which must start first. A later answer would only be one more.
const PATIENCE: [(bool, &str); 2] = [(true, "200ms"), (false, "500ms")];

/// Runs all scripts through one door.
type Door = fn(&Scripts) -> Words;

/// Every subcommand with the function that runs scripts through it, or `None` if it says nothing about the truth of a script, or only what
/// another door says. `confirm`, a wrong label, is a part of `fuzz`.
const DOORS: [(&str, Option<Door>); 32] = [
    ("bisect", Some(bisected)),
    ("check", None),
    ("ci", None),
    ("cluster", None),
    ("compare", Some(compared)),
    ("corpus", None),
    ("demo", None),
    ("doctor", None),
    ("experiment", None),
    ("experiment campaigns", None),
    ("experiment conform", None),
    ("experiment cover", None),
    ("explain", None),
    ("fuzz", Some(fuzz)),
    ("mutate", None),
    ("night", None),
    ("proof", Some(judged)),
    ("reduce", Some(reduced)),
    ("replay", Some(replay)),
    ("report", None),
    ("setup", None),
    ("solve", Some(solve)),
    ("solve --exhaust", Some(exhaust)),
    ("solver", None),
    ("stability", Some(stability)),
    ("status", None),
    ("strategy", None),
    ("strategy apply", Some(apply)),
    ("strategy probes", None),
    ("strategy tactics", None),
    ("strategy tune", None),
    ("validate", Some(validate)),
];

/// One script.
struct Script {
    name: String,
    path: PathBuf,
    text: String,
    /// The right answer to each check.
    expect: Vec<String>,
    /// A model, which is right if the script is satisfiable and a trap otherwise.
    model: Option<String>,
}

/// All scripts, and a stand-in for a solver.
struct Scripts {
    folder: tempfile::TempDir,
    all: Vec<Script>,
    campaigns: OnceLock<Vec<Campaign>>,
}

/// A campaign with all scripts as seeds.
struct Campaign {
    out: PathBuf,
    /// Whether its labels are right.
    is_right: bool,
}

/// The answers of doors.
#[derive(Default)]
struct Words {
    /// The number of right answers.
    right: usize,
    /// Messages about wrong answers.
    wrong: Vec<String>,
}

impl Words {
    /// Records a door's answer `sat` or `unsat` to one check. Other words are ignored.
    fn say(&mut self, door: &str, script: &Script, check: usize, word: &str) {
        let expect = script.expect.get(check).map_or("no such check", String::as_str);
        match word {
            "sat" | "unsat" if word == expect => self.right += 1,
            "sat" | "unsat" => {
                self.wrong.push(format!("{door}: {} is {expect} in check {check}, not {word}", script.name))
            }
            _ => {}
        }
    }
}

impl Scripts {
    fn load() -> Scripts {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("solver.sh"), ALWAYS).expect("a file");
        let paths = files::scripts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth")).scripts;
        let all = paths.into_iter().map(Script::of).collect();
        Scripts { folder, all, campaigns: OnceLock::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The stand-in that always gives this answer.
    fn solver(&self, answer: &str) -> String {
        format!("/bin/sh \"{}\" {answer}", self.path("solver.sh").display())
    }

    fn folder_of_all(&self) -> &Path {
        self.all[0].path.parent().expect("a folder")
    }

    /// One for each kind of label and each answer.
    fn campaigns(&self) -> &[Campaign] {
        let kinds = || [true, false].into_iter().flat_map(|is_right| ["sat", "unsat"].map(|answer| (is_right, answer)));
        self.campaigns.get_or_init(|| kinds().map(|(is_right, answer)| self.campaign(is_right, answer)).collect())
    }

    fn campaign(&self, is_right: bool, answer: &str) -> Campaign {
        let seeds = self.path(if is_right { "right" } else { "wrong" });
        fs::create_dir_all(&seeds).expect("a folder");
        for script in &self.all {
            fs::write(seeds.join(format!("{}.smt2", script.name)), script.labelled(is_right)).expect("a file");
        }
        let out = seeds.with_extension(answer);
        let (solver, place, units) = (self.solver(answer), out.display().to_string(), self.all.len().to_string());
        let itself = ["--mutator", "exec:cat", "--set", "mutants=1", "--reworded", "0", "--options", "default"];
        let fixed = ["--schedule", "uniform", "--units", &units, "--reduce-share", "0", "--timeout", "60s", "--plain"];
        output(&[&["fuzz", "--solver", &solver, "--out", &place][..], &itself, &fixed].concat(), &[&seeds]);
        Campaign { out, is_right }
    }

    /// Every sixth script, for doors that take long; the nightly run takes all of them.
    fn some(&self) -> impl Iterator<Item = &Script> {
        self.all.iter().step_by(testing::amount("SQUALL_TRUTH_STEP", 6))
    }

    fn by_name(&self, path: &str) -> &Script {
        let name = Path::new(path).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.all.iter().find(|script| script.name == name).unwrap_or_else(|| panic!("no script is named {name}"))
    }
}

impl Script {
    fn of(path: PathBuf) -> Script {
        let text = fs::read_to_string(&path).expect("a script");
        let said = |key: &str| text.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_string).collect();
        let expect: Vec<String> = said("; expect: ");
        let models: Vec<String> = said("; model: ");
        let checks = text.lines().filter(|line| line.starts_with("(check-sat") || line.starts_with("(query ")).count();
        assert_eq!(expect.len(), checks, "{}: an expectation before each check", path.display());
        assert!(expect.iter().all(|word| ["sat", "unsat", "open"].contains(&&**word)), "{}", path.display());
        assert!(models.len() <= 1 && (models.is_empty() || checks == 1), "{}: a model of one check", path.display());
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Script { name, path, text, expect, model: models.into_iter().next() }
    }

    /// Returns the script with a label before each check: the right one, or its opposite.
    fn labelled(&self, is_right: bool) -> String {
        let label = |expect: &String| if (expect == "unsat") == is_right { "unsat" } else { "sat" };
        with_status(&self.text, self.expect.iter().map(|expect| Some(label(expect))))
    }
}

/// Returns the standard output of a command. It may reject a script, but must not crash.
fn output(words: &[&str], places: &[&Path]) -> String {
    let (code, stdout, stderr) = printed(squall().args(words).args(places));
    assert!(matches!(code, Some(0 | 1 | 10 | 11)), "{words:?} {places:?}: {code:?}\n{stderr}");
    stdout
}

fn exhaust(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    for script in &scripts.all {
        let said = output(&["solve", "--exhaust"], &[&script.path]);
        let answers = said.lines().filter(|line| matches!(*line, "sat" | "unsat" | "unknown"));
        answers.enumerate().for_each(|(check, word)| words.say("solve --exhaust", script, check, word));
    }
    words
}

/// By our own engines, and by the installed z3 and cvc5, whose answers are trusted if the answer is open.
fn solve(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    let defaults = PATIENCE.map(|(own, patience)| (own, patience, None));
    // Engines that no default uses.
    let others = [
        "(smt icp)",
        "(smt gb)",
        "(smt (apcad icp))",
        "p-cad",
        "(then simplify contract vts (smt coverings))",
        "(then simplify propagate-values solve-eqs (using-params guess :max-guesses 100))",
    ]
    .map(|strategy| (true, "100ms", Some(strategy)));
    for (own, patience, strategy) in defaults.into_iter().chain(others) {
        let mut asked = vec!["solve", "--timeout", patience];
        asked.extend(own.then_some("--own-engines"));
        asked.extend(strategy.into_iter().flat_map(|strategy| ["--strategy", strategy]));
        let mut command = crate::support::program();
        let (_, said, _) = printed(command.args(&asked).arg(scripts.folder_of_all()));
        let mut check = (String::new(), 0);
        for (path, word) in said.lines().filter_map(|line| line.rsplit_once(": ")) {
            check = if check.0 == path { (check.0, check.1 + 1) } else { (path.to_string(), 0) };
            let script = scripts.by_name(path);
            if own || script.expect.get(check.1).is_some_and(|expect| expect != "open") {
                words.say(&asked.join(" "), script, check.1, word);
            }
        }
    }
    words
}

/// A one-step proof for the last check: that the assertions contradict each other. It holds if and only if they do.
fn judged(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    let place = scripts.path("one-step.proof");
    for script in &scripts.all {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &script.text).script;
        let Some(last) = script.expect.len().checked_sub(1) else { continue };
        // Assertions carried as text are not among the premises.
        let Some(instance) = parsed.instance(last).filter(|instance| !instance.incomplete) else { continue };
        let names = (0..instance.assertions.len()).map(|n| format!("@a{n} ")).collect::<String>();
        let assumed = instance.assertions.iter().enumerate();
        let assumed: String = assumed.map(|(n, &t)| format!("(assume @a{n} {})\n", store.term_text(t))).collect();
        fs::write(&place, format!("{assumed}(step @end false :rule all :premises ({names}))\n")).expect("a file");
        let said = output(&["proof", "judge", "--format", "json"], &[&script.path, &place]);
        let Ok(said) = serde_json::from_str::<serde_json::Value>(&said) else { continue };
        let of_step = said["outcomes"].as_array().into_iter().flatten().find(|outcome| outcome["rule"] == "all");
        match of_step.and_then(|outcome| outcome["outcome"].as_str()).unwrap_or_default() {
            "refuted" => words.say("proof judge", script, last, "sat"),
            outcome if outcome.starts_with("holds") => words.say("proof judge", script, last, "unsat"),
            _ => {}
        }
    }
    words
}

/// The goal that `simplify` leaves of a check, by exhaustion.
fn apply(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    let place = scripts.path("goal.smt2");
    for script in &scripts.all {
        for check in 0..script.expect.len() {
            let number = (check + 1).to_string();
            let goal = output(&["strategy", "apply", "simplify", "--check", &number], &[&script.path]);
            // Nothing is printed of what is only carried as text; an empty script would be satisfiable.
            if goal.is_empty() {
                continue;
            }
            fs::write(&place, goal).expect("a file");
            let said = output(&["solve", "--exhaust"], &[&place]);
            let answer = said.lines().find(|line| matches!(*line, "sat" | "unsat" | "unknown"));
            answer.into_iter().for_each(|word| words.say("strategy apply", script, check, word));
        }
    }
    words
}

/// Exit codes of `squall validate`.
const VALID: i32 = 0;
const INVALID: i32 = 10;
const UNKNOWN: i32 = 11;

/// The model of the script, or an empty one, for which defaults apply.
fn validate(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    let model = scripts.path("model.txt");
    for script in scripts.all.iter().filter(|script| script.expect.len() == 1) {
        fs::write(&model, format!("({})", script.model.as_deref().unwrap_or_default())).expect("a file");
        let (code, stdout, stderr) = printed(squall().arg("validate").args([&script.path, &model]));
        match (code, &*script.expect[0], &script.model) {
            (Some(VALID), ..) => words.say("validate", script, 0, "sat"),
            (Some(INVALID), "sat", Some(_)) => words.wrong.push(format!("validate: {}: {stdout}", script.name)),
            (Some(1 | INVALID | UNKNOWN), ..) => {}
            _ => words.wrong.push(format!("validate: {}: {code:?}: {stderr}", script.name)),
        }
    }
    words
}

/// The start of a reduction, which decides whether the solver is wrong, and by which truth.
fn reduced(scripts: &Scripts) -> Words {
    accused(scripts, "reduce", |script, solver, wrong, fleet| {
        let order = ReductionOrder {
            solver: Some(solver.parse().expect("a solver")),
            wrong: Some(wrong.parse().expect("a failure")),
            trust: vec!["none".to_string()],
            ..ReductionOrder::new(
                finding::folder::FindingPaths::of(&script.path, Some(&scripts.path("reduced.smt2"))),
                CancelToken::new(),
            )
        };
        let (_, start) = begin(&order, fleet).ok()?;
        Some(Some(start.evidence.check))
    })
}

fn bisected(scripts: &Scripts) -> Words {
    accused(scripts, "bisect", |script, solver, wrong, fleet| {
        // An answer that the user calls wrong is believed, so the bisection must find out.
        let solver = Some(solver.parse().expect("a solver"));
        let order = BisectionOrder { solver, fresh: true, ..BisectionOrder::new(&script.path) };
        bisect(&order, fleet).ok().filter(|found| found.wrong.to_string() == wrong).map(|_| None)
    })
}

/// Accusations without another solver's answer: `accuse` returns the check, if it is known.
fn accused(
    scripts: &Scripts,
    door: &str,
    accuse: impl Fn(&Script, &str, &str, &Fleet) -> Option<Option<usize>>,
) -> Words {
    let nowhere = SolverCache::at(&scripts.path("no cache"));
    let fleet = Fleet::new(Profiles::embedded(), nowhere, SearchPath::new(Vec::new()));
    let mut words = Words::default();
    for script in scripts.some() {
        for (wrong, right) in [("sat", "unsat"), ("unsat", "sat")] {
            let Some(check) = accuse(script, &scripts.solver(wrong), wrong, &fleet) else { continue };
            // With several checks, it may be any with a wrong answer.
            let check = check.or_else(|| script.expect.iter().position(|expect| expect == right)).unwrap_or(0);
            words.say(door, script, check, right);
        }
    }
    words
}

/// Scripts as seeds with right and with wrong labels, each also as its own mutant.
fn fuzz(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    for campaign in scripts.campaigns() {
        let folders = fs::read_dir(campaign.out.join("findings")).into_iter().flatten().flatten();
        for record in folders.map(|folder| json(&folder.path().join("finding.json"))) {
            let trust = record["trust"]["kind"].as_str().unwrap_or_default();
            campaign.finding(&mut words, "fuzz", scripts, &record, ["certified", "exhausted"].contains(&trust));
        }
        for entry in json(&campaign.out.join("quarantine.json")).as_array().into_iter().flatten() {
            let script = scripts.by_name(entry["seed"].as_str().unwrap_or_default());
            let check = entry["check"].as_u64().unwrap_or_default() as usize;
            let refuted = if (script.expect[check] == "unsat") == campaign.is_right { "sat" } else { "unsat" };
            words.say("quarantine", script, check, refuted);
        }
    }
    words
}

/// The verdicts on replayed findings.
fn replay(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    for campaign in scripts.campaigns() {
        for line in output(&["replay", "--format", "json"], &[&campaign.out]).lines() {
            let replayed: Value = serde_json::from_str(line).expect("JSON");
            let record = json(&Path::new(replayed["folder"].as_str().unwrap_or_default()).join("finding.json"));
            let witness = replayed["witness"].as_str().unwrap_or_default();
            campaign.finding(&mut words, "replay", scripts, &record, ["holds", "exhausted"].contains(&witness));
        }
    }
    words
}

impl Campaign {
    /// A finding names the right answer. If a label is wrong and nothing refutes it, that is the label's.
    fn finding(&self, words: &mut Words, door: &str, scripts: &Scripts, record: &Value, is_certified: bool) {
        let script = scripts.by_name(record["seed"]["name"].as_str().unwrap_or_default());
        let check = record["check"].as_u64().unwrap_or_default() as usize;
        if is_certified || (self.is_right && script.expect[check] != "open") {
            words.say(door, script, check, record["expected"][check].as_str().unwrap_or_default());
        }
    }
}

/// Returns a file's content, or an empty text without the file.
fn json(path: &Path) -> Value {
    fs::read_to_string(path).map_or(Value::Null, |text| serde_json::from_str(&text).expect("JSON"))
}

/// The right answers of a comparison where two stand-ins contradict each other.
fn compared(scripts: &Scripts) -> Words {
    let (sat, unsat, out) = (scripts.solver("sat"), scripts.solver("unsat"), scripts.path("compared"));
    let place = out.display().to_string();
    let paths: Vec<&Path> = scripts.all.iter().map(|script| &*script.path).collect();
    output(&["compare", "--solver", &sat, "--solver", &unsat, "--out", &place], &paths);
    let text = fs::read_to_string(out.join("results.json")).expect("results");
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let mut words = Words::default();
    for one in results["disagreements"].as_array().expect("a list") {
        let shown = one["shown"].as_str().unwrap_or_default();
        if let (Some(file), Some(check), Some(truth)) =
            (one["file"].as_str(), one["check"].as_u64(), one["truth"].as_str())
            && !shown.contains(":status")
        {
            words.say("compare", scripts.by_name(file), check as usize - 1, truth);
        }
    }
    words
}

/// The right answers with which a measurement of stability contradicts stand-ins.
fn stability(scripts: &Scripts) -> Words {
    let mut words = Words::default();
    for answer in ["sat", "unsat"] {
        let (solver, out) = (scripts.solver(answer), scripts.path(&format!("stability-{answer}")));
        let place = out.display().to_string();
        let asked = ["stability", "--solver", &solver, "-n", "1", "--jobs", "1", "--out", &place];
        output(&asked, &scripts.all.iter().map(|script| &*script.path).collect::<Vec<&Path>>());
        for wrong in json(&out.join("results.json"))["wrong"].as_array().expect("a list") {
            let wrong = wrong.as_str().expect("a text");
            let (name, rest) = wrong.split_once(": ").expect("a name");
            let (file, line) = name.rsplit_once(':').expect("a line");
            let script = scripts.by_name(file);
            let before = script.text.lines().take(line.parse::<usize>().expect("a number") - 1);
            let check = before
                .filter(|line| ["(check-sat", "(query "].iter().any(|word| line.trim_start().starts_with(word)))
                .count();
            let right = rest.rsplit("the right answer is ").next().and_then(|rest| rest.split(';').next());
            words.say("stability", script, check, right.unwrap_or_default());
        }
    }
    words
}

/// Draws of relations per check.
const RELATIONS_DRAWN: u64 = 6;

/// Relations between answers (class X), by exhaustion: the answers to both scripts made from one must satisfy the relation. If exhaustion
/// does not decide a script, the answer is `unknown`.
fn relations(scripts: &Scripts) -> Words {
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(&scripts.path("no cache")), SearchPath::new(Vec::new()));
    // Spelled for a solver that supports sessions and resets; it is not run.
    let spec = "z3:/bin/true".parse().expect("a solver");
    let solver = fleet.solver(fleet.resolve(&spec).expect("a program"));
    let mut words = Words::default();
    for (script, check) in scripts.some().flat_map(|script| (0..script.expect.len()).map(move |n| (script, n))) {
        let Some(known) = answer(&script.text, check).filter(|known| known.is_definite()) else { continue };
        for seed in 0..RELATIONS_DRAWN {
            let drawn = Relation::draw(&script.text, check, known, &mut RandomStream::from_seed(seed));
            let Some((relation, text)) = drawn else { continue };
            let mut run = |asked: &RelatedScript| {
                let answers = (0..=asked.check).map(|n| answer(&asked.text, n).unwrap_or(Answer::Unknown));
                let listed = |answer| CheckAnswer { answer, said: None, responses: Vec::new() };
                Ok(SolverOutcome { answers: answers.map(listed).collect(), ..SolverOutcome::nothing() })
            };
            let pair = relation.ask(&solver, &text, Some(known), &mut run).expect("it runs");
            match pair.hit() {
                Some(hit) => words.wrong.push(format!("relations: {}: {}\n{text}\n{pair:?}", script.name, hit.symptom)),
                None => words.right += pair.answers().iter().filter(|answer| answer.is_definite()).count(),
            }
        }
    }
    words
}

/// The answer of exhaustion to a check.
fn answer(text: &str, check: usize) -> Option<Answer> {
    let known = oracle::exhaustion::decide_text(text, check).ok()?;
    Some(if known.word() == "sat" { Answer::Sat } else { Answer::Unsat })
}

#[test]
fn no_door_says_the_opposite_of_the_truth() {
    let scripts = Scripts::load();
    assert!(scripts.all.len() >= 150, "{} scripts", scripts.all.len());
    let wrong = std::thread::scope(|scope| {
        let scripts = &scripts;
        let doors = DOORS.iter().filter_map(|&(name, door)| Some((name, door?)));
        let doors = doors.chain([("relations", relations as Door)]);
        let running: Vec<_> = doors.map(|(name, door)| (name, scope.spawn(move || door(scripts)))).collect();
        let mut all = Vec::new();
        for (name, door) in running {
            let Words { right, wrong } = door.join().unwrap_or_else(|_| panic!("{name}"));
            println!("{name}: {right} right words");
            all.extend(wrong);
            all.extend((right == 0).then(|| format!("{name} says nothing")));
        }
        all
    });
    assert!(wrong.is_empty(), "{} wrong words of {} scripts:\n{}", wrong.len(), scripts.all.len(), wrong.join("\n"));
}

#[test]
fn every_subcommand_is_in_the_table_of_doors() {
    let mut names = subcommands(&[]);
    for group in ["experiment", "strategy"] {
        names.extend(subcommands(&[group.to_string()]).into_iter().map(|name| format!("{group} {name}")));
    }
    names.push("solve --exhaust".to_string());
    names.sort();
    let known: Vec<&str> = DOORS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known, "is it a door? then scripts of tests/truth are pushed through it");
}
