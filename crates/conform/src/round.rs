//! One round: a solver is asked about the applications of some blocks, and its values are compared with ours.

use crate::application::{Application, Block};
use crate::explained::{Explained, SolverSetup};
use crate::question::{QueryKind, QuerySetup, Reply, ask};
use crate::tally::{Disagreement, Tally};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::Dialect;
use solver::process::{Limits, RunError};
use solver::session::Solver;

/// Errors and crashes without one reply between them after which an operator is no longer asked about: the solver lacks it.
const PATIENCE: u32 = 12;

/// A solver under comparison.
pub struct SolverUnderTest<'a> {
    /// The solver.
    pub solver: Solver,
    /// How it wants its input spelled.
    pub dialect: Dialect,
    /// What one process may use.
    pub limits: Limits,
    /// What is known of it.
    pub table: &'a Explained,
    /// Operators its profile says it lacks.
    lacks: FxHashSet<String>,
    /// Failures by operator, and whether it ever replied.
    standing: FxHashMap<&'static str, Standing>,
}

#[derive(Clone, Copy, Default)]
struct Standing {
    failures: u32,
    replied: bool,
}

impl Standing {
    fn refused(self) -> bool {
        !self.replied && self.failures >= PATIENCE
    }
}

/// What a solver says of an application.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// It gives our value.
    Agreed,
    /// It gives another.
    Disagreed,
    /// It gives none; what it says instead.
    Unanswered(String),
}

impl<'a> SolverUnderTest<'a> {
    /// A solver that has not been asked yet.
    pub fn new(solver: Solver, dialect: Dialect, limits: Limits, table: &'a Explained) -> SolverUnderTest<'a> {
        let installed = solver.installed();
        let lacks: FxHashSet<String> =
            installed.profile.dialects(installed.version.as_ref()).flat_map(|d| d.lacks.iter().cloned()).collect();
        SolverUnderTest { solver, dialect, limits, table, lacks, standing: FxHashMap::default() }
    }

    /// Asks about all applications of some blocks and counts what comes of it.
    ///
    /// # Errors
    /// The solver cannot be run.
    pub fn compare(&mut self, blocks: &[Block], tally: &mut Tally) -> Result<(), RunError> {
        let all: Vec<(&Block, &Application)> =
            blocks.iter().flat_map(|block| block.applications.iter().map(move |a| (block, a))).collect();
        let agreements = self.agreements(&all)?;
        let mut strange: Vec<(&Block, &Application)> = Vec::new();
        for ((block, application), agreement) in all.into_iter().zip(agreements) {
            tally.asked += 1;
            *tally.operators.entry(block.row.name.to_string()).or_default() += 1;
            match agreement {
                Agreement::Agreed => tally.agreed += 1,
                Agreement::Unanswered(instead) => tally.unanswered(block.row.name, &instead),
                Agreement::Disagreed => {
                    let text = block.text(application.term, &Dialect::default());
                    match self.table.find(self.solver.installed(), block, application, &text) {
                        Some((row, _)) => *tally.explained.entry(row).or_default() += 1,
                        None => strange.push((block, application)),
                    }
                }
            }
        }
        self.report(&strange, tally)
    }

    fn agreements(&mut self, all: &[(&Block, &Application)]) -> Result<Vec<Agreement>, RunError> {
        let texts: Vec<String> = all.iter().map(|(b, a)| b.text(a.equation, &self.dialect)).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let asking = self.table.asking(self.solver.installed());
        let mut replies = if asking.simplify {
            self.ask(QueryKind::Simplify, &asking, all, &questions)?
        } else {
            vec![Some(Reply::Open); questions.len()]
        };
        // What simplification leaves open is put to the whole solver.
        let open: Vec<usize> =
            (0..replies.len()).filter(|&n| matches!(replies[n], Some(Reply::Open | Reply::Text(_)))).collect();
        let of_open: Vec<(&Block, &Application)> = open.iter().map(|&n| all[n]).collect();
        let again: Vec<&str> = open.iter().map(|&n| questions[n]).collect();
        for (n, reply) in open.iter().zip(self.ask(QueryKind::Refute, &asking, &of_open, &again)?) {
            replies[*n] = reply;
        }
        Ok(replies.into_iter().map(agreement).collect())
    }

    fn ask(
        &mut self,
        kind: QueryKind,
        asking: &SolverSetup,
        all: &[(&Block, &Application)],
        questions: &[&str],
    ) -> Result<Vec<Option<Reply>>, RunError> {
        let standing = std::cell::RefCell::new(std::mem::take(&mut self.standing));
        let lacks = &self.lacks;
        let wanted = |n: usize| {
            let (block, application) = all[n];
            let name = block.row.name;
            asking.takes(name, block.store.args(application.term).len())
                && !lacks.contains(name)
                && !standing.borrow().get(name).copied().unwrap_or_default().refused()
        };
        let told = |n: usize, reply: &Reply| {
            let mut standing = standing.borrow_mut();
            let entry = standing.entry(all[n].0.row.name).or_default();
            match reply {
                Reply::Error(_) | Reply::Ended(_) => entry.failures += 1,
                _ => entry.replied = true,
            }
        };
        let setup = QuerySetup { solver: &self.solver, options: &asking.options, limits: &self.limits };
        let replies = ask(&setup, kind, questions, wanted, told);
        self.standing = standing.into_inner();
        replies
    }

    /// Files unexplained disagreements, with the solver's own value where it has `simplify`.
    fn report(&self, strange: &[(&Block, &Application)], tally: &mut Tally) -> Result<(), RunError> {
        let asking = self.table.asking(self.solver.installed());
        let texts: Vec<String> = strange.iter().map(|(b, a)| b.text(a.term, &self.dialect)).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut replies = vec![None; questions.len()];
        if asking.simplify && !questions.is_empty() {
            let setup = QuerySetup { solver: &self.solver, options: &asking.options, limits: &self.limits };
            replies = ask(&setup, QueryKind::Simplify, &questions, |_| true, |_, _| {})?;
        }
        for (((block, application), term), theirs) in strange.iter().zip(&texts).zip(replies) {
            tally.disagreed(Disagreement {
                term: term.clone(),
                ours: block.text(application.value, &Dialect::default()),
                theirs: theirs.and_then(|reply| match reply {
                    Reply::True => Some("true".to_string()),
                    Reply::False => Some("false".to_string()),
                    Reply::Text(text) => Some(text),
                    _ => None,
                }),
            });
        }
        Ok(())
    }
}

fn agreement(reply: Option<Reply>) -> Agreement {
    match reply {
        Some(Reply::True) => Agreement::Agreed,
        Some(Reply::False) => Agreement::Disagreed,
        Some(Reply::Open | Reply::Text(_)) => Agreement::Unanswered("unknown".to_string()),
        Some(Reply::Error(message)) => Agreement::Unanswered(message),
        Some(Reply::Ended(status)) => Agreement::Unanswered(format!("the process ended: {status:?}")),
        None => Agreement::Unanswered("the solver lacks the operator, or takes it with two arguments only".to_string()),
    }
}
