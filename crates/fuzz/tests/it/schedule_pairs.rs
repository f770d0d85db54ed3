//! Tests of `schedule::pairs`.

use fuzz::schedule::pairs::{Pairs, SchedulePass, SeedSolverPair};
use fuzz::schedule::unit::PairVerdict;

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
