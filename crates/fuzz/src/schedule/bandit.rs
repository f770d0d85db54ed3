//! The schedule by yield: a bandit over pairs of seed and solver, mutators, modes and bounds, each with a floor.
//!
//! A seed that was never tried is taken for what others of its family brought, a family for what all did. Every dimension is a
//! bandit of its own: an arm is drawn with a chance that grows with the square of what it brought for
//! its cost, both discounted, so that what is exhausted is left soon; some of the draws are for arms not yet tried or drawn
//! without regard to the past. Costs are counted in mutants and limits met, never in seconds, so that a campaign of one
//! worker is the same each time as far as the solvers are.

use crate::schedule::families::Families;
use crate::schedule::pairs::Pairs;
use crate::unit::{Choice, Mode, UnitPlan};
use mutate::Unit;
use mutate::rng::Stream;

/// How often, in percent, any arm may be drawn, whatever it brought.
const FLOOR: u32 = 12;
/// What an arm is taken to have cost before it is tried, in thousandths of a mutant.
const PRIOR_COST: u64 = 64_000;
/// What it is taken to have brought, in thousandths of a group.
const PRIOR_REWARD: u64 = 60;
/// Of what an arm cost and brought, as much stays per unit: of a pair, and of an arm that all pairs share, in thousandths.
const PAIR_KEEPS: u64 = 700;
const SHARED_KEEPS: u64 = 995;
/// A family is known by so many first visits of its seeds: later ones tell of the seed alone.
const FAMILY_VISITS: u64 = 2;

/// Bounds of STORM to choose from: depth and assertions (RQ3 of the paper); the first are its defaults.
const BOUNDS: [(u32, u32); 6] = [(64, 64), (4, 4), (4, 16), (8, 32), (16, 8), (32, 128)];

/// What a solver's units may vary; a dimension with fewer than two entries is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// The mutators by name, with their weights where nothing is known of them.
    pub mutators: Vec<(String, u32)>,
    /// Modes that the user left open and the solver takes.
    pub modes: Vec<Mode>,
    /// Tactics that the user left open and the solver takes, or lists of them separated by semicolons, of which each mutant
    /// draws one, with their weights; empty where the mode is not open.
    pub tactics: Vec<(String, u32)>,
    /// Whether the bounds of depth and assertions are open.
    pub bounds: bool,
}

/// One arm that all pairs share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arm {
    /// What it cost, discounted, in thousandths of a mutant.
    pub cost: u64,
    /// What it brought, discounted, in thousandths of a group.
    pub reward: u64,
}

/// The arms of one solver, as they are listed in its [`Room`] and in [`BOUNDS`].
#[derive(Clone, Debug)]
struct Arms {
    room: Room,
    mutators: Vec<Arm>,
    modes: Vec<Arm>,
    tactics: Vec<Arm>,
    bounds: Vec<Arm>,
    families: Vec<Arm>,
    /// All seeds of a family before this place of its order were visited.
    tried: Vec<usize>,
}

/// The schedule.
#[derive(Clone, Debug)]
pub struct Bandit {
    campaign: u64,
    arms: Vec<Arms>,
    families: Families,
    /// First visits of pairs, and later ones.
    visits: [Arm; 2],
}

/// A dimension that all pairs of a solver share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dimension {
    /// The mutator, by its place in [`Room::mutators`].
    Mutator,
    /// The mode, by its place in [`Room::modes`].
    Mode,
    /// The tactic, by its place in [`Room::tactics`].
    Tactic,
    /// The bounds of depth and assertions, by their place in the table.
    Bounds,
    /// A pair's first visit (0) or a later one (1), whatever the solver.
    Visit,
    /// The seed's family, by its number in [`Families`].
    Family,
}

/// A pair that was never visited.
struct Untried {
    place: usize,
    target: usize,
    family: usize,
    /// How many of its kind are left.
    left: u64,
}

/// An arm's name: the solver's position, the dimension, and the place in it.
pub type ArmName = (usize, Dimension, usize);

/// What a unit cost and brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Yielded {
    /// In thousandths of a mutant.
    pub cost: u64,
    /// In thousandths of a group.
    pub reward: u64,
}

impl Bandit {
    /// A schedule of which nothing is known, over seeds of these families and these solvers.
    pub fn new(campaign: u64, families: Families, rooms: Vec<Room>) -> Bandit {
        let arms = rooms.into_iter().map(|room| Arms {
            mutators: vec![Arm::default(); room.mutators.len()],
            modes: vec![Arm::default(); room.modes.len()],
            tactics: vec![Arm::default(); room.tactics.len()],
            bounds: vec![Arm::default(); if room.bounds { BOUNDS.len() } else { 0 }],
            families: vec![Arm::default(); families.len()],
            tried: vec![0; families.len()],
            room,
        });
        Bandit { campaign, arms: arms.collect(), families, visits: [Arm::default(); 2] }
    }

    /// Puts back what was learnt before. Arms that are no longer there are ignored.
    pub fn restore(&mut self, known: impl IntoIterator<Item = (ArmName, Arm)>) {
        for ((target, dimension, n), arm) in known {
            let place = match dimension {
                Dimension::Visit => self.visits.get_mut(n),
                _ => self.arms.get_mut(target).and_then(|arms| arms.of(dimension).get_mut(n)),
            };
            if let Some(place) = place {
                *place = arm;
            }
        }
    }

    /// The plan of a unit. None if no pair is left.
    pub fn plan(&mut self, number: u64, pairs: &Pairs) -> Option<UnitPlan> {
        // An index that no mutant has, nor the worker's own choices.
        let mut draws = Unit { campaign: self.campaign, number }.mutant_stream(u64::MAX - 1);
        let place = self.pair(&mut draws, pairs)?;
        let (seed, target) = pairs.of_place(place);
        let visit = pairs.at(place).visits;
        let arms = &self.arms[target];
        let weights =
            |list: &[(String, u32)]| -> Vec<u64> { list.iter().map(|(_, weight)| u64::from(*weight)).collect() };
        let mutator = draw(&mut draws, &arms.mutators, &weights(&arms.room.mutators))?;
        let mode = draw(&mut draws, &arms.modes, &[]);
        let is_tactic = mode.is_some_and(|n| arms.room.modes[n] == Mode::Tactic);
        // Squared, since here a weight counts in full where nothing is known: a profile knows which tactics err.
        let squared: Vec<u64> = weights(&arms.room.tactics).iter().map(|weight| weight * weight).collect();
        let tactic = draw(&mut draws, if is_tactic { &arms.tactics } else { &[] }, &squared);
        let bounds = draw(&mut draws, &arms.bounds, &[]);
        let mut settings = Vec::new();
        settings.extend(mode.into_iter().flat_map(|n| mode_settings(arms.room.modes[n])));
        settings.extend(tactic.map(|n| ("tactics".to_string(), arms.room.tactics[n].0.clone())));
        if let Some((depth, asserts)) = bounds.map(|n| BOUNDS[n]) {
            settings.push(("max-depth".to_string(), depth.to_string()));
            settings.push(("max-asserts".to_string(), asserts.to_string()));
        }
        Some(UnitPlan { number, seed, target, visit, choice: Some(Choice { mutator, mode, tactic, bounds, settings }) })
    }

    fn pair(&mut self, draws: &mut Stream, pairs: &Pairs) -> Option<usize> {
        let beliefs: Vec<Vec<Arm>> = self.arms.iter().map(Arms::families).collect();
        let explore = draw(draws, &self.visits, &[]) == Some(0);
        let blind = draws.percent(FLOOR);
        let untried = self.untried(pairs);
        let visited: Vec<usize> =
            (0..pairs.len()).filter(|&place| !pairs.at(place).is_given_up() && pairs.at(place).visits > 0).collect();
        if !untried.is_empty() && (explore || visited.is_empty()) {
            let score = |next: &Untried| match blind {
                true => next.left,
                false => beliefs[next.target][next.family].squared_rate().saturating_mul(prior(next.left)),
            };
            let scores: Vec<u64> = untried.iter().map(score).collect();
            return weighted(draws, &scores).map(|at| untried[at].place);
        }
        if blind || visited.is_empty() {
            return draws.pick(&visited).copied();
        }
        let score = |&place: &usize| {
            let (seed, target) = pairs.of_place(place);
            let own = Arm { cost: pairs.at(place).cost, reward: pairs.at(place).reward };
            own.among(beliefs[target][self.families.of_seed(seed)]).squared_rate()
        };
        let scores: Vec<u64> = visited.iter().map(score).collect();
        weighted(draws, &scores).map(|at| visited[at])
    }

    /// The next pair of each solver and family that was never visited.
    fn untried(&mut self, pairs: &Pairs) -> Vec<Untried> {
        let mut untried = Vec::new();
        for (target, arms) in self.arms.iter_mut().enumerate() {
            for (family, tried) in arms.tried.iter_mut().enumerate() {
                let seeds = self.families.seeds(family);
                let is_done = |seed: &usize| {
                    let pair = pairs.get(*seed, target);
                    pair.visits > 0 || pair.is_given_up()
                };
                *tried += seeds[*tried..].iter().take_while(|seed| is_done(seed)).count();
                if let Some(seed) = seeds.get(*tried) {
                    let left = (seeds.len() - *tried) as u64;
                    untried.push(Untried { place: pairs.place(*seed, target), target, family, left });
                }
            }
        }
        untried
    }

    /// Learns what a unit brought, and returns the arms that changed. `did` is the name of the mutator that made its mutants.
    pub fn learn(
        &mut self,
        plan: &UnitPlan,
        did: Option<&str>,
        pairs: &mut Pairs,
        yielded: Yielded,
    ) -> Vec<(ArmName, Arm)> {
        let pair = pairs.get_mut(plan.seed, plan.target);
        let mut own = Arm { cost: pair.cost, reward: pair.reward };
        own.add(yielded, PAIR_KEEPS);
        (pair.cost, pair.reward) = (own.cost, own.reward);
        let visit = usize::from(plan.visit > 0);
        self.visits[visit].add(yielded, SHARED_KEEPS);
        let mut changed = vec![((0, Dimension::Visit, visit), self.visits[visit])];
        let family = self.families.of_seed(plan.seed);
        if plan.visit < FAMILY_VISITS
            && let Some(arm) = self.arms.get_mut(plan.target).and_then(|arms| arms.families.get_mut(family))
        {
            arm.add(yielded, SHARED_KEEPS);
            changed.push(((plan.target, Dimension::Family, family), *arm));
        }
        let (Some(choice), Some(arms)) = (&plan.choice, self.arms.get_mut(plan.target)) else { return changed };
        // A mutator that had no use for the seed gave way to another one, which got the time.
        let did = arms.room.mutators.iter().position(|(name, _)| Some(name.as_str()) == did);
        let used = [
            (Dimension::Mutator, did),
            (Dimension::Mode, choice.mode),
            (Dimension::Tactic, choice.tactic),
            (Dimension::Bounds, choice.bounds),
        ];
        for (dimension, n) in used {
            if let Some((n, arm)) = n.and_then(|n| Some((n, arms.of(dimension).get_mut(n)?))) {
                arm.add(yielded, SHARED_KEEPS);
                changed.push(((plan.target, dimension, n), *arm));
            }
        }
        changed
    }
}

impl Arms {
    fn of(&mut self, dimension: Dimension) -> &mut [Arm] {
        match dimension {
            Dimension::Mutator => &mut self.mutators,
            Dimension::Mode => &mut self.modes,
            Dimension::Tactic => &mut self.tactics,
            Dimension::Bounds => &mut self.bounds,
            Dimension::Family => &mut self.families,
            Dimension::Visit => &mut [],
        }
    }

    /// What to expect of each family.
    fn families(&self) -> Vec<Arm> {
        let mut all = NOTHING_KNOWN;
        for arm in &self.families {
            all.cost = all.cost.saturating_add(arm.cost);
            all.reward = all.reward.saturating_add(arm.reward);
        }
        self.families.iter().map(|arm| arm.among(all)).collect()
    }
}

impl Arm {
    fn add(&mut self, yielded: Yielded, keeps: u64) {
        self.cost = self.cost.saturating_mul(keeps) / 1000 + yielded.cost;
        self.reward = self.reward.saturating_mul(keeps) / 1000 + yielded.reward;
    }

    /// What to expect of this arm: what it brought, with what is expected of its kind in place of what was not tried.
    /// `kind` cost something.
    fn among(self, kind: Arm) -> Arm {
        let expected = u128::from(kind.reward) * u128::from(PRIOR_COST) / u128::from(kind.cost.max(1));
        let expected = u64::try_from(expected).unwrap_or(u64::MAX);
        Arm { cost: self.cost.saturating_add(PRIOR_COST), reward: self.reward.saturating_add(expected) }
    }

    /// What it brings for its cost, squared, so that the best ones get most of the draws; at least 1, at most 2^48.
    fn squared_rate(self) -> u64 {
        let rate = u128::from(self.reward) * 1_000_000 / u128::from(self.cost.max(1));
        u64::try_from((rate * rate).min(1 << 48)).unwrap_or(1).max(1)
    }
}

/// What is expected of an arm of which nothing but its own past is known.
const NOTHING_KNOWN: Arm = Arm { cost: PRIOR_COST, reward: PRIOR_REWARD };

impl Dimension {
    /// All of them.
    pub const ALL: [Dimension; 6] = [
        Dimension::Mutator,
        Dimension::Mode,
        Dimension::Tactic,
        Dimension::Bounds,
        Dimension::Visit,
        Dimension::Family,
    ];

    /// The dimension in a word.
    pub fn word(self) -> &'static str {
        match self {
            Dimension::Mutator => "mutator",
            Dimension::Mode => "mode",
            Dimension::Tactic => "tactic",
            Dimension::Bounds => "bounds",
            Dimension::Visit => "visit",
            Dimension::Family => "family",
        }
    }
}

/// The settings that make mutants ask in one way only, for mutators that have these parameters.
fn mode_settings(mode: Mode) -> [(String, String); 2] {
    let (incremental, tactical) = match mode {
        Mode::Plain => ("0", "0"),
        Mode::Incremental => ("100", "0"),
        Mode::Tactic => ("0", "100"),
    };
    [("incremental".to_string(), incremental.to_string()), ("tactical".to_string(), tactical.to_string())]
}

/// Draws an arm: by what it brought, and now and then by its weight alone. None of no arms.
fn draw(draws: &mut Stream, arms: &[Arm], weights: &[u64]) -> Option<usize> {
    let weight = |n: usize| weights.get(n).copied().unwrap_or(1).max(1);
    let blind = draws.percent(FLOOR);
    let score =
        |n: usize| if blind { weight(n) } else { arms[n].among(NOTHING_KNOWN).squared_rate() * prior(weight(n)) };
    let scores: Vec<u64> = (0..arms.len()).map(score).collect();
    weighted(draws, &scores)
}

/// A weight as a factor beside what is learnt: it decides where nothing is known, and yields to what is.
fn prior(weight: u64) -> u64 {
    weight.isqrt().max(1)
}

/// A position drawn by weight. None of none.
fn weighted(draws: &mut Stream, scores: &[u64]) -> Option<usize> {
    let whole = scores.iter().fold(0u64, |sum, score| sum.saturating_add(*score));
    let mut at = draws.below(whole);
    scores.iter().position(|score| {
        let here = at < *score;
        at = at.saturating_sub(*score);
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Fate;

    fn room() -> Room {
        let mutators = vec![("storm".to_string(), 9), ("fusion".to_string(), 1)];
        let tactics = vec![("smt".to_string(), 1), ("qflia".to_string(), 2), ("horn".to_string(), 1)];
        Room { mutators, modes: Mode::ALL.to_vec(), tactics, bounds: true }
    }

    /// Families of ten seeds each.
    fn families(seeds: usize) -> Families {
        let named: Vec<(String, u32)> = (0..seeds).map(|n| (format!("{}", n / 10), 0)).collect();
        Families::new(&named, &mut mutate::unit_rng(3, 3))
    }

    /// Plays so many units, in which a unit brings what `world` says of it, and returns the plans.
    fn play(units: u64, seeds: usize, world: impl Fn(&UnitPlan) -> u64) -> Vec<UnitPlan> {
        let mut bandit = Bandit::new(3, families(seeds), vec![room()]);
        let mut pairs = Pairs::new(seeds, 1);
        let mut plans = Vec::new();
        for number in 0..units {
            let plan = bandit.plan(number, &pairs).expect("pairs are left");
            pairs.get_mut(plan.seed, 0).visits += 1;
            let yielded = Yielded { cost: 20_000, reward: world(&plan) };
            let did = if plan.choice.as_ref().is_some_and(|choice| choice.mutator == 1) { "fusion" } else { "storm" };
            bandit.learn(&plan, Some(did), &mut pairs, yielded);
            plans.push(plan);
        }
        plans
    }

    fn share(plans: &[UnitPlan], of: impl Fn(&UnitPlan) -> bool) -> f64 {
        plans.iter().filter(|plan| of(plan)).count() as f64 / plans.len() as f64
    }

    #[test]
    fn what_brings_groups_gets_most_units_and_the_rest_a_floor() {
        let chosen = |plan: &UnitPlan| plan.choice.clone().expect("a choice");
        let plans = play(4000, 50, |plan| match (plan.seed % 10, chosen(plan)) {
            (3, Choice { mutator: 1, mode: Some(2), .. }) => 2000,
            (3, _) => 100,
            _ => 0,
        });
        let late = &plans[2000..];
        let check =
            |what: &str, share: f64, low: f64, high: f64| assert!((low..high).contains(&share), "{what}: {share}");
        check("good seeds", share(late, |plan| plan.seed % 10 == 3), 0.4, 0.97);
        check("the good mutator", share(late, |plan| chosen(plan).mutator == 1), 0.5, 0.99);
        check("the good mode", share(late, |plan| chosen(plan).mode == Some(2)), 0.5, 0.99);
        let visited: std::collections::HashSet<usize> = plans.iter().map(|plan| plan.seed).collect();
        assert_eq!(visited.len(), 50, "every seed had its turn");
        let bounds: std::collections::HashSet<Option<usize>> = late.iter().map(|plan| chosen(plan).bounds).collect();
        assert_eq!(bounds.len(), BOUNDS.len(), "no bounds are given up");
    }

    #[test]
    fn a_tactic_that_errs_everywhere_is_drawn_more_often() {
        // Every seed brings a group, once, by the tactic `horn` alone.
        let seen = std::cell::RefCell::new(std::collections::HashSet::new());
        let plans = play(1500, 400, |plan| {
            let is_horn = plan.choice.as_ref().is_some_and(|choice| choice.tactic == Some(2));
            if is_horn && seen.borrow_mut().insert(plan.seed) { 1000 } else { 0 }
        });
        let tactical = |plan: &UnitPlan| plan.choice.as_ref().is_some_and(|choice| choice.tactic.is_some());
        assert!(plans.iter().all(|plan| {
            let settings = plan.choice.as_ref().map_or(&[][..], |choice| &choice.settings);
            tactical(plan)
                == settings
                    .iter()
                    .any(|(name, value)| name == "tactics" && ["smt", "qflia", "horn"].contains(&value.as_str()))
        }));
        let horn = |plan: &UnitPlan| plan.choice.as_ref().is_some_and(|choice| choice.tactic == Some(2));
        assert!(share(&plans[200..600], horn) > 0.5, "{}", share(&plans[200..600], horn));
        assert!(seen.borrow().len() > 250, "{}", seen.borrow().len());
    }

    #[test]
    fn seeds_never_tried_are_taken_for_others_of_their_family() {
        // Ten families of forty; all seeds of the third bring something at their first visit, and no other.
        let named: Vec<(String, u32)> = (0..400).map(|n| (format!("{}", n / 40), 0)).collect();
        let families = Families::new(&named, &mut mutate::unit_rng(3, 3));
        let mut bandit = Bandit::new(3, families, vec![room()]);
        let mut pairs = Pairs::new(400, 1);
        let mut first = Vec::new();
        for number in 0..200 {
            let plan = bandit.plan(number, &pairs).expect("pairs are left");
            pairs.get_mut(plan.seed, 0).visits += 1;
            if plan.visit == 0 {
                first.push(plan.seed);
            }
            let reward = if plan.visit == 0 && plan.seed / 40 == 3 { 1000 } else { 0 };
            bandit.learn(&plan, Some("storm"), &mut pairs, Yielded { cost: 20_000, reward });
        }
        let good = first.iter().take(80).filter(|seed| **seed / 40 == 3).count();
        assert!(good > 25, "{good} of the first 80 seeds tried are of the good family, which has a tenth of all");
    }

    #[test]
    fn what_is_exhausted_is_left() {
        let plans = play(3000, 20, |plan| if plan.number < 1000 && plan.seed == 5 { 1000 } else { 0 });
        assert!(share(&plans[200..1000], |plan| plan.seed == 5) > 0.5);
        assert!(share(&plans[2000..], |plan| plan.seed == 5) < 0.2);
    }

    #[test]
    fn the_same_past_gives_the_same_plans_also_after_a_restart() {
        let world = |plan: &UnitPlan| if plan.seed == 1 { 700 } else { 3 };
        let plans = play(300, 9, world);
        assert_eq!(plans, play(300, 9, world));
        let (mut bandit, mut pairs) = (Bandit::new(3, families(9), vec![room()]), Pairs::new(9, 1));
        let mut arms = std::collections::HashMap::new();
        for plan in &plans[..200] {
            pairs.get_mut(plan.seed, 0).visits += 1;
            let yielded = Yielded { cost: 20_000, reward: world(plan) };
            let did = if plan.choice.as_ref().is_some_and(|choice| choice.mutator == 1) { "fusion" } else { "storm" };
            arms.extend(bandit.learn(plan, Some(did), &mut pairs, yielded));
        }
        let mut again = Bandit::new(3, families(9), vec![room()]);
        again.restore(arms);
        assert_eq!(again.plan(200, &pairs), Some(plans[200].clone()));
    }

    #[test]
    fn nothing_is_planned_where_nothing_is_left() {
        let (mut bandit, mut pairs) = (Bandit::new(0, families(1), vec![room()]), Pairs::new(1, 1));
        assert!(bandit.plan(0, &pairs).is_some());
        pairs.judge(0, 0, &Fate::ForNobody("why".into()));
        assert_eq!(bandit.plan(1, &pairs), None);
    }
}
