//! Commands that only some solvers know, and what they do to the assertions.

use crate::sexpr::head;

/// What a command that is carried as text does to the checks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It asks, shows, or concerns something else: the assertions and the names in them stay what they are.
    None,
    /// It says which models are better. Whether there is one stays what it is.
    Objective,
    /// What is asserted after it is not known.
    Unknown,
}

/// The commands, in the order of their bytes, with what they do. What is not known of one is as good as an assertion, and so is
/// what declares or defines a name, which may be that of an operator.
const COMMANDS: &[(&str, Effect)] = &[
    ("add-rec-def", Effect::Unknown),
    ("apply", Effect::None),
    ("assert-not", Effect::Unknown),
    ("assert-rewrite", Effect::Unknown),
    ("assert-soft", Effect::Objective),
    ("assume", Effect::Unknown),
    ("block-model", Effect::Unknown),
    ("block-model-values", Effect::Unknown),
    ("check-sat-assuming-model", Effect::None),
    ("check-synth", Effect::None),
    ("check-synth-next", Effect::None),
    ("compute-interpolant", Effect::None),
    ("constraint", Effect::Unknown),
    ("dbg-bool-rewriter", Effect::None),
    ("dbg-th-solver", Effect::None),
    ("declare-codatatype", Effect::Unknown),
    ("declare-codatatypes", Effect::Unknown),
    ("declare-heap", Effect::Unknown),
    ("declare-map", Effect::Unknown),
    ("declare-oracle-fun", Effect::Unknown),
    ("declare-pool", Effect::Unknown),
    ("declare-primed-var", Effect::Unknown),
    ("declare-rel", Effect::Unknown),
    // Tactics are not named in terms.
    ("declare-tactic", Effect::None),
    ("declare-var", Effect::Unknown),
    ("declare-weight", Effect::Unknown),
    ("define-const-rec", Effect::Unknown),
    ("define-funs", Effect::Unknown),
    ("del", Effect::Unknown),
    ("display", Effect::None),
    ("display-dimacs", Effect::None),
    ("elim-unused", Effect::None),
    ("euf-project", Effect::None),
    ("eval", Effect::None),
    ("fixedpoint", Effect::Unknown),
    ("fixedpoint-pop", Effect::Unknown),
    ("fixedpoint-push", Effect::Unknown),
    ("get-abduct", Effect::None),
    ("get-abduct-next", Effect::None),
    ("get-antecedent", Effect::None),
    ("get-consequences", Effect::None),
    ("get-difficulty", Effect::None),
    ("get-implicant", Effect::None),
    ("get-interpolant", Effect::None),
    ("get-interpolant-next", Effect::None),
    ("get-interpolants", Effect::None),
    ("get-learned-literals", Effect::None),
    ("get-model-domain-elements", Effect::None),
    ("get-objectives", Effect::None),
    ("get-proof-graph", Effect::None),
    ("get-qe", Effect::None),
    ("get-qe-disjunct", Effect::None),
    ("get-timeout-core", Effect::None),
    ("get-unsat-core-lemmas", Effect::None),
    ("get-user-tactics", Effect::None),
    ("help", Effect::None),
    ("help-tactic", Effect::None),
    ("include", Effect::Unknown),
    ("infer", Effect::Unknown),
    ("init-solver", Effect::Unknown),
    ("inv-constraint", Effect::Unknown),
    ("labels", Effect::None),
    ("maximize", Effect::Objective),
    ("mbi", Effect::None),
    ("minimize", Effect::Objective),
    ("model-add", Effect::Unknown),
    ("model-del", Effect::Unknown),
    ("model-eval", Effect::None),
    ("normalize", Effect::Unknown),
    ("proof-trim", Effect::None),
    ("query", Effect::None),
    ("rule", Effect::Unknown),
    ("set-feature", Effect::None),
    ("set-simplifier", Effect::None),
    ("simplify", Effect::None),
    ("synth-fun", Effect::Unknown),
    ("synth-inv", Effect::Unknown),
];

fn find(name: &str) -> Option<Effect> {
    COMMANDS.binary_search_by_key(&name, |row| row.0).ok().map(|n| COMMANDS[n].1)
}

/// Whether this is the name of such a command.
pub(crate) fn is_extension(name: &str) -> bool {
    find(name).is_some()
}

/// Whether this is the name of a command, of the standard or of these.
pub fn is_command(name: &str) -> bool {
    crate::names::COMMANDS.binary_search(&name).is_ok() || is_extension(name)
}

/// What a command, given as text, does. One of the standard that is carried as text holds a term that is not understood.
pub fn effect(command: &str) -> Effect {
    find(head(command)).unwrap_or(Effect::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_found_by_name() {
        assert!(COMMANDS.is_sorted_by_key(|row| row.0), "it is searched by halves");
        for (command, expect) in [
            ("(apply (then simplify smt))", Effect::None),
            ("( ; (assert\n help-tactic)", Effect::None),
            ("(assert-soft p :weight 2)", Effect::Objective),
            ("(include \"more.smt2\")", Effect::Unknown),
            ("(assert (seq.prefixof s t))", Effect::Unknown),
            ("(nobody-knows)", Effect::Unknown),
        ] {
            assert_eq!(effect(command), expect, "{command}");
        }
    }
}
