//! The store: written data is read back, and unusable stores are reported.

use super::*;
use crate::counts::answer_counts::{Cell, CellKey};
use crate::counts::stats::Snapshot;
use crate::persist::{Past, SpentTime, StateUpdate};
use crate::schedule::bandit::{Arm, Dimension};
use crate::schedule::completed::Shard;
use crate::schedule::pairs::SeedSolverPair;
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::state::finding_index::{GroupKey, KnownGroup};
use crate::state::{CoverageKey, Covered, Delta};
use crate::under_test::Mode;
use finding::BugClass;
use std::collections::BTreeMap;
use std::fs;

fn open(path: &Path) -> CampaignStore {
    match CampaignStore::open(path).expect("it opens") {
        Opened::Whole(store) => store,
        Opened::Damaged { cause, .. } => panic!("damaged: {cause}"),
    }
}

fn group(seed: usize) -> GroupKey {
    let (mode, options) = ("tactic smt".to_string(), String::new());
    GroupKey {
        class: BugClass::B,
        target: 1,
        mode,
        seed,
        from_seed: false,
        options,
        symptom: "sat".to_string(),
        flaky: false,
    }
}

fn batch(mark: u64, done: &[u64]) -> StateUpdate {
    let cell = Cell { scripts: 2, answers: BTreeMap::from([("sat".to_string(), 2), ("timeout".to_string(), 1)]) };
    let cell_key = CellKey { solver: "z3".into(), mutator: "storm".into(), logic: String::new() };
    let coverage = CoverageKey { seed: 0, mutator: "storm".into(), solver: 1, mode: Mode::Tactic };
    let key = ModelKey { seed: 1, instance: 2, negated: true };
    let delta = Delta {
        done: done.to_vec(),
        watermark: mark,
        counts: Snapshot { mutants: 8, units: 1, seeds: 1, sat: 2, ..Snapshot::default() },
        cells: [(cell_key, cell)].into_iter().collect(),
        coverage: [(coverage, Covered { units: 1, mutants: 8 })].into_iter().collect(),
        pairs: [((0, 1), SeedSolverPair { visits: 3, failures: 1, seen: 0x8001, cost: 7, reward: 5 })]
            .into_iter()
            .collect(),
        arms: [((1, Dimension::Mode, 2), Arm { cost: 4, reward: 9 })].into_iter().collect(),
        sent: vec![(0, "ab".into())],
        skipped: vec![(1, "why".into())],
        groups: 1,
        labels: vec![(0, PartnerLabel::of_letters(Some("QF_LIA"), "su-"))],
        models: vec![(key, Some("(model)".into())), (ModelKey { negated: false, ..key }, None)],
    };
    let kept = vec![(12, "B-small".to_string()), (40, "B-large".to_string())];
    StateUpdate { delta, groups: vec![(group(0), KnownGroup { kept, confirmed: 5, unconfirmed: 1, repeats: 2 })] }
}

fn filled(path: &Path) -> CampaignStore {
    let mut store = open(path);
    store.name_solvers(&["cvc5".into(), "z3".into()]).expect("names");
    store.name_seeds(["a".to_string(), "b".to_string()].into_iter()).expect("names");
    store.write(&batch(2, &[0, 1, 5]), SpentTime { wall_s: 61.5, own_cpu_s: 0.5 }).expect("it is written");
    store
}

fn check(past: &Past) {
    let known = &past.remembered;
    assert_eq!((known.watermark, &known.done[..]), (2, &[5][..]), "what is below the watermark is not listed");
    assert_eq!((known.totals.mutants, known.totals.sat, known.wall_s), (8, 2, 61.5));
    assert_eq!(known.pairs, [(0, 1, SeedSolverPair { visits: 3, failures: 1, seen: 0x8001, cost: 7, reward: 5 })]);
    assert_eq!(known.arms, [((1, Dimension::Mode, 2), Arm { cost: 4, reward: 9 })]);
    assert_eq!((&known.sent[..], &known.skipped[..]), (&[0][..], &[1][..]));
    assert_eq!(known.labels, [(0, PartnerLabel::of_letters(Some("QF_LIA"), "su-"))]);
    assert_eq!(past.models.len(), 2);
    assert_eq!(past.groups.len(), 1);
    assert_eq!((&past.groups[0].0, past.groups[0].1.confirmed), (&group(0), 5));
}

#[test]
fn what_is_written_comes_back() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("a.db");
    drop(filled(&path));
    check(&open(&path).past().expect("it reads"));
    // Counts add up, other values are replaced, and the watermark absorbs the listed units.
    let mut store = open(&path);
    store.write(&batch(6, &[2, 3, 4]), SpentTime::default()).expect("it is written");
    let past = store.past().expect("it reads");
    assert_eq!((past.remembered.watermark, past.remembered.done.len(), past.remembered.totals.mutants), (6, 0, 16));
    let n: i64 = store.connection.query_row("SELECT sum(n) FROM answers", [], |row| row.get(0)).expect("a sum");
    assert_eq!(n, 6);
}

#[test]
fn what_cannot_be_used_is_said() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("a.db");
    let refused = |sql: &str| {
        fs::remove_file(&path).ok();
        drop(filled(&path));
        Connection::open(&path).and_then(|c| c.execute_batch(sql)).expect("it is changed");
        CampaignStore::open(&path).map(drop).expect_err("it is refused").to_string()
    };
    let newer = refused("PRAGMA user_version = 99");
    assert!(newer.contains("version 99") && newer.contains("newer squall"), "{newer}");
    assert!(refused("PRAGMA user_version = -1").contains("version -1"));
    assert!(refused("PRAGMA application_id = 7").contains("another program"));
}

#[test]
fn an_older_store_is_brought_up_to_date() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("a.db");
    let old = Connection::open(&path).expect("a database");
    old.execute_batch(schema::STEPS[0]).expect("the first version");
    old.pragma_update(None, "application_id", schema::APPLICATION).expect("ours");
    old.pragma_update(None, "user_version", 1).expect("a version");
    old.execute_batch("INSERT INTO counts VALUES ('mutants', 77); INSERT INTO facts VALUES ('mark', 4)").expect("rows");
    old.execute_batch(schema::STEPS[1]).expect("the second version");
    old.pragma_update(None, "user_version", 2).expect("a version");
    old.execute_batch("INSERT INTO arms VALUES (0, 'tactic', 1, 5, 6), (0, 'family', 1, 7, 8)").expect("rows");
    drop(old);
    let past = open(&path).past().expect("it reads");
    assert_eq!((past.remembered.totals.mutants, past.remembered.watermark), (77, 4));
    let arms: Vec<_> =
        past.remembered.arms.iter().map(|((_, dimension, place), _)| (dimension.word(), *place)).collect();
    assert_eq!(arms, [("family", 1)], "tactics have other places by now");
    check(&filled(&root.path().join("b.db")).past().expect("it reads"));
}

#[test]
fn damage_is_put_aside() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("a.db");
    let damage = |change: fn(&mut Vec<u8>)| {
        let store = filled(&path);
        store.connection.pragma_update(None, "journal_mode", "DELETE").expect("no log");
        drop(store);
        let mut bytes = fs::read(&path).expect("bytes");
        change(&mut bytes);
        fs::write(&path, bytes).expect("a file");
        match CampaignStore::open(&path).expect("a new one") {
            Opened::Whole(_) => panic!("the damage was not seen"),
            Opened::Damaged { store, aside, .. } => {
                assert!(Path::new(&aside).exists());
                assert_eq!(store.past().expect("it reads").remembered.watermark, 0);
            }
        }
        fs::remove_file(&path).expect("it is removed");
    };
    damage(|bytes| bytes[..16].copy_from_slice(b"not a database!!"));
    damage(|bytes| bytes.truncate(4096 * 3));
    damage(|bytes| bytes[4096..].fill(0xa5));
    assert!(root.path().join("a.db.damaged-3").exists(), "each has its own name");
}

/// `status` once waited for the writer of a pipe, and a view in place of a table ran without end.
#[test]
fn what_is_no_plain_database_is_not_opened() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("a.db");
    let refused = |what: &str| {
        let opened = CampaignStore::open(&path).map(drop).expect_err(what).to_string();
        assert_eq!(opened, summary::summary(&path).expect_err(what).to_string(), "{what}");
        opened
    };
    for end in ["", "-wal", "-shm", "-journal"] {
        drop(filled(&path));
        let part = with_end(&path, end);
        let _ = fs::remove_file(&part);
        drop(std::os::unix::net::UnixListener::bind(&part).expect("a socket"));
        assert!(refused(end).contains("is not a regular file"));
        fs::remove_file(part).expect("it goes");
        let _ = fs::remove_file(&path);
    }
    for code in [
        "DROP TABLE counts; CREATE VIEW counts AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT 'sat' AS name, n FROM c",
        "CREATE TRIGGER t AFTER INSERT ON counts BEGIN DELETE FROM facts; END",
    ] {
        filled(&path).connection.execute_batch(code).expect("it is made");
        assert!(refused(code).contains("another program"));
        fs::remove_file(&path).expect("it goes");
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let root = tempfile::tempdir().expect("a folder");
    let mut store = filled(&root.path().join("a.db"));
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).expect("a number");
    let limit = |store: &CampaignStore, pages: i64| {
        store.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).expect("a limit");
    };
    limit(&store, pages);
    let mut large = batch(9, &[6, 7, 8]);
    large.delta.models = vec![(ModelKey { seed: 0, instance: 0, negated: false }, Some("x".repeat(1 << 20).into()))];
    let refused = store.write(&large, SpentTime::default()).expect_err("there is no room");
    assert!(refused.is_full(), "{refused}");
    check(&store.past().expect("it reads"));
    limit(&store, 1 << 20);
    store.write(&large, SpentTime::default()).expect("there is room");
    assert_eq!(store.past().expect("it reads").remembered.totals.mutants, 16);
}

#[test]
fn parts_add_up() {
    let root = tempfile::tempdir().expect("a folder");
    let (one, two) = (root.path().join("one.db"), root.path().join("two.db"));
    drop(filled(&one));
    drop(filled(&two));
    let mut all = open(&root.path().join("all.db"));
    all.absorb(&one, Shard { first: 0, step: 2 }).expect("the first part");
    all.absorb(&two, Shard { first: 1, step: 2 }).expect("the second part");
    let past = all.past().expect("it reads");
    assert_eq!((past.remembered.totals.mutants, past.remembered.totals.seeds, past.remembered.wall_s), (16, 1, 123.0));
    assert_eq!((past.groups.len(), past.groups[0].1.confirmed, past.remembered.watermark), (1, 10, 0));
    assert_eq!(all.names().expect("names").1, ["a", "b"]);
}
