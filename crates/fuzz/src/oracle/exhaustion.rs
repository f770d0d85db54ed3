//! The right answer to a check over small finite sets, by the plain evaluator alone.

use semantics::Stop;
use semantics::exhaust::{Answer, ExhaustLimits, Exhaustion, World, exhaust};
use smtlib::{Instance, Store};
use std::fmt;
use std::time::{Duration, Instant};

/// The longest one check may take.
const TIME: Duration = Duration::from_secs(10);

/// What exhaustion proves of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// Whether some assignment satisfies the assertions.
    pub satisfiable: bool,
    /// Whether the assignment rests on a value that the standard leaves open.
    pub by_choice: bool,
    /// What was looked at.
    pub record: Exhaustion,
}

/// Decides a check whose symbols range over small finite sets.
///
/// # Errors
/// Why it is not decided: a symbol that is not confined to few values, a bound, the time.
pub fn decide(store: &mut Store, instance: &Instance) -> Result<Proven, String> {
    if instance.incomplete {
        return Err("a command is not understood".to_string());
    }
    let limits = ExhaustLimits::default();
    let world = World::of(store, &instance.assertions, &limits).map_err(|reason| reason.to_string())?;
    let stop = Stop { deadline: Instant::now().checked_add(TIME), cancelled: None };
    match exhaust(store, &world, &limits, &stop) {
        (Answer::Sat(model), record) => {
            Ok(Proven { satisfiable: true, by_choice: !model.choices().is_empty(), record })
        }
        (Answer::Unsat, record) => Ok(Proven { satisfiable: false, by_choice: false, record }),
        (Answer::Unknown(reason), _) => Err(reason.to_string()),
    }
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
        if self.satisfiable { "sat" } else { "unsat" }
    }
}

impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.satisfiable {
            true if self.by_choice => {
                f.write_str("what satisfies the assertions rests on a value that the standard leaves open")
            }
            true => f.write_str("an assignment satisfies the assertions"),
            false => write!(f, "all {} assignments falsify an assertion", self.record.assignments),
        }
    }
}
