//! The items of a reply to `(get-model)` or `(get-value …)`, before any term is read.
//!
//! Invariant: unknown parts are never skipped silently. Either they cannot concern the instance's symbols, as noted where
//! they are skipped, or they cast doubt on the whole reply, and then nothing of it counts.

use smtlib::sexpr::{SexprNode, Sexprs, bare};

/// The items of a reply, in order.
pub(crate) struct ModelAnswer<'t> {
    pub(crate) items: Vec<AnswerItem<'t>>,
    /// Why the reply as a whole is not understood.
    pub(crate) doubt: Option<String>,
}

/// One item of a reply.
pub(crate) enum AnswerItem<'t> {
    Definition(Definition<'t>),
    /// `(x 5)` or `(= x 5)`; the name as spelled.
    Value {
        name: &'t str,
        value: SexprNode,
    },
    /// `((f 1) 5)`: the value of another term than a symbol.
    Claim {
        term: SexprNode,
        value: SexprNode,
    },
    /// A constant that the reply declares: an element of an uninterpreted sort.
    Element {
        name: &'t str,
        sort: &'t str,
    },
    /// A symbol with a definition that is not understood.
    Unreadable {
        name: &'t str,
        why: &'static str,
    },
}

/// A definition.
pub(crate) struct Definition<'t> {
    pub(crate) name: &'t str,
    /// Names and sorts.
    pub(crate) params: Vec<(&'t str, &'t str)>,
    pub(crate) result: &'t str,
    pub(crate) body: SexprNode,
}

impl<'t> ModelAnswer<'t> {
    /// Reads a reply; `None` if it is not a model at all. Consecutive replies to several commands count as one.
    pub(crate) fn of(all: &Sexprs<'t>) -> Option<ModelAnswer<'t>> {
        let mut answer = ModelAnswer { items: Vec::new(), doubt: None };
        let mut understood = false;
        if !all.is_whole() {
            answer.doubt(|| "it is cut off, or its parentheses, quotes or bars do not match".to_string());
        }
        for top in all.top() {
            let mut inside = all.children(top);
            match inside.clone().next() {
                None if all.is_list(top) => understood = true,
                // Besides the model, a reply may contain those to neighbouring commands.
                None => match all.text(top) {
                    "sat" | "unknown" | "success" | "unsupported" => {}
                    text if text.starts_with('"') => {}
                    text => answer.doubt(|| format!("`{}` is not part of a model", shortened(text))),
                },
                Some(first) if all.is_list(first) => {
                    understood = true;
                    inside.for_each(|node| answer.item(all, node, true));
                }
                Some(first) => match all.text(first) {
                    "model" => {
                        understood = true;
                        inside.next();
                        inside.for_each(|node| answer.item(all, node, true));
                    }
                    "define-fun" | "define-const" | "declare-fun" | "declare-const" | "=" => {
                        understood = true;
                        answer.item(all, top, false);
                    }
                    "error" => answer.doubt(|| format!("there is an error next to it: {}", shortened(all.text(top)))),
                    // `(:reason-unknown …)` and other information.
                    key if key.starts_with(':') => {}
                    _ => answer.item(all, top, false),
                },
            }
        }
        understood.then_some(answer)
    }

    /// Reads one item: a command, or in a list also a pair of a term and its value.
    fn item(&mut self, all: &Sexprs<'t>, node: SexprNode, in_list: bool) {
        let parts: Vec<SexprNode> = all.children(node).take(6).collect();
        let words: Vec<&'t str> = parts.iter().map(|&part| all.text(part)).collect();
        let named = |n: usize| parts.get(n).is_some_and(|&part| !all.is_list(part));
        let is_empty = |n: usize| all.is_list(parts[n]) && all.children(parts[n]).next().is_none();
        let item = match words[..] {
            ["define-fun", name, _, result, _] if named(1) => match parameters(all, parts[2]) {
                Some(params) => AnswerItem::Definition(Definition { name: bare(name), params, result, body: parts[4] }),
                None => AnswerItem::Unreadable { name: bare(name), why: "its parameters are not understood" },
            },
            ["define-const", name, result, _] if named(1) => {
                AnswerItem::Definition(Definition { name: bare(name), params: Vec::new(), result, body: parts[3] })
            }
            ["define-fun-rec" | "define-fun" | "define-const", name, ..] if named(1) => {
                AnswerItem::Unreadable { name: bare(name), why: "its definition has an unknown form" }
            }
            ["declare-fun", name, _, sort] if named(1) && is_empty(2) => AnswerItem::Element { name: bare(name), sort },
            ["declare-const", name, sort] if named(1) => AnswerItem::Element { name: bare(name), sort },
            // A function that is only declared has no meaning, so terms with it are unknown. Sorts and datatypes are the
            // script's; other sorts are unknown where they are used.
            ["declare-fun", _, _, _] | ["declare-sort" | "declare-datatype" | "declare-datatypes", ..] => return,
            // Z3 lists a sort's elements like this; they occur in the model.
            ["forall", _, _] => return,
            ["=", name, _] if named(1) => AnswerItem::Value { name, value: parts[2] },
            ["=", _, _] => AnswerItem::Claim { term: parts[1], value: parts[2] },
            [name, _] if in_list && named(0) => AnswerItem::Value { name, value: parts[1] },
            [_, _] if in_list => AnswerItem::Claim { term: parts[0], value: parts[1] },
            _ => return self.doubt(|| format!("`{}` is not part of a model", shortened(all.text(node)))),
        };
        self.items.push(item);
    }

    /// Remembers the first reason.
    fn doubt(&mut self, why: impl FnOnce() -> String) {
        self.doubt.get_or_insert_with(why);
    }
}

/// `((a A) (b B))` in pairs.
fn parameters<'t>(all: &Sexprs<'t>, list: SexprNode) -> Option<Vec<(&'t str, &'t str)>> {
    let pair = |node| match all.words(node)[..] {
        [name, sort] => Some((name, sort)),
        _ => None,
    };
    if all.is_list(list) { all.children(list).map(pair).collect() } else { None }
}

/// At most 60 characters of a text, on one line.
fn shortened(text: &str) -> String {
    let line: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { line + "…" } else { line }
}
