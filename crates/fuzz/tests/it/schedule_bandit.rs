//! Tests of `schedule::bandit`.

use fuzz::schedule::bandit::{Bandit, Dimension, Reward};
use fuzz::schedule::families::Families;
use fuzz::schedule::pairs::Pairs;
use fuzz::schedule::unit::{PairVerdict, UnitPlan, UnitReport};
use fuzz::under_test::Mode;
use fuzz::under_test::SearchSpace;

fn space() -> SearchSpace {
    let named = |list: &[(&str, u32)]| list.iter().map(|(name, weight)| (name.to_string(), *weight)).collect();
    SearchSpace {
        mutators: named(&[("storm", 9), ("fusion", 1)]),
        moded: vec!["storm".to_string(), "fusion".to_string()],
        modes: Mode::ALL.to_vec(),
        tactics: named(&[("smt", 1), ("qflia", 2), ("horn", 1)]),
        bounds: true,
        themes: named(&[("strings", 4), ("fp", 9), ("ints", 1)]),
        // In a world of two mutators the second may be the one whose problems have themes.
        themed: vec!["fusion".to_string()],
    }
}

/// Families of ten seeds each.
fn families(seeds: usize) -> Families {
    let named: Vec<(String, u32)> = (0..seeds).map(|n| (format!("{}", n / 10), 0)).collect();
    Families::new(&named, &mut mutate::unit_rng(3, 3))
}

/// A mutant in a world.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sent {
    unit: u64,
    visit: u64,
    seed: usize,
    mutator: usize,
    depth: String,
    theme: Option<usize>,
    mode: Mode,
    /// The mode as in a finding's record.
    words: String,
}

/// Mutants of a unit.
const MUTANTS: usize = 8;

/// Returns the mutants of a plan, each with the mode of its settings.
fn mutants(plan: &UnitPlan) -> Vec<Sent> {
    let choice = plan.choice.as_ref().expect("a choice");
    let value = |name: &str| &choice.settings.iter().find(|(known, _)| known == name).expect("it is set").1;
    let percent = |name: &str| value(name).parse::<u32>().expect("a number");
    let tactics: Vec<&str> = value("tactics").split(';').collect();
    let mut draws = mutate::unit_rng(77, plan.number);
    let sent = (0..MUTANTS).map(|_| {
        let (is_incremental, is_tactic) = (draws.percent(percent("incremental")), draws.percent(percent("tactical")));
        let (mode, words) = match (is_incremental, is_tactic) {
            (true, _) => (Mode::Incremental, "incremental".to_string()),
            (_, true) => (Mode::Tactic, format!("tactic {}", draws.pick(&tactics).expect("there are some"))),
            _ => (Mode::Plain, "plain".to_string()),
        };
        let &UnitPlan { number: unit, visit, seed, .. } = plan;
        let (depth, theme) = (value("max-depth").clone(), choice.theme);
        Sent { unit, visit, seed, mutator: choice.mutator, depth, theme, mode, words }
    });
    sent.collect()
}

/// Returns the report of a unit whose mutants yield what `world` returns.
fn report(plan: &UnitPlan, sent: &[Sent], world: impl Fn(&Sent) -> u64) -> (UnitReport, Reward) {
    let count = |mode: Mode| sent.iter().filter(|sent| sent.mode == mode).count() as u64;
    let report = UnitReport {
        plan: plan.clone(),
        complete: true,
        counts: fuzz::counts::stats::Snapshot::default(),
        cells: Vec::new(),
        seed_sent: plan.visit == 0,
        seed_sha256: String::new(),
        mutator: plan.choice.as_ref().map(|choice| space().mutators[choice.mutator].0.clone()),
        modes: Mode::ALL.map(|mode| (mode, count(mode))).into_iter().filter(|(_, count)| *count > 0).collect(),
        errors: fuzz::counts::error_texts::ErrorTexts::default(),
        disagreements: Vec::new(),
        verdict: PairVerdict::Useful,
    };
    let worth = sent.iter().map(|sent| (sent.words.clone(), world(sent))).filter(|(_, worth)| *worth > 0);
    (report, Reward { cost: 20_000, groups: worth.collect(), ..Reward::default() })
}

/// Plays the given number of units, whose mutants yield what `world` returns, and returns the plans and the mutants.
fn play(units: u64, seeds: usize, world: impl Fn(&Sent) -> u64) -> (Vec<UnitPlan>, Vec<Sent>) {
    let mut bandit = Bandit::new(3, families(seeds), vec![space()]);
    let mut pairs = Pairs::new(seeds, 1);
    let (mut plans, mut all) = (Vec::new(), Vec::new());
    for number in 0..units {
        let plan = bandit.plan(number, &pairs).expect("pairs are left");
        pairs.get_mut(plan.seed, 0).visits += 1;
        let sent = mutants(&plan);
        let (report, reward) = report(&plan, &sent, &world);
        bandit.learn(&report, &mut pairs, &reward);
        plans.push(plan);
        all.extend(sent);
    }
    (plans, all)
}

fn share(sent: &[Sent], of: impl Fn(&Sent) -> bool) -> f64 {
    sent.iter().filter(|sent| of(sent)).count() as f64 / sent.len() as f64
}

#[test]
fn what_brings_groups_gets_most_mutants_and_the_rest_a_floor() {
    let (_, sent) = play(4000, 50, |sent| match (sent.seed % 10, sent) {
        (3, Sent { mutator: 1, mode: Mode::Tactic, .. }) => 700,
        (3, _) => 12,
        _ => 0,
    });
    let late = &sent[2000 * MUTANTS..];
    let check = |what: &str, share: f64, low: f64, high: f64| assert!((low..high).contains(&share), "{what}: {share}");
    check("good seeds", share(late, |sent| sent.seed % 10 == 3), 0.4, 0.97);
    check("the good mutator", share(late, |sent| sent.mutator == 1), 0.5, 0.99);
    check("the good mode", share(late, |sent| sent.mode == Mode::Tactic), 0.5, 0.99);
    check("another mode", share(late, |sent| sent.mode == Mode::Incremental), 0.01, 0.2);
    let visited: std::collections::HashSet<usize> = sent.iter().map(|sent| sent.seed).collect();
    assert_eq!(visited.len(), 50, "every seed had its turn");
    let depths: std::collections::HashSet<&str> = late.iter().map(|sent| sent.depth.as_str()).collect();
    assert_eq!(depths.len(), 5, "all bounds are drawn");
}

#[test]
fn a_theme_that_brings_something_is_drawn_more_often() {
    let shares = |world: fn(&Sent) -> u64| {
        let (_, sent) = play(2000, 50, world);
        let late = &sent[1000 * MUTANTS..];
        [0, 1, 2].map(|theme| share(late, |sent| sent.theme == Some(theme)))
    };
    let [strings, fp, ints] = shares(|_| 0);
    assert!(fp > strings && strings > ints, "the weights decide where nothing is brought: {strings} {fp} {ints}");
    let [strings, _, ints] = shares(|sent| if sent.mutator == 1 && sent.theme == Some(2) { 200 } else { 0 });
    assert!(ints > 0.5 && strings > 0.01, "{strings} {ints}");
    let (_, sent) = play(200, 50, |_| 0);
    assert!(sent.iter().all(|sent| sent.theme.is_some() == (sent.mutator == 1)), "the other mutators have no themes");
}

#[test]
fn a_tactic_that_errs_everywhere_is_drawn_more_often() {
    // Every seed yields a group, once, by the tactic `horn` alone.
    let seen = std::cell::RefCell::new(std::collections::HashSet::new());
    let is_horn = |sent: &Sent| sent.words == "tactic horn";
    let (_, sent) = play(600, 400, |sent| if is_horn(sent) && seen.borrow_mut().insert(sent.seed) { 1000 } else { 0 });
    let (early, later) = (&sent[..2 * MUTANTS], &sent[200 * MUTANTS..]);
    assert!(share(early, is_horn) < 0.4, "{}", share(early, is_horn));
    assert!(share(later, is_horn) > 0.5, "{}", share(later, is_horn));
    assert!(seen.borrow().len() > 250, "{}", seen.borrow().len());
}

#[test]
fn a_group_teaches_of_how_its_mutant_asked() {
    let mut bandit = Bandit::new(3, families(20), vec![space()]);
    let mut pairs = Pairs::new(20, 1);
    let mut plan = bandit.plan(0, &pairs).expect("pairs are left");
    if let Some(choice) = &mut plan.choice {
        choice.tactics = vec![0, 2, 0, 1];
    }
    let (mut report, _) = report(&plan, &mutants(&plan), |_| 0);
    report.modes = vec![(Mode::Plain, 2), (Mode::Tactic, 6)];
    let groups = vec![("tactic horn".to_string(), 1000), ("plain".to_string(), 500), ("reset".to_string(), 50)];
    let reward = Reward { cost: 16_000, seed: 300, answers: 80, groups };
    let changed = bandit.learn(&report, &mut pairs, &reward);
    let check = |dimension, n, expect: Option<(u64, u64)>| {
        let arm = changed.iter().find(|((_, known, place), _)| *known == dimension && *place == n);
        assert_eq!(arm.map(|(_, arm)| (arm.cost, arm.reward)), expect, "{dimension:?} {n}");
    };
    let did = plan.choice.as_ref().map_or(0, |choice| choice.mutator);
    check(Dimension::Visit, 0, Some((16_000, 1930)));
    check(Dimension::Mutator, did, Some((16_000, 1630)));
    check(Dimension::Mode, 0, Some((4000, 520)));
    check(Dimension::Mode, 1, None);
    check(Dimension::Mode, 2, Some((12_000, 1060)));
    check(Dimension::Tactic, 0, Some((6000, 30)));
    check(Dimension::Tactic, 1, Some((3000, 15)));
    check(Dimension::Tactic, 2, Some((3000, 1015)));
    // The modes of a mutator without modes are unknown.
    report.mutator = Some("unheard of".to_string());
    assert!(
        bandit
            .learn(&report, &mut pairs, &reward)
            .iter()
            .all(|((_, dimension, _), _)| { matches!(dimension, Dimension::Visit | Dimension::Family) })
    );
}

#[test]
fn seeds_never_tried_are_taken_for_others_of_their_family() {
    // Ten families of forty; all seeds of the third yield something at their first visit, and no others.
    let named: Vec<(String, u32)> = (0..400).map(|n| (format!("{}", n / 40), 0)).collect();
    let families = Families::new(&named, &mut mutate::unit_rng(3, 3));
    let mut bandit = Bandit::new(3, families, vec![space()]);
    let mut pairs = Pairs::new(400, 1);
    let mut first = Vec::new();
    for number in 0..200 {
        let plan = bandit.plan(number, &pairs).expect("pairs are left");
        pairs.get_mut(plan.seed, 0).visits += 1;
        if plan.visit == 0 {
            first.push(plan.seed);
        }
        let is_good = plan.visit == 0 && plan.seed / 40 == 3;
        let (report, reward) = report(&plan, &mutants(&plan), |_| 0);
        bandit.learn(&report, &mut pairs, &Reward { seed: if is_good { 1000 } else { 0 }, ..reward });
    }
    let good = first.iter().take(80).filter(|seed| **seed / 40 == 3).count();
    assert!(good > 25, "{good} of the first 80 seeds tried are of the good family, which has a tenth of all");
}

/// A short campaign with one seed asked one of two solvers alone, and said that nothing wrong was found.
#[test]
fn each_solver_is_asked_before_one_is_asked_twice() {
    for campaign in 0..20 {
        for seeds in [1, 30] {
            let mut bandit = Bandit::new(campaign, families(seeds), vec![space(), space(), space()]);
            let mut pairs = Pairs::new(seeds, 3);
            let mut asked = [0, 1, 2].map(|number| {
                let plan = bandit.plan(number, &pairs).expect("pairs are left");
                pairs.get_mut(plan.seed, plan.target).visits += 1;
                plan.target
            });
            asked.sort_unstable();
            assert_eq!(asked, [0, 1, 2], "of {seeds} seeds");
        }
    }
}

#[test]
fn what_is_exhausted_is_left() {
    let (_, sent) = play(3000, 20, |sent| if sent.unit < 1000 && sent.seed == 5 { 125 } else { 0 });
    assert!(share(&sent[200 * MUTANTS..1000 * MUTANTS], |sent| sent.seed == 5) > 0.5);
    assert!(share(&sent[2000 * MUTANTS..], |sent| sent.seed == 5) < 0.2);
}

#[test]
fn the_same_past_gives_the_same_plans_also_after_a_restart() {
    let world = |sent: &Sent| if sent.seed == 1 { 90 } else { 0 };
    let (plans, _) = play(300, 9, world);
    assert_eq!(plans, play(300, 9, world).0);
    let (mut bandit, mut pairs) = (Bandit::new(3, families(9), vec![space()]), Pairs::new(9, 1));
    let mut arms = std::collections::HashMap::new();
    for plan in &plans[..200] {
        pairs.get_mut(plan.seed, 0).visits += 1;
        let (report, reward) = report(plan, &mutants(plan), world);
        arms.extend(bandit.learn(&report, &mut pairs, &reward));
    }
    let mut again = Bandit::new(3, families(9), vec![space()]);
    again.restore(arms);
    assert_eq!(again.plan(200, &pairs), Some(plans[200].clone()));
}

#[test]
fn nothing_is_planned_where_nothing_is_left() {
    let (mut bandit, mut pairs) = (Bandit::new(0, families(1), vec![space()]), Pairs::new(1, 1));
    assert!(bandit.plan(0, &pairs).is_some());
    pairs.judge(0, 0, &PairVerdict::ForNobody("why".into()));
    assert_eq!(bandit.plan(1, &pairs), None);
}
