//! Messages of workers and coordinators, and the records that come with them.

use fuzz::Finding;
use fuzz::nats::wire::{Description, Expectation, Heartbeat, MAX_SMALL, Piece, WorkerMessage, is_worker, read, write};
use fuzz::schedule::unit::UnitPlan;

/// The campaign of the messages.
pub const CAMPAIGN: &str = "0123456789abcdef";

/// Bodies of messages: a unit, a campaign, a seed's label, hits, and a finding with its files.
pub const EXAMPLES: &[&str] = &[
    r#"{"number":7,"seed":0,"target":0,"visit":0,"choice":{"mutator":0,"mode":0,"bounds":1,"settings":[["max-depth","4"]]}}"#,
    r#"{"seed":4,"note":{"a":[1,2]},"seeds":[{"name":"a.smt2","sha256":""}],"solvers":["z3"],"over":false}"#,
    r#"{"quarantine":{"seed":"a.smt2","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}"#,
    r#"{"report":{"plan":{"number":7,"seed":0,"target":0,"visit":0},"complete":true,"seed_sent":true,"counts":{"mutants":8,"sat":8},"seed_sha256":"","cells":[{"solver":"z3","mutator":"storm","logic":"QF_LIA","scripts":8,"answers":{"sat":8}}],"mutator":"storm","modes":[["plain",8]],"errors":{},"verdict":"useful"}}"#,
    r#"{"unconfirmed":{"class":"A","target":0,"mode":"plain","seed":0,"from_seed":false,"options":"","symptom":"unsat","flaky":false}}"#,
    r#"{"worker":"host/7","jobs":2,"busy":1,"units":7,"mutants":99}"#,
    r#"{"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","from":0}"#,
    "{\"finding\":{\"finding\":{\"id\":\"x\"},\"files\":[[\"mutant.smt2\",3]]}}\n(a)",
];

/// Reads bytes as each message, unchanged and with the heading of this version, and checks the contents.
pub fn check(bytes: &[u8]) {
    let line = bytes.iter().position(|b| *b == b'\n').unwrap_or(bytes.len());
    let (text, files) = (&bytes[..line], bytes.get(line + 1..).unwrap_or_default());
    judge(text, files);
    if let Ok(body) = serde_json::from_slice::<serde_json::Value>(text) {
        judge(&write(CAMPAIGN, body), files);
    }
    let _ = serde_json::from_slice::<Finding>(bytes);
}

fn judge(message: &[u8], files: &[u8]) {
    let here =
        Expectation { campaign: CAMPAIGN.into(), seed: 4, seeds: vec!["a.smt2".into()], solvers: vec!["z3".into()] };
    if let Ok(message) = read::<UnitPlan>(message, MAX_SMALL, Some(CAMPAIGN)) {
        let _ = here.check_plan(&message.body);
    }
    let _ = read::<Description>(message, MAX_SMALL, None);
    let _ = read::<Piece>(message, MAX_SMALL, Some(CAMPAIGN));
    if let Ok(message) = read::<Heartbeat>(message, MAX_SMALL, Some(CAMPAIGN)) {
        let _ = is_worker(&message.body.worker);
    }
    let Ok(message) = read::<WorkerMessage>(message, MAX_SMALL, Some(CAMPAIGN)) else { return };
    let _ = match message.body {
        WorkerMessage::Finding { finding, files: named } => here.check_finding(&finding, &named, files).map(drop),
        WorkerMessage::Report(report) => here.check_report(&report),
        WorkerMessage::Unconfirmed(key) => here.check_group(&key),
        WorkerMessage::Quarantine { .. } => Ok(()),
    };
}
