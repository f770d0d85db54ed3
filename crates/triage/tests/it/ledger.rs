//! The ledger of nights: what is read, who may write, and the history of a cause.

use serde_json::{Value, json};
use std::fs;
use triage::ledger::{KnownCause, LEDGER, Ledger, LedgerError, NightFolder, Sighting};

fn sighting(night: u64) -> Sighting {
    Sighting { night, at: 100 * night, program: "z3".to_string() }
}

fn cause() -> KnownCause {
    let cause = json!({
        "class": "A", "summary": "s", "bytes": 30, "first": sighting(1), "last": sighting(1), "gone": null, "hits": 1,
        "told": true, "handed": true,
    });
    serde_json::from_value(cause).expect("a cause")
}

#[test]
fn what_is_no_ledger_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join(LEDGER);
    let check = |text: &str, expect: Option<&str>| {
        fs::write(&path, text).expect("a file");
        let said = Ledger::read(&path).err().map(|error| error.to_string());
        let is_expected = match (&said, expect) {
            (Some(said), Some(expect)) => said.contains(expect) && said.contains("is not a ledger of this program"),
            (said, expect) => said.is_none() && expect.is_none(),
        };
        assert!(is_expected, "{text}\n{said:?}");
    };
    let of = |name: &str, value: Value| json!({"format": 1, "nights": 2, "program": null, "causes": {name: value}});
    let with = |key: &str, value: Value| {
        let mut all = of("A-1", json!(cause()));
        all[key] = value;
        all.to_string()
    };
    check(&of("A-1", json!(cause())).to_string(), None);
    check("", Some("EOF"));
    check("[]", Some("invalid"));
    check(&with("format", json!(2)), Some("its format is 2, but only 1 is supported"));
    check(&with("nights", json!(-1)), Some("invalid value"));
    check(&with("more", json!(1)), Some("unknown field `more`"));
    check(&of("A-1", json!({})).to_string(), Some("missing field"));
    // A name is a folder: one that leads elsewhere is none.
    for name in ["../A-1", "", ".A", "a/b"] {
        check(&of(name, json!(cause())).to_string(), Some("is not a finding's name"));
    }
    fs::remove_file(&path).expect("removed");
    assert!(matches!(Ledger::read(&path), Err(LedgerError::System { .. })));
}

#[test]
fn a_cause_that_is_back_is_reported_again() {
    let check = |gone: Option<u64>, expect: (bool, bool, bool)| {
        let mut cause = KnownCause { gone: gone.map(sighting), ..cause() };
        let mut ledger = Ledger::default();
        ledger.causes.insert("A-1".to_string(), cause.clone());
        assert_eq!(ledger.present().count(), usize::from(gone.is_none()));
        cause.meet(&sighting(7));
        assert_eq!((cause.first.night, cause.last.night, cause.gone.is_none()), (1, 7, true));
        assert_eq!((cause.back, cause.told, cause.handed), expect);
        // Until that is shown, another meeting changes nothing.
        let before = KnownCause { last: sighting(8), ..cause.clone() };
        cause.meet(&sighting(8));
        assert_eq!(cause, before);
    };
    check(None, (false, true, true));
    check(Some(4), (true, false, false));
}

#[test]
fn a_folder_has_one_owner_and_keeps_its_ledger() {
    let root = tempfile::tempdir().expect("a folder");
    let place = root.path().join("nights-of-z3");
    let folder = NightFolder::claim(&place).expect("nobody has it");
    assert!(matches!(NightFolder::claim(&place), Err(LedgerError::Claimed(_))));
    let mut ledger = folder.ledger().expect("an empty one");
    assert_eq!(ledger, Ledger::default());
    ledger.nights = 3;
    ledger.causes.insert("A-1".to_string(), cause());
    folder.save(&ledger).expect("written");
    drop(folder);
    let folder = NightFolder::claim(&place).expect("it is free again");
    assert_eq!(folder.ledger().expect("as it was written"), ledger);
    // A damaged ledger is never replaced by an empty one.
    fs::write(place.join(LEDGER), "{").expect("a file");
    assert!(matches!(folder.ledger(), Err(LedgerError::Damaged { .. })));
}

#[test]
fn nights_are_campaigns_in_their_order() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = NightFolder::claim(root.path()).expect("nobody has it");
    for (name, is_campaign) in [("00010", true), ("00009", true), ("00011", false), ("notes", true)] {
        let night = folder.night(1).with_file_name(name);
        fs::create_dir_all(&night).expect("a folder");
        if is_campaign {
            fs::write(night.join("campaign.json"), "{}").expect("a file");
        }
    }
    assert_eq!(folder.nights(), [folder.night(9), folder.night(10)]);
}
