//! Small campaigns: one that ended before it began, and hits that the reward does not want.
#![cfg(feature = "store")]

use crate::support::campaign::{config, target, target_named};
use finding::kind::RewardByAlike;
use finding::{CauseReward, FindingKind};
use fuzz::findings::OutDir;
use fuzz::{CampaignEvent, CampaignWatch, Stops};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

struct Silent;

impl CampaignWatch for Silent {
    fn event(&self, _: &CampaignEvent) {}
}

/// Wants hits according to its setting, and records the questions.
#[derive(Default)]
struct Choosy {
    wants: bool,
    asked: Mutex<Vec<FindingKind>>,
}

impl CauseReward for Choosy {
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64 {
        RewardByAlike.worth(kind, alike)
    }

    fn is_wanted(&self, kind: &FindingKind) -> bool {
        self.asked.lock().expect("nobody panicked").push(kind.clone());
        self.wants
    }
}

/// A campaign killed between creating its store and marking its folder was rejected from then on: the folder contained a store and no
/// mark. Here the store cannot be created, which ends the campaign at the same point.
#[test]
fn a_folder_is_known_as_ours_before_its_store_is_made() {
    let root = tempfile::tempdir().expect("a folder");
    let out = root.path().join("out");
    let config = config(root.path(), 1, 1);
    let stops = Stops::default();
    let targets = [target(&stops)];
    let run = |claimed: OutDir| fuzz::run(&config, claimed, &targets, None, &stops, &Silent);

    let claimed = OutDir::claim(&out).expect("a new folder");
    fs::create_dir(out.join("campaign.db")).expect("a folder in the store's place");
    run(claimed).map(drop).expect_err("there is no place for a store");
    fs::remove_dir(out.join("campaign.db")).expect("it is empty");
    fs::write(out.join("campaign.db"), "").expect("what sqlite makes first");
    assert_eq!(run(OutDir::claim(&out).expect("it is ours")).expect("it runs").standing.counts.units, 1);
}

#[test]
fn hits_that_are_not_wanted_are_counted_and_not_kept() {
    let check = |wants: bool| {
        let root = tempfile::tempdir().expect("a folder");
        let solver = root.path().join("unsat.sh");
        std::fs::write(&solver, "#!/bin/sh\nexec awk '/check-sat/ { print \"unsat\"; fflush() }'\n").expect("a file");
        std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        let reward = Arc::new(Choosy { wants, ..Choosy::default() });
        let config = fuzz::Config { reward: reward.clone(), ..config(root.path(), 2, 12) };
        let stops = Stops::default();
        let targets = [target_named(solver.to_str().expect("UTF-8"), &stops)];
        let out = OutDir::claim(&root.path().join("out")).expect("a new folder");
        let ended = fuzz::run(&config, out, &targets, None, &stops, &Silent).expect("it runs");
        let kept = std::fs::read_dir(root.path().join("out/findings")).map_or(0, Iterator::count);
        assert_eq!(kept > 0, wants);
        let counts = ended.standing.tally;
        assert_eq!(counts.findings.values().sum::<u64>() > 0, wants, "{counts:?}");
        assert!(counts.repeats > 0, "what is not kept is counted: {counts:?}");
        let asked = reward.asked.lock().expect("nobody panicked");
        assert!(
            asked.iter().any(|kind| kind.mode == "plain"
                && kind.origin.made_by.starts_with("finite ")
                && kind.origin.seed.is_none()),
            "{asked:?}"
        );
        assert!(asked.iter().all(|kind| kind.options.is_empty()), "{asked:?}");
    };
    check(true);
    check(false);
}
