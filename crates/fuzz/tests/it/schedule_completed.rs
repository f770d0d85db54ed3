//! Tests of `schedule::completed`.

use fuzz::schedule::completed::{CompletedUnits, Shard};

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
