//! The terms of proofs, read by one loop over an explicit stack: the proof's names and notation are resolved here, and
//! applications to finished terms are left to the script reader.

use super::{ProofReadError, ProofReader};
use crate::graph::StepId;
use crate::rules::ProofFormat;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::sexpr::{Nodes, SexprNode, bare};
use smtlib::{Binder, Kind, SortId, Store, Symbol, TermId};
use std::rc::Rc;
use std::sync::LazyLock;

/// Total extensions of standard operators, by their documentation.
pub(super) const PRELUDE: &str = include_str!("prelude.smt2");

/// The meaning of a proof expression.
#[derive(Clone, Debug)]
pub(super) enum ProofMeaning {
    Term(TermId),
    /// `(@list …)`, or the literals of a clause.
    List(Rc<[ProofMeaning]>),
    /// A step, in formats whose proofs are terms.
    Step(StepId),
    /// An expression that is not understood, with the reason.
    Unread(Rc<str>),
}

impl ProofMeaning {
    /// Returns the step that it is, if it is one.
    pub(super) fn step(&self) -> Option<StepId> {
        match self {
            ProofMeaning::Step(id) => Some(*id),
            _ => None,
        }
    }
}

/// A construct whose parts are being read.
enum ProofFrame<'a> {
    Apply { node: SexprNode, head: AppliedTo<'a>, rest: Nodes<'a>, values: Vec<ProofMeaning> },
    Let { names: Vec<&'a str>, values: Vec<ProofMeaning>, pending: std::vec::IntoIter<SexprNode>, body: SexprNode },
    LetBody { names: Vec<&'a str> },
    Binder { kind: Kind, names: Vec<&'a str>, vars: Vec<(Symbol, SortId)> },
    Named { name: Option<&'a str> },
}

/// What is applied.
pub(super) enum AppliedTo<'a> {
    /// The head of an application.
    Word(&'a str),
    /// An identifier with indices.
    Indexed(String),
    /// The first operand, a map.
    Map,
}

/// How many indices the operators have whose indices cpc writes as first operands.
static INDEXED: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
    smtlib::theories::rows().filter(|row| row.indices > 0).map(|row| (row.name, row.indices as usize)).collect()
});

pub(super) fn unread(why: impl Into<Rc<str>>) -> ProofMeaning {
    ProofMeaning::Unread(why.into())
}

impl<'a> ProofReader<'a> {
    /// Reads an expression.
    pub(super) fn meaning(&mut self, root: SexprNode) -> Result<ProofMeaning, ProofReadError> {
        let mut frames: Vec<ProofFrame<'a>> = Vec::new();
        let mut next = Some(root);
        let mut value = unread("an empty expression");
        loop {
            if self.store.len() > self.limits.nodes {
                return Err(ProofReadError::TooLarge { what: "terms", bound: self.limits.nodes });
            }
            if let Some(node) = next.take() {
                match self.open(node, &mut frames) {
                    OpenedNode::Value(found) => value = found,
                    OpenedNode::Part(part) => {
                        next = Some(part);
                        continue;
                    }
                    OpenedNode::Parts => {
                        next = self.step_frame(None, &mut frames, &mut value)?;
                        if next.is_some() {
                            continue;
                        }
                    }
                }
            }
            // A finished value may finish the constructs around it.
            loop {
                if frames.is_empty() {
                    return Ok(value);
                }
                let done = std::mem::replace(&mut value, unread(""));
                next = self.step_frame(Some(done), &mut frames, &mut value)?;
                if next.is_some() {
                    break;
                }
            }
        }
    }

    /// Gives the innermost construct the value of a part. Returns its next part, or `None` if it is finished and
    /// `value` is its value.
    fn step_frame(
        &mut self,
        done: Option<ProofMeaning>,
        frames: &mut Vec<ProofFrame<'a>>,
        value: &mut ProofMeaning,
    ) -> Result<Option<SexprNode>, ProofReadError> {
        match frames.last_mut() {
            None => {}
            Some(ProofFrame::Apply { rest, values, .. }) => {
                values.extend(done);
                if let Some(part) = rest.next() {
                    return Ok(Some(part));
                }
                if let Some(ProofFrame::Apply { node, head, values, .. }) = frames.pop() {
                    *value = self.applied(node, head, values)?;
                }
            }
            Some(ProofFrame::Let { values, pending, .. }) => {
                values.extend(done);
                if let Some(part) = pending.next() {
                    return Ok(Some(part));
                }
                if let Some(ProofFrame::Let { names, values, body, .. }) = frames.pop() {
                    for (&name, value) in names.iter().zip(values) {
                        self.names.entry(name).or_default().push(value);
                    }
                    frames.push(ProofFrame::LetBody { names });
                    return Ok(Some(body));
                }
            }
            Some(ProofFrame::LetBody { names }) => {
                let names = std::mem::take(names);
                frames.pop();
                self.unbind(&names);
                *value = done.unwrap_or(unread("a let without a body"));
            }
            Some(ProofFrame::Binder { .. }) => {
                if let Some(ProofFrame::Binder { kind, names, vars }) = frames.pop() {
                    self.unbind(&names);
                    for (name, _) in &vars {
                        if let Some(count) = self.bound.get_mut(name) {
                            *count -= 1;
                        }
                    }
                    *value = self.bind(kind, vars, done.unwrap_or(unread("a binder without a body")));
                }
            }
            Some(ProofFrame::Named { name }) => {
                let name = *name;
                frames.pop();
                *value = done.unwrap_or(unread("an annotation without a term"));
                if let Some(name) = name {
                    self.names.insert(name, vec![value.clone()]);
                }
            }
        }
        Ok(None)
    }

    pub(super) fn unbind(&mut self, names: &[&'a str]) {
        for name in names {
            if let Some(meanings) = self.names.get_mut(name) {
                meanings.pop();
            }
        }
    }

    /// Begins an expression.
    fn open(&mut self, node: SexprNode, frames: &mut Vec<ProofFrame<'a>>) -> OpenedNode {
        let sexprs = self.sexprs;
        let text = sexprs.text(node);
        if !sexprs.is_list(node) {
            return OpenedNode::Value(self.atom(text));
        }
        let mut rest = sexprs.children(node);
        let Some(first) = rest.next() else { return OpenedNode::Value(unread("an empty list")) };
        let word = sexprs.text(first);
        if sexprs.is_list(first) {
            let inner = sexprs.children(first).next().map_or("", |n| sexprs.text(n));
            let head = match inner {
                "_" | "as" => AppliedTo::Indexed(word.to_string()),
                _ => {
                    rest = sexprs.children(node);
                    AppliedTo::Map
                }
            };
            frames.push(ProofFrame::Apply { node, head, rest, values: Vec::new() });
            return OpenedNode::Parts;
        }
        match word {
            "let" => self.open_let(rest, frames),
            "!" => {
                let Some(term) = rest.next() else { return OpenedNode::Value(unread("an annotation without a term")) };
                let parts: Vec<SexprNode> = rest.collect();
                let name = self.attribute(&parts, ":named").map(|n| bare(sexprs.text(n)));
                frames.push(ProofFrame::Named { name });
                OpenedNode::Part(term)
            }
            "forall" | "exists" | "lambda" if self.has_sorted_variables(node) => self.open_binder(word, rest, frames),
            "as" => OpenedNode::Value(self.whole(text)),
            "_" => self.open_underscore(node, frames),
            "@var" => OpenedNode::Value(self.variable(rest)),
            "match" => OpenedNode::Value(unread("`match` in a proof")),
            "is" | "update" if self.format == ProofFormat::Cpc => {
                let Some(name) = rest.next() else { return OpenedNode::Value(unread("a tester of nothing")) };
                let head = AppliedTo::Indexed(format!("(_ {word} {})", sexprs.text(name)));
                frames.push(ProofFrame::Apply { node, head, rest, values: Vec::new() });
                OpenedNode::Parts
            }
            _ => {
                let indices = INDEXED.get(word).copied().filter(|_| self.format == ProofFormat::Cpc);
                let head = match indices.and_then(|count| self.indices(word, count, &mut rest)) {
                    Some(head) => AppliedTo::Indexed(head),
                    None if self.names.get(bare(word)).is_some_and(|m| !m.is_empty()) => {
                        rest = sexprs.children(node);
                        AppliedTo::Map
                    }
                    None => AppliedTo::Word(word),
                };
                frames.push(ProofFrame::Apply { node, head, rest, values: Vec::new() });
                OpenedNode::Parts
            }
        }
    }

    /// Reads `(_ name i j)` if `count` numerals follow, and consumes them.
    fn indices(&self, word: &str, count: usize, rest: &mut Nodes<'a>) -> Option<String> {
        let mut after = rest.clone();
        let mut head = format!("(_ {word}");
        for _ in 0..count {
            let index = self.sexprs.text(after.next()?);
            if !index.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            head.push(' ');
            head.push_str(index);
        }
        head.push(')');
        *rest = after;
        Some(head)
    }

    /// Whether the variables of a binder are written `((x S) …)`.
    fn has_sorted_variables(&self, node: SexprNode) -> bool {
        let list = self.sexprs.children(node).nth(1).filter(|&n| self.sexprs.is_list(n));
        list.and_then(|n| self.sexprs.children(n).next()).is_some_and(|first| self.sexprs.is_list(first))
    }

    fn open_let(&mut self, mut rest: Nodes<'a>, frames: &mut Vec<ProofFrame<'a>>) -> OpenedNode {
        let (Some(bindings), Some(body)) = (rest.next(), rest.next()) else {
            return OpenedNode::Value(unread("a let without a body"));
        };
        let mut names = Vec::new();
        let mut pending = Vec::new();
        for binding in self.sexprs.children(bindings) {
            let mut parts = self.sexprs.children(binding);
            if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                names.push(bare(self.sexprs.text(name)));
                pending.push(value);
            }
        }
        frames.push(ProofFrame::Let { names, values: Vec::new(), pending: pending.into_iter(), body });
        OpenedNode::Parts
    }

    fn open_binder(&mut self, word: &str, mut rest: Nodes<'a>, frames: &mut Vec<ProofFrame<'a>>) -> OpenedNode {
        let (Some(list), Some(body)) = (rest.next(), rest.next()) else {
            return OpenedNode::Value(unread("a binder without a body"));
        };
        let mut names = Vec::new();
        let mut vars = Vec::new();
        for variable in self.sexprs.children(list) {
            let mut parts = self.sexprs.children(variable);
            let (Some(name), Some(sort)) = (parts.next(), parts.next()) else {
                return OpenedNode::Value(unread("a variable without a sort"));
            };
            let sort = match smtlib::parse_sort(self.store, &mut self.scope, self.sexprs.text(sort)) {
                Ok(sort) => sort,
                Err(error) => return OpenedNode::Value(unread(error.to_string())),
            };
            let name = bare(self.sexprs.text(name));
            names.push(name);
            vars.push((self.fresh_variable(name), sort));
        }
        for (&name, &(symbol, sort)) in names.iter().zip(&vars) {
            let variable = self.store.bound_variable(symbol, sort);
            self.names.entry(name).or_default().push(ProofMeaning::Term(variable));
        }
        frames.push(ProofFrame::Binder { kind: binder_kind(word), names, vars });
        OpenedNode::Part(body)
    }

    /// Returns a variable's name, renamed if it is already bound or free: a surrounding `let` must not be captured.
    fn fresh_variable(&mut self, name: &str) -> Symbol {
        let symbol = self.store.symbols.intern(name);
        let mut own = symbol;
        let mut n = 0;
        while self.bound.get(&own).is_some_and(|&count| count > 0) || self.variables.contains_key(&own) {
            n += 1;
            own = self.store.symbols.intern(&format!("{name}!{n}"));
        }
        *self.bound.entry(own).or_default() += 1;
        own
    }

    /// `(_ bv5 8)`, or a map applied as `(_ m t)`.
    fn open_underscore(&mut self, node: SexprNode, frames: &mut Vec<ProofFrame<'a>>) -> OpenedNode {
        let sexprs = self.sexprs;
        let mut rest = sexprs.children(node);
        rest.next();
        let mut words = rest.clone();
        let is_bound = words.next().is_some_and(|n| sexprs.is_list(n) || self.names.contains_key(bare(sexprs.text(n))));
        let is_index = |n: SexprNode| sexprs.text(n).bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'#');
        if !is_bound && words.all(is_index) {
            return OpenedNode::Value(self.whole(sexprs.text(node)));
        }
        frames.push(ProofFrame::Apply { node, head: AppliedTo::Map, rest, values: Vec::new() });
        OpenedNode::Parts
    }

    /// `(@var "x" S)`.
    fn variable(&mut self, mut rest: Nodes<'a>) -> ProofMeaning {
        let (Some(name), Some(sort)) = (rest.next(), rest.next()) else { return unread("a variable without a sort") };
        match smtlib::parse_sort(self.store, &mut self.scope, self.sexprs.text(sort)) {
            Ok(sort) => ProofMeaning::Term(self.own_variable(self.sexprs.text(name).trim_matches('"'), sort)),
            Err(error) => unread(error.to_string()),
        }
    }

    /// Returns the variable of a name and a sort. Variables with one name and several sorts are different, but the
    /// store distinguishes variables only by name.
    pub(super) fn own_variable(&mut self, name: &str, sort: SortId) -> TermId {
        let symbol = self.store.symbols.intern(name);
        let known = self.variables.entry(symbol).or_default();
        let own = match known.iter().find(|(of, _)| *of == sort) {
            Some(&(_, own)) => own,
            None => {
                let own = match known.len() {
                    0 => symbol,
                    n => self.store.symbols.intern(&format!("{name}!sort{n}")),
                };
                known.push((sort, own));
                own
            }
        };
        self.store.bound_variable(own, sort)
    }

    /// Returns a term that is one token.
    fn atom(&mut self, text: &'a str) -> ProofMeaning {
        if let Some(meaning) = self.names.get(bare(text)).and_then(|meanings| meanings.last()) {
            return meaning.clone();
        }
        if let Some(known) = self.atoms.get(text) {
            return known.clone();
        }
        // A declared symbol may look like a number with a sign.
        let numeral = if self.declared.contains(text) { None } else { number(self.store, text) };
        let meaning = match numeral {
            Some(term) => ProofMeaning::Term(term),
            None => self.whole(text),
        };
        self.atoms.insert(text, meaning.clone());
        meaning
    }

    /// Returns a term without names of the proof.
    fn whole(&mut self, text: &str) -> ProofMeaning {
        match smtlib::parse_term(self.store, &mut self.scope, text) {
            Ok(term) => ProofMeaning::Term(term),
            Err(error) => unread(error.to_string()),
        }
    }

    /// Returns an application, all its operands read.
    fn applied(
        &mut self,
        node: SexprNode,
        head: AppliedTo<'a>,
        values: Vec<ProofMeaning>,
    ) -> Result<ProofMeaning, ProofReadError> {
        if let AppliedTo::Word("@list" | "cl") = head {
            return Ok(ProofMeaning::List(values.into()));
        }
        if self.format == ProofFormat::Z3
            && let Some(step) = self.z3_step(node, &head, &values)?
        {
            return Ok(step);
        }
        if let Some(ProofMeaning::Unread(why)) = values.iter().find(|v| matches!(v, ProofMeaning::Unread(_))) {
            return Ok(ProofMeaning::Unread(Rc::clone(why)));
        }
        if let (AppliedTo::Word(word @ ("forall" | "exists" | "lambda")), [ProofMeaning::List(list), body, ..]) =
            (&head, &values[..])
        {
            let vars = list.iter().map(|m| match m {
                ProofMeaning::Term(t) => self.store.variable(*t).map(|name| (name, self.store.sort(*t))),
                _ => None,
            });
            let Some(vars) = vars.collect::<Option<Vec<_>>>() else { return Ok(unread("a binder of no variables")) };
            return Ok(self.bind(binder_kind(word), vars, body.clone()));
        }
        let terms = values.iter().map(|v| match v {
            ProofMeaning::Term(t) => Some(*t),
            _ => None,
        });
        let Some(terms) = terms.collect::<Option<Vec<TermId>>>() else {
            return Ok(unread("a list or a step where a term is expected"));
        };
        Ok(match head {
            AppliedTo::Word(word) => match self.cpc_operator(word, &terms) {
                Some(meaning) => meaning,
                None => self.application(word, &terms),
            },
            AppliedTo::Indexed(head) => self.application(&head, &terms),
            AppliedTo::Map => self.application("@", &terms),
        })
    }

    pub(super) fn application(&mut self, head: &str, terms: &[TermId]) -> ProofMeaning {
        match smtlib::parse_application(self.store, &mut self.scope, head, terms) {
            Ok(term) => ProofMeaning::Term(term),
            Err(error) => unread(error.to_string()),
        }
    }

    /// Returns a quantifier or lambda.
    fn bind(&mut self, kind: Kind, vars: Vec<(Symbol, SortId)>, body: ProofMeaning) -> ProofMeaning {
        let ProofMeaning::Term(body) = body else { return body };
        let binder = Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        match self.store.bind(kind, binder, &[body]) {
            Ok(term) => ProofMeaning::Term(term),
            Err(error) => unread(error.to_string()),
        }
    }
}

/// The result of beginning an expression.
enum OpenedNode {
    Value(ProofMeaning),
    /// A construct with this first part.
    Part(SexprNode),
    /// A construct that chooses its first part.
    Parts,
}

fn binder_kind(word: &str) -> Kind {
    match word {
        "forall" => Kind::Forall,
        "exists" => Kind::Exists,
        _ => Kind::Lambda,
    }
}

/// Integers and fractions, possibly signed, regardless of the problem's logic.
fn number(store: &mut Store, text: &str) -> Option<TermId> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    // Longer ones are left to the script reader, which bounds them.
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || text.len() > 1000 {
        return None;
    }
    match text.split_once('/') {
        Some((numerator, denominator)) => {
            let denominator: UBig = denominator.parse().ok().filter(|d: &UBig| !d.is_zero())?;
            Some(store.real(&RBig::from_parts(numerator.parse().ok()?, denominator)))
        }
        None => digits
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| text.parse::<IBig>().ok())
            .flatten()
            .map(|n| store.int(&n)),
    }
}
