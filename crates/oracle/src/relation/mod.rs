//! Relations between two scripts: which pairs of one solver's answers cannot both be right, whatever the scripts mean
//! (class X).
//!
//! Both scripts are derived from one text, so a reduction shrinks only that text, and the relation holds by construction. `unknown`, limits
//! and answers voided by errors contradict nothing.

mod commands;
mod reported;
mod same;
pub mod stronger;
mod unsat_core;

use crate::judge::Hit;
use crate::tested;
pub use commands::RelatedScript;
use commands::{CommandList, RelationTarget, SecondScript};
use finding::record::{ContradictoryAnswers, ScriptAnswer};
use finding::{BugClass, Finding};
use mutate::rng::RandomStream;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::RunError;
use solver::session::Solver;

/// How the second script relates to the first, which determines the contradictory pairs of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptsRelate {
    /// The second includes all of the first: `unsat`, then `sat`.
    Stronger,
    /// Both scripts ask the same: `sat` and `unsat`, in either order.
    Same,
    /// The second is the solver's own core of the first: `unsat`, then `sat`.
    Needed,
    /// The solver's own output for the first implies that the second has the same answer: `sat` and `unsat`, in either
    /// order.
    Told,
}

/// The checks that a relation may start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeginsWith {
    /// One answered `sat`: the check of the second script, or of the first if the relation uses the solver's output.
    Sat,
    /// One answered `unsat`: the check of the first.
    Unsat,
    /// One with either answer: the check of the first.
    Definite,
}

/// A relation.
#[derive(Debug)]
pub struct RelationRow {
    /// Its name in records.
    pub name: &'static str,
    /// What the second script is, as the end of a sentence about the first.
    pub second_is: &'static str,
    /// How the scripts relate.
    pub relates: ScriptsRelate,
    /// The checks it may start from.
    pub begins: BeginsWith,
    /// Makes the text from which both scripts are derived.
    text: fn(&CommandList<'_>, usize, &mut RandomStream) -> Option<String>,
    /// Makes the first script of that text, by the number drawn.
    first: fn(&str, u64) -> Option<RelatedScript>,
    /// Makes the second script of that text.
    second: fn(SecondScript<'_>) -> Option<RelatedScript>,
}

/// A relation with its random choice.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    row: &'static RelationRow,
    draw: u64,
}

/// A script that was asked, with its outcome.
pub type RelatedReply = (RelatedScript, SolverOutcome);

/// The outcomes of both scripts.
#[derive(Clone, Debug)]
pub struct AskedPair {
    relation: Relation,
    /// The first, if it was asked.
    pub first: Option<RelatedReply>,
    /// The second, if it was asked.
    pub second: Option<RelatedReply>,
}

impl RelationRow {
    const ALONE: RelationRow = RelationRow {
        name: "",
        second_is: "",
        relates: ScriptsRelate::Same,
        begins: BeginsWith::Definite,
        text: same::alone,
        first: same::as_it_is,
        second: same::shuffled,
    };
}

/// All relations.
pub static RELATIONS: [RelationRow; 14] = [
    RelationRow {
        name: "dropped",
        second_is: "the same with more assertions",
        relates: ScriptsRelate::Stronger,
        begins: BeginsWith::Sat,
        text: stronger::without_some,
        first: stronger::weaker,
        second: stronger::stronger,
    },
    RelationRow {
        name: "added",
        second_is: "the same with more assertions",
        relates: ScriptsRelate::Stronger,
        begins: BeginsWith::Unsat,
        text: stronger::with_more,
        first: stronger::weaker,
        second: stronger::stronger,
    },
    RelationRow {
        name: "valid",
        second_is: "the same with valid assertions added",
        text: stronger::with_valid,
        first: stronger::weaker,
        second: stronger::as_strong,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "reworded",
        second_is: "the same, rephrased",
        second: same::in_other_words,
        ..RelationRow::ALONE
    },
    RelationRow { name: "shuffled", second_is: "the same in another order", ..RelationRow::ALONE },
    RelationRow {
        name: "leveled",
        second_is: "the same, split into levels",
        second: same::by_levels,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "assumed",
        second_is: "the same under assumptions",
        second: same::assumed,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "again",
        second_is: "the same for the second time in one process",
        second: same::again,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "flat",
        second_is: "the same without levels and assumptions",
        text: same::session,
        second: same::last_alone,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "core",
        second_is: "its unsatisfiable core alone",
        relates: ScriptsRelate::Needed,
        begins: BeginsWith::Unsat,
        first: unsat_core::asking_for_core,
        second: unsat_core::core_alone,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "failed-assumptions",
        second_is: "its failed assumptions alone",
        relates: ScriptsRelate::Needed,
        begins: BeginsWith::Unsat,
        first: unsat_core::asking_for_assumptions,
        second: unsat_core::failed_alone,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "assigned",
        second_is: "the same with the solver's assignment to its parts",
        relates: ScriptsRelate::Told,
        begins: BeginsWith::Sat,
        first: reported::asking_for_assignment,
        second: reported::with_assignment,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "valued",
        second_is: "the same with the values that the solver reports",
        relates: ScriptsRelate::Told,
        begins: BeginsWith::Sat,
        first: reported::asking_for_values,
        second: reported::with_values,
        ..RelationRow::ALONE
    },
    RelationRow {
        name: "simplified",
        second_is: "the same with its assertions simplified by the solver",
        relates: ScriptsRelate::Told,
        first: reported::asking_for_simplified,
        second: reported::with_simplified,
        ..RelationRow::ALONE
    },
];

impl ScriptsRelate {
    /// Whether these answers to the first and the second script cannot both be right.
    pub fn contradicts(self, first: Answer, second: Answer) -> bool {
        match (first, second) {
            (Answer::Unsat, Answer::Sat) => true,
            (Answer::Sat, Answer::Unsat) => matches!(self, ScriptsRelate::Same | ScriptsRelate::Told),
            _ => false,
        }
    }

    /// Whether the second script needs the solver's output for the first, so that it cannot be asked alone.
    pub fn takes_words(self) -> bool {
        matches!(self, ScriptsRelate::Needed | ScriptsRelate::Told)
    }

    /// Explains the contradiction, in one sentence.
    pub fn why(self) -> &'static str {
        match self {
            ScriptsRelate::Stronger => {
                "What satisfies the second script satisfies the first one, whose assertions are among its own."
            }
            ScriptsRelate::Same => "What satisfies one of the scripts satisfies the other one, which asks the same.",
            ScriptsRelate::Needed => {
                "According to the solver itself, the assertions of the second script alone make the first one unsatisfiable."
            }
            ScriptsRelate::Told => {
                "According to the solver's further output for the first script, the second one is equally satisfiable."
            }
        }
    }
}

impl BeginsWith {
    fn fits(self, answer: Answer) -> bool {
        match self {
            BeginsWith::Sat => answer == Answer::Sat,
            BeginsWith::Unsat => answer == Answer::Unsat,
            BeginsWith::Definite => answer.is_definite(),
        }
    }
}

impl Relation {
    /// Returns the relation that a record names, if it still exists.
    pub fn named(name: &str, draw: u64) -> Option<Relation> {
        RELATIONS.iter().find(|row| row.name == name).map(|row| Relation { row, draw })
    }

    /// Returns the relation of a finding; `None` unless it is a contradiction.
    pub fn of(finding: &Finding) -> Option<Relation> {
        finding.contradiction.as_ref().and_then(|found| Relation::named(&found.relation, found.draw))
    }

    /// Draws a relation that fits a check with this answer, and makes the text from which both scripts are derived. `None` if none fits, or
    /// the script has commands of unknown effect.
    pub fn draw(text: &str, check: usize, answer: Answer, rng: &mut RandomStream) -> Option<(Relation, String)> {
        let list = CommandList::read(text)?;
        let mut fitting: Vec<&'static RelationRow> = RELATIONS.iter().filter(|row| row.begins.fits(answer)).collect();
        rng.shuffle(&mut fitting);
        fitting.into_iter().find_map(|row| {
            let text = (row.text)(&list, check, rng)?;
            Some((Relation { row, draw: rng.bits() }, text))
        })
    }

    /// Returns the relation of this name for a check of a script, as [`Relation::draw`] does.
    pub fn begin(name: &str, text: &str, check: usize, rng: &mut RandomStream) -> Option<(Relation, String)> {
        let relation = Relation { draw: rng.bits(), ..Relation::named(name, 0)? };
        Some((relation, (relation.row.text)(&CommandList::read(text)?, check, rng)?))
    }

    /// Returns the row of the relation.
    pub fn row(self) -> &'static RelationRow {
        self.row
    }

    /// Asks a solver both scripts derived from a text, each in a fresh process through `run`. The second is asked only if the first answer
    /// can contradict another; if the first answer is `known`, the order is reversed. So usually one script is asked.
    /// Errors: the solver cannot be run.
    pub fn ask(
        self,
        solver: &Solver,
        text: &str,
        known: Option<Answer>,
        run: &mut dyn FnMut(&RelatedScript) -> Result<SolverOutcome, RunError>,
    ) -> Result<AskedPair, RunError> {
        let installed = solver.installed();
        let dialect = tested::dialect(installed);
        let target = RelationTarget { dialect: &dialect, takes_commands: tested::takes_sessions(solver) };
        let second_of = |first| (self.row.second)(SecondScript { text, draw: self.draw, first, target });
        let mut pair = AskedPair { relation: self, first: None, second: None };
        let RelationRow { relates, .. } = self.row;
        let may_begin =
            |first: Answer| [Answer::Sat, Answer::Unsat].into_iter().any(|second| relates.contradicts(first, second));
        let mut asked = |script: RelatedScript| run(&script).map(|outcome| (script, outcome));
        let known = known.filter(|_| self.row.begins != BeginsWith::Sat && !relates.takes_words());
        if let Some(known) = known {
            let Some(script) = second_of(None) else { return Ok(pair) };
            pair.second = Some(asked(script)?);
            if !relates.contradicts(known, pair.answers()[1]) {
                return Ok(pair);
            }
        }
        let Some(script) = (self.row.first)(text, self.draw) else { return Ok(pair) };
        let first = asked(script)?;
        let second = second_of(Some(&first.1));
        pair.first = Some(first);
        if pair.second.is_none()
            && may_begin(pair.answers()[0])
            && let Some(script) = second
        {
            pair.second = Some(asked(script)?);
        }
        Ok(pair)
    }
}

impl AskedPair {
    /// Returns the answers to both scripts; [`Answer::Missing`] for one that was not asked.
    pub fn answers(&self) -> [Answer; 2] {
        let answer = |asked: &Option<RelatedReply>| {
            let check = asked.as_ref().and_then(|(script, outcome)| outcome.answers.get(script.check));
            check.map_or(Answer::Missing, |check| check.answer)
        };
        [answer(&self.first), answer(&self.second)]
    }

    /// Returns the contradiction, if there is one.
    pub fn hit(&self) -> Option<Hit> {
        let [first, second] = self.answers();
        let Relation { row, .. } = self.relation;
        let symptom = || format!("{}: {} and {}", row.name, first.word(), second.word());
        row.relates.contradicts(first, second).then(|| Hit { class: BugClass::X, check: 0, symptom: symptom() })
    }

    /// Returns its entry in the record.
    pub fn record(&self) -> ContradictoryAnswers {
        let Relation { row, draw } = self.relation;
        let [first, second] = self.answers();
        let told = |asked: &Option<RelatedReply>, answer: Answer| ScriptAnswer {
            check: asked.as_ref().map_or(0, |(script, _)| script.check),
            answer: answer.word().to_string(),
        };
        ContradictoryAnswers {
            relation: row.name.to_string(),
            draw,
            second_is: row.second_is.to_string(),
            first: told(&self.first, first),
            second: told(&self.second, second),
            why: row.relates.why().to_string(),
        }
    }

    /// Merges both runs: the two answers that count, with all output and resources. `None` if no script was asked.
    pub fn outcome(&self) -> Option<SolverOutcome> {
        let asked = || self.first.iter().chain(&self.second);
        let mut whole = asked().next()?.1.clone();
        let counts = |(script, outcome): &RelatedReply| outcome.answers.get(script.check).cloned();
        let missing = || CheckAnswer { answer: Answer::Missing, said: None, responses: Vec::new() };
        whole.answers = asked().map(|one| counts(one).unwrap_or_else(missing)).collect();
        for (_, outcome) in asked().skip(1) {
            whole.cpu += outcome.cpu;
            whole.wall += outcome.wall;
            whole.stdout.extend_from_slice(&outcome.stdout);
            whole.stderr.extend_from_slice(&outcome.stderr);
            whole.errors.extend_from_slice(&outcome.errors);
        }
        Some(whole)
    }
}
