//! A file of rules, parsed and checked.

use super::check::{RuleStanding, standing};
use super::instance::SizedRule;
use super::search::ArgumentOrder;
use super::shape::RuleShape;
use super::text::{RuleFileMistake, RuleText, read_rules};
use crate::budget::Budget;
use crate::plan::StrategyPlan;
use smtlib::Store;
use smtlib::error::position;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The maximum file size, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The time limit for checking a file.
const CHECKING: Duration = Duration::from_secs(60);
/// The widths at which a rule is checked when the file is read, from 1 on, by the number of its open widths.
const SMALL: [u32; 4] = [1, 4, 3, 2];

/// The rules of a file, each checked at small widths.
pub struct RuleSet {
    /// The file's name as given.
    pub file: String,
    pub(super) rules: Vec<CheckedRule>,
}

/// A rule that is not wrong at small widths.
pub(super) struct CheckedRule {
    pub text: RuleText,
    pub shape: RuleShape,
    pub order: ArgumentOrder,
    /// Its status, by widths.
    standings: Mutex<BTreeMap<Vec<u32>, RuleStanding>>,
}

impl RuleSet {
    /// Reads and checks a file of rules.
    /// Errors: it cannot be read or parsed, or a rule is wrong or unproved; a message with the position.
    pub fn load(file: &str, prover: &StrategyPlan) -> Result<RuleSet, String> {
        let metadata = std::fs::metadata(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        // Reading a pipe would block forever.
        if !metadata.is_file() {
            return Err(format!("cannot read {file}: it is not a regular file"));
        }
        if metadata.len() > MAX_BYTES {
            return Err(format!("{file} has more than {} KiB; split it", MAX_BYTES >> 10));
        }
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        RuleSet::of_text(file, &text, prover)
    }

    /// Parses and checks rules; `file` is their name in messages.
    /// Errors: as [`RuleSet::load`].
    pub fn of_text(file: &str, text: &str, prover: &StrategyPlan) -> Result<RuleSet, String> {
        let told = |mistake: RuleFileMistake| {
            let (line, column) = position(text, mistake.at);
            format!("{file}:{line}:{column}: error: {}", mistake.why)
        };
        let budget = Budget::of(CHECKING);
        let mut rules = Vec::new();
        for rule in read_rules(text).map_err(told)? {
            let (at, name) = (rule.at, rule.name.clone());
            let checked = checked(rule, prover, &budget);
            rules.push(checked.map_err(|why| told(RuleFileMistake { at, why: format!("the rule `{name}` {why}") }))?);
        }
        Ok(RuleSet { file: file.to_string(), rules })
    }

    /// Returns the rules that may be applied without a proof.
    pub fn trusted(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.text.is_trusted).map(|rule| rule.text.name.as_str())
    }
}

/// Checks a rule at small widths.
fn checked(text: RuleText, prover: &StrategyPlan, budget: &Budget) -> Result<CheckedRule, String> {
    for (n, width) in text.widths.iter().enumerate() {
        let is_shown = |(_, sort): &(String, _)| text.shown_widths(sort).iter().any(|&(shown, _)| shown == n);
        if !text.variables.iter().any(is_shown) {
            return Err(format!(
                "has the width `{width}`, which is that of no variable: one must have the sort (_ BitVec {width})"
            ));
        }
    }
    let mut standings = BTreeMap::new();
    let (mut shape, mut meaningless) = (None, None);
    for widths in small_widths(text.widths.len()) {
        let at = at(&text, &widths);
        if budget.check().is_err() {
            return Err(format!("is not checked{at}: the check of the file takes more than {} s", CHECKING.as_secs()));
        }
        let found = standing(&text, &widths, prover, budget);
        match &found {
            RuleStanding::Meaningless(why) => {
                meaningless.get_or_insert(format!("has no meaning{at}: {why}"));
                continue;
            }
            RuleStanding::Wrong(why) => return Err(format!("is wrong{at}: {why}")),
            RuleStanding::Open(why) if !text.is_trusted => {
                return Err(format!("is not proven{at}: {why}; write :trusted after it to use it anyway"));
            }
            RuleStanding::Open(_) | RuleStanding::Proven => {}
        }
        if shape.is_none() {
            let mut store = Store::new();
            let instance = SizedRule::of(&mut store, &text, &widths)?;
            let order = ArgumentOrder::of(&mut store, instance.left, instance.right);
            shape = Some((RuleShape::of(&store, &instance, instance.left), order));
        }
        standings.insert(widths, found);
    }
    match shape {
        Some((shape, order)) => Ok(CheckedRule { text, shape, order, standings: Mutex::new(standings) }),
        None => Err(meaningless.unwrap_or_else(|| "has no meaning".to_string())),
    }
}

/// Returns all combinations of small widths.
fn small_widths(count: usize) -> Vec<Vec<u32>> {
    let most = SMALL[count.min(SMALL.len() - 1)];
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all.iter().flat_map(|widths| (1..=most).map(|width| [&widths[..], &[width]].concat())).collect();
    }
    all
}

/// Returns ` at n = 3`; empty for a rule without open widths.
fn at(rule: &RuleText, widths: &[u32]) -> String {
    let words: Vec<String> = rule.widths.iter().zip(widths).map(|(name, width)| format!("{name} = {width}")).collect();
    if words.is_empty() { String::new() } else { format!(" at {}", words.join(", ")) }
}

impl CheckedRule {
    /// Returns the status of the rule at these widths; it is determined at most once.
    pub fn standing(&self, widths: &[u32], prover: &Arc<StrategyPlan>, budget: &Budget) -> RuleStanding {
        let known = self.standings.lock().unwrap_or_else(PoisonError::into_inner).get(widths).cloned();
        if let Some(known) = known {
            return known;
        }
        let found = standing(&self.text, widths, prover, budget);
        // What ran out of time may be tried again.
        if budget.check().is_ok() {
            let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
            standings.insert(widths.to_vec(), found.clone());
        }
        found
    }

    /// Describes the rule at these widths.
    pub fn named_at(&self, widths: &[u32]) -> String {
        format!("`{}`{}", self.text.name, at(&self.text, widths))
    }
}
