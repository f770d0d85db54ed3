//! The names of a script: their binders, scopes and uses.
//!
//! Binders shadow outer names (SMT-LIB 2.7, section 3.6.1): `let`, whose bindings do not see each other, quantifiers, `lambda`, `match`
//! and the parameters of definitions.

use super::tree::Tree;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::sexpr::bare;
use std::ops::Range;

/// An occurrence of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeUse {
    /// The word.
    pub(super) node: usize,
    /// The name, without bars.
    pub(super) name: u32,
    /// Its variable; `None` for a declared or theory name.
    pub(super) var: Option<usize>,
    /// Whether the use is a term, not an applied function, index, sort or name.
    pub(super) is_term: bool,
}

/// A bound name. Later ones have greater numbers, so that of two in scope the greater is the inner one.
#[derive(Clone, Debug)]
pub(super) struct BinderName {
    /// The word that binds it.
    pub(super) node: usize,
    pub(super) name: u32,
    /// The first and the last of the names bound together.
    pub(super) group: (usize, usize),
    /// The range of uses in its scope: from the first number to before the second.
    pub(super) scope: (usize, usize),
    /// Whether a pattern of `match` binds it.
    pub(super) is_in_case: bool,
}

/// A term within an assertion or definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermSpot {
    pub(super) node: usize,
    /// Whether the term is certainly a formula.
    pub(super) is_formula: bool,
    /// The uses in it.
    pub(super) uses: (usize, usize),
    /// How many names were bound before it: these include all that are in scope around it.
    pub(super) bound_before: usize,
    /// The command.
    pub(super) command: usize,
}

/// All names of a script.
#[derive(Default)]
pub(super) struct ScriptScopes {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    pub(super) uses: Vec<ScopeUse>,
    pub(super) vars: Vec<BinderName>,
    pub(super) spots: Vec<TermSpot>,
    /// Names that commands declare, including constructors and selectors, in order.
    pub(super) declared: Vec<u32>,
    /// The constants with the nodes of their sorts and the commands that declare them.
    constants: FxHashMap<u32, Vec<(usize, usize)>>,
    /// The constructors of datatypes without parameters, each with how many fields it has.
    datatypes: FxHashMap<String, Vec<(u32, usize)>>,
    constructors: FxHashSet<u32>,
    /// The bindings of each name at the current place, innermost last.
    around: FxHashMap<u32, Vec<usize>>,
    /// The groups of names that are in scope there.
    open: Vec<Range<usize>>,
}

/// The role of a name in a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NameRole {
    Term,
    /// Before arguments, or in a pattern of a quantifier.
    Head,
    /// Where no variable can be.
    Global,
}

/// The remaining reads, last first.
enum ReadStep {
    Term {
        node: usize,
        is_formula: bool,
    },
    Ended(usize),
    Bind {
        words: Vec<usize>,
        is_in_case: bool,
    },
    Unbind,
    /// All words of a node.
    Mention {
        node: usize,
        is_global: bool,
    },
}

impl ScriptScopes {
    /// Reads the names of a script.
    pub(super) fn of(tree: &Tree) -> ScriptScopes {
        let mut scopes = ScriptScopes::default();
        for (command, &node) in tree.top.iter().enumerate() {
            scopes.command(tree, node, command);
        }
        scopes
    }

    /// Returns the name of a number.
    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// Returns the number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), self.names.len() as u32 - 1);
        self.names.len() as u32 - 1
    }

    /// Whether a script has a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// Whether a use in a term refers to a name bound or declared outside it.
    pub(super) fn is_free(&self, spot: &TermSpot, used: &ScopeUse) -> bool {
        used.var.is_none_or(|var| var < spot.bound_before)
    }

    /// Returns the uses in a term.
    pub(super) fn uses_of(&self, spot: &TermSpot) -> &[ScopeUse] {
        &self.uses[spot.uses.0..spot.uses.1]
    }

    /// Whether renaming a variable keeps the meaning of all uses.
    pub(super) fn may_be_called(&self, var: usize, name: u32) -> bool {
        let bound = &self.vars[var];
        let group = bound.group.0..bound.group.1;
        // Patterns distinguish constructors from variables by name.
        if group.clone().any(|other| self.vars[other].name == name)
            || bound.is_in_case && self.constructors.contains(&name)
        {
            return false;
        }
        let (from, to) = bound.scope;
        let within = &self.uses[from..to];
        // It would capture outer bound or declared names.
        let captures = within.iter().any(|used| used.name == name && used.var.is_none_or(|other| other < group.start));
        // It would be captured by a binder in its scope.
        let is_captured = || {
            let inner = self.vars[group.end..].iter().take_while(|inner| inner.scope.0 < to);
            let mut same = inner.filter(|inner| inner.name == name && inner.scope.1 <= to);
            same.any(|inner| self.uses[inner.scope.0..inner.scope.1].iter().any(|used| used.var == Some(var)))
        };
        !captures && !is_captured()
    }

    /// Gives a variable another name.
    pub(super) fn rename(&mut self, var: usize, name: u32) {
        self.vars[var].name = name;
        let (from, to) = self.vars[var].scope;
        self.uses[from..to].iter_mut().filter(|used| used.var == Some(var)).for_each(|used| used.name = name);
    }

    fn command(&mut self, tree: &Tree, node: usize, command: usize) {
        let parts = tree.children(node);
        let named = parts.get(1).copied();
        match (tree.head(node), parts) {
            ("assert", &[_, term]) => self.read(tree, command, vec![ReadStep::Term { node: term, is_formula: true }]),
            ("check-sat-assuming", &[_, terms]) => {
                let spots = self.spots.len();
                let term = |&node: &usize| ReadStep::Term { node, is_formula: true };
                self.read(tree, command, tree.children(terms).iter().map(term).collect());
                // Assumptions stay unchanged.
                self.spots.truncate(spots);
            }
            ("define-fun" | "define-fun-rec", &[_, _, params, _, body]) => {
                let words = tree.children(params).iter().filter_map(|&p| tree.children(p).first().copied()).collect();
                let body = ReadStep::Term { node: body, is_formula: false };
                let steps = vec![ReadStep::Unbind, body, ReadStep::Bind { words, is_in_case: false }];
                self.declare(tree, named);
                self.read(tree, command, steps);
            }
            ("declare-fun", &[_, _, params, sort]) if tree.children(params).is_empty() => {
                self.constant(tree, named, sort, command);
            }
            ("declare-const", &[_, _, sort]) => self.constant(tree, named, sort, command),
            ("declare-fun" | "define-const", _) => self.declare(tree, named),
            ("declare-datatypes", &[_, sorts, types]) => {
                for (&sort, &datatype) in tree.children(sorts).iter().zip(tree.children(types)) {
                    self.constructors(tree, tree.head(sort), datatype);
                }
            }
            ("declare-datatype", &[_, sort, datatype]) => self.constructors(tree, tree.spelling(sort), datatype),
            _ => {}
        }
    }

    fn declare(&mut self, tree: &Tree, node: Option<usize>) {
        let Some(node) = node else { return };
        let name = self.number(bare(tree.spelling(node)));
        self.declared.push(name);
    }

    fn constant(&mut self, tree: &Tree, node: Option<usize>, sort: usize, command: usize) {
        self.declare(tree, node);
        if let Some(&name) = self.declared.last() {
            self.constants.entry(name).or_default().push((sort, command));
        }
    }

    /// The sort of a constant's use in a command, as a node; `None` if it is not a constant. A name may be redeclared once it is free.
    pub(super) fn constant_sort(&self, used: &ScopeUse, command: usize) -> Option<usize> {
        let declared = self.constants.get(&used.name).filter(|_| used.var.is_none() && used.is_term)?;
        declared.iter().rev().find(|(_, at)| *at < command).map(|(sort, _)| *sort)
    }

    /// Returns the constructors of a sort, each with its number of fields; `None` if it is not a datatype.
    pub(super) fn constructors_of(&self, sort: &str) -> Option<&[(u32, usize)]> {
        self.datatypes.get(sort).map(Vec::as_slice)
    }

    fn constructors(&mut self, tree: &Tree, sort: &str, datatype: usize) {
        self.datatypes.remove(sort);
        let declared = match tree.head(datatype) {
            "par" => tree.children(datatype).get(2).copied().unwrap_or(datatype),
            _ => datatype,
        };
        for &constructor in tree.children(declared) {
            let (named, fields) = match tree.children(constructor) {
                [named, fields @ ..] => (*named, fields),
                [] => (constructor, &[][..]),
            };
            self.declare(tree, Some(named));
            self.constructors.extend(self.declared.last());
            if let Some(&constructor) = self.declared.last()
                && declared == datatype
            {
                self.datatypes.entry(sort.to_string()).or_default().push((constructor, fields.len()));
            }
            for &field in fields {
                self.declare(tree, tree.children(field).first().copied());
            }
        }
    }

    fn read(&mut self, tree: &Tree, command: usize, mut steps: Vec<ReadStep>) {
        while let Some(step) = steps.pop() {
            match step {
                ReadStep::Term { node, is_formula } => {
                    let uses = (self.uses.len(), self.uses.len());
                    steps.push(ReadStep::Ended(self.spots.len()));
                    self.spots.push(TermSpot { node, is_formula, uses, bound_before: self.vars.len(), command });
                    self.term(tree, node, is_formula, &mut steps);
                }
                ReadStep::Ended(spot) => self.spots[spot].uses.1 = self.uses.len(),
                ReadStep::Bind { words, is_in_case } => self.bind(tree, &words, is_in_case),
                ReadStep::Unbind => {
                    for var in self.open.pop().into_iter().flatten() {
                        self.vars[var].scope.1 = self.uses.len();
                        self.around.get_mut(&self.vars[var].name).and_then(Vec::pop);
                    }
                }
                ReadStep::Mention { node, is_global } => {
                    let mut open = vec![node];
                    while let Some(node) = open.pop() {
                        open.extend_from_slice(tree.children(node));
                        self.use_name(tree, node, if is_global { NameRole::Global } else { NameRole::Head });
                    }
                }
            }
        }
    }

    fn bind(&mut self, tree: &Tree, words: &[usize], is_in_case: bool) {
        let group = (self.vars.len(), self.vars.len() + words.len());
        for &node in words {
            let name = self.number(bare(tree.spelling(node)));
            let scope = (self.uses.len(), usize::MAX);
            self.around.entry(name).or_default().push(self.vars.len());
            self.vars.push(BinderName { node, name, group, scope, is_in_case });
        }
        self.open.push(group.0..group.1);
    }

    fn use_name(&mut self, tree: &Tree, node: usize, role: NameRole) {
        let spelling = tree.spelling(node);
        if spelling.is_empty() || spelling.starts_with(|c: char| c.is_ascii_digit() || "\"#:".contains(c)) {
            return;
        }
        let name = self.number(bare(spelling));
        let var = self.around.get(&name).and_then(|vars| vars.last().copied()).filter(|_| role != NameRole::Global);
        self.uses.push(ScopeUse { node, name, var, is_term: role == NameRole::Term });
    }

    fn term(&mut self, tree: &Tree, node: usize, is_formula: bool, steps: &mut Vec<ReadStep>) {
        let parts = tree.children(node);
        let term = |&node: &usize| ReadStep::Term { node, is_formula: false };
        let formula = |&node: &usize| ReadStep::Term { node, is_formula: true };
        let global = |node: usize| ReadStep::Mention { node, is_global: true };
        let first = |&node: &usize| tree.children(node).first().copied();
        match (tree.head(node), parts) {
            (_, []) => self.use_name(tree, node, NameRole::Term),
            ("let", &[_, bindings, body]) => {
                let bindings = tree.children(bindings);
                let words = bindings.iter().filter_map(first).collect();
                let values = bindings.iter().filter_map(|&binding| tree.children(binding).get(1));
                // Names bound inside the values have smaller numbers, since they are bound earlier.
                steps.push(ReadStep::Unbind);
                steps.push(ReadStep::Term { node: body, is_formula });
                steps.push(ReadStep::Bind { words, is_in_case: false });
                steps.extend(values.rev().map(term));
            }
            (head @ ("forall" | "exists" | "lambda"), &[_, vars, body]) => {
                let words = tree.children(vars).iter().filter_map(first).collect();
                steps.push(ReadStep::Unbind);
                steps.push(ReadStep::Term { node: body, is_formula: head != "lambda" });
                steps.push(ReadStep::Bind { words, is_in_case: false });
            }
            ("match", &[_, matched, cases]) => {
                for &case in tree.children(cases).iter().rev() {
                    let &[pattern, body] = tree.children(case) else { continue };
                    let parts = tree.children(pattern);
                    let is_constructor = parts.is_empty() && self.has_constructor(bare(tree.spelling(pattern)));
                    let mut words = match parts {
                        [] if is_constructor => Vec::new(),
                        [] => vec![pattern],
                        [_, vars @ ..] => vars.to_vec(),
                    };
                    words.retain(|&word| tree.spelling(word) != "_");
                    steps.push(ReadStep::Unbind);
                    steps.push(ReadStep::Term { node: body, is_formula: false });
                    steps.push(ReadStep::Bind { words, is_in_case: true });
                    let constructor = parts.first().copied().or(is_constructor.then_some(pattern));
                    steps.extend(constructor.map(global));
                }
                steps.push(term(&matched));
            }
            ("!", &[_, body, ref attributes @ ..]) => {
                for pair in attributes.chunks(2).rev() {
                    let &[key, node] = pair else { continue };
                    match tree.spelling(key) {
                        ":pattern" | ":no-pattern" => steps.push(ReadStep::Mention { node, is_global: false }),
                        ":named" => steps.push(global(node)),
                        _ => {}
                    }
                }
                steps.push(ReadStep::Term { node: body, is_formula });
            }
            ("_" | "as", _) => steps.push(global(node)),
            (head, [called, args @ ..]) => {
                let is_logical = matches!(head, "and" | "or" | "not" | "=>" | "xor");
                match is_logical {
                    true => steps.extend(args.iter().rev().map(formula)),
                    false => steps.extend(args.iter().rev().map(term)),
                }
                match tree.children(*called) {
                    [] => self.use_name(tree, *called, NameRole::Head),
                    _ => steps.push(global(*called)),
                }
            }
        }
    }

    fn has_constructor(&self, name: &str) -> bool {
        self.numbers.get(name).is_some_and(|name| self.constructors.contains(name))
    }
}
