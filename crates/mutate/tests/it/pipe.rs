//! Programs that stay as mutators: what they get, what they give, and how they fail and are started again.

use crate::support::{parent, read};
use mutate::exec::{Exec, Pipe, PipeBatch, ProgramBatch};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unit};
use smtlib::{Status, Store};

const SEED: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";

/// A program that keeps the last seed, and runs a piece of shell for every number, `$body`. `answer` sends a mutant.
fn program(answer: &str) -> String {
    format!(
        "answer() {{ printf 'mutant %s\\n%s' \"${{#1}}\" \"$1\"; }}; n=0
        while read -r word length; do
            body=$(head -c \"$length\")
            case $word in seed) seed=$body;; make) n=$((n+1)); {answer};; esac
        done"
    )
}

/// Hands over a batch of the program, which may take two seconds and write one MiB.
fn with_batch(command: &str, body: impl FnOnce(&mut PipeBatch<'_>)) {
    let exec = Exec { command: command.to_string(), seconds: 2, megabytes: 1, ..Exec::default() };
    let (store, instances) = read(SEED);
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 1, number: 2 } };
    body(&mut Pipe::new(exec).batch(&store, request).expect("one seed"));
}

/// The texts of the first mutants; empty for those that were not made.
fn texts(batch: &mut PipeBatch<'_>, count: u64) -> Vec<String> {
    let mut mutant = Mutant::default();
    let text = |index| {
        batch.mutant(index, &mut mutant);
        assert_eq!(mutant.text.is_empty(), mutant.expected.is_empty());
        mutant.text.clone()
    };
    (0..count).map(text).collect()
}

#[test]
fn one_program_makes_many_mutants_of_a_seed() {
    with_batch(&program("answer \"$seed; mutant $n of $body by $$\""), |batch| {
        let mut mutant = Mutant::default();
        let mut seen = Vec::new();
        for index in 0..50 {
            batch.mutant(index, &mut mutant);
            assert!(mutant.text.contains("(assert (> x 3))"), "{}", mutant.text);
            assert_eq!((&mutant.expected[..], &mutant.truth), (&[Status::Unknown][..], &None));
            seen.push(mutant.text.lines().last().unwrap_or_default().to_string());
        }
        assert_eq!((batch.starts(), batch.failures()), (1, (0, None)));
        assert!(seen[49].contains("mutant 50 of "), "{}", seen[49]);
        let numbers: std::collections::BTreeSet<_> = seen.iter().map(|line| line.split(' ').nth(4)).collect();
        assert_eq!(numbers.len(), 50, "each has a random number of its own");
    });
}

#[test]
fn the_same_mutant_gets_the_same_random_number() {
    let mut all = Vec::new();
    for count in [3, 3] {
        with_batch(&program("answer \"$seed; $body\""), |batch| all.push(texts(batch, count)));
    }
    assert_eq!(all[0], all[1]);
    with_batch(&program("answer \"$seed; $body\""), |batch| {
        let mut mutant = Mutant::default();
        batch.mutant(2, &mut mutant);
        assert_eq!(mutant.text, all[0][2], "whatever was made before it");
    });
}

#[test]
fn units_share_a_program_and_hand_it_their_seeds() {
    let command = program("answer \"$seed; $$\"");
    let pipe = Pipe::new(Exec { command, ..Exec::default() });
    let mut processes = Vec::new();
    for bound in 0..4 {
        let (store, instances) = read(&SEED.replace('3', &bound.to_string()));
        let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 1, number: bound } };
        let mut batch = pipe.batch(&store, request).expect("one seed");
        let made = texts(&mut batch, 2);
        assert!(made.iter().all(|text| text.contains(&format!("(assert (> x {bound}))"))), "{made:?}");
        assert_eq!(batch.starts(), u64::from(bound == 0));
        processes.extend(made.iter().map(|text| text.lines().last().unwrap_or_default().to_string()));
    }
    processes.dedup();
    assert_eq!(processes.len(), 1, "{processes:?}");
    let (store, empty): (Store, [_; 0]) = (Store::new(), []);
    let target = TargetSpelling::default();
    let none = MutantRequest { parents: &empty, target: &target, unit: Unit { campaign: 1, number: 0 } };
    assert!(pipe.batch(&store, none).is_err());
}

/// The program fails on its second number, each time that it is started.
#[test]
fn a_program_that_fails_is_named_and_started_again() {
    let check = |failure: &str, expect: &str, starts: u64| {
        let answer = format!("if [ $n = 2 ]; then {failure}; else answer \"$seed\"; fi");
        with_batch(&program(&answer), |batch| {
            let made: Vec<bool> = texts(batch, 5).iter().map(|text| !text.is_empty()).collect();
            let (count, failure) = batch.failures();
            let said = failure.map(ToString::to_string).unwrap_or_default();
            let lost = made.iter().filter(|is_made| !**is_made).count() as u64;
            assert_eq!((count, batch.starts()), (lost, starts), "{expect}: {said} {made:?}");
            assert!(made[0] && !made[1] && made[2], "{expect}: {made:?}");
            assert!(said.contains(expect), "{expect}: {said}");
            // Those that are ended fail again on the second number of the next process.
            assert_eq!(lost, if starts == 1 { 1 } else { 2 }, "{expect}: {made:?}");
        });
    };
    check("echo out of ideas >&2; exit 3", "ended with exit code 3 where a mutant was expected: out of ideas", 3);
    check("exit 0", "the program ended with exit code 0 where a mutant was expected", 3);
    check("kill -SEGV $$", "died of signal 11", 3);
    check("exec >&-; sleep 5", "closed its output", 3);
    check("sleep 60", "did not answer within 2 s; --set seconds=N", 3);
    check(
        "yes",
        "wrote 'y' where a frame `mutant LENGTH` was expected; one that prints a script is for exec:COMMAND",
        3,
    );
    check("printf 'mutant many\\n'", "wrote 'mutant many' where a frame", 3);
    check("printf 'mutant 99999999\\n'", "more than 1 MiB; --set megabytes=N", 3);
    check("printf 'sonnet 1\\nx'", "a frame 'sonnet' instead of 'mutant' or 'none'", 3);
    check("printf 'mutant 100\\n(check-sat)'", "did not answer within 2 s", 3);
    // These keep to the frames, so that the process stays.
    check("printf 'none 7\\nno ints'", "makes no mutant of this seed: no ints", 1);
    check("printf 'none 0\\n'", "makes no mutant of this seed", 1);
    check("answer '(assert'", "no SMT-LIB script", 1);
    check("answer '(assert true)'", "without `(check-sat)`", 1);
    check("printf 'mutant 2\\n\\377\\376'", "it is not UTF-8", 1);
}

#[test]
fn a_second_answer_to_one_question_is_not_taken_for_the_next() {
    // Both are written at once.
    with_batch(&program("printf 'mutant %s\\n%smutant 0\\n' ${#seed} \"$seed\""), |batch| {
        let made = texts(batch, 4);
        let said = batch.failures().1.map(ToString::to_string).unwrap_or_default();
        assert!(said.contains("wrote 'mutant 0' behind a mutant, unasked"), "{said}");
        assert!(!made[0].is_empty() && made[1].is_empty() && !made[2].is_empty(), "{made:?}");
    });
}

#[test]
fn what_is_written_to_standard_error_stops_nobody() {
    with_batch(&program("head -c 100000 /dev/zero >&2; answer \"$seed\""), |batch| {
        assert!(texts(batch, 20).iter().all(|text| !text.is_empty()), "{:?}", batch.failures());
        assert_eq!(batch.starts(), 1);
    });
}

/// What it wrote to standard error before the first question was thrown away, if it was quick.
#[test]
fn a_program_that_cannot_be_run_is_said() {
    with_batch("/no/such/program", |batch| {
        assert_eq!(texts(batch, 2), ["", ""]);
        let said = batch.failures().1.map(ToString::to_string).unwrap_or_default();
        assert!(said.contains("ended with exit code 127") && said.contains("/no/such/program"), "{said}");
    });
}
