//! The parts of schedules: completed units, families of seeds, pairs of seed and solver.

use corpus::seed::SeedSource;
use fuzz::schedule::completed::{CompletedUnits, Shard};
use fuzz::schedule::families::Families;
use fuzz::schedule::pairs::{Pairs, SchedulePass, SeedSolverPair};
use fuzz::schedule::unit::PairVerdict;
use mutate::rng::RandomStream;

#[test]
fn units_are_done_once_and_in_any_order() {
    let mut completed = CompletedUnits::new(Shard { first: 2, step: 5 }, 0, []);
    assert_eq!([completed.take(), completed.take(), completed.take()], [2, 7, 12]);
    assert!(completed.finish(12) && !completed.finish(12));
    assert!(!completed.finish(13), "another shard's");
    assert_eq!((completed.watermark(), completed.count(), completed.under_way()), (0, 1, 2));
    assert!(completed.finish(2) && completed.finish(7));
    assert_eq!((completed.watermark(), completed.count(), completed.under_way()), (3, 3, 0));
    assert!(completed.is_done(7) && !completed.is_done(17) && !completed.is_done(8));
    // A restart gives out the units that were in progress and skips those that were done.
    let mut again = CompletedUnits::new(Shard::WHOLE, 3, [5, 4, 7, 1]);
    assert_eq!([again.take(), again.take(), again.take(), again.take()], [3, 6, 8, 9]);
    assert!(again.finish(3));
    assert_eq!(again.watermark(), 6);
}

/// Such units were once given out again: a cluster's campaign then waited for a report that the server had dropped as a duplicate.
#[test]
fn units_done_before_they_are_given_out_are_not_given_out() {
    let mut completed = CompletedUnits::new(Shard::WHOLE, 3, [7]);
    assert!(completed.finish(3) && completed.finish(4));
    assert_eq!((completed.watermark(), completed.peek(), completed.under_way()), (5, 5, 0));
    assert_eq!([completed.take(), completed.take(), completed.take()], [5, 6, 8]);
    assert_eq!(completed.under_way(), 3);
}

#[test]
fn shards_are_read_and_written() {
    let check = |text: &str, expect: Option<Shard>| {
        assert_eq!(text.parse().ok(), expect, "{text}");
        assert!(expect.is_none_or(|shard| shard.to_string() == text), "{text}");
    };
    check("1/1", Some(Shard::WHOLE));
    check("8/8", Some(Shard { first: 7, step: 8 }));
    check("0/8", None);
    check("9/8", None);
    check("2", None);
    check("-1/2", None);
    check("joined of 1/2, 2/2", None);
}

fn draws() -> RandomStream {
    mutate::unit_rng(1, 1)
}

#[test]
fn a_seed_is_known_by_its_logic_or_its_folder() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("mine");
    std::fs::create_dir(&folder).expect("a folder");
    // Next to it a seed that sets QF_LIA, one that sets no logic, and one that cannot be read.
    let check = |text: &str, is_lia: bool| {
        let files = [("a.smt2", text), ("b.smt2", "(set-logic QF_LIA)"), ("c.smt2", "(assert true)")];
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        let names = ["a.smt2", "b.smt2", "c.smt2", "gone.smt2"];
        let seeds: Vec<SeedSource> = names.map(|name| SeedSource::File(folder.join(name))).into();
        let families = Families::of(&seeds, &mut draws());
        assert_eq!((families.len(), families.of_seed(2)), (2, families.of_seed(3)), "{text}");
        assert_eq!(families.of_seed(0) == families.of_seed(1), is_lia, "{text}");
    };
    check("; a comment\n(set-logic  QF_LIA )(check-sat)", true);
    check("; (set-logic QF_BV)\n(set-info :x \"(set-logic QF_BV)\")(set-logic;\n|QF_LIA|)", true);
    check("(set-info :status sat)", false);
    check("(set-logic )", false);
    check("(set-logic QF_L", false);
}

#[test]
fn the_small_come_first_and_equals_in_an_order_of_their_own() {
    let seeds: Vec<(String, u32)> = (0..60).map(|n| ("x".to_string(), if n % 2 == 0 { 16 } else { 8 })).collect();
    let families = Families::new(&seeds, &mut draws());
    let order = families.seeds(0);
    assert!(order[..30].iter().all(|seed| seed % 2 == 1) && order[30..].iter().all(|seed| seed % 2 == 0));
    assert!(order[..30].windows(2).any(|two| two[0] > two[1]), "{order:?}");
    assert_eq!(families, Families::new(&seeds, &mut draws()), "the same each time");
}

/// Campaigns of one theme ended after a minute, since three units of each pair had no answer at some time.
#[test]
fn only_failures_in_a_row_count() {
    let mut pairs = Pairs::new(1, 1);
    let (fail, none) = (PairVerdict::Failed("why".into()), PairVerdict::NoProblem("why".into()));
    for _ in 0..100 {
        assert!(!pairs.judge(0, 0, &fail) && !pairs.judge(0, 0, &PairVerdict::Useful) && !pairs.judge(0, 0, &fail));
        pairs.answered(0, 0);
    }
    // A solver that has answered a problem answers another one some time, unless none of many is answered.
    let gone = (0..60).position(|_| pairs.judge(0, 0, &none));
    assert_eq!(gone, Some(52));
    pairs.answered(0, 0);
    assert!(pairs.is_all_given_up());
    // One that has answered nothing has no such credit.
    let mut pairs = Pairs::new(1, 1);
    assert_eq!((0..60).position(|_| pairs.judge(0, 0, &none)), Some(2));
    // A campaign that goes on knows what has answered.
    let mut pairs = Pairs::new(1, 1);
    pairs.restore([(0, 0, SeedSolverPair { seen: 1, ..SeedSolverPair::default() })]);
    assert_eq!((0..60).position(|_| pairs.judge(0, 0, &none)), Some(52));
}

#[test]
fn what_gives_nothing_is_given_up() {
    let mut pairs = Pairs::new(2, 2);
    let fail = PairVerdict::Failed("why".into());
    let gone = [1, 2, 3, 4].map(|_| pairs.judge(0, 1, &fail));
    assert_eq!(gone, [false, false, true, false]);
    assert!(pairs.judge(0, 0, &PairVerdict::NotForSolver("why".into())));
    assert!(!pairs.judge(0, 0, &PairVerdict::ForNobody("why".into())));
    assert!(!pairs.is_all_given_up() && !pairs.judge(1, 1, &PairVerdict::Useful));
    assert!(pairs.judge(1, 0, &PairVerdict::ForNobody("why".into())) && pairs.is_all_given_up());
    let mut again = Pairs::new(2, 2);
    again.restore([(0, 1, *pairs.get(0, 1)), (7, 7, SeedSolverPair::default()), (0, 1, *pairs.get(0, 1))]);
    assert!(again.get(0, 1).is_given_up() && !again.is_all_given_up());
    assert!(
        again.judge(1, 1, &PairVerdict::ForNobody("why".into()))
            && again.judge(0, 0, &PairVerdict::NotForSolver("".into()))
    );
    assert!(again.is_all_given_up());
}

#[test]
fn a_pass_ends_when_all_that_is_left_was_visited() {
    let mut pairs = Pairs::new(3, 1);
    let check = |pairs: &Pairs, number, done, left| {
        assert_eq!(pairs.pass(), SchedulePass { number, done, pairs: left });
    };
    check(&pairs, 1, 0, 3);
    pairs.get_mut(1, 0).visits += 5;
    check(&pairs, 1, 1, 3);
    pairs.judge(2, 0, &PairVerdict::ForNobody("why".into()));
    check(&pairs, 1, 1, 2);
    pairs.get_mut(0, 0).visits += 1;
    check(&pairs, 2, 1, 2);
    pairs.judge(0, 0, &PairVerdict::ForNobody("why".into()));
    pairs.judge(1, 0, &PairVerdict::ForNobody("why".into()));
    check(&pairs, 0, 0, 0);
}
