//! The tables of a campaign's store, as migration steps.

/// Marks the file as ours (`PRAGMA application_id`): "sqll" in ASCII.
pub(super) const APPLICATION: i32 = 0x7371_6c6c;

/// The steps; `PRAGMA user_version` is the number of completed ones. A released step never changes: add another one.
pub(super) const STEPS: &[&str] = &[
    // 1: the progress of a campaign, and the results of its units.
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
     CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
     CREATE TABLE solvers (position INTEGER PRIMARY KEY, label TEXT NOT NULL);
     CREATE TABLE mutators (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
     CREATE TABLE seeds (
         position INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT, sent INTEGER NOT NULL DEFAULT 0,
         labelled INTEGER NOT NULL DEFAULT 0, logic TEXT, statuses TEXT, skipped TEXT);
     CREATE TABLE witnesses (
         seed INTEGER NOT NULL, instance INTEGER NOT NULL, negated INTEGER NOT NULL, model TEXT,
         PRIMARY KEY (seed, instance, negated)) WITHOUT ROWID;
     CREATE TABLE pairs (
         seed INTEGER NOT NULL, solver INTEGER NOT NULL, visits INTEGER NOT NULL, strikes INTEGER NOT NULL,
         seen INTEGER NOT NULL, cost INTEGER NOT NULL, reward INTEGER NOT NULL,
         PRIMARY KEY (seed, solver)) WITHOUT ROWID;
     -- Units done at or above the mark; below it all are.
     CREATE TABLE done (position INTEGER PRIMARY KEY);
     CREATE TABLE answers (
         solver TEXT NOT NULL, mutator TEXT NOT NULL, logic TEXT NOT NULL, answer TEXT NOT NULL, n INTEGER NOT NULL,
         PRIMARY KEY (solver, mutator, logic, answer)) WITHOUT ROWID;
     CREATE TABLE coverage (
         seed INTEGER NOT NULL, mutator INTEGER NOT NULL, solver INTEGER NOT NULL, mode INTEGER NOT NULL,
         units INTEGER NOT NULL, mutants INTEGER NOT NULL,
         PRIMARY KEY (seed, mutator, solver, mode)) WITHOUT ROWID;
     CREATE TABLE groups (
         id INTEGER PRIMARY KEY, class TEXT NOT NULL, solver INTEGER NOT NULL, mode TEXT NOT NULL, seed INTEGER NOT NULL,
         from_seed INTEGER NOT NULL, options TEXT NOT NULL, flaky INTEGER NOT NULL, confirmed INTEGER NOT NULL,
         unconfirmed INTEGER NOT NULL, repeats INTEGER NOT NULL,
         UNIQUE (class, solver, mode, seed, from_seed, options, flaky));
     CREATE TABLE findings (id TEXT PRIMARY KEY, in_group INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
     CREATE INDEX findings_of_group ON findings (in_group);
     -- By minute of the campaign's own running time, which no change of the system's clock touches.
     CREATE TABLE throughput (
         minute INTEGER PRIMARY KEY, units INTEGER NOT NULL, mutants INTEGER NOT NULL, solver_cpu_ns INTEGER NOT NULL,
         groups INTEGER NOT NULL);",
    // 2: what the yield schedule learned; the shards of a merged campaign.
    "CREATE TABLE arms (
         solver INTEGER NOT NULL, dimension TEXT NOT NULL, place INTEGER NOT NULL, cost INTEGER NOT NULL,
         reward INTEGER NOT NULL, PRIMARY KEY (solver, dimension, place)) WITHOUT ROWID;
     CREATE TABLE shards (
         first INTEGER NOT NULL, step INTEGER NOT NULL, mark INTEGER NOT NULL, above INTEGER NOT NULL,
         PRIMARY KEY (first, step)) WITHOUT ROWID;",
    // 3: tactics were numbered from the whole list, which is no longer an arm, and modes were credited with everything of a unit.
    "DELETE FROM arms WHERE dimension IN ('mode', 'tactic');",
    // 4: groups are distinguished by their symptoms, too. What is known of them is read again from the findings on disk.
    "DROP TABLE groups;
     DELETE FROM findings;
     CREATE TABLE groups (
         id INTEGER PRIMARY KEY, class TEXT NOT NULL, solver INTEGER NOT NULL, mode TEXT NOT NULL, seed INTEGER NOT NULL,
         from_seed INTEGER NOT NULL, options TEXT NOT NULL, symptom TEXT NOT NULL, flaky INTEGER NOT NULL,
         confirmed INTEGER NOT NULL, unconfirmed INTEGER NOT NULL, repeats INTEGER NOT NULL,
         UNIQUE (class, solver, mode, seed, from_seed, options, symptom, flaky));",
];
