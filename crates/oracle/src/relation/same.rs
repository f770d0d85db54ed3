//! Relations between scripts that ask the same: rephrased, in another order, with levels, under assumptions, after a
//! reset.

use super::commands::{CommandList, LiveCommand, RelatedScript, RelationTarget, SecondScript, unnamed, unused};
use mutate::reworded::{RenamedSymbols, RewordingRules, reword};
use mutate::rng::RandomStream;

/// The maximum number of levels to open.
const MAX_LEVELS: u64 = 4;

/// Returns one check alone, without levels and assumptions.
pub(super) fn alone(list: &CommandList<'_>, check: usize, _: &mut RandomStream) -> Option<String> {
    Some(list.flat(check)?.text())
}

/// Returns a session up to one of its checks.
pub(super) fn session(list: &CommandList<'_>, check: usize, _: &mut RandomStream) -> Option<String> {
    (list.is_session() && list.flat(check).is_some()).then(|| list.up_to(check))
}

/// Returns the text itself, at its last check.
pub(super) fn as_it_is(text: &str, _: u64) -> Option<RelatedScript> {
    let last = CommandList::read(text)?.checks().checked_sub(1)?;
    Some(RelatedScript { text: text.to_string(), check: last })
}

/// Returns the last check alone.
pub(super) fn last_alone(of: SecondScript<'_>) -> Option<RelatedScript> {
    let list = CommandList::read(of.text)?;
    let flat = list.is_session().then(|| list.flat(list.checks() - 1))??;
    Some(RelatedScript { text: flat.text(), check: 0 })
}

/// Returns the script, rephrased as mutants are.
pub(super) fn in_other_words(of: SecondScript<'_>) -> Option<RelatedScript> {
    // `reword` rejects scripts with assertions carried as text.
    let check = CommandList::read(of.text)?.checks().checked_sub(1).filter(|last| *last == 0)?;
    let RelationTarget { dialect, takes_commands } = of.target;
    let rules = RewordingRules { dialect, takes_commands, takes_errors: false, renamed: RenamedSymbols::All };
    let (text, _) = reword(of.text, rules, &mut RandomStream::from_seed(of.draw))?;
    Some(RelatedScript { text, check })
}

/// Returns the assertions in another order, after all declarations.
pub(super) fn shuffled(of: SecondScript<'_>) -> Option<RelatedScript> {
    let flat = only(of.text)?.flat(0)?;
    let mut asserted = flat.asserted();
    if asserted.len() < 2 {
        return None;
    }
    RandomStream::from_seed(of.draw).shuffle(&mut asserted);
    let mut live = flat.declared();
    live.extend(asserted.into_iter().map(LiveCommand::Asserted));
    Some(RelatedScript { text: flat.begin(&live) + "(check-sat)\n", check: 0 })
}

/// Returns each assertion on its own level, with checks between.
pub(super) fn by_levels(of: SecondScript<'_>) -> Option<RelatedScript> {
    let flat = only(of.text)?.flat(0)?;
    let asserted = flat.asserted();
    let mut rng = RandomStream::from_seed(of.draw);
    let mut opened: Vec<usize> = (0..rng.between(1, MAX_LEVELS)).map(|_| rng.index(asserted.len())).collect();
    opened.dedup();
    let mut text = flat.begin(&flat.declared());
    let mut checks = 0;
    for (n, term) in asserted.into_iter().enumerate() {
        if opened.contains(&n) {
            if rng.coin() {
                text.push_str("(check-sat)\n");
                checks += 1;
            }
            text.push_str("(push 1)\n");
        }
        text.push_str(&LiveCommand::Asserted(term).text());
    }
    Some(RelatedScript { text: text + "(check-sat)\n", check: checks })
}

/// Returns the assertions as assumptions of the check, by the names of definitions.
pub(super) fn assumed(of: SecondScript<'_>) -> Option<RelatedScript> {
    let (text, names) = by_assumptions(of.text)?;
    let check = format!("(check-sat-assuming ({}))\n", names.join(" "));
    of.target.takes_commands.then(|| RelatedScript { text: text + &check, check: 0 })
}

/// Returns the script twice in one process, with a reset between.
pub(super) fn again(of: SecondScript<'_>) -> Option<RelatedScript> {
    let checks = CommandList::read(of.text)?.checks();
    of.target.takes_commands.then(|| RelatedScript { text: format!("{0}(reset)\n{0}", of.text), check: 2 * checks - 1 })
}

/// Returns a script whose assertions are definitions, with the names of these.
pub(super) fn by_assumptions(text: &str) -> Option<(String, Vec<String>)> {
    let flat = only(text)?.flat(0)?;
    let base = unused(text, "assumed");
    let mut script = flat.begin(&flat.declared());
    let mut names = Vec::new();
    for (n, term) in flat.asserted().into_iter().enumerate() {
        let name = format!("{base}{n}");
        script.push_str(&format!("(define-fun {name} () Bool {})\n", unnamed(term)?));
        names.push(name);
    }
    (!names.is_empty()).then_some((script, names))
}

/// Returns the commands of a text with one check.
pub(super) fn only(text: &str) -> Option<CommandList<'_>> {
    CommandList::read(text).filter(|list| list.checks() == 1)
}
