//! One round: a solver is asked about the applications of some blocks, and its values are compared with ours.

use crate::application::{Application, ApplicationBlock};
use crate::evidence::{DisagreementScript, seek};
use crate::explained::{Explained, SolverSetup};
use crate::hidden::{Hidden, hidden};
use crate::question::{QueryKind, QuerySetup, Reply, ask};
use crate::reading::ValueReader;
use crate::tally::{Disagreement, Tally};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Dialect, theories};
use solver::process::{ProcessLimits, RunError};
use solver::session::Solver;

/// The number of consecutive errors and crashes after which an operator is skipped: the solver lacks it.
const PATIENCE: u32 = 12;

/// The number of disagreements per operator for which a script is sought: each takes up to two processes.
const SHOWN_BY_SCRIPTS: u64 = 3;

/// The form of the questions about an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Whether the application equals our value. A solver with the command `simplify` simplifies the equation. If that leaves it open,
    /// the negated equation is asserted and checked.
    Equation,
    /// Whether the application equals our value, by `check-sat` alone.
    Check,
    /// As [`Ask::Check`], but constants replace the arguments, so that simplification alone does not find the value.
    Hidden,
    /// Its value, by `(simplify application)`; compared here.
    Simplify,
    /// Its value, by `(get-value (application))`; compared here.
    Value,
}

/// A solver under comparison.
pub struct SolverUnderTest<'a> {
    /// The solver.
    pub solver: Solver,
    /// Its input spelling.
    pub dialect: Dialect,
    /// The limits of one process.
    pub limits: ProcessLimits,
    /// Known facts about it.
    pub table: &'a Explained,
    /// The form of the questions.
    pub ask: Ask,
    /// Operators that it lacks, according to its profile.
    lacks: FxHashSet<String>,
    /// Failures by operator, and whether any reply came.
    standing: FxHashMap<&'static str, ReplyHistory>,
}

#[derive(Clone, Copy, Default)]
struct ReplyHistory {
    failures: u32,
    replied: bool,
}

impl ReplyHistory {
    fn refused(self) -> bool {
        !self.replied && self.failures >= PATIENCE
    }
}

/// A solver's result for an application.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The solver gives our value.
    Agreed,
    /// The solver gives another value, included if printed.
    Disagreed(Option<String>),
    /// No value; includes the solver's message.
    Unanswered(String),
}

impl<'a> SolverUnderTest<'a> {
    /// Creates the state before any query.
    pub fn new(
        solver: Solver,
        dialect: Dialect,
        limits: ProcessLimits,
        table: &'a Explained,
        ask: Ask,
    ) -> SolverUnderTest<'a> {
        let installed = solver.installed();
        let mut lacks: FxHashSet<String> =
            installed.profile.dialects(installed.version.as_ref()).flat_map(|d| d.lacks.iter().cloned()).collect();
        let theories = [
            ("Set", theories::collections::SETS),
            ("Bag", theories::collections::BAGS),
            ("Tuple", theories::collections::RELATIONS),
            ("FiniteField", theories::numbers::FIELDS),
        ];
        for (sort, theory) in theories {
            if lacks.contains(sort) {
                lacks.extend(theory.rows.iter().map(|row| row.name.to_string()));
            }
        }
        SolverUnderTest { solver, dialect, limits, table, ask, lacks, standing: FxHashMap::default() }
    }

    /// Asks about all applications of some blocks and counts the results.
    /// Errors: the solver cannot be run.
    pub fn compare(&mut self, blocks: &[ApplicationBlock], tally: &mut Tally) -> Result<(), RunError> {
        let all: Vec<(&ApplicationBlock, &Application)> =
            blocks.iter().flat_map(|block| block.applications.iter().map(move |a| (block, a))).collect();
        let agreements = match self.ask {
            Ask::Equation | Ask::Check => self.by_equations(&all, tally)?,
            Ask::Hidden => self.by_decisions(&all, tally)?,
            Ask::Simplify => self.by_values(QueryKind::Simplify, &all, tally)?,
            Ask::Value => self.by_values(QueryKind::Value, &all, tally)?,
        };
        let mut strange: Vec<Strange<'_>> = Vec::new();
        for ((block, application), agreement) in all.into_iter().zip(agreements) {
            tally.asked += 1;
            *tally.operators.entry(block.row.name.to_string()).or_default() += 1;
            match agreement {
                Agreement::Agreed => tally.agreed += 1,
                Agreement::Unanswered(instead) => tally.unanswered(block.row.name, &instead),
                Agreement::Disagreed(theirs) => {
                    let text = block.text(application.term, &Dialect::default());
                    match self.table.find(self.solver.installed(), block, application, &text) {
                        Some((row, _)) => *tally.explained.entry(row).or_default() += 1,
                        None => strange.push(Strange { block, application, theirs }),
                    }
                }
            }
        }
        self.report(strange, tally)
    }

    /// Asks the solver whether each application equals our value.
    fn by_equations(
        &mut self,
        all: &[(&ApplicationBlock, &Application)],
        tally: &mut Tally,
    ) -> Result<Vec<Agreement>, RunError> {
        let texts: Vec<String> = all.iter().map(|(b, a)| b.text(a.equation, &self.dialect)).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let asking = self.table.asking(self.solver.installed());
        let mut replies = if self.ask == Ask::Equation && self.knows_simplify() {
            self.ask(QueryKind::Simplify, &asking, all, &questions, tally)?
        } else {
            vec![Some(Reply::Open); questions.len()]
        };
        // The whole solver decides what simplification leaves open.
        let open: Vec<usize> =
            (0..replies.len()).filter(|&n| matches!(replies[n], Some(Reply::Open | Reply::Text(_)))).collect();
        let of_open: Vec<(&ApplicationBlock, &Application)> = open.iter().map(|&n| all[n]).collect();
        let again: Vec<&str> = open.iter().map(|&n| questions[n]).collect();
        for (n, reply) in open.iter().zip(self.ask(QueryKind::Refute, &asking, &of_open, &again, tally)?) {
            replies[*n] = reply;
        }
        Ok(replies.into_iter().map(agreement).collect())
    }

    /// Asks the solver to decide whether each application equals our value, with arguments hidden from simplification.
    fn by_decisions(
        &mut self,
        all: &[(&ApplicationBlock, &Application)],
        tally: &mut Tally,
    ) -> Result<Vec<Agreement>, RunError> {
        let hidden = all.iter().map(|(block, application)| hidden(block, application, &self.dialect));
        // Skipped applications have no text.
        let text = |h: Hidden| format!("{}(assert (not {}))", h.preface, h.equation);
        let texts: Vec<String> = hidden.map(|h| h.map(text).unwrap_or_default()).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut asking = self.table.asking(self.solver.installed());
        asking.options.extend(std::mem::take(&mut asking.bounds));
        let replies = self.ask(QueryKind::Commands, &asking, all, &questions, tally)?;
        Ok(replies.into_iter().map(agreement).collect())
    }

    /// Asks the solver for the value of each application, and compares it with ours.
    fn by_values(
        &mut self,
        kind: QueryKind,
        all: &[(&ApplicationBlock, &Application)],
        tally: &mut Tally,
    ) -> Result<Vec<Agreement>, RunError> {
        let texts: Vec<String> = all.iter().map(|(b, a)| b.text(a.term, &self.dialect)).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let asking = self.table.asking(self.solver.installed());
        let replies = self.ask(kind, &asking, all, &questions, tally)?;
        let installed = self.solver.installed();
        let mut reader = ValueReader::default();
        let compared = all.iter().zip(replies).map(|((block, application), reply)| {
            let Some(theirs) = reply.as_ref().and_then(Reply::value) else { return agreement(reply) };
            // The solver may also misprint what it misreads.
            if let Some(spelling) = installed.profile.misread(installed.version.as_ref(), theirs) {
                return Agreement::Unanswered(misread(spelling));
            }
            match reader.same(&block.text(application.value, &Dialect::default()), theirs) {
                Ok(true) => Agreement::Agreed,
                Ok(false) => Agreement::Disagreed(Some(theirs.to_string())),
                Err(unread) => Agreement::Unanswered(unread.to_string()),
            }
        });
        Ok(compared.collect())
    }

    fn knows_simplify(&self) -> bool {
        let installed = self.solver.installed();
        installed.profile.knows_simplify(installed.version.as_ref())
    }

    fn ask(
        &mut self,
        kind: QueryKind,
        asking: &SolverSetup,
        all: &[(&ApplicationBlock, &Application)],
        questions: &[&str],
        tally: &mut Tally,
    ) -> Result<Vec<Option<Reply>>, RunError> {
        let standing = std::cell::RefCell::new(std::mem::take(&mut self.standing));
        let lacks = &self.lacks;
        let is_lacked = |name: &str| lacks.contains(name) || (name.starts_with("seq.") && lacks.contains("Seq"));
        let (profile, version) = (&self.solver.installed().profile, self.solver.installed().version.as_ref());
        let wanted = |n: usize| {
            let (block, application) = all[n];
            let name = block.row.name;
            asking.takes(name, block.store.args(application.term).len())
                && !is_lacked(name)
                && !questions[n].is_empty()
                && profile.misread(version, questions[n]).is_none()
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
        let replies = replies?;
        tally.cpu += replies.cpu;
        Ok(replies.replies)
    }

    /// Records unexplained disagreements, with the solver's own value if printed or available by `simplify`.
    fn report(&self, strange: Vec<Strange<'_>>, tally: &mut Tally) -> Result<(), RunError> {
        if strange.is_empty() {
            return Ok(());
        }
        let asking = self.table.asking(self.solver.installed());
        let texts: Vec<String> = strange.iter().map(|s| s.block.text(s.application.term, &self.dialect)).collect();
        let questions: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut replies = vec![None; questions.len()];
        if matches!(self.ask, Ask::Equation | Ask::Check) && self.knows_simplify() {
            let setup = QuerySetup { solver: &self.solver, options: &asking.options, limits: &self.limits };
            replies = ask(&setup, QueryKind::Simplify, &questions, |_| true, |_, _| {})?.replies;
        }
        let alone = self.solver.clone().with_options(asking.options);
        for ((Strange { block, application, theirs }, term), reply) in strange.into_iter().zip(&texts).zip(replies) {
            let so_far = tally.unexplained_operators.get(block.row.name).copied().unwrap_or_default();
            tally.disagreed(Disagreement {
                operator: block.row.name,
                term: term.clone(),
                ours: block.text(application.value, &Dialect::default()),
                theirs: theirs.or_else(|| reply.as_ref().and_then(Reply::value).map(str::to_string)),
                evidence: match so_far < SHOWN_BY_SCRIPTS {
                    true => self.evidence(&alone, block, application)?,
                    false => DisagreementScript::NotSought,
                },
            });
        }
        Ok(())
    }

    fn evidence(
        &self,
        solver: &Solver,
        block: &ApplicationBlock,
        application: &Application,
    ) -> Result<DisagreementScript, RunError> {
        let shown = (self.ask == Ask::Hidden).then(|| hidden(block, application, &self.dialect)).flatten();
        match shown {
            Some(hidden) => seek(solver, &self.limits, &hidden.preface, &hidden.equation),
            None => seek(solver, &self.limits, "", &block.text(application.equation, &self.dialect)),
        }
    }
}

/// An unexplained disagreement.
struct Strange<'b> {
    block: &'b ApplicationBlock,
    application: &'b Application,
    theirs: Option<String>,
}

fn misread(spelling: &str) -> String {
    format!("this version misreads {spelling}")
}

fn agreement(reply: Option<Reply>) -> Agreement {
    match reply {
        Some(Reply::True) => Agreement::Agreed,
        Some(Reply::False) => Agreement::Disagreed(None),
        Some(Reply::Open | Reply::Text(_)) => Agreement::Unanswered("unknown".to_string()),
        Some(Reply::Error(message)) => Agreement::Unanswered(message),
        Some(Reply::Ended(status)) => Agreement::Unanswered(format!("the process ended: {status:?}")),
        None => Agreement::Unanswered(
            "the solver lacks the operator, accepts it with two arguments only, misreads the text, or the arguments are too wide to be hidden".to_string(),
        ),
    }
}
