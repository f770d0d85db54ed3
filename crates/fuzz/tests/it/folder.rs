//! The folder of a campaign that ended before it began.

#![cfg(feature = "store")]

use crate::support::campaign::{config, target};
use fuzz::Stops;
use fuzz::findings::outdir::OutDir;
use fuzz::{CampaignEvent, CampaignWatch};
use std::fs;

struct Silent;

impl CampaignWatch for Silent {
    fn event(&self, _: &CampaignEvent) {}
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
