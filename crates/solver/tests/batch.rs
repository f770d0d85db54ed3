//! Batches: they give the answers that asking one by one gives, whatever the scripts do to the solver.

use std::path::Path;
use std::time::Duration;

use solver::batch::{BatchSize, Batched};
use solver::cache::Cache;
use solver::install::Fleet;
use solver::process::{Limits, Status};
use solver::profiles::{Profiles, parse};
use solver::session::{Purpose, Solver};
use solver::sources::path::SearchPath;
use solver::spec::SolverSpec;

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in-solver");

fn stand_in() -> Solver {
    let profile = "name = \"stand-in\"\nexecutables = [\"stand-in-solver\"]\nreset-works = true\n";
    let mut profiles = Profiles::embedded().unwrap();
    profiles.add(parse(profile, "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, Cache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let spec: SolverSpec = STAND_IN.parse().unwrap();
    fleet.solver(fleet.resolve(&spec).unwrap())
}

fn limits() -> Limits {
    // Only the script that hangs meets it.
    Limits { wall: Duration::from_secs(5), ..Limits::default() }
}

fn words(batched: &Batched) -> Vec<&'static str> {
    batched.outcome.answers.iter().map(|check| check.answer.word()).collect()
}

#[test]
fn a_batch_changes_no_verdict() {
    // The script, its answers, and how many went before it in its process.
    let table: [(&str, &[&str], usize); 14] = [
        (";; say sat\n(check-sat)", &["sat"], 0),
        (";; say unsat\n;; say unknown\n(check-sat)(check-sat)", &["unsat", "unknown"], 1),
        (";; say sat\n;; signal 11\n(check-sat)(check-sat)", &["sat", "crashed"], 0),
        (";; say unsat\n(check-sat) ; a comment without an end of line", &["unsat"], 0),
        (";; say (error \"no\")\n;; say sat\n(check-sat)", &["void"], 0),
        (";; say sat\n(check-sat)", &["sat"], 2),
        (";; hang\n(check-sat)", &["timeout"], 0),
        ("(set-option :x 1)\n;; say sat\n(check-sat)", &["sat"], 0),
        (";; say sat\n;; say end-of-script-0-0\n(check-sat)", &["sat"], 0),
        (";; say sat\n(check-sat)\n(exit)", &["sat"], 1),
        (";; say sat\n(check-sat)\n(assert \"", &["sat"], 0),
        ("(check-sat)", &["missing"], 0),
        (";; say unsupported\n;; say sat\n(set-info :x 1)(check-sat)", &["sat"], 1),
        (";; say unsat\n(check-sat)", &["unsat"], 2),
    ];
    let scripts: Vec<&str> = table.iter().map(|(script, ..)| *script).collect();
    let solver = stand_in();
    let outcomes = solver.check_batch(&scripts, Purpose::SINGLE, &limits()).unwrap();
    assert_eq!(outcomes.len(), scripts.len());
    for (batched, (script, answers, predecessors)) in outcomes.iter().zip(&table) {
        assert_eq!(words(batched), *answers, "{script}");
        assert_eq!(batched.predecessors, *predecessors, "{script}");
    }
    let ended: Vec<_> = outcomes.iter().map(|batched| batched.ended_batch.as_ref().map(|end| end.status)).collect();
    assert_eq!((ended[2], ended[6]), (Some(Status::Signaled(11)), Some(Status::TimedOut)));
    assert_eq!(ended.iter().flatten().count(), 2);
    let twice: Vec<_> = (0..table.len()).filter(|index| outcomes[*index].asked_twice).collect();
    assert_eq!(twice, [2, 4, 6, 11]);
}

#[test]
fn lines_on_standard_error_send_every_script_to_a_process_of_its_own() {
    let scripts = [";; say sat\n(check-sat)", ";; say unsat\n;; complain Fatal failure within f\n(check-sat)"];
    let outcomes = stand_in().check_batch(&scripts, Purpose::SINGLE, &limits()).unwrap();
    assert!(outcomes[0].outcome.crash.is_none());
    assert!(outcomes[1].outcome.crash.is_some());
    assert!(outcomes.iter().all(|batched| batched.predecessors == 0));
}

#[test]
fn built_ins_and_single_scripts_need_no_batch() {
    let solver = stand_in();
    assert!(solver.check_batch(&[], Purpose::SINGLE, &limits()).unwrap().is_empty());
    let one = solver.check_batch(&[";; say sat\n(check-sat)"], Purpose::SINGLE, &limits()).unwrap();
    assert_eq!(words(&one[0]), ["sat"]);
}

#[test]
fn the_size_follows_what_batches_come_to() {
    let outcomes = |scripts: &[&str]| stand_in().check_batch(scripts, Purpose::SINGLE, &limits()).unwrap();
    let good = outcomes(&[";; say sat\n(check-sat)"; 4]);
    let bad = outcomes(&[";; say sat\n(check-sat)", ";; signal 11\n(check-sat)"]);
    let mut size = BatchSize::new(16);
    size.learn(&good);
    size.learn(&good);
    size.learn(&good);
    assert_eq!(size.get(), 16);
    (0..9).for_each(|_| size.learn(&bad));
    assert_eq!(size.get(), 1);
    assert_eq!(BatchSize::new(0).get(), 1);
}
