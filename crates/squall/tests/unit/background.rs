//! What background reductions know, and what they say.

use super::*;
use ::finding::BugClass;
use finding::{Cause, ScriptOrigin};
use solver::cache::SolverCache;
use solver::profiles::Profiles;
use solver::sources::path::SearchPath;

struct Nobody;

impl CampaignWatch for Nobody {
    fn event(&self, _: &CampaignEvent) {}
}

fn finding(class: BugClass, trust: Trust, symptom: &str) -> FindingEvent {
    let cause = Cause {
        class,
        origin: ScriptOrigin::Mutant,
        solver: "z3".to_string(),
        symptom: symptom.to_string(),
        mode: "plain".to_string(),
        options: String::new(),
        seed: Some("a".to_string()),
        place: None,
    };
    let (id, summary, folder) = (String::new(), String::new(), String::new());
    FindingEvent {
        id,
        cause,
        trust,
        mutator: None,
        origin: finding::FindingOrigin::default(),
        summary,
        bytes: 1,
        folder,
    }
}

#[test]
fn a_wrong_answer_interrupts_what_matters_less() {
    let options = ReducingOptions { share: 1.0, jobs: 1, blocks: true, bisect: false, progress: |_| () };
    let check = |current: FindingEvent, comes: FindingEvent, expect: bool| {
        let cancel = CancelToken::new();
        let cache = SolverCache::at(Path::new("/nonexistent"));
        let fleet = Fleet::new(Profiles::embedded(), cache, SearchPath::new(Vec::new()));
        let reducing = Reducing::new(&Nobody, options, Arc::default(), cancel.clone(), fleet);
        reducing.enqueue(&current);
        let (_, interrupt) = reducing.next().expect("the one that waits");
        reducing.enqueue(&comes);
        assert_eq!(interrupt.is_cancelled(), expect, "{current:?} {comes:?}");
        assert!(!cancel.is_cancelled(), "only this one is interrupted");
        cancel.cancel();
        assert!(interrupt.is_cancelled(), "the end of all is the end of each");
    };
    let crash = || finding(BugClass::D, Trust::Observed, "signal: SIGSEGV");
    let wrong = || finding(BugClass::A, Trust::Certified, "unsat");
    let by_exhaustion = || finding(BugClass::B, Trust::Exhausted, "sat");
    check(crash(), wrong(), true);
    check(crash(), by_exhaustion(), true);
    check(finding(BugClass::B, Trust::Observed, "invalid model"), by_exhaustion(), true);
    check(wrong(), by_exhaustion(), false);
    check(wrong(), crash(), false);
    check(crash(), finding(BugClass::D, Trust::Observed, "signal: SIGABRT"), false);
}
