//! Scripts with rebound names: every binder gets a name that something else has, and redundant binders are added.
//!
//! `(assert (and x (not y)))` becomes `(assert (let ((y x) (x y)) (and y (not x))))`. Only binders shadow outer names, which the
//! standard allows (SMT-LIB 2.7, section 3.6.1); nothing is declared twice. Scoping is where solvers' readers err: Yices 2.6.5 loses the
//! outer meaning of a name that a `let` with several bindings rebinds.

mod scopes;
mod tree;
mod wraps;

use crate::rng::RandomStream;
use scopes::ScriptScopes;
use smtlib::printer::quote_symbol;
use smtlib::sexpr::bare;
use tree::{Tree, TreeNode};

pub use wraps::AddedBinder;

/// The rules for a script with rebound names.
#[derive(Clone, Debug)]
pub struct ScopeRules {
    /// The binders to add; repeated ones are drawn more often.
    pub binders: Vec<AddedBinder>,
    /// The maximum number of binders to add, at least 1.
    pub most: u64,
    /// Whether its solver is known to read unnecessary bars, and names of theories as bound names.
    pub takes_any_name: bool,
}

impl ScopeRules {
    /// Returns the rules for every script, plus quantifiers if it has some: its logic may have none.
    pub fn of(text: &str, most: u64) -> ScopeRules {
        let mut binders = AddedBinder::PLAIN.to_vec();
        if text.contains("(forall ") || text.contains("(exists ") {
            binders.push(AddedBinder::Quantifier);
        }
        ScopeRules { binders, most, takes_any_name: false }
    }
}

/// Names of theories and sorts that a binder may have: it shadows the theory's meaning in its scope.
const KNOWN_NAMES: [&str; 24] = [
    "and", "not", "=", "ite", "distinct", "+", "-", "*", "<", "<=", "select", "store", "bvadd", "bvult", "concat",
    "extract", "fp.add", "RNE", "str.len", "seq.len", "is", "Int", "Bool", "Array",
];
/// Names that need bars.
const BARRED_NAMES: [&str; 8] = ["let", "forall", "_", "!", "as", "assert", "x 0", "0"];
/// How often binders get names of a theory or the language, in percent of scripts: a solver that rejects these is still asked the others.
const KNOWN: u32 = 20;
/// The maximum number of uses examined in one script.
const MAX_WORK: usize = 1 << 22;

/// Rebinds names in a script so that every check asks the same; `None` if it has no suitable terms, or does not parse.
pub fn rescope(text: &str, rules: &ScopeRules, rng: &mut RandomStream) -> Option<String> {
    let mut tree = Tree::read(text)?;
    for _ in 0..rng.between(1, rules.most) {
        wraps::add_binder(&mut tree, &rules.binders, rng);
    }
    let mut scopes = ScriptScopes::of(&tree);
    choose_names(&mut scopes, rules, rng);
    for var in &scopes.vars {
        tree.set(var.node, TreeNode::Word(spelled(scopes.name(var.name))));
    }
    for used in scopes.uses.iter().filter(|used| used.var.is_some()) {
        tree.set(used.node, TreeNode::Word(spelled(scopes.name(used.name))));
    }
    if rules.takes_any_name && rng.percent(30) {
        add_bars(&mut tree, &scopes, rng);
    }
    let rescoped = tree.text();
    (rescoped != Tree::read(text)?.text()).then_some(rescoped)
}

fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    quote_symbol(name, &mut spelled);
    spelled
}

/// Gives binders names that are declared, bound, or used elsewhere, wherever that captures nothing.
fn choose_names(scopes: &mut ScriptScopes, rules: &ScopeRules, rng: &mut RandomStream) {
    let known = match rules.takes_any_name && rng.percent(KNOWN) {
        true => [&KNOWN_NAMES[..], &BARRED_NAMES[..]].concat(),
        false => Vec::new(),
    };
    let known: Vec<u32> = known.into_iter().map(|name| scopes.number(name)).collect();
    let mut order: Vec<usize> = (0..scopes.vars.len()).collect();
    order.truncate(MAX_WORK / scopes.uses.len().max(1));
    rng.shuffle(&mut order);
    for var in order {
        if rng.percent(10) {
            continue;
        }
        const TRIES: usize = 6;
        for _ in 0..TRIES {
            let other = rng.index(scopes.vars.len());
            let name = match rng.below(10) {
                0..=4 => rng.pick(&scopes.declared).copied(),
                5..=7 => Some(scopes.vars[other].name),
                _ => rng.pick(&known).copied(),
            };
            if let Some(name) = name
                && scopes.may_be_called(var, name)
            {
                scopes.rename(var, name);
                break;
            }
        }
    }
}

/// Puts some names in bars: `|x|` is `x` (section 3.1).
fn add_bars(tree: &mut Tree, scopes: &ScriptScopes, rng: &mut RandomStream) {
    let bound = scopes.vars.iter().map(|var| var.node);
    let used = scopes.uses.iter().filter(|used| used.var.is_some() || scopes.declared.contains(&used.name));
    for node in bound.chain(used.map(|used| used.node)).collect::<Vec<_>>() {
        if rng.percent(15) {
            let barred = format!("|{}|", bare(tree.spelling(node)));
            tree.set(node, TreeNode::Word(barred));
        }
    }
}
