//! Commands that only some solvers know, and their effect on the assertions.

use crate::sexpr::head;

/// Why a command is carried as text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OpaqueReason {
    /// A solver's own command (`minimize`, `eval`, `declare-rel`, …).
    Command,
    /// A term over a solver's own theory (relations, finite fields, …).
    Theory,
    /// Either of these, and it redefines a name.
    Redeclaration,
}

/// The effect of a command carried as text on later checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The command asks, prints, or concerns something else: the assertions and the names in them do not change.
    None,
    /// The command ranks models. Satisfiability does not change.
    Objective,
    /// The command declares or defines names that no understood term uses: a name in use is [`OpaqueReason::Redeclaration`].
    Declares,
    /// The command asserts something: contradictory assertions stay contradictory.
    Constrains,
    /// The assertions after it are unknown.
    Unknown,
}

/// The commands, in byte order, with their effects.
pub const COMMANDS: &[(&str, Effect)] = &[
    ("add-rec-def", Effect::Constrains),
    ("apply", Effect::None),
    ("assert-not", Effect::Constrains),
    ("assert-rewrite", Effect::Constrains),
    ("assert-soft", Effect::Objective),
    ("assume", Effect::Constrains),
    ("block-model", Effect::Constrains),
    ("block-model-values", Effect::Constrains),
    ("check-sat-assuming-model", Effect::None),
    ("check-synth", Effect::None),
    ("check-synth-next", Effect::None),
    ("compute-interpolant", Effect::None),
    ("constraint", Effect::Unknown),
    ("dbg-bool-rewriter", Effect::None),
    ("dbg-th-solver", Effect::None),
    ("declare-codatatype", Effect::Declares),
    ("declare-codatatypes", Effect::Declares),
    ("declare-heap", Effect::Constrains),
    ("declare-map", Effect::Unknown),
    ("declare-oracle-fun", Effect::Unknown),
    ("declare-pool", Effect::Unknown),
    ("declare-primed-var", Effect::Unknown),
    ("declare-rel", Effect::Unknown),
    // Terms do not mention tactics.
    ("declare-tactic", Effect::None),
    ("declare-var", Effect::Unknown),
    ("declare-weight", Effect::Unknown),
    ("define-const-rec", Effect::Constrains),
    ("define-funs", Effect::Unknown),
    ("del", Effect::Unknown),
    ("display", Effect::None),
    ("display-dimacs", Effect::None),
    ("elim-unused", Effect::None),
    ("euf-project", Effect::None),
    ("eval", Effect::None),
    ("find-synth", Effect::None),
    ("find-synth-next", Effect::None),
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

/// Whether this is the name of a command of the standard or of this table.
pub fn is_command(name: &str) -> bool {
    crate::names::COMMANDS.binary_search(&name).is_ok() || is_extension(name)
}

/// Whether this command ranks models.
pub fn is_objective(name: &str) -> bool {
    find(name) == Some(Effect::Objective)
}

/// Returns the effect of a command carried as text. A standard command among them has a term that is not understood.
pub fn effect(command: &str, reason: OpaqueReason) -> Effect {
    match head(command) {
        _ if reason == OpaqueReason::Redeclaration => Effect::Unknown,
        // A recursive definition is an assertion over all arguments (SMT-LIB 2.7, section 4.2.3).
        "assert" | "define-fun-rec" | "define-funs-rec" => Effect::Constrains,
        "declare-const" | "declare-datatype" | "declare-datatypes" | "declare-fun" | "declare-sort" => Effect::Declares,
        "define-const" | "define-fun" | "define-sort" => Effect::Declares,
        "check-sat" | "check-sat-assuming" | "get-value" => Effect::None,
        name => find(name).unwrap_or(Effect::Unknown),
    }
}
