//! Relations between a refutation and the solver's reasons for it: the assertions of a core, or the failed assumptions, are unsatisfiable
//! alone.

use super::commands::{FlatScript, LiveCommand, RelatedScript, SecondScript, nth, unnamed, unused};
use super::same::{by_assumptions, only};
use smtlib::sexpr::{Sexprs, bare, head};
use solver::outcome::SolverOutcome;

/// Returns the script with a name for each assertion, which asks for the core.
pub(super) fn asking_for_core(text: &str, _: u64) -> Option<RelatedScript> {
    let list = only(text)?;
    let flat = list.flat(0)?;
    let names = names(text, &flat)?;
    let mut out = String::from("(set-option :produce-unsat-cores true)\n") + &flat.begin(&flat.declared());
    for (term, name) in flat.asserted().into_iter().zip(names) {
        let term = unnamed(term)?;
        out.push_str(&format!("(assert (! {term} :named {name}))\n"));
    }
    Some(RelatedScript { text: out + "(check-sat)\n(get-unsat-core)\n", check: 0 })
}

/// Returns the assertions of the core alone.
pub(super) fn core_alone(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = only(of.text)?;
    let flat = list.flat(0)?;
    let needed = named(of.first?, &names(of.text, &flat)?)?;
    kept(&flat, &needed)
}

/// Returns the script with its assertions as assumptions, which asks which of them failed.
pub(super) fn asking_for_assumptions(text: &str, _: u64) -> Option<RelatedScript> {
    let (script, names) = by_assumptions(text)?;
    let check = format!("(check-sat-assuming ({}))\n(get-unsat-assumptions)\n", names.join(" "));
    Some(RelatedScript { text: format!("(set-option :produce-unsat-assumptions true)\n{script}{check}"), check: 0 })
}

/// Returns the failed assumptions alone.
pub(super) fn failed_alone(of: SecondScript<'_>) -> Option<RelatedScript> {
    let (_, names) = by_assumptions(of.text)?;
    let list = only(of.text)?;
    kept(&list.flat(0)?, &named(of.first?, &names)?)
}

/// Names for the assertions: existing or new ones.
fn names(text: &str, flat: &FlatScript<'_>) -> Option<Vec<String>> {
    let base = unused(text, "named");
    let name = |(n, term): (usize, &str)| {
        unnamed(term)?;
        let own = match head(term) {
            "!" => {
                let at = (2..).step_by(2).map_while(|n| nth(term, n).zip(nth(term, n + 1)));
                at.into_iter().find(|(key, _)| *key == ":named").map(|(_, name)| name.to_string())
            }
            _ => None,
        };
        Some(own.unwrap_or_else(|| format!("{base}{n}")))
    };
    flat.asserted().into_iter().enumerate().map(name).collect()
}

/// Which of these names a solver lists after the first check. `None` if it lists something else, or nothing at all.
fn named(outcome: &SolverOutcome, names: &[String]) -> Option<Vec<bool>> {
    let list = outcome.answers.first()?.responses.iter().find(|said| said.starts_with('('))?;
    let all = Sexprs::read_whole(list)?;
    let mut needed = vec![false; names.len()];
    for node in all.children(all.top().next()?) {
        let word = bare(all.text(node));
        *needed.get_mut(names.iter().position(|name| bare(name) == word)?)? = true;
    }
    Some(needed)
}

/// Returns the script with the needed assertions. `None` if all are needed.
fn kept(flat: &FlatScript<'_>, needed: &[bool]) -> Option<RelatedScript> {
    let mut numbers = needed.iter();
    let is_kept = |command: &&LiveCommand<'_>| match command {
        LiveCommand::Declared(_) => true,
        LiveCommand::Asserted(_) => numbers.next() == Some(&true),
    };
    let live: Vec<LiveCommand<'_>> = flat.live.iter().filter(is_kept).cloned().collect();
    (live.len() < flat.live.len()).then(|| RelatedScript { text: flat.begin(&live) + "(check-sat)\n", check: 0 })
}
