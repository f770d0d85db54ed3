//! The premises of a rule, and which variables must be numbers.

use super::super::operator::RuleOperator;
use super::super::rule::{RuleExpression, RuleSort, RuleVariable};
use super::RuleReader;
use smtlib::{Kind, SortId};

impl<'r> RuleReader<'r> {
    /// Adds the conjuncts of a premise.
    pub(super) fn premise(&mut self, premise: usize) {
        let mut open = vec![premise];
        while let Some(n) = open.pop() {
            match &self.rule.nodes[n].term {
                RuleExpression::Application(RuleOperator::Theory(kinds, _), args) if kinds.contains(&Kind::And) => {
                    // A list among them represents conjuncts, too, but the whole premise is built.
                    let is_list = |&arg: &usize| match self.rule.nodes[arg].term {
                        RuleExpression::Variable(v) => self.rule.variables[v].is_list,
                        _ => false,
                    };
                    match args.iter().any(is_list) {
                        true => self.rule.premises.push(n),
                        false => open.extend(args.iter().rev()),
                    }
                }
                _ => self.rule.premises.push(n),
            }
        }
    }

    /// Marks the integers where a number is needed to build a term.
    pub(super) fn mark_numbers(&mut self) {
        let mut needed = 0u64;
        for node in &self.rule.nodes {
            if let RuleExpression::Application(operator, args) = &node.term {
                for &arg in args.iter().take(operator.numbers()) {
                    needed |= self.rule.nodes[arg].variables;
                }
            }
        }
        // A variable that fixes a number must be a number, too.
        let mut before = 0;
        while needed != before {
            before = needed;
            for &premise in &self.rule.premises {
                let node = &self.rule.nodes[premise];
                if is_equation(&node.term) && node.variables & self.integers(needed) != 0 {
                    needed |= node.variables;
                }
            }
        }
        let numbers = self.integers(needed);
        for (n, variable) in self.rule.variables.iter_mut().enumerate() {
            variable.is_number = numbers >> n & 1 == 1;
        }
    }

    /// Returns those variables that are single integers.
    fn integers(&self, among: u64) -> u64 {
        let is_integer = |v: &RuleVariable| !v.is_list && v.sort == RuleSort::Simple(SortId::INT);
        let integers = self.rule.variables.iter().enumerate().filter(|(_, v)| is_integer(v));
        integers.fold(0, |all, (n, _)| all | among & 1 << n)
    }
}

fn is_equation(term: &RuleExpression) -> bool {
    matches!(term, RuleExpression::Application(RuleOperator::Theory(kinds, 0), _) if kinds[..] == [Kind::Eq])
}
