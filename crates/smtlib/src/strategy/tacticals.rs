//! The tacticals by name, in every spelling.

/// The tacticals with what they take, for messages and suggestions.
pub(super) const TACTICALS: &[(&str, &str)] = &[
    ("then", "(then S S …)"),
    ("thens", "(thens S S …): a strategy, then one for each of its subgoals"),
    ("or-else", "(or-else S S …)"),
    ("par-or", "(par-or S S …)"),
    ("par-then", "(par-then S S …)"),
    ("repeat", "(repeat S) or (repeat S rounds)"),
    ("repeat-up-to", "(repeat-up-to S rounds)"),
    ("try-for", "(try-for S milliseconds)"),
    ("nice", "(nice S n), n from 1 to 19"),
    ("if", "(if PROBE S S)"),
    ("when", "(when PROBE S)"),
    ("fail-if", "(fail-if PROBE)"),
    ("refine", "(refine S S) or (refine S S rounds)"),
    ("using-params", "(using-params S :key value …)"),
    ("solver", "(solver SPEC) or (solver SPEC :option value … :tactic S)"),
    ("solver-tactic", "(solver-tactic SPEC T), T a tactic of the solver's own"),
    ("exec", "(exec \"COMMAND\")"),
    ("rules", "(rules \"FILE\")"),
];

/// The parameters that `(rules "FILE")` takes, with hyphens.
pub(super) const RULES_PARAMETERS: [&str; 1] = ["max-steps"];

/// Other spellings of tacticals: Z3's, and those of the paper and the slides.
const SPELLINGS: &[(&str, &str)] = &[
    ("and-then", "then"),
    ("then*", "thens"),
    ("orelse", "or-else"),
    ("par", "par-or"),
    ("repeatupto", "repeat-up-to"),
    ("tryfor", "try-for"),
    ("ite", "if"),
    ("cond", "if"),
    ("failif", "fail-if"),
    ("with", "using-params"),
    ("!", "using-params"),
];

/// The tactical of a name, whichever its spelling.
pub(super) fn tactical(name: &str) -> Option<&'static (&'static str, &'static str)> {
    let name = SPELLINGS.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    TACTICALS.iter().find(|(known, _)| *known == name)
}

/// Whether a name is that of a tactical, in some spelling; none is free for a strategy.
pub fn is_tactical(name: &str) -> bool {
    tactical(name).is_some()
}
