//! Tests of `journal`.

use experiment::contender::{ModelVerdict, Sample};
use experiment::journal::Journal;
use solver::outcome::Answer;
use std::fs;

#[test]
fn every_sample_is_kept_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().join("runs");
    let open = || Journal::<Sample>::open(&runs).expect("a journal");
    use Answer::{Cancelled, Crashed, MemOut, Missing, OutputOut, Sat, Timeout, Unknown, Unsat, Void};
    for answer in [Sat, Unsat, Unknown, Timeout, MemOut, OutputOut, Cancelled, Crashed, Void, Missing] {
        for model in [ModelVerdict::None, ModelVerdict::Valid, ModelVerdict::Invalid, ModelVerdict::Unknown] {
            let sample = Sample { answers: vec![answer; 2], model, wall: 0.25, cpu: 0.125, memory: 7 };
            let key = || format!("{} {}", answer.word(), model.word());
            open().keep(key(), &sample).expect("written");
            let back = open().get(&key()).expect("a sample");
            assert!(back.answers == [answer; 2] && back.model == model && back.wall == 0.25 && back.memory == 7);
            let line = fs::read_to_string(runs.join("journal.jsonl")).expect("a journal");
            assert!(line.contains(&format!("\"{}\"],\"model\":\"{}\"", answer.word(), model.word())), "{line}");
        }
    }
    assert!(open().get("another run").is_none());
}

#[test]
fn half_a_line_is_lost_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Journal::<u32>::open(folder.path()).expect("a journal");
    open().keep("one".to_string(), &1).expect("written");
    let path = folder.path().join("journal.jsonl");
    let text = fs::read_to_string(&path).expect("a journal");
    fs::write(&path, text + "[\"two\",").expect("a file");
    open().keep("three".to_string(), &3).expect("written");
    let journal = open();
    assert_eq!(["one", "two", "three"].map(|key| journal.get(key)), [Some(1), None, Some(3)]);
    // The last result under a key counts.
    journal.keep("one".to_string(), &4).expect("written");
    assert_eq!((journal.get("one"), open().get("one")), (Some(4), Some(4)));
    assert!(Journal::<u32>::open(&path).is_err(), "a file is no folder");
    // A link in a stranger's folder is not followed.
    let (other, strange) = (folder.path().join("other"), folder.path().join("strange"));
    fs::write(&other, "mine").expect("a file");
    fs::create_dir(&strange).expect("a folder");
    std::os::unix::fs::symlink(&other, strange.join("journal.jsonl")).expect("a link");
    assert!(Journal::<u32>::open(&strange).is_err());
    assert_eq!(fs::read_to_string(&other).expect("a file"), "mine");
}
