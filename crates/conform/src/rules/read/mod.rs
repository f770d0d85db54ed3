//! Parses rules in RARE, the language of cvc5's rewrite rules: `(define-rule NAME ((x SORT) (xs SORT :list) …) LEFT RIGHT)`,
//! `define-cond-rule` with a premise before the sides, both with `*` (and a context at the end), and definitions `(def (y TERM) …)`
//! after the variables.

mod premises;

use super::operator::RuleOperator;
use super::rule::{MAX_VARIABLES, PlaceCounter, Rule, RuleExpression, RuleNode, RulePlace, RuleSort, RuleVariable};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smtlib::sexpr::{ItemKind, SexprNode, Sexprs, items};
use smtlib::{Constant, Kind, Scope, SortId, Store, parse_term, theories};

/// The maximum nesting depth of terms: parsing is recursive.
const MAX_DEPTH: usize = 100;

/// The maximum number of digits of the parts of a fraction.
const MAX_DIGITS: usize = 40;

/// The maximum number of terms of a rule.
const MAX_NODES: usize = 1000;

/// The maximum width of a bit-vector sort.
const MAX_WIDTH: u32 = 64;

/// The rules of a file, and the errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuleFile {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// The rules that cannot be parsed.
    pub unread: Vec<UnreadRule>,
}

/// A rule that cannot be parsed, or a text that is not a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadRule {
    /// The position of the error.
    pub place: RulePlace,
    /// The name of the rule, if it has one.
    pub name: String,
    /// The message.
    pub reason: String,
}

/// Why a part of a rule cannot be parsed.
struct RuleMistake {
    at: usize,
    reason: String,
}

/// Parses the rules of a text. Other text and rules with errors are left out and reported.
pub fn read(text: &str) -> RuleFile {
    let mut file = RuleFile::default();
    let mut places = PlaceCounter::new(text);
    for item in items(text) {
        let begin = places.at(item.span.start);
        let (name, outcome) = match item.kind {
            ItemKind::List => {
                let sexprs = Sexprs::read(&text[item.span.clone()]);
                let reader = RuleReader::new(&sexprs);
                (reader.name(), reader.rule())
            }
            ItemKind::Stray => (String::new(), unread(0, "a `)` that closes nothing; remove it")),
            ItemKind::Cut => (String::new(), unread(0, "a list, string or quoted symbol that is not closed")),
            ItemKind::Atom => {
                (String::new(), unread(0, "expected a rule such as `(define-rule NAME ((x Int)) LEFT RIGHT)`"))
            }
        };
        match outcome {
            Ok(rule) => file.rules.push(Rule { place: begin, ..rule }),
            Err(RuleMistake { at, reason }) => {
                file.unread.push(UnreadRule { place: places.at(item.span.start + at), name, reason });
            }
        }
    }
    file
}

fn unread<T>(at: usize, reason: impl Into<String>) -> Result<T, RuleMistake> {
    Err(RuleMistake { at, reason: reason.into() })
}

/// Shows a part of a rule, truncated if long.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

struct RuleReader<'r> {
    sexprs: &'r Sexprs<'r>,
    store: Store,
    rule: Rule,
    definitions: Vec<(&'r str, usize)>,
    hole: Option<usize>,
}

impl<'r> RuleReader<'r> {
    fn new(sexprs: &'r Sexprs<'r>) -> RuleReader<'r> {
        let rule = Rule {
            name: String::new(),
            place: RulePlace { line: 1, column: 1 },
            variables: Vec::new(),
            nodes: Vec::new(),
            premises: Vec::new(),
            sides: [0, 0],
        };
        RuleReader { sexprs, store: Store::new(), rule, definitions: Vec::new(), hole: None }
    }

    fn text(&self, node: SexprNode) -> &'r str {
        self.sexprs.text(node)
    }

    fn at(&self, node: SexprNode) -> usize {
        self.sexprs.span(node).start
    }

    fn children(&self, node: SexprNode) -> Vec<SexprNode> {
        self.sexprs.children(node).collect()
    }

    /// Returns the second token, if any.
    fn name(&self) -> String {
        let name = self.sexprs.top().next().and_then(|list| self.sexprs.children(list).nth(1));
        let name = name.filter(|&node| !self.sexprs.is_list(node));
        name.map(|node| self.text(node).to_string()).unwrap_or_default()
    }

    fn rule(mut self) -> Result<Rule, RuleMistake> {
        let parts = self.sexprs.top().next().map(|list| self.children(list)).unwrap_or_default();
        let command = parts.first().map_or("", |&node| self.text(node));
        let (has_premise, has_context) = match command {
            "define-rule" => (false, false),
            "define-rule*" => (false, true),
            "define-cond-rule" => (true, false),
            "define-cond-rule*" => (true, true),
            _ => {
                return unread(
                    0,
                    format!(
                        "{} defines no rule; expected `define-rule` or `define-cond-rule`, with or without `*`",
                        shown(command)
                    ),
                );
            }
        };
        let &[_, name, variables, ref rest @ ..] = &parts[..] else {
            return unread(0, "expected a name, variables and two sides");
        };
        self.rule.name = self.text(name).to_string();
        if self.sexprs.is_list(name) || !self.sexprs.is_list(variables) {
            return unread(self.at(name), "expected a name and a list of variables such as `((x Int))`");
        }
        for variable in self.children(variables) {
            self.variable(variable)?;
        }
        let mut rest = rest;
        if let Some((&first, behind)) = rest.split_first()
            && let Some(definitions) = self.sexprs.headed(first, "def")
        {
            rest = behind;
            for definition in definitions {
                let &[name, term] = &self.children(definition)[..] else {
                    return unread(self.at(definition), "expected a definition `(NAME TERM)`");
                };
                let term = self.term(term, 0)?;
                self.definitions.push((self.text(name), term));
            }
        }
        let (premise, sides) = match (has_premise, rest) {
            (true, [premise, sides @ ..]) => (Some(*premise), sides),
            (_, sides) => (None, sides),
        };
        if let Some(premise) = premise {
            let premise = self.term(premise, 0)?;
            self.premise(premise);
        }
        let (left, right, context) = match *sides {
            [left, right] => (left, right, None),
            [left, right, context] if has_context => (left, right, Some(context)),
            _ => {
                let premise = if has_premise { "a premise and " } else { "" };
                let context = if has_context { ", and perhaps a context" } else { "" };
                return unread(0, format!("expected {premise}two sides{context}, found {} terms", rest.len()));
            }
        };
        self.rule.sides = [self.term(left, 0)?, self.term(right, 0)?];
        if let Some(context) = context {
            self.hole = Some(self.rule.sides[1]);
            self.rule.sides[1] = self.term(context, 0)?;
        }
        self.mark_numbers();
        Ok(self.rule)
    }

    fn variable(&mut self, node: SexprNode) -> Result<(), RuleMistake> {
        let parts = self.children(node);
        let &[name, sort, ref attributes @ ..] = &parts[..] else {
            return unread(self.at(node), "expected a variable such as `(x Int)` or `(xs Int :list)`");
        };
        let mut is_list = false;
        for &attribute in attributes {
            match self.text(attribute) {
                ":list" => is_list = true,
                // A variable for literals only: the equation must hold for all values anyway.
                ":const" => {}
                other => {
                    return unread(self.at(attribute), format!("unknown attribute {}; expected `:list`", shown(other)));
                }
            }
        }
        let name_text = self.text(name);
        if self.sexprs.is_list(name) || self.rule.variables.iter().any(|v| v.name == name_text) {
            return unread(self.at(name), format!("{} is not a new variable name", shown(name_text)));
        }
        if self.rule.variables.len() == MAX_VARIABLES {
            return unread(self.at(name), format!("more than {MAX_VARIABLES} variables"));
        }
        let sort = self.sort(sort)?;
        self.rule.variables.push(RuleVariable { name: name_text.to_string(), sort, is_list, is_number: false });
        Ok(())
    }

    fn sort(&self, node: SexprNode) -> Result<RuleSort, RuleMistake> {
        let text = self.text(node);
        let sort = match text {
            "Bool" => Some(RuleSort::Simple(SortId::BOOL)),
            "Int" => Some(RuleSort::Simple(SortId::INT)),
            "Real" => Some(RuleSort::Simple(SortId::REAL)),
            "String" | "?Seq" => Some(RuleSort::Simple(SortId::STRING)),
            "RegLan" => Some(RuleSort::Simple(SortId::REGLAN)),
            "?BitVec" => Some(RuleSort::AnyBitVec),
            "?Array" => Some(RuleSort::AnyArray),
            "?" => Some(RuleSort::Any),
            _ => match self.sexprs.words(node)[..] {
                ["_", "BitVec", width] => {
                    width.parse().ok().filter(|w| (1..=MAX_WIDTH).contains(w)).map(RuleSort::BitVec)
                }
                _ => None,
            },
        };
        sort.map_or_else(|| unread(self.at(node), format!("unknown sort {}", shown(text))), Ok)
    }

    fn node(&mut self, term: RuleExpression) -> usize {
        let variables = match &term {
            RuleExpression::Variable(n) => 1 << n,
            RuleExpression::Literal(_) => 0,
            RuleExpression::Application(_, args) => {
                args.iter().fold(0, |all, &arg| all | self.rule.nodes[arg].variables)
            }
        };
        self.rule.nodes.push(RuleNode { term, variables });
        self.rule.nodes.len() - 1
    }

    /// Recursion is at most [`MAX_DEPTH`] deep.
    fn term(&mut self, node: SexprNode, depth: usize) -> Result<usize, RuleMistake> {
        if depth > MAX_DEPTH {
            return unread(self.at(node), format!("a term is nested deeper than {MAX_DEPTH}"));
        }
        if self.rule.nodes.len() >= MAX_NODES {
            return unread(self.at(node), format!("more than {MAX_NODES} terms"));
        }
        if !self.sexprs.is_list(node) {
            return self.atom(node);
        }
        let parts = self.children(node);
        let Some((&head, args)) = parts.split_first() else { return unread(self.at(node), "`()` is no term") };
        if self.text(head) == "_" {
            // An indexed literal such as `(_ bv5 8)`, or an operator without arguments.
            return match (self.literal(self.text(node)), args.split_first()) {
                (Some(literal), _) => Ok(self.node(RuleExpression::Literal(literal))),
                (None, Some((&name, indices))) => self.application(name, indices, &[], depth),
                (None, None) => unread(self.at(node), "`(_)` is no term"),
            };
        }
        match self.sexprs.headed(head, "_").as_deref() {
            Some([name, indices @ ..]) => self.application(*name, indices, args, depth),
            _ => self.application(head, &[], args, depth),
        }
    }

    fn application(
        &mut self,
        name: SexprNode,
        indices: &[SexprNode],
        args: &[SexprNode],
        depth: usize,
    ) -> Result<usize, RuleMistake> {
        let text = self.text(name);
        let all: Vec<SexprNode> = indices.iter().chain(args).copied().collect();
        let Some(operator) = RuleOperator::named(text).filter(|_| !self.sexprs.is_list(name)) else {
            return unread(self.at(name), format!("unknown operator {}", shown(text)));
        };
        let args = all.iter().map(|&arg| self.term(arg, depth + 1)).collect::<Result<_, _>>()?;
        Ok(self.node(RuleExpression::Application(operator, args)))
    }

    fn atom(&mut self, node: SexprNode) -> Result<usize, RuleMistake> {
        let text = self.text(node);
        if let Some(number) = self.rule.variables.iter().position(|v| v.name == text) {
            return Ok(self.node(RuleExpression::Variable(number)));
        }
        // A later definition hides an earlier one.
        if let Some(&(_, term)) = self.definitions.iter().rev().find(|d| d.0 == text) {
            return Ok(term);
        }
        if let ("_", Some(hole)) = (text, self.hole) {
            return Ok(hole);
        }
        if let Some(literal) = self.literal(text) {
            return Ok(self.node(RuleExpression::Literal(literal)));
        }
        let constants: Vec<Kind> = theories::rows()
            .filter(|row| row.name == text && row.takes(0) && row.indices == 0)
            .map(|row| row.kind)
            .collect();
        match constants.is_empty() {
            true => unread(self.at(node), format!("unknown symbol {}", shown(text))),
            false => Ok(self.node(RuleExpression::Application(RuleOperator::Theory(constants, 0), Vec::new()))),
        }
    }

    /// Parses a literal; `1/2` has sort `Real`.
    fn literal(&mut self, text: &str) -> Option<Constant> {
        if let Some((above, below)) = text.split_once('/') {
            let (above, below) = (digits(above)?, digits(below)?);
            return (!below.is_zero()).then(|| Constant::Real(RBig::from_parts(IBig::from(above), below)));
        }
        let mut scope = Scope::new(&self.store);
        let term = parse_term(&mut self.store, &mut scope, text).ok()?;
        self.store.constant(term).cloned()
    }
}

fn digits(text: &str) -> Option<UBig> {
    (text.len() <= MAX_DIGITS && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}
