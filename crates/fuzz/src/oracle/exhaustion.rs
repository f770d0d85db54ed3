//! The right answer to a check over small finite sets, by the plain evaluator alone.

use semantics::exhaust::{ExhaustLimits, Exhaustion, ExhaustiveAnswer, World, exhaust, proper_parts};
use semantics::{Model, Stop};
use smtlib::{Instance, Store, TermId};
use std::fmt;
use std::time::{Duration, Instant};

/// The longest one check may take.
const TIME: Duration = Duration::from_secs(10);

/// What exhaustion proves of a check.
#[derive(Clone, Debug)]
pub struct Proven {
    /// An assignment that satisfies the assertions; none where all of them falsify one.
    pub model: Option<Model>,
    /// What was looked at.
    pub record: Exhaustion,
}

/// Decides a check whose symbols range over small finite sets.
///
/// # Errors
/// Why it is not decided: a symbol that is not confined to few values, a bound, the time.
pub fn decide(store: &mut Store, instance: &Instance) -> Result<Proven, String> {
    let not_understood = || Err("a command is not understood".to_string());
    if instance.may_be_weaker {
        return not_understood();
    }
    if let Some(record) = refuted_part(store, &instance.assertions) {
        return Ok(Proven { model: None, record });
    }
    let limits = ExhaustLimits::default();
    let world = World::of(store, &instance.assertions, &limits).map_err(|reason| reason.to_string())?;
    match exhaust(store, &world, &limits, &within_time()) {
        // What is carried as text may be false.
        (ExhaustiveAnswer::Sat(_), _) if instance.incomplete => not_understood(),
        (ExhaustiveAnswer::Sat(model), record) => Ok(Proven { model: Some(model), record }),
        (ExhaustiveAnswer::Unsat, record) => Ok(Proven { model: None, record }),
        (ExhaustiveAnswer::Unknown(reason), _) => Err(reason.to_string()),
    }
}

/// What was looked at where a part of the assertions is refuted, and the whole with it. The other assertions need not be finite.
fn refuted_part(store: &mut Store, assertions: &[TermId]) -> Option<Exhaustion> {
    let (limits, stop) = (ExhaustLimits::default(), within_time());
    let parts = proper_parts(store, assertions, &limits);
    parts.iter().find_map(|world| match exhaust(store, world, &limits, &stop) {
        (ExhaustiveAnswer::Unsat, record) => Some(record),
        (ExhaustiveAnswer::Sat(_) | ExhaustiveAnswer::Unknown(_), _) => None,
    })
}

fn within_time() -> Stop {
    Stop { deadline: Instant::now().checked_add(TIME), cancelled: None }
}

/// Decides a check, by its place from 0, of a text that is read afresh.
///
/// # Errors
/// As of [`decide`], and a text that does not read or has no such check.
pub fn decide_text(text: &str, check: usize) -> Result<Proven, String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    if let Some(error) = parsed.errors.first() {
        return Err(format!("the text does not read: {error}"));
    }
    let instances = parsed.script.instances();
    let instance = instances.get(check).ok_or_else(|| format!("there is no check {}", check + 1))?;
    decide(&mut store, instance)
}

impl Proven {
    /// The answer in a word.
    pub fn word(&self) -> &'static str {
        if self.model.is_some() { "sat" } else { "unsat" }
    }

    /// Whether the answer stands only by the choice of a value that the standard leaves open.
    pub fn is_by_choice(&self) -> bool {
        self.model.as_ref().is_some_and(|model| !model.choices().is_empty())
    }
}

impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.model {
            Some(_) if self.is_by_choice() => {
                f.write_str("what satisfies the assertions rests on a value that the standard leaves open")
            }
            Some(_) => f.write_str("an assignment satisfies the assertions"),
            None if self.record.assignments == 0 => f.write_str("the assertions leave a symbol no value"),
            None if self.record.assignments == 1 => f.write_str("the only assignment falsifies an assertion"),
            None => write!(f, "each of {} assignments falsifies an assertion", self.record.assignments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decide_text;

    #[test]
    fn what_was_tried_is_said_in_words() {
        let check = |text: &str, expect: &str| {
            assert_eq!(decide_text(text, 0).expect("it is decided").to_string(), expect, "{text}");
        };
        check("(assert false)(check-sat)", "the only assignment falsifies an assertion");
        check(
            "(declare-const p Bool)(assert (and p (not p)))(check-sat)",
            "each of 2 assignments falsifies an assertion",
        );
        check("(declare-const p Bool)(assert p)(check-sat)", "an assignment satisfies the assertions");
        check(
            "(declare-const x Int)(assert (or (= x 1) (= x 2)))(assert (or (= x 3) (= x 4)))(check-sat)",
            "the assertions leave a symbol no value",
        );
        check(
            "(declare-const p Bool)(declare-const x Int)(assert (and (> x 3) p))(assert (not p))(check-sat)",
            "each of 2 assignments falsifies an assertion",
        );
    }

    /// `x` has infinitely many values: only a part without it may decide, and only against the whole.
    #[test]
    fn a_part_that_is_satisfied_decides_nothing() {
        let check = |text: &str| assert!(decide_text(text, 0).is_err(), "{text}");
        check("(declare-const p Bool)(declare-const x Int)(assert p)(assert (> x 3))(check-sat)");
        check("(declare-const p Bool)(declare-const x Int)(assert (= p (> x 3)))(assert (not p))(check-sat)");
    }
}
