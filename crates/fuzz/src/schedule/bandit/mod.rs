//! The yield schedule: a bandit over pairs of seed and solver, mutators, modes, tactics and themes, each with a minimum share.
//!
//! An untried seed is rated by the others of its family, a family by all. Every dimension is a separate bandit: the probability of an arm
//! grows with the square of its yield per cost, both discounted, so exhausted arms are left soon; some draws go to untried arms or ignore
//! the past. A unit has one mutator and one pair of bounds, but all modes and several tactics, each as often as its rating requires: its
//! mutants differ in them, and groups are distinguished by them, so each unit teaches something about all. Costs are counted in mutants
//! and timeouts, not in seconds, so a campaign of one worker is reproducible as far as the solvers are.

mod arms;

use crate::schedule::families::Families;
use crate::schedule::pairs::Pairs;
use crate::schedule::unit::{UnitChoice, UnitPlan, UnitReport};
use crate::under_test::Mode;
use crate::under_test::SearchSpace;
use mutate::rng::RandomStream;
use mutate::{Unit, finite};

/// How often, in percent, an arm is drawn regardless of its yield.
const FLOOR: u32 = 12;
/// The assumed cost of an untried pair or family, in thousandths of a mutant.
const PRIOR_COST: u64 = 64_000;
/// Its assumed yield, in thousandths of a group.
const PRIOR_REWARD: u64 = 60;
/// The same for an arm that all pairs share. It starts average and needs more evidence: with less, one group found by chance gave its arm
/// nearly all draws for hundreds of units.
const SHARED_PRIOR: Arm = Arm { cost: 384_000, reward: 360 };
/// The number of tactics drawn for a unit; each of its mutants that uses a tactic takes one.
const TACTICS: usize = 8;
/// How much of an arm's cost and yield is kept per unit, in thousandths: for a pair, and for an arm that all pairs share.
const PAIR_KEEPS: u64 = 700;
const SHARED_KEEPS: u64 = 995;
/// The number of first visits to its seeds that rate a family: later visits rate only the seed.
const FAMILY_VISITS: u64 = 2;

/// The number of units per solver that first go to a mutator without seeds, if there is one: its mutants are small and cheap, so obvious
/// errors show in the first seconds.
const OPENING: u64 = 24;

/// Bounds of STORM, of which each unit draws one pair: depth and assertions (RQ3 of the paper); the first are its defaults. The schedule
/// does not learn these: in two campaigns on z3 4.8.7 where they were arms, large ones yielded most in one and small ones in the other.
const BOUNDS: [(u32, u32); 6] = [(64, 64), (4, 4), (4, 16), (8, 32), (16, 8), (32, 128)];

/// An arm that all pairs share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arm {
    /// Its cost, discounted, in thousandths of a mutant.
    pub cost: u64,
    /// Its yield, discounted, in thousandths of a group.
    pub reward: u64,
}

/// The arms of one solver, in the order of its [`SearchSpace`].
#[derive(Clone, Debug)]
struct Arms {
    space: SearchSpace,
    mutators: Vec<Arm>,
    modes: Vec<Arm>,
    tactics: Vec<Arm>,
    themes: Vec<Arm>,
    families: Vec<Arm>,
    /// All seeds of a family before this position of its order were visited.
    tried: Vec<usize>,
}

/// The state of the schedule.
#[derive(Clone, Debug)]
pub struct Bandit {
    campaign: u64,
    arms: Vec<Arms>,
    families: Families,
    /// The arms for first and later visits of pairs.
    visits: [Arm; 2],
}

/// A dimension that all pairs of a solver share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dimension {
    /// The mutator, by its index in [`SearchSpace::mutators`].
    Mutator,
    /// The mode, by its index in [`SearchSpace::modes`].
    Mode,
    /// The tactic, by its index in [`SearchSpace::tactics`].
    Tactic,
    /// The theme of generated problems, by its index in [`SearchSpace::themes`].
    Theme,
    /// A pair's first visit (0) or a later one (1), for all solvers.
    Visit,
    /// The seed's family, by its number in [`Families`].
    Family,
}

/// A pair that was never visited.
struct Untried {
    place: usize,
    target: usize,
    family: usize,
    /// The number of such pairs left.
    left: u64,
}

/// An arm's name: the solver's position, the dimension, and the index in it.
pub type ArmName = (usize, Dimension, usize);

/// A unit's cost and yield, in thousandths of a mutant and of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reward {
    /// The cost.
    pub cost: u64,
    /// The yield of the unmutated seed.
    pub seed: u64,
    /// The yield of its mutants besides groups.
    pub answers: u64,
    /// The groups of its mutants: the mode as in a finding's record, and the worth.
    pub groups: Vec<(String, u64)>,
}

/// A part of a unit's cost and yield.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Share {
    cost: u64,
    reward: u64,
}

impl Bandit {
    /// Makes a schedule without knowledge, for seeds of these families and these solvers.
    pub fn new(campaign: u64, families: Families, spaces: Vec<SearchSpace>) -> Bandit {
        let arms = spaces.into_iter().map(|space| Arms {
            mutators: vec![Arm::default(); space.mutators.len()],
            modes: vec![Arm::default(); space.modes.len()],
            tactics: vec![Arm::default(); space.tactics.len()],
            themes: vec![Arm::default(); space.themes.len()],
            families: vec![Arm::default(); families.len()],
            tried: vec![0; families.len()],
            space,
        });
        Bandit { campaign, arms: arms.collect(), families, visits: [Arm::default(); 2] }
    }

    /// Restores what was learned before. Unknown arms are ignored.
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

    /// Returns the plan of a unit. `None` if no pair is left.
    pub fn plan(&mut self, number: u64, pairs: &Pairs) -> Option<UnitPlan> {
        // An index used neither by a mutant nor by the worker's own choices.
        let mut draws = Unit { campaign: self.campaign, number }.mutant_stream(u64::MAX - 1);
        let place = self.pair(&mut draws, pairs)?;
        let (seed, target) = pairs.of_place(place);
        let visit = pairs.at(place).visits;
        let arms = &self.arms[target];
        let weights =
            |list: &[(String, u32)]| -> Vec<u64> { list.iter().map(|(_, weight)| u64::from(*weight)).collect() };
        let squared = |list| -> Vec<u64> { weights(list).into_iter().map(|weight| weight * weight).collect() };
        let drawn = draw(&mut draws, &arms.mutators, &weights(&arms.space.mutators))?;
        let is_opening = number < OPENING.saturating_mul(self.arms.len() as u64);
        let mutator = is_opening.then(|| arms.seedless()).flatten().unwrap_or(drawn);
        let bounds = draws.pick(&BOUNDS).filter(|_| arms.space.bounds);
        // Squared, since the weight counts in full where nothing else is known: it is the theme's yield elsewhere.
        let is_among = |list: &[String]| arms.space.mutators.get(mutator).is_some_and(|(name, _)| list.contains(name));
        let theme =
            draw(&mut draws, &arms.themes, &squared(&arms.space.themes)).filter(|_| is_among(&arms.space.themed));
        // A mutator without modes of its own has the share of levels that it was made for.
        let is_moded = is_among(&arms.space.moded);
        let mut settings = if is_moded { mode_settings(&arms.space.modes, &arms.modes) } else { Vec::new() };
        // The same for the profile's weights: it knows which tactics fail.
        let by_weight = squared(&arms.space.tactics);
        let tactics: Vec<usize> = (0..TACTICS).filter_map(|_| draw(&mut draws, &arms.tactics, &by_weight)).collect();
        if !tactics.is_empty() {
            let list: Vec<&str> = tactics.iter().map(|n| arms.space.tactics[*n].0.as_str()).collect();
            settings.push(("tactics".to_string(), list.join(";")));
        }
        if let Some((depth, asserts)) = bounds {
            settings.push(("max-depth".to_string(), depth.to_string()));
            settings.push(("max-asserts".to_string(), asserts.to_string()));
        }
        if let Some(n) = theme {
            settings.push((finite::THEORY.to_string(), arms.space.themes[n].0.clone()));
        }
        Some(UnitPlan { number, seed, target, visit, choice: Some(UnitChoice { mutator, tactics, theme, settings }) })
    }

    fn pair(&mut self, draws: &mut RandomStream, pairs: &Pairs) -> Option<usize> {
        let beliefs: Vec<Vec<Arm>> = self.arms.iter().map(Arms::families).collect();
        let explore = draw(draws, &self.visits, &[]) == Some(0);
        let blind = draws.percent(FLOOR);
        let mut untried = self.untried(pairs);
        let visited: Vec<usize> =
            (0..pairs.len()).filter(|&place| !pairs.at(place).is_given_up() && pairs.at(place).visits > 0).collect();
        // A short campaign asks each solver before it asks one twice.
        let mut asked = vec![false; self.arms.len()];
        (0..pairs.len())
            .filter(|&place| pairs.at(place).visits > 0)
            .for_each(|place| asked[pairs.of_place(place).1] = true);
        let has_unasked = untried.iter().any(|next| !asked[next.target]);
        untried.retain(|next| !has_unasked || !asked[next.target]);
        let explore = explore || has_unasked;
        if !untried.is_empty() && (explore || visited.is_empty()) {
            let score = |next: &Untried| match blind {
                true => next.left,
                false => beliefs[next.target][next.family].squared_rate().saturating_mul(prior(next.left)),
            };
            let scores: Vec<u64> = untried.iter().map(score).collect();
            return draws.weighted(&scores).map(|at| untried[at].place);
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
        draws.weighted(&scores).map(|at| visited[at])
    }

    /// Returns the next unvisited pair of each solver and family.
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

    /// Learns from a unit, and returns the arms that changed.
    pub fn learn(&mut self, report: &UnitReport, pairs: &mut Pairs, reward: &Reward) -> Vec<(ArmName, Arm)> {
        let plan = &report.plan;
        let whole = Share { cost: reward.cost, reward: reward.seed.saturating_add(reward.of_mutants()) };
        let pair = pairs.get_mut(plan.seed, plan.target);
        let mut own = Arm { cost: pair.cost, reward: pair.reward };
        own.add(whole, PAIR_KEEPS);
        (pair.cost, pair.reward) = (own.cost, own.reward);
        let visit = usize::from(plan.visit > 0);
        self.visits[visit].add(whole, SHARED_KEEPS);
        let mut changed = vec![((0, Dimension::Visit, visit), self.visits[visit])];
        let family = self.families.of_seed(plan.seed);
        let Some(arms) = self.arms.get_mut(plan.target) else { return changed };
        let mut shares = Vec::new();
        if plan.visit < FAMILY_VISITS {
            shares.push((Dimension::Family, family, whole));
        }
        shares.extend(arms.shares(report, reward));
        for (dimension, n, share) in shares {
            if let Some(arm) = arms.of(dimension).get_mut(n) {
                arm.add(share, SHARED_KEEPS);
                changed.push(((plan.target, dimension, n), *arm));
            }
        }
        changed
    }
}

impl Reward {
    fn of_mutants(&self) -> u64 {
        self.groups.iter().fold(self.answers, |sum, (_, worth)| sum.saturating_add(*worth))
    }

    /// Returns the part of `count` among `all` mutants, with the groups that `of` selects.
    fn part(&self, count: u64, all: u64, of: impl Fn(&str) -> bool) -> Share {
        let part = |whole: u64| u64::try_from(u128::from(whole) * u128::from(count) / u128::from(all.max(1)));
        let groups = self.groups.iter().filter(|(mode, _)| of(mode)).map(|(_, worth)| *worth);
        Share {
            cost: part(self.cost).unwrap_or(u64::MAX),
            reward: groups.fold(part(self.answers).unwrap_or(u64::MAX), u64::saturating_add),
        }
    }
}

impl Dimension {
    /// All dimensions.
    pub const ALL: [Dimension; 6] =
        [Dimension::Mutator, Dimension::Mode, Dimension::Tactic, Dimension::Theme, Dimension::Visit, Dimension::Family];

    /// Returns the dimension as a word.
    pub fn word(self) -> &'static str {
        match self {
            Dimension::Mutator => "mutator",
            Dimension::Mode => "mode",
            Dimension::Tactic => "tactic",
            Dimension::Theme => "theme",
            Dimension::Visit => "visit",
            Dimension::Family => "family",
        }
    }
}

/// Returns the settings that make mutants use each mode as often as its arm deserves, for mutators with these parameters.
fn mode_settings(modes: &[Mode], arms: &[Arm]) -> Vec<(String, String)> {
    let shares = shares(arms, &[]);
    let share = |mode: Mode| modes.iter().position(|open| *open == mode).map_or(0, |n| shares[n]);
    let (incremental, tactic) = (share(Mode::Incremental), share(Mode::Tactic));
    if modes.is_empty() {
        return Vec::new();
    }
    // Tactics are drawn where incremental was not.
    let percent = |part: u64, whole: u64| ((100 * part + whole / 2) / whole.max(1)).to_string();
    let whole: u64 = shares.iter().sum();
    vec![
        ("incremental".to_string(), percent(incremental, whole)),
        ("tactical".to_string(), percent(tactic, whole - incremental)),
    ]
}

/// Draws an arm: by its yield, and occasionally by its weight alone. `None` without arms.
fn draw(draws: &mut RandomStream, arms: &[Arm], weights: &[u64]) -> Option<usize> {
    draws.weighted(&shares(arms, weights))
}

/// Returns how often each arm deserves to be drawn: by its yield, and partly by its weight alone. The sum is at most 2^41.
fn shares(arms: &[Arm], weights: &[u64]) -> Vec<u64> {
    const WHOLE: u128 = 1 << 40;
    let weight = |n: usize| weights.get(n).copied().unwrap_or(1).max(1);
    let score = |n: usize| u128::from(arms[n].with(SHARED_PRIOR).squared_rate()) * u128::from(prior(weight(n)));
    let weights: u128 = (0..arms.len()).map(|n| u128::from(weight(n))).sum();
    let scores: u128 = (0..arms.len()).map(score).sum();
    let (floor, rest) = (WHOLE * u128::from(FLOOR) / 100, WHOLE * u128::from(100 - FLOOR) / 100);
    let share = |n: usize| floor * u128::from(weight(n)) / weights.max(1) + rest * score(n) / scores.max(1);
    (0..arms.len()).map(|n| u64::try_from(share(n)).unwrap_or(u64::MAX).max(1)).collect()
}

/// Returns a weight as a factor for learned yields: it decides where nothing is known, and matters less later.
fn prior(weight: u64) -> u64 {
    weight.isqrt().max(1)
}
