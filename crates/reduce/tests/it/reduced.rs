//! Runs the cases of `tests/reduce`: what is left of a script on which a solver errs, and what single passes propose.
//!
//! Lines above a script state what is asked. Each case has one of:
//! - `; wrong: ANSWER on TEXT`: a stand-in solver judges a whole reduction. It gives this wrong answer (`unsat`, `sat` or `unknown`) to a
//!   check if the text up to there contains TEXT, and else the right one; or it dies of a signal (`crash`) or an assertion (`abort`) if the
//!   whole script contains TEXT. TEXT is in backquotes; `` `A` and `B` `` asks for both. The first of several lines that applies counts, and
//!   the first line is the failure that is reduced. `; witness: MODEL` gives the values that satisfy the script.
//! - `; pass: NAME`: one pass of reductions proposes scripts, under the witness if there is one.
//! - `; without: NAMES`: the script is rewritten without these operators.
//! - `; title:`: the operators that a title names.
//!
//! Lines that state what is expected, of the first kind:
//! - `; expect: left LINE`: what is left; a line for each line of it.
//! - `; expect: at most N bytes`, `; expect: contains TEXT`, `; expect: lacks TEXT`: of what is left.
//! - `; expect: trust WORD`: why the answer is known to be wrong, such as `certified` or `observed`.
//! - `; expect: refused PART`: there is no reduction; the message has this part.
//!
//! Of the others:
//! - `; expect: proposes SCRIPT`: this script, on one line, is among the proposals; `; expect: proposes nothing`: none differs from the input.
//! - `; expect: never TEXT`: no proposal contains it. `; expect: witness`: the witness, as the pass extends it, satisfies a proposal.
//! - `; expect: answer WORD`: the answer of the rewritten script is this, as that of the script is; `; expect: stays`: it is not rewritten.
//! - `; expect: title WORDS`.
//!
//! `; case:` and `; given:` are described in `cases.rs` of `smtlib`. To add a case, add it to a file or add a file: nothing is compiled.

use crate::support::cases::{Case, cases_in, read_cases};
use crate::support::{begin, question, run, stand_in};
use finding::FailureKind;
use reduce::passes::{self, View};
use reduce::plan::EditPlan;
use reduce::subject::WitnessValues;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_check};
use semantics::{Model, Stop};
use smtlib::{Script, Store};
use std::fmt::Write;
use std::sync::Arc;

/// The headers of this runner.
const WORDS: [&str; 6] = ["wrong", "witness", "pass", "without", "title", "expect"];

/// What was found, for comparison with each expectation.
enum Found {
    /// The text that is left, and why the answer is known to be wrong.
    Reduced {
        text: String,
        trust: String,
    },
    Refused(String),
    Proposals(Proposals),
    /// The answers before and after, if the script was rewritten.
    Rewritten(Option<(String, String)>),
    Title(String),
}

/// What one pass proposes.
struct Proposals {
    input: String,
    scripts: Vec<String>,
    /// The witness satisfies a proposal that is not the input.
    is_witnessed: bool,
}

impl Found {
    /// Whether an expectation holds. None: such a case has none of this kind.
    fn holds(&self, expected: &str, lines: &[&str]) -> Option<bool> {
        let (word, rest) = expected.split_once(' ').unwrap_or((expected, ""));
        Some(match (self, word) {
            // The lines together are the text.
            (Found::Reduced { text, .. }, "left") => text.lines().eq(lines.iter().copied()),
            (Found::Reduced { text, .. }, "at") => {
                let most = rest.strip_prefix("most ")?.strip_suffix(" bytes")?;
                text.len() <= most.parse::<usize>().ok()?
            }
            (Found::Reduced { text, .. }, "contains") => text.contains(rest),
            (Found::Reduced { text, .. }, "lacks") => !text.contains(rest),
            (Found::Reduced { trust, .. }, "trust") => trust == rest,
            (Found::Refused(message), "refused") => message.contains(rest),
            (Found::Reduced { .. }, "refused")
            | (Found::Refused(_), "left" | "at" | "contains" | "lacks" | "trust") => false,
            (Found::Proposals(all), "proposes") if rest == "nothing" => all.scripts.iter().all(|s| *s == all.input),
            (Found::Proposals(all), "proposes") => all.scripts.iter().any(|script| script == rest),
            (Found::Proposals(all), "never") => !all.scripts.iter().any(|script| script.contains(rest)),
            (Found::Proposals(all), "witness") => all.is_witnessed,
            (Found::Rewritten(answers), "answer") => {
                answers.as_ref().is_some_and(|(before, after)| before == rest && after == rest)
            }
            (Found::Rewritten(answers), "stays") => answers.is_none(),
            (Found::Title(title), "title") => title == rest,
            _ => return None,
        })
    }

    fn describe(&self) -> String {
        match self {
            Found::Reduced { text, trust } => format!("{} bytes are left, {trust}:\n{text}", text.len()),
            Found::Refused(message) => format!("refused {message}"),
            Found::Proposals(all) => format!("it proposes\n{}", all.scripts.join("\n")),
            Found::Rewritten(Some((before, after))) => format!("the answer {after} in place of {before}"),
            Found::Rewritten(None) => "stays".to_string(),
            Found::Title(title) => format!("title {title}"),
        }
    }
}

fn header<'c>(case: &'c Case, word: &str) -> Option<&'c str> {
    case.headers.iter().find(|(key, _)| key == word).map(|(_, value)| value.as_str())
}

/// The stand-in solver of the `wrong` lines as a shell script that has the text as `$t`, and the failure that is reduced.
fn solver_of(lines: &[&str]) -> Result<(String, FailureKind), String> {
    let (mut crashes, mut answers, mut first) = (String::new(), String::new(), None);
    for line in lines {
        let unreadable = || format!("`wrong: {line}` is not understood: expected ANSWER on `TEXT`");
        let (answer, condition) = line.split_once(" on `").ok_or_else(unreadable)?;
        let texts: Vec<&str> = condition.strip_suffix('`').ok_or_else(unreadable)?.split("` and `").collect();
        if condition.contains('\'') {
            return Err(format!("`wrong: {line}`: a text with an apostrophe cannot be looked for"));
        }
        let (kind, right, dies) = match answer {
            "unsat" => (FailureKind::Unsat, "sat", None),
            "sat" => (FailureKind::Sat, "unsat", None),
            "unknown" => (FailureKind::Unknown, "sat", None),
            "crash" => (FailureKind::Crash, "sat", Some("kill -SEGV $$")),
            "abort" => (FailureKind::Crash, "sat", Some("echo 'ASSERTION VIOLATION at a.cpp' >&2; kill -ABRT $$")),
            _ => return Err(unreadable()),
        };
        let action = dies.map_or_else(|| format!("a=${{a:-{answer}}}"), str::to_string);
        let (open, close) = ("case \"$t\" in *'", ";; esac");
        let rule = texts.iter().rev().fold(action, |inner, text| format!("{open}{text}'*) {inner}{close}"));
        let rules = if dies.is_some() { &mut crashes } else { &mut answers };
        let _ = writeln!(rules, "{rule}");
        first = first.or(Some((kind, right)));
    }
    let (kind, right) = first.ok_or("a case without `wrong`, `pass`, `without` and `title`")?;
    let each = format!("t=\"$t $l\"; a=\n{answers}case \"$l\" in *'(check-sat'*) echo ${{a:-{right}}};; esac");
    Ok((format!("{crashes}all=$t; t=\nprintf '%s\\n' \"$all\" | while read -r l; do {each}; done"), kind))
}

fn reduced(case: &Case, text: &str) -> Result<Found, String> {
    let wrong: Vec<&str> = case.headers.iter().filter(|(key, _)| key == "wrong").map(|(_, v)| v.as_str()).collect();
    let (body, kind) = solver_of(&wrong)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let witness = header(case, "witness").unwrap_or_default();
    let (subject, begun) = match begin(&question(stand_in(folder.path(), &body), Some(kind), witness), text) {
        Ok(begun) => begun,
        Err(error) => return Ok(Found::Refused(error.to_string())),
    };
    let (text, report) = run(subject, begun.evidence, begun.judge, 2);
    if !report.finished {
        return Err("the reduction does not end".to_string());
    }
    Ok(Found::Reduced { text, trust: report.truth.to_string() })
}

/// A script on one line.
fn one_line(store: &Store, script: &Script) -> String {
    store.script_text(script).trim().replace('\n', "")
}

fn proposals(case: &Case, pass: &str, text: &str) -> Result<Proposals, String> {
    let pass = passes::REGISTRY.iter().copied().find(|known| known.name == pass);
    let pass = pass.ok_or("there is no pass of this name")?;
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    if let Some(error) = parsed.errors.first() {
        return Err(error.render("case", text));
    }
    let script = parsed.script;
    let declarations: Vec<_> = script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    let witness = header(case, "witness");
    let mut model: Option<Model> = witness.and_then(|text| reduce::model_text::read(&mut store, &declarations, text));
    if witness.is_some() && model.is_none() {
        return Err("the witness is not understood".to_string());
    }
    let mut values = model.clone().map(|model| WitnessValues::new(Arc::new(model)));
    let (values, witness) = (values.as_mut(), model.as_mut());
    let mut view = View { store: &mut store, script: &script, check: 0, values, model: witness, extended: false };
    let edits: Vec<_> = (pass.propose)(&mut view).into_iter().flatten().collect();
    let (input, mut scripts, mut is_witnessed) = (one_line(&store, &script), Vec::new(), false);
    for edit in &edits {
        let proposed = EditPlan::new([edit]).apply(&mut store, &script);
        let line = one_line(&store, &proposed);
        if let Some(model) = &model
            && line != input
        {
            let mut again = store.clone();
            let parsed = smtlib::parse(&mut again, &line).script;
            let check = parsed.instances().into_iter().next();
            let mut values = WitnessValues::new(Arc::new(model.clone()));
            is_witnessed |= check.is_some_and(|check| values.satisfy(&again, &check));
        }
        scripts.push(line);
    }
    Ok(Proposals { input, scripts, is_witnessed })
}

/// The script without operators: its answer before and after.
fn rewritten(names: &str, text: &str) -> Result<Found, String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, text).script;
    let boxed: Vec<Box<str>> = names.split(' ').map(Box::from).collect();
    let Some(script) = reduce::neutral::without(&mut store, &script, 0, &boxed) else {
        return Ok(Found::Rewritten(None));
    };
    let found = store.script_text(&script);
    if let Some(name) = names.split(' ').find(|name| found.contains(&format!("({name} "))) {
        return Err(format!("`{name}` is still there:\n{found}"));
    }
    let truth = |text: &str| {
        let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search: Search::Quick };
        of_check(text, 0, query)
            .map(|truth| truth.word().to_string())
            .map_err(|_| "its worlds are too many".to_string())
    };
    Ok(Found::Rewritten(Some((truth(text)?, truth(&found)?))))
}

/// What is wrong with a case: expectations that do not hold, with what was found in their place.
fn failures(case: &Case) -> Vec<String> {
    let text = if case.given.is_empty() { case.text.clone() } else { format!("{}\n{}", case.given, case.text) };
    let found = match (header(case, "pass"), header(case, "without"), header(case, "title")) {
        (Some(pass), ..) => proposals(case, pass, &text).map(Found::Proposals),
        (_, Some(names), _) => rewritten(names, &text),
        (.., Some(_)) => Ok(Found::Title(reduce::signature::operators(&text).join(", "))),
        _ => reduced(case, &text),
    };
    let expected: Vec<&str> = case.headers.iter().filter(|(k, _)| k == "expect").map(|(_, v)| v.as_str()).collect();
    let lines: Vec<&str> = expected.iter().filter_map(|line| line.strip_prefix("left ")).collect();
    let fail = |expected: &str, found: &str| {
        format!("{}: {}\n  expected: {expected}\n  found: {found}", case.place, case.name)
    };
    let found = match found {
        Ok(_) if expected.is_empty() => return vec![fail("some expectation", "none")],
        Ok(found) => found,
        Err(error) => return vec![fail(&expected.join("\n"), &error)],
    };
    let wrong = expected.iter().filter_map(|line| match found.holds(line, &lines) {
        Some(true) => None,
        Some(false) => Some(fail(line, &found.describe())),
        None => Some(fail(line, "an unknown expectation of such a case")),
    });
    wrong.collect()
}

#[test]
fn every_case_is_reduced_as_expected() {
    let cases = cases_in("reduce", &WORDS);
    assert!(cases.len() >= 90, "{} cases", cases.len());
    let wrong: Vec<String> = cases.iter().flat_map(failures).collect();
    assert!(wrong.is_empty(), "{} expectations of {} cases fail:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn a_wrong_expectation_fails_with_its_place_and_both_texts() {
    let check = |text: &str, expect: &[&str]| {
        let text = format!("; case: a case\n{text}\n");
        let said = match read_cases("file.smt2", &text, &WORDS) {
            Ok(cases) => cases.iter().flat_map(failures).collect::<Vec<_>>().join("\n"),
            Err(error) => error,
        };
        assert_eq!(said.is_empty(), expect.is_empty(), "{text}\n{said}");
        expect.iter().for_each(|part| assert!(said.contains(part), "`{part}` is missing in\n{said}"));
    };
    let place = "file.smt2:1: a case";
    let solver = "; wrong: unsat on `xor`\n; witness: ((define-fun p () Bool true))\n";
    let script = "(declare-fun p () Bool)\n(assert (xor p false))\n(check-sat)";
    let reduction = |expect: &str, parts: &[&str]| check(&format!("{solver}; expect: {expect}\n{script}"), parts);
    reduction("left (assert (xor true false))\n; expect: left (check-sat)", &[]);
    let found = "38 bytes are left, certified:\n(assert (xor true false))\n(check-sat)";
    reduction("left (check-sat)", &[place, "expected: left (check-sat)\n", found]);
    reduction("at most 20 bytes", &[place, "expected: at most 20 bytes", found]);
    reduction("contains (or", &[place, "expected: contains (or", found]);
    reduction("lacks xor", &[place, "expected: lacks xor", found]);
    reduction("trust observed", &[place, "expected: trust observed", found]);
    reduction("refused it answers", &[place, "expected: refused it answers", found]);
    reduction("small", &[place, "expected: small", "an unknown expectation"]);
    reduction("proposes nothing", &[place, "an unknown expectation"]);
    let pass = |expect: &str, parts: &[&str]| {
        check(&format!("; pass: children\n; expect: {expect}\n(assert (not (not true)))\n(check-sat)"), parts);
    };
    pass("proposes (assert (not true))(check-sat)", &[]);
    pass("proposes nothing", &[place, "proposes nothing", "it proposes\n(assert (not true))(check-sat)"]);
    pass("never true", &[place, "never true", "it proposes\n(assert (not true))(check-sat)"]);
    check("; pass: no-such\n; expect: proposes nothing\n(check-sat)", &[place, "there is no pass of this name"]);
    check("; wrong: unsat\n; expect: lacks x\n(check-sat)", &[place, "is not understood", "ANSWER on `TEXT`"]);
    check("; title:\n; expect: title xor\n(assert (not true))", &[place, "expected: title xor", "found: title"]);
    check("; without: bvmul\n; expect: answer sat\n(assert true)\n(check-sat)", &[place, "answer sat", "found: stays"]);
    check("; wrongly: unsat on `x`\n(check-sat)", &["file.smt2:2: unknown word `wrongly`: expected `case`, `given`"]);
}

#[test]
fn every_pass_says_what_it_does() {
    for pass in passes::REGISTRY {
        assert!(!pass.about.is_empty() && !pass.about.ends_with('.'), "{}", pass.name);
        assert_eq!(passes::REGISTRY.iter().filter(|p| p.name == pass.name).count(), 1);
    }
}
