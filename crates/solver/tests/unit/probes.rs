//! Unit tests of `src/doctor/probes.rs`.

use super::*;

#[test]
fn every_line_is_a_question_or_refutes_the_last() {
    let lines = include_str!("../../src/doctor/probes.txt").lines().filter(|line| !line.starts_with('#'));
    let (refuted, asked): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("refuted "));
    assert_eq!(asked.len(), PROBES.len());
    assert_eq!(refuted.len(), PROBES.iter().filter(|probe| probe.refuted.is_some()).count());
}
