//! The parameters of the mutator `core`.

use crate::assignment::{self, AssignmentKind};
use crate::parameter::{ParameterTable, Refused, Span, number, percent, set_parsed, span, text};
use crate::query_mode::{QueryConfig, tactics_row};

/// The maximum number of steps that hide a formula: some double its length.
const MAX_LAYERS: u32 = 6;

/// The parameters of the mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoreConfig {
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many of the core's formulas are hidden, in percent.
    pub hidden: u32,
    /// How many steps hide a formula.
    pub layers: Span,
    /// How many of the core's formulas are weakened if exhaustion shows that the core still has no model, in percent.
    pub weakened: u32,
    /// How many units use a core without needless assertions, if exhaustion finds one, in percent.
    pub minimal: u32,
    /// How many formulas are asserted besides the core.
    pub filler: Span,
    /// How many mutants also have formulas of the second seed, in percent.
    pub second: u32,
    /// How many mutants may hide formulas under quantifiers, in percent.
    pub quantified: u32,
    /// How many assertions bind a subterm by `let`, in percent.
    pub lets: u32,
    /// How many formulas are built from the seeds' Boolean subterms.
    pub constructed: u32,
    /// How many Boolean subterms of each seed are used, at most.
    pub fragments: u32,
    /// Bytes of text after which a mutant gets no further formula besides the core.
    pub max_bytes: u32,
    /// How often mutants use each query mode.
    pub query: QueryConfig,
    /// Where the assignments come from.
    pub assignment: AssignmentKind,
}

impl Default for CoreConfig {
    fn default() -> Self {
        CoreConfig {
            mutants: 100,
            hidden: 70,
            layers: Span { low: 1, high: 3 },
            weakened: 40,
            minimal: 50,
            filler: Span { low: 1, high: 16 },
            second: 35,
            quantified: 30,
            lets: 20,
            constructed: 60,
            fragments: 100,
            max_bytes: 1 << 17,
            query: QueryConfig::default(),
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters of [`CoreConfig`].
pub const PARAMETERS: ParameterTable<CoreConfig> = ParameterTable(&[
    number("mutants", 1, "mutants of a unit, at least 1", |c| &mut c.mutants),
    percent("hidden", "percent of the core's formulas that are hidden", |c| &mut c.hidden),
    text(
        "layers",
        "LOW-HIGH or one number, within 1 and 6",
        "steps that hide a formula, 1 to 6",
        |c| c.layers.to_string(),
        |c, v| {
            let mut span = c.layers;
            set_parsed(&mut span, v)?;
            if span.high > MAX_LAYERS {
                return Err(Refused(None));
            }
            c.layers = span;
            Ok(())
        },
    ),
    percent("weakened", "percent of the core's formulas made weaker, where exhaustion allows", |c| &mut c.weakened),
    percent("minimal", "percent of units whose core has no needless assertion, by exhaustion", |c| &mut c.minimal),
    span("filler", "formulas asserted besides the core", |c| &mut c.filler),
    percent("second", "percent of mutants with formulas of the second seed", |c| &mut c.second),
    percent("quantified", "percent of mutants that may hide formulas under quantifiers", |c| &mut c.quantified),
    percent("lets", "percent of assertions with a subterm bound by let", |c| &mut c.lets),
    number("constructed", 0, "formulas built of the seeds' Boolean subterms", |c| &mut c.constructed),
    number("fragments", 1, "Boolean subterms of each seed used, at most", |c| &mut c.fragments),
    number("max-bytes", 1, "bytes after which a mutant gets no further formula", |c| &mut c.max_bytes),
    percent("incremental", "percent of mutants with several checks", |c| &mut c.query.incremental),
    number("max-checks", 1, "most checks of an incremental mutant, at least 1", |c| &mut c.query.max_checks),
    percent("tactical", "percent of the other mutants that use a tactic, if there are any", |c| &mut c.query.tactical),
    tactics_row(|c| c.query.tactics_text(), |c, v| c.query.set_tactics(v)),
    assignment::row(|c| c.assignment.to_string(), |c, v| set_parsed(&mut c.assignment, v)),
]);
