//! Unit tests of `src/commands/fuzz/metrics/text.rs`.

use super::*;
use ::fuzz::state::event::Detail;
use std::collections::BTreeMap;

#[test]
fn labels_are_escaped_and_every_sample_has_a_type() {
    let answers = BTreeMap::from([("a \"b\" \\ \n".to_string(), BTreeMap::from([("sat".to_string(), 7)]))]);
    let standing = ::fuzz::state::event::CampaignStatus {
        wall_s: 1.5,
        cpu_s: 2.0,
        solver_cpu_s: 1.0,
        counts: ::fuzz::counts::stats::Snapshot { mutants: 3, ..Default::default() },
        tally: ::fuzz::state::finding_index::FindingCounts::default(),
        causes: None,
        skipped: 0,
        quarantined: 0,
        refused: 0,
        error_texts: Vec::new(),
        unmade_texts: Vec::new(),
    };
    let detail = Detail { answers, ..Detail::default() };
    let page = exposition(&CampaignMetrics { standing: Some(standing), detail, ..CampaignMetrics::default() });
    assert!(page.contains("squall_answers_total{solver=\"a \\\"b\\\" \\\\ \\n\",answer=\"sat\"} 7\n"), "{page}");
    assert!(
        page.contains("\nsquall_mutants_total 3\n") && page.contains("\nsquall_wall_seconds_total 1.5\n"),
        "{page}"
    );
    let mut typed = std::collections::HashSet::new();
    for line in page.lines() {
        match line.strip_prefix("# TYPE ") {
            Some(rest) => assert!(typed.insert(rest.split(' ').next().unwrap_or_default()), "twice: {line}"),
            None if line.starts_with('#') => {}
            None => {
                let name = line.split(['{', ' ']).next().unwrap_or_default();
                assert!(typed.contains(name), "no type: {line}");
                let value = line.rsplit(' ').next().unwrap_or_default();
                assert!(value.parse::<f64>().is_ok(), "no number: {line}");
            }
        }
    }
}
