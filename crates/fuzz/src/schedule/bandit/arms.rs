//! The arms of one pair, and their shares of a unit's cost and reward.

use super::{Arm, Arms, Dimension, PRIOR_COST, PRIOR_REWARD, Reward, Share};
use crate::schedule::unit::UnitReport;
use crate::under_test::Mode;
use mutate::mutators;

/// Returns the expectation for an arm known only by its own past.
const NOTHING_KNOWN: Arm = Arm { cost: PRIOR_COST, reward: PRIOR_REWARD };

impl Arms {
    /// Returns what a unit teaches about the arms of its mutants.
    pub(super) fn shares(&self, report: &UnitReport, reward: &Reward) -> Vec<(Dimension, usize, Share)> {
        let Some(choice) = &report.plan.choice else { return Vec::new() };
        // A mutator that could not use the seed was replaced by another one, which used the time.
        let did = |(name, _): &(String, u32)| Some(name) == report.mutator.as_ref();
        let Some(did) = self.space.mutators.iter().position(did) else { return Vec::new() };
        let whole = reward.part(1, 1, |_| true);
        let mut shares = vec![(Dimension::Mutator, did, whole)];
        if self.space.themed.contains(&self.space.mutators[did].0) {
            shares.extend(choice.theme.map(|n| (Dimension::Theme, n, whole)));
        }
        let mutants = report.modes.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
        let count_of = |mode| report.modes.iter().find(|(known, _)| *known == mode).map_or(0, |(_, count)| *count);
        if !self.space.moded.contains(&self.space.mutators[did].0) {
            // It may use tactics anyway, always with the same frequency.
            let by_tactic = count_of(Mode::Tactic);
            if by_tactic > 0 {
                shares.extend(self.tactics(&choice.tactics, reward, (by_tactic, mutants)));
            }
            return shares;
        }
        for (n, mode) in self.space.modes.iter().enumerate() {
            // An incremental mutant with one check is counted as plain, but its yield is recorded as incremental.
            let count = count_of(*mode);
            let asks_so = |words: &str| words.split(' ').next() == Some(mode.word());
            let share = reward.part(count, mutants, asks_so);
            if share != Share::default() {
                shares.push((Dimension::Mode, n, share));
            }
            if *mode == Mode::Tactic && count > 0 {
                shares.extend(self.tactics(&choice.tactics, reward, (count, mutants)));
            }
        }
        shares
    }

    /// Returns what `count` of `all` mutants teach about the tactics drawn for them, shared evenly.
    pub(super) fn tactics(
        &self,
        drawn: &[usize],
        reward: &Reward,
        (count, mutants): (u64, u64),
    ) -> Vec<(Dimension, usize, Share)> {
        let mut distinct = drawn.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let share = |n: usize| {
            let (text, _) = self.space.tactics.get(n)?;
            let times = drawn.iter().filter(|drawn| **drawn == n).count() as u64;
            let asks_so = |words: &str| words.strip_prefix("tactic ") == Some(text);
            let all = mutants.saturating_mul(drawn.len() as u64);
            Some((Dimension::Tactic, n, reward.part(count.saturating_mul(times), all, asks_so)))
        };
        distinct.into_iter().filter_map(share).collect()
    }

    /// Returns the first mutator that needs no seed.
    pub(super) fn seedless(&self) -> Option<usize> {
        self.space.mutators.iter().position(|(name, _)| mutators::needs_no_seed(name))
    }

    pub(super) fn of(&mut self, dimension: Dimension) -> &mut [Arm] {
        match dimension {
            Dimension::Mutator => &mut self.mutators,
            Dimension::Mode => &mut self.modes,
            Dimension::Tactic => &mut self.tactics,
            Dimension::Theme => &mut self.themes,
            Dimension::Family => &mut self.families,
            Dimension::Visit => &mut [],
        }
    }

    /// Returns the expectation for each family.
    pub(super) fn families(&self) -> Vec<Arm> {
        let mut all = NOTHING_KNOWN;
        for arm in &self.families {
            all.cost = all.cost.saturating_add(arm.cost);
            all.reward = all.reward.saturating_add(arm.reward);
        }
        self.families.iter().map(|arm| arm.among(all)).collect()
    }
}

impl Arm {
    pub(super) fn add(&mut self, share: Share, keeps: u64) {
        self.cost = (self.cost.saturating_mul(keeps) / 1000).saturating_add(share.cost);
        self.reward = (self.reward.saturating_mul(keeps) / 1000).saturating_add(share.reward);
    }

    /// Returns the expectation for this arm: its yield, with the expectation of its kind in place of what was not tried. `kind` has a
    /// cost.
    pub(super) fn among(self, kind: Arm) -> Arm {
        let expected = u128::from(kind.reward) * u128::from(PRIOR_COST) / u128::from(kind.cost.max(1));
        self.with(Arm { cost: PRIOR_COST, reward: u64::try_from(expected).unwrap_or(u64::MAX) })
    }

    /// Adds prior knowledge.
    pub(super) fn with(self, prior: Arm) -> Arm {
        Arm { cost: self.cost.saturating_add(prior.cost), reward: self.reward.saturating_add(prior.reward) }
    }

    /// Returns its yield per cost, squared, so that the best arms get most of the draws; at least 1, at most 2^48.
    pub(super) fn squared_rate(self) -> u64 {
        let rate = (u128::from(self.reward) * 1_000_000 / u128::from(self.cost.max(1))).min(1 << 24);
        u64::try_from((rate * rate).min(1 << 48)).unwrap_or(1).max(1)
    }
}
