//! Redundant binders around terms, each with fresh names.

use super::scopes::{ScopeUse, ScriptScopes, TermSpot};
use super::tree::{Tree, TreeNode};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;

/// A binder to add.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddedBinder {
    /// `(let ((a x) (b true)) t)`, where neither is used.
    Unused,
    /// `(let ((a x) (b y)) t)` with `a` for some `x` in it, and `b` for some `y`.
    Names,
    /// `(let ((a s)) t)` with `a` for a term `s` in it.
    Subterm,
    /// `(forall ((a S)) t)`: no sort is empty.
    Quantifier,
    /// `(! t :named a)` anywhere in a term.
    Label,
    /// `(define-fun f ((a S)) Bool t)` with `a` for a constant, to which it is applied.
    Definition,
    /// `(match x (((c a b) t) (d t)))`.
    Match,
}

impl AddedBinder {
    /// Those that every reader supports.
    pub const PLAIN: [AddedBinder; 7] = [
        AddedBinder::Unused,
        AddedBinder::Unused,
        AddedBinder::Names,
        AddedBinder::Names,
        AddedBinder::Names,
        AddedBinder::Subterm,
        AddedBinder::Subterm,
    ];
}

/// The maximum number of uses of names in a copied term.
const MAX_COPIED: usize = 24;

/// Adds one of these binders somewhere, if possible.
pub(super) fn add_binder(tree: &mut Tree, binders: &[AddedBinder], rng: &mut RandomStream) -> Option<()> {
    use AddedBinder::{Definition, Label, Match, Names, Quantifier, Subterm, Unused};
    let mut scopes = ScriptScopes::of(tree);
    let kind = *rng.pick(binders)?;
    let spot = *rng.pick(&scopes.spots)?;
    // A named term stays closed.
    let may_replace = !is_labelled(tree, spot.node);
    match kind {
        Unused => unused(tree, &mut scopes, &spot, rng),
        Names if may_replace => names(tree, &mut scopes, &spot, rng),
        Subterm if may_replace => subterm(tree, &mut scopes, &spot, rng),
        Quantifier => quantifier(tree, &mut scopes, &spot, rng),
        Label => label(tree, &mut scopes, &spot, rng),
        Definition => definition(tree, &mut scopes, &spot, rng),
        Match => cases(tree, &mut scopes, &spot, rng),
        Names | Subterm => None,
    }
}

fn is_labelled(tree: &Tree, node: usize) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if tree.spelling(node) == ":named" {
            return true;
        }
        open.extend_from_slice(tree.children(node));
    }
    false
}

/// Returns a fresh name.
fn fresh(scopes: &mut ScriptScopes) -> String {
    let name = (0..).map(|n| format!("n{n}")).find(|name| !scopes.has(name)).unwrap_or_default();
    scopes.number(&name);
    name
}

/// Returns the free names of a term that are terms, each once, with one use, in random order.
fn free_names(scopes: &ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Vec<ScopeUse> {
    let mut seen = FxHashMap::default();
    for used in scopes.uses_of(spot).iter().filter(|used| used.is_term && scopes.is_free(spot, used)) {
        seen.entry((used.name, used.var)).or_insert(*used);
    }
    let mut names: Vec<ScopeUse> = seen.into_values().collect();
    names.sort_unstable_by_key(|used| used.node);
    rng.shuffle(&mut names);
    names
}

/// Puts `(let bindings t)` around a term `t`.
fn bind(tree: &mut Tree, spot: &TermSpot, inner: usize, bindings: &[(String, usize)]) {
    let bindings: Vec<usize> = bindings
        .iter()
        .map(|(name, value)| {
            let name = tree.word(name);
            tree.list(vec![name, *value])
        })
        .collect();
    let (word, bindings) = (tree.word("let"), tree.list(bindings));
    tree.set(spot.node, TreeNode::List(vec![word, bindings, inner]));
}

fn unused(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    let names = free_names(scopes, spot, rng);
    let mut bindings = Vec::new();
    for n in 0..rng.between(1, 3) as usize {
        let value = match names.get(n) {
            Some(used) => tree.copy(used.node),
            None => tree.word(if rng.coin() { "true" } else { "false" }),
        };
        bindings.push((fresh(scopes), value));
    }
    let inner = tree.moved(spot.node);
    bind(tree, spot, inner, &bindings);
    Some(())
}

/// Replaces uses of names in a term that is moved to `inner`: all of each, or some. Returns the new names.
fn replace(
    tree: &mut Tree,
    scopes: &mut ScriptScopes,
    spot: &TermSpot,
    inner: usize,
    (names, share): (&[ScopeUse], u32),
    rng: &mut RandomStream,
) -> Vec<String> {
    let new: Vec<String> = names.iter().map(|_| fresh(scopes)).collect();
    for used in scopes.uses_of(spot).iter().filter(|used| used.is_term) {
        let at = names.iter().position(|name| (name.name, name.var) == (used.name, used.var));
        if let Some(at) = at.filter(|_| rng.percent(share)) {
            let node = if used.node == spot.node { inner } else { used.node };
            tree.set(node, TreeNode::Word(new[at].clone()));
        }
    }
    new
}

fn names(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    let mut names = free_names(scopes, spot, rng);
    names.truncate(rng.between(1, 3) as usize);
    names.first()?;
    let values: Vec<usize> = names.iter().map(|used| tree.copy(used.node)).collect();
    let inner = tree.moved(spot.node);
    let share = if rng.coin() { 100 } else { 60 };
    let new = replace(tree, scopes, spot, inner, (&names, share), rng);
    let bindings: Vec<(String, usize)> = new.into_iter().zip(values).collect();
    bind(tree, spot, inner, &bindings);
    Some(())
}

fn subterm(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    let is_within = |other: &&TermSpot| {
        other.command == spot.command
            && other.node != spot.node
            && spot.uses.0 <= other.uses.0
            && other.uses.1 <= spot.uses.1
            && other.uses.0 < other.uses.1
            && other.bound_before >= spot.bound_before
            && scopes
                .uses_of(other)
                .iter()
                .all(|used| used.var.is_none_or(|var| var < spot.bound_before || var >= other.bound_before))
    };
    let within: Vec<TermSpot> = scopes.spots.iter().filter(is_within).copied().collect();
    let chosen = *rng.pick(&within)?;
    // The spot may be within the chosen one where their uses are the same.
    let mut open = vec![chosen.node];
    while let Some(node) = open.pop() {
        if node == spot.node {
            return None;
        }
        open.extend_from_slice(tree.children(node));
    }
    let name = fresh(scopes);
    let value = tree.moved(chosen.node);
    tree.set(chosen.node, TreeNode::Word(name.clone()));
    let inner = tree.moved(spot.node);
    bind(tree, spot, inner, &[(name, value)]);
    Some(())
}

fn quantifier(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    if !spot.is_formula {
        return None;
    }
    let names = free_names(scopes, spot, rng);
    let mut sorts = names.iter().filter_map(|used| scopes.constant_sort(used, spot.command));
    let sort = sorts.find(|&sort| is_tiny(tree, sort));
    let sort = match sort {
        Some(sort) => tree.copy(sort),
        None => tree.word("Bool"),
    };
    let name = fresh(scopes);
    let name = tree.word(&name);
    let var = tree.list(vec![name, sort]);
    let (word, vars) = (tree.word(if rng.coin() { "forall" } else { "exists" }), tree.list(vec![var]));
    let inner = tree.moved(spot.node);
    tree.set(spot.node, TreeNode::List(vec![word, vars, inner]));
    Some(())
}

/// Whether a sort has so few values that trying all costs nothing.
fn is_tiny(tree: &Tree, sort: usize) -> bool {
    match *tree.children(sort) {
        [_, word, width] => tree.spelling(word) == "BitVec" && ["1", "2", "3"].contains(&tree.spelling(width)),
        _ => false,
    }
}

fn label(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    // cvc5 accepts no name under a binder, even for a closed term.
    let is_bound =
        scopes.vars[..spot.bound_before].iter().any(|var| var.scope.1 >= spot.uses.1 && var.scope.0 <= spot.uses.0);
    if is_bound && rng.percent(85) {
        return None;
    }
    let is_asserted = tree.head(tree.top[spot.command]) == "assert";
    let is_closed = scopes.uses_of(spot).iter().all(|used| !scopes.is_free(spot, used) || used.var.is_none());
    if !is_asserted || !is_closed {
        return None;
    }
    let name = fresh(scopes);
    let inner = tree.moved(spot.node);
    let list = vec![tree.word("!"), inner, tree.word(":named"), tree.word(&name)];
    tree.set(spot.node, TreeNode::List(list));
    Some(())
}

fn definition(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    let command = tree.top[spot.command];
    let spot = *scopes.spots.iter().find(|other| other.command == spot.command)?;
    // The number of elements a declared sort needs is not visible through parameters.
    let has_sorts = tree.top.iter().any(|&command| tree.head(command) == "declare-sort");
    if has_sorts || tree.head(command) != "assert" || is_labelled(tree, command) {
        return None;
    }
    let mut names = free_names(scopes, &spot, rng);
    names.retain(|used| scopes.constant_sort(used, spot.command).is_some());
    names.truncate(3);
    names.first()?;
    let function = fresh(scopes);
    let mut call = vec![tree.word(&function)];
    call.extend(names.iter().map(|used| tree.copy(used.node)).collect::<Vec<_>>());
    let body = tree.moved(spot.node);
    let new = replace(tree, scopes, &spot, body, (&names, 100), rng);
    let mut params = Vec::new();
    for (name, used) in new.iter().zip(&names) {
        let sort = scopes.constant_sort(used, spot.command)?;
        let pair = vec![tree.word(name), tree.copy(sort)];
        params.push(tree.list(pair));
    }
    let list = vec![tree.word("define-fun"), tree.word(&function), tree.list(params), tree.word("Bool"), body];
    let defined = tree.list(list);
    tree.set(spot.node, TreeNode::List(call));
    tree.top.insert(spot.command, defined);
    Some(())
}

fn cases(tree: &mut Tree, scopes: &mut ScriptScopes, spot: &TermSpot, rng: &mut RandomStream) -> Option<()> {
    if scopes.uses_of(spot).len() > MAX_COPIED || is_labelled(tree, spot.node) {
        return None;
    }
    let matched = free_names(scopes, spot, rng).into_iter().find_map(|used| {
        let sort = scopes.constant_sort(&used, spot.command)?;
        Some((used, scopes.constructors_of(tree.spelling(sort))?.to_vec()))
    });
    let (matched, mut constructors) = matched?;
    let matched = tree.copy(matched.node);
    rng.shuffle(&mut constructors);
    let has_rest = rng.coin();
    if has_rest {
        constructors.truncate(rng.index(constructors.len() + 1));
    }
    let mut cases = Vec::new();
    for (constructor, fields) in constructors {
        let constructor = tree.word(&super::spelled(scopes.name(constructor)));
        let mut pattern = vec![constructor];
        for _ in 0..fields {
            let name = fresh(scopes);
            pattern.push(tree.word(&name));
        }
        let pattern = if fields == 0 { constructor } else { tree.list(pattern) };
        let case = vec![pattern, tree.copy(spot.node)];
        cases.push(tree.list(case));
    }
    if has_rest {
        let name = fresh(scopes);
        let case = vec![tree.word(&name), tree.copy(spot.node)];
        cases.push(tree.list(case));
    }
    let list = vec![tree.word("match"), matched, tree.list(cases)];
    tree.set(spot.node, TreeNode::List(list));
    Some(())
}
