//! Tests of `campaigns::plan`.

use experiment::campaigns::plan::*;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn arms_are_a_name_and_options() {
    let arm = |name: &str, words: &[&str]| {
        Ok(CampaignArm { name: name.to_string(), words: words.iter().map(|w| (*w).to_string()).collect() })
    };
    let check =
        |text: &str, expect: Result<CampaignArm, ArmError>| assert_eq!(text.parse::<CampaignArm>(), expect, "{text}");
    check("operator=--mutator operator", arm("operator", &["--mutator", "operator"]));
    check(
        "s>o=--mutator 'shrink>operator' --set values=3",
        arm("s>o", &["--mutator", "shrink>operator", "--set", "values=3"]),
    );
    check("default=", arm("default", &[]));
    check("operator", Err(ArmError::Unnamed("operator".into())));
    check("--mutator=operator", Err(ArmError::Unnamed("--mutator=operator".into())));
    check("=--mutator x", Err(ArmError::Unnamed("=--mutator x".into())));
    check("a/b=", Err(ArmError::Name("a/b".into())));
    check("..=", Err(ArmError::Name("..".into())));
    check("a=--mutator 'x", Err(ArmError::Quotes("a".into())));
    check("a=--seed 3", Err(ArmError::Fixed("a".into(), "--seed".into())));
    check("a=--for-cpu=3s", Err(ArmError::Fixed("a".into(), "--for-cpu".into())));
}

#[test]
fn options_are_varied_in_every_combination() {
    let check = |arms: &[&str], options: &[&str], expect: &[(&str, &str)]| {
        let arms = arms.iter().filter_map(|text| text.parse().ok()).collect();
        let options: Vec<VariedOption> = options.iter().filter_map(|text| text.parse().ok()).collect();
        let made: Vec<(String, String)> =
            varied(arms, &options).into_iter().map(|arm| (arm.name, arm.words.join(" "))).collect();
        let made: Vec<(&str, &str)> = made.iter().map(|(name, words)| (&name[..], &words[..])).collect();
        assert_eq!(made, expect);
    };
    check(&["a=-x"], &[], &[("a", "-x")]);
    check(
        &["a=-x"],
        &["max-depth=4,8"],
        &[("a-max-depth-4", "-x --max-depth 4"), ("a-max-depth-8", "-x --max-depth 8")],
    );
    check(
        &[],
        &["solver=z3@4.8.7,./b", "n=1"],
        &[("solver-z3_4.8.7-n-1", "--solver z3@4.8.7 --n 1"), ("solver-._b-n-1", "--solver ./b --n 1")],
    );
    for wrong in ["x", "=1", "--x=1", "x=", "x=1,,2"] {
        assert_eq!(wrong.parse::<VariedOption>(), Err(ArmError::Unvaried(wrong.into())));
    }
    assert_eq!("seed=1,2".parse::<VariedOption>(), Err(ArmError::Fixed("seed".into(), "--seed".into())));
}

#[test]
fn arms_take_turns() {
    let arms = ["a=--blocking on", "b=--schedule uniform"].iter().filter_map(|text| text.parse().ok()).collect();
    let plan = CampaignPlan {
        common: vec!["--solver".into(), "builtin:sat".into()],
        arms,
        seeds: vec![1, 2],
        cpu: Duration::from_millis(1500),
        reduce: Duration::ZERO,
        jobs: 1,
        out: PathBuf::from("out"),
    };
    let order: Vec<(usize, u64)> = plan.runs().iter().map(|run| (run.arm, run.seed)).collect();
    assert_eq!(order, [(0, 1), (1, 1), (0, 2), (1, 2)]);
    let line = plan.command_line(PlannedRun { arm: 1, seed: 2 }).join(" ");
    assert_eq!(
        line,
        "fuzz --solver builtin:sat --schedule uniform --seed 2 --jobs 1 --for-cpu 1500ms --for 90s --reduce-share 0 \
         --format json --out out/runs/b-2"
    );
    // Without reductions there is no known cause to avoid, so that both arms of a comparison were the same.
    let line = plan.command_line(PlannedRun { arm: 0, seed: 2 }).join(" ");
    assert!(line.contains("--blocking on") && !line.contains("--reduce-share"), "{line}");
}
