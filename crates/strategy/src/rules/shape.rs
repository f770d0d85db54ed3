//! Rules without their widths: which terms one may match, and at which widths.

use super::instance::SizedRule;
use super::search::{ArgumentOrder, MatchSearch, Meeting};
use super::text::RuleText;
use smtlib::{Kind, Sort, Store, TermId};

/// The left side without its indices and values, by which terms of any width are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuleShape {
    /// A variable, by its position.
    Variable(usize),
    /// An operator on shapes; a value has none.
    App(Kind, Vec<RuleShape>),
}

impl RuleShape {
    /// The shape of an instance's left side. Recursion is as deep as the rule's text.
    pub fn of(store: &Store, instance: &SizedRule, t: TermId) -> RuleShape {
        match instance.variables.iter().position(|&(_, term)| term == t) {
            Some(n) => RuleShape::Variable(n),
            None => {
                let args = store.args(t).iter().map(|&a| RuleShape::of(store, instance, a)).collect();
                RuleShape::App(store.kind(t), args)
            }
        }
    }

    /// Whether the outermost operator is that of the term.
    pub fn begins(&self, store: &Store, t: TermId) -> bool {
        match self {
            RuleShape::Variable(_) => true,
            RuleShape::App(kind, _) => *kind == store.kind(t),
        }
    }

    /// The ways in which a term may give the rule its open widths.
    pub fn search(&self, rule: &RuleText, t: TermId, order: ArgumentOrder) -> WidthSearch<'_> {
        MatchSearch::new(self, t, vec![None; rule.widths.len()], order)
    }
}

/// A search for the widths that a rule leaves open, none being nothing so far.
pub(super) type WidthSearch<'a> = MatchSearch<&'a RuleShape, Vec<Option<u32>>>;

/// The widths of the next way of a search; perhaps they were those of another.
pub(super) fn next_widths(store: &Store, rule: &RuleText, search: &mut WidthSearch<'_>) -> Option<Vec<u32>> {
    let found = search.next(store, |shape, t, widths| meet(store, rule, shape, t, widths))?;
    found.found.into_iter().collect()
}

fn meet<'a>(
    store: &Store,
    rule: &RuleText,
    shape: &'a RuleShape,
    t: TermId,
    widths: &mut [Option<u32>],
) -> Meeting<&'a RuleShape> {
    match shape {
        RuleShape::App(kind, shapes) if *kind == store.kind(t) => match shapes.is_empty() {
            true => Meeting::Whole,
            false => Meeting::Parts(shapes.iter().collect()),
        },
        RuleShape::App(..) => Meeting::Not,
        RuleShape::Variable(n) => {
            for (width, index) in rule.shown_widths(&rule.variables[*n].1) {
                let found = match (store.sorts.get(store.sort(t)), index) {
                    (Sort::BitVec(bits), 0) => *bits,
                    (Sort::Float { eb, .. }, 0) => *eb,
                    (Sort::Float { sb, .. }, 1) => *sb,
                    _ => return Meeting::Not,
                };
                if *widths[width].get_or_insert(found) != found {
                    return Meeting::Not;
                }
            }
            Meeting::Whole
        }
    }
}
