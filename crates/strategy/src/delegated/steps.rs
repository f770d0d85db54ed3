//! Parses the output of a user's program: `(goals (goal F …) …)`, declarations of fresh symbols, and definitions of removed ones.

use super::reader::{AppliedReader, precision};
use rewrite::{Conversion, Precision};
use smtlib::TermId;
use smtlib::sexpr::{SexprNode, Sexprs, bare};

/// The output of such a program.
pub(super) struct ExecGoals {
    /// The formulas of every subgoal, at least one, and its relation to the goal.
    pub goals: Vec<(Vec<TermId>, Precision)>,
    /// The model conversion, applied from the last to the first.
    pub definitions: Vec<Conversion>,
}

impl AppliedReader<'_> {
    /// Parses subgoals. Fresh symbols may be declared anywhere; a definition may use the symbols of earlier ones.
    /// Errors: a lowercase phrase with what is not understood, and what was expected.
    pub(super) fn read_steps(mut self, said: &str) -> Result<ExecGoals, String> {
        let all = Sexprs::read(said);
        if !all.is_whole() {
            return Err("its parentheses or quotes do not match".to_string());
        }
        let mut lists: Option<Vec<SexprNode>> = None;
        let mut defined = Vec::new();
        let mut fresh = Vec::new();
        for node in all.top() {
            match all.words(node)[..] {
                ["goals", ..] if all.is_list(node) => {
                    if lists.replace(all.children(node).skip(1).collect()).is_some() {
                        return Err("`goals` stands there twice".to_string());
                    }
                }
                ["declare-fun", name, ..] | ["declare-const", name, ..] if self.ours(name).is_some() => {}
                ["declare-fun", name, params, result] => {
                    self.declare(name, params, result)?;
                    fresh.push(name);
                }
                ["declare-const", name, result] => {
                    self.declare(name, "()", result)?;
                    fresh.push(name);
                }
                ["define-fun", name, "()", _, body] => defined.push((name, body)),
                ["define-fun", name, ..] => {
                    return Err(format!("the definition of {name} is of no constant; only constants can be defined"));
                }
                _ => return Err(format!("`{}` is not understood; {FORM}", shown(all.text(node)))),
            }
        }
        let lists = lists.ok_or_else(|| format!("there is no `(goals …)`; {FORM}"))?;
        if lists.is_empty() {
            return Err("there is no goal in `(goals)`; what is refuted is written (goals (goal false))".to_string());
        }
        let mut goals = Vec::with_capacity(lists.len());
        for node in lists {
            goals.push(self.goal(&all, node)?);
        }
        // Definitions are applied from the last to the first, and each may use earlier ones.
        let mut definitions: Vec<Conversion> = Vec::with_capacity(defined.len());
        let mut seen = Vec::new();
        for (name, body) in defined {
            let symbol = *self.ours(name).ok_or_else(|| format!("it defines {name}, which the goal does not have"))?;
            if seen.contains(&symbol) {
                return Err(format!("it defines {name} twice"));
            }
            seen.push(symbol);
            let definition =
                self.constant(name, body).ok_or_else(|| format!("its definition of {name} cannot be read"))?;
            definitions.push(definition);
        }
        definitions.reverse();
        let forgotten = fresh.iter().filter_map(|name| self.ours(name).copied()).map(Conversion::Forget);
        Ok(ExecGoals { goals, definitions: forgotten.collect::<Vec<_>>().into_iter().chain(definitions).collect() })
    }

    /// Parses `(goal F … :precision P)`; without a precision it is exact.
    fn goal(&mut self, all: &Sexprs<'_>, node: SexprNode) -> Result<(Vec<TermId>, Precision), String> {
        let Some(parts) = all.headed(node, "goal").filter(|_| all.is_list(node)) else {
            return Err(format!("`{}` is no goal; {FORM}", shown(all.text(node))));
        };
        let end = parts.iter().position(|&part| all.text(part).starts_with(':')).unwrap_or(parts.len());
        let precision = if end < parts.len() { precision(all, node)? } else { Precision::Exact };
        let formulas = parts[..end].iter().map(|&part| self.formula(all.text(part))).collect::<Result<_, _>>()?;
        Ok((formulas, precision))
    }

    fn formula(&mut self, text: &str) -> Result<TermId, String> {
        let term = self.term(text)?;
        match self.is_formula(term) {
            true => Ok(term),
            false => Err(format!("`{}` is no formula: it is not of the sort Bool", shown(bare(text)))),
        }
    }
}

/// The expected form.
const FORM: &str = "expected are (goals (goal F …) …), (declare-fun …) and (define-fun x () S T)";

/// Returns the beginning of a text, for a message.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
