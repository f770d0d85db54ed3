//! The files in `data/theories` and `tests/theories`: `# reads: …` in the first line, or `# error: LINE:COLUMN: …` and perhaps `# help: …`.
//!
//! A problem over a theory that reads has one truth: by both ways of exhaustion, and in the words of the definitions alone.

use mutate::finite::FiniteMutator;
use mutate::{TargetSpelling, Unit, small_world, theory_file};
use semantics::Stop;
use semantics::truth::{self, CheckTruth, Search, TruthQuery};
use smtlib::{Command, Dialect, Store};
use std::path::{Path, PathBuf};

fn files() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["data/theories", "tests/theories"] {
        let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder");
        paths.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    paths.sort();
    let name = |path: &PathBuf| path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("a text"))).collect()
}

#[test]
fn every_file_reads_or_is_refused_with_place_and_remedy() {
    let mut wrong = Vec::new();
    for (name, source) in files() {
        let header = |key: &str| source.lines().find_map(|line| line.strip_prefix(&format!("# {key}: ")));
        match (theory_file::read(&source), header("error")) {
            (Ok(_), None) if header("reads").is_some() => {}
            (Ok(_), expected) => wrong.push(format!("{name} reads, but expected {expected:?}")),
            (Err(error), expected) => {
                let text = error.render("F", &source);
                let shown = text.replacen(": error: ", ": ", 1);
                let help = text.rsplit_once("\n  = ").map_or("", |(_, help)| help);
                let is_as_expected = expected.is_some_and(|expected| shown.starts_with(&format!("F:{expected}")));
                if !is_as_expected || help.is_empty() || !help.contains(header("help").unwrap_or("")) {
                    wrong.push(format!("{name}: {text}\n  expected {expected:?}, {:?}", header("help")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The number of problems compared per theory; `SQUALL_PROBLEMS` sets it.
fn count() -> u64 {
    std::env::var("SQUALL_PROBLEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

/// Returns each check's answer by one way of exhaustion.
fn answers(text: &str, search: Search) -> Vec<Option<&'static str>> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert_eq!(parsed.errors, [], "{text}");
    let limits = truth::ExhaustLimits { evaluations: u64::MAX, ..small_world::LIMITS };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search };
    let decide = |instance| truth::of_instance(&mut store, &instance, query).ok().map(|known| known.word());
    parsed.script.instances().into_iter().map(decide).collect()
}

/// Returns a script in which `(set-info :squall-theory "…")` is replaced by its definitions.
fn in_definitions(text: &str) -> String {
    let mut store = Store::new();
    let commands = smtlib::parse(&mut store, text).script.commands;
    let Some(Command::Theory(list)) = commands.iter().find(|command| matches!(command, Command::Theory(_))) else {
        panic!("no theory: {text}")
    };
    let command = format!("(set-info :squall-theory {list})");
    assert!(text.contains(&command), "{text}");
    let text = text.replacen(&command, &list[1..list.len() - 1].replace("\"\"", "\""), 1);
    // Only a theory can name an operator by an indexed identifier.
    text.replace("|(_ keeps 1)|", "keeps-1").replace("(_ keeps 1)", "keeps-1")
}

#[test]
fn problems_have_one_truth_by_both_ways_and_in_definitions_alone() {
    for (name, source) in files().into_iter().filter(|(_, source)| source.starts_with("# reads: ")) {
        let definition = theory_file::read(&source).expect("it reads");
        // A sort with listed values has more in its encoding, so that its constants would have to be confined there.
        let is_plain = !["!code", "(_ at-", "(_ rel."].iter().any(|part| definition.contains(part));
        let finite = FiniteMutator { definition: Some(definition.into()), mutants: 4, ..FiniteMutator::default() };
        let (mut seen, mut undecided) = ([0u64; 2], 0u64);
        let made =
            finite.problems(&TargetSpelling::default(), Unit { campaign: 1, number: 0 }, count(), |_, mutant| {
                let expected: Vec<_> = mutant.expected.iter().map(|status| Some(status.word())).collect();
                for search in [Search::Quick, Search::Recorded] {
                    let found = answers(&mutant.text, search);
                    undecided += found.iter().filter(|answer| answer.is_none()).count() as u64;
                    let differs = |(a, b): (&Option<&str>, &Option<&str>)| a.is_some() && a != b;
                    assert!(
                        !found.iter().zip(&expected).any(differs),
                        "{name}: {found:?} {expected:?}\n{}",
                        mutant.text
                    );
                }
                if is_plain {
                    assert_eq!(
                        answers(&in_definitions(&mutant.text), Search::Recorded),
                        expected,
                        "{name}: {}",
                        mutant.text
                    );
                }
                for answer in &expected {
                    seen[usize::from(*answer == Some("sat"))] += 1;
                }
                assert!(!mutant.text.contains("!of") && !mutant.text.contains("!value)"), "{}", mutant.text);
                Ok::<(), ()>(())
            });
        assert_eq!(made, Ok(count()), "{name}");
        println!("{name}: {} sat, {} unsat, {undecided} not decided again", seen[1], seen[0]);
        assert!(seen[0] * 8 > seen[1] && seen[1] * 8 > seen[0], "{name}: one answer is rare: {seen:?}");
        assert!(undecided * 50 < seen[0] + seen[1], "{name}: {undecided} of {seen:?} not decided again");
    }
}

#[test]
fn a_solver_gets_its_own_names_and_they_read_back() {
    let (_, source) = files().into_iter().find(|(name, _)| name == "counters.toml").expect("the file");
    let finite =
        FiniteMutator { definition: theory_file::read(&source).ok().map(Into::into), ..FiniteMutator::default() };
    let target = TargetSpelling { dialect: Dialect::default().of_solver("cvc5"), ..TargetSpelling::default() };
    let mut uses = 0;
    let made = finite.problems(&target, Unit { campaign: 2, number: 0 }, 30, |_, mutant| {
        let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
        assert_eq!(parsed.errors, [], "{}", mutant.text);
        let asserted = mutant.text.lines().skip(1).collect::<Vec<_>>().join("\n");
        assert!(!asserted.contains("(sat-add ") && !asserted.contains(" Counter)"), "{asserted}");
        uses += usize::from(asserted.contains("(satplus ")) + usize::from(asserted.contains(" Ctr)"));
        Ok::<(), ()>(())
    });
    assert!(made == Ok(30) && uses > 10, "{made:?}, {uses}");
}

#[test]
fn an_open_result_is_no_certain_one() {
    let theory = theory_file::read(
        "[[sort]]\nname = \"T\"\nencoding = \"(_ BitVec 2)\"\n[[operator]]\nname = \"quotient\"\narguments = \"(x T) (y T)\"\n\
         result = \"T\"\nopen = \"(= y #b00)\"\nmeaning = \"(bvudiv x y)\"\n[[operator]]\nname = \"none\"\nresult = \"T\"\nmeaning = \"#b00\"",
    )
    .expect("it reads");
    let known = |assertion: &str| {
        let text = format!("{theory}(declare-const x T)(declare-const y T)(assert {assertion})(check-sat)");
        let limits = truth::ExhaustLimits::default();
        truth::of_check(&text, 0, TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded })
    };
    // Either value is allowed, so the answer is `sat` by a choice, which no solver is judged by.
    for assertion in ["(= (quotient x none) x)", "(distinct (quotient x none) x)"] {
        assert!(known(assertion).is_ok_and(|truth| truth.word() == "sat" && truth.is_by_choice()), "{assertion}");
    }
    // But it is one value: a function of the arguments.
    let same = known("(and (= x y) (distinct (quotient x none) (quotient y none)))");
    assert!(matches!(same, Ok(CheckTruth::Unsat(_))), "{same:?}");
}
