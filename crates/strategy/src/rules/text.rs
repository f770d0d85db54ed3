//! Files of rewrite rules: `(rule NAME ((x SORT) …) LEFT RIGHT :when CONDITION :trusted)`, possibly with open widths of sorts.

use smtlib::sexpr::{SexprNode, Sexprs, bare};

/// The maximum nesting of a rule.
const MAX_NESTING: usize = 200;
/// The maximum number of rules of a file.
pub(super) const MAX_RULES: usize = 1000;
/// The maximum number of open widths of a rule.
const MAX_WIDTHS: usize = 3;

/// The sort of a variable that is a width, not a value.
const WIDTH: &str = "Width";

/// An expression of a rule, in which widths are names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RulePart {
    /// A word.
    Word(String),
    /// A list.
    List(Vec<RulePart>),
}

/// A rule as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RuleText {
    /// Its name.
    pub name: String,
    /// The byte offset of its name.
    pub at: usize,
    /// Its open widths.
    pub widths: Vec<String>,
    /// Its variables, each with its sort.
    pub variables: Vec<(String, RulePart)>,
    /// The left side.
    pub left: RulePart,
    /// The right side.
    pub right: RulePart,
    /// The condition.
    pub when: Option<RulePart>,
    /// Whether the rule may be used without a proof.
    pub is_trusted: bool,
}

/// An error in a file, with its byte offset.
pub(super) struct RuleFileMistake {
    pub at: usize,
    pub why: String,
}

const FORM: &str = "a rule is written (rule NAME ((x SORT) …) LEFT RIGHT), perhaps with :when CONDITION and :trusted";

/// Parses the rules of a text.
pub(super) fn read_rules(text: &str) -> Result<Vec<RuleText>, RuleFileMistake> {
    let all = Sexprs::read(text);
    if !all.is_whole() {
        let at = all.top().last().map_or(0, |node| all.span(node).start);
        return Err(RuleFileMistake { at, why: "the parentheses or quotes do not match from here on".to_string() });
    }
    let mut rules: Vec<RuleText> = Vec::new();
    for node in all.top() {
        let rule = RuleFileReader { all: &all }.rule(node)?;
        let fail = |why: String| Err(RuleFileMistake { at: rule.at, why });
        if rules.iter().any(|other| other.name == rule.name) {
            return fail(format!("there is a rule `{}` already; choose another name", rule.name));
        }
        if rules.len() == MAX_RULES {
            return fail(format!("a file may have {MAX_RULES} rules; split it"));
        }
        rules.push(rule);
    }
    match rules.is_empty() {
        true => Err(RuleFileMistake { at: 0, why: format!("the file has no rule; {FORM}") }),
        false => Ok(rules),
    }
}

struct RuleFileReader<'a> {
    all: &'a Sexprs<'a>,
}

impl RuleFileReader<'_> {
    fn fail<T>(&self, node: SexprNode, why: impl Into<String>) -> Result<T, RuleFileMistake> {
        Err(RuleFileMistake { at: self.all.span(node).start, why: why.into() })
    }

    fn rule(&self, node: SexprNode) -> Result<RuleText, RuleFileMistake> {
        let all = self.all;
        let parts = match all.is_list(node) {
            true => all.headed(node, "rule"),
            false => None,
        };
        let Some(parts) = parts else { return self.fail(node, format!("this is no rule; {FORM}")) };
        let &[name, variables, left, right, ref rest @ ..] = &parts[..] else {
            return self.fail(node, format!("this rule has too few parts; {FORM}"));
        };
        if all.is_list(name) || !all.is_list(variables) {
            return self.fail(name, FORM);
        }
        let mut rule = RuleText {
            name: bare(all.text(name)).to_string(),
            at: all.span(name).start,
            widths: Vec::new(),
            variables: Vec::new(),
            left: self.expression(left, 0)?,
            right: self.expression(right, 0)?,
            when: None,
            is_trusted: false,
        };
        for declared in all.children(variables) {
            self.variable(declared, &mut rule)?;
        }
        let mut rest = rest.iter();
        while let Some(&key) = rest.next() {
            match (all.text(key), rest.as_slice().first()) {
                (":trusted", _) if !rule.is_trusted => rule.is_trusted = true,
                (":when", Some(&condition)) if rule.when.is_none() => {
                    rule.when = Some(self.expression(condition, 0)?);
                    rest.next();
                }
                (other, _) => return self.fail(key, format!("`{other}` does not belong here; {FORM}")),
            }
        }
        Ok(rule)
    }

    /// `(x SORT)` or `(n Width)`.
    fn variable(&self, node: SexprNode, rule: &mut RuleText) -> Result<(), RuleFileMistake> {
        let parts: Vec<SexprNode> = self.all.children(node).collect();
        let &[name, sort] = &parts[..] else { return self.fail(node, "a variable is written (x SORT), or (n Width)") };
        if self.all.is_list(name) {
            return self.fail(name, "a variable is written (x SORT), or (n Width)");
        }
        let name_text = self.all.text(name).to_string();
        if rule.widths.contains(&name_text) || rule.variables.iter().any(|(other, _)| *other == name_text) {
            return self.fail(name, format!("`{name_text}` is declared twice"));
        }
        if self.all.text(sort) != WIDTH {
            rule.variables.push((name_text, self.expression(sort, 0)?));
            return Ok(());
        }
        if rule.widths.len() == MAX_WIDTHS {
            return self.fail(name, format!("a rule may leave {MAX_WIDTHS} widths open"));
        }
        rule.widths.push(name_text);
        Ok(())
    }

    fn expression(&self, node: SexprNode, depth: usize) -> Result<RulePart, RuleFileMistake> {
        if depth > MAX_NESTING {
            return self.fail(node, format!("a rule may nest {MAX_NESTING} deep"));
        }
        if !self.all.is_list(node) {
            return Ok(RulePart::Word(self.all.text(node).to_string()));
        }
        let parts = self.all.children(node).map(|part| self.expression(part, depth + 1));
        Ok(RulePart::List(parts.collect::<Result<_, _>>()?))
    }
}

impl RuleText {
    /// Prints an expression at these widths, as SMT-LIB; `None` if an index is negative there.
    pub fn written(&self, expression: &RulePart, widths: &[u32]) -> Option<String> {
        let mut text = String::new();
        self.write(expression, widths, false, &mut text)?;
        Some(text)
    }

    fn write(&self, expression: &RulePart, widths: &[u32], is_index: bool, out: &mut String) -> Option<()> {
        match expression {
            RulePart::Word(word) => match self.width(word, widths).filter(|_| is_index) {
                Some(width) => out.push_str(&width.to_string()),
                None => out.push_str(word),
            },
            RulePart::List(parts) if is_index => {
                let number = self.number(&RulePart::List(parts.clone()), widths)?;
                out.push_str(&u32::try_from(number).ok()?.to_string());
            }
            RulePart::List(parts) => {
                let indexes = parts.first() == Some(&RulePart::Word("_".to_string()));
                out.push('(');
                for (n, part) in parts.iter().enumerate() {
                    if n > 0 {
                        out.push(' ');
                    }
                    self.write(part, widths, indexes && n > 1, out)?;
                }
                out.push(')');
            }
        }
        Some(())
    }

    fn width(&self, word: &str, widths: &[u32]) -> Option<u32> {
        let n = self.widths.iter().position(|width| width == word)?;
        widths.get(n).copied()
    }

    /// Evaluates an index: a width, a numeral, or a sum, difference or product of indices.
    fn number(&self, expression: &RulePart, widths: &[u32]) -> Option<i64> {
        match expression {
            RulePart::Word(word) => match self.width(word, widths) {
                Some(width) => Some(i64::from(width)),
                None => word.parse::<u32>().ok().map(i64::from),
            },
            RulePart::List(parts) => {
                let (head, rest) = parts.split_first()?;
                let RulePart::Word(operator) = head else { return None };
                let mut numbers = rest.iter().map(|part| self.number(part, widths));
                let first = numbers.next()??;
                numbers.try_fold(first, |all, number| match operator.as_str() {
                    "+" => all.checked_add(number?),
                    "-" => all.checked_sub(number?),
                    "*" => all.checked_mul(number?),
                    _ => None,
                })
            }
        }
    }

    /// Returns the widths that a variable's sort determines: the number of each among the open ones, and the index of the sort.
    pub fn shown_widths(&self, sort: &RulePart) -> Vec<(usize, usize)> {
        let RulePart::List(parts) = sort else { return Vec::new() };
        let words: Vec<&str> = parts
            .iter()
            .map(|part| match part {
                RulePart::Word(word) => word.as_str(),
                RulePart::List(_) => "",
            })
            .collect();
        let ["_", "BitVec" | "FloatingPoint", indices @ ..] = &words[..] else { return Vec::new() };
        let open = |word: &&str| self.widths.iter().position(|width| width == word);
        indices.iter().enumerate().filter_map(|(n, word)| Some((open(word)?, n))).collect()
    }
}
