//! Several scripts in one solver process, separated by `(reset)`: starting up is most of the cost of a small script.
//!
//! Invariant: a batch changes no verdict. An answer out of a batch is taken only where everything about its script
//! went smoothly; each script with an error, a crash, a limit or a missing answer is asked again, alone.

use crate::outcome::{self, Answer, Outcome, SolverError, UNSUPPORTED};
use crate::process::{Limits, Run, RunError, Status};
use crate::script;
use crate::session::{Purpose, Solver};

/// The largest number of scripts that share a process.
pub const MAX_BATCH: usize = 64;

/// An outcome, and whether other scripts went before in the same process.
#[derive(Clone, Debug)]
pub struct Batched {
    /// What the script came to. For a script that shared a process, time and memory are its even share.
    pub outcome: Outcome,
    /// How many scripts were asked before in the same process; 0: it was asked alone or first.
    pub predecessors: usize,
    /// It was asked in a batch first, where not all went smoothly, and then alone; `outcome` is from then.
    pub asked_twice: bool,
    /// The script ended the batch (a crash or a limit) and was asked again alone; `outcome` is from then. If that
    /// crash did not repeat, it depends on the predecessors.
    pub ended_batch: Option<BatchEnd>,
}

/// How a batch ended before its last script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEnd {
    /// How the process ended.
    pub status: Status,
    /// How many scripts were asked before in that process.
    pub predecessors: usize,
}

/// Chooses how many scripts share a process: more while all goes well, fewer after scripts had to be asked twice.
#[derive(Clone, Debug)]
pub struct BatchSize {
    size: usize,
    max: usize,
}

impl BatchSize {
    /// Begins with small batches; `max` is brought between 1 (no batches) and [`MAX_BATCH`].
    pub fn new(max: usize) -> BatchSize {
        let max = max.clamp(1, MAX_BATCH);
        BatchSize { size: max.min(4), max }
    }

    /// How many scripts to ask next.
    pub fn get(&self) -> usize {
        self.size
    }

    /// Learns from a batch.
    pub fn learn(&mut self, outcomes: &[Batched]) {
        let twice = outcomes.iter().filter(|batched| batched.asked_twice).count();
        // Asking twice costs a start; one in sixteen is about what larger batches win.
        let too_often = twice * 16 > outcomes.len();
        self.size = if too_often { (self.size / 2).max(1) } else { (self.size * 2).min(self.max) };
    }
}

/// What a process said about the scripts it was asked together.
struct Together {
    /// One entry for each script whose end was reached; `None` where not all went smoothly.
    outcomes: Vec<Option<Outcome>>,
    status: Status,
}

impl Solver {
    /// Asks about several scripts, in as few processes as soundness allows; the outcomes come in the scripts' order.
    ///
    /// Scripts share a process only if the profile says that `(reset)` works, and only with scripts that set the
    /// same options: some solvers keep options over `(reset)`. The limits are those of one script; a batch gets the
    /// same wall and CPU time as one, so a slow script costs at most twice its limit.
    pub fn check_batch(&self, scripts: &[&str], purpose: Purpose, limits: &Limits) -> Result<Vec<Batched>, RunError> {
        let mut outcomes: Vec<Batched> = Vec::with_capacity(scripts.len());
        let alone = |script: &str, asked_twice, ended_batch| {
            let outcome = self.check(script, purpose, limits)?;
            Ok(Batched { outcome, predecessors: 0, asked_twice, ended_batch })
        };
        while let Some(first) = scripts.get(outcomes.len()) {
            let rest = &scripts[outcomes.len()..];
            let bodies = self.together(rest);
            let count = bodies.len();
            if count < 2 {
                outcomes.push(alone(first, false, None)?);
                continue;
            }
            let together = self.ask_together(&bodies, purpose, limits)?;
            let reached = together.outcomes.len();
            for (predecessors, outcome) in together.outcomes.into_iter().enumerate() {
                outcomes.push(match outcome {
                    Some(outcome) => Batched { outcome, predecessors, asked_twice: false, ended_batch: None },
                    None => alone(rest[predecessors], true, None)?,
                });
            }
            if reached < count {
                let end = BatchEnd { status: together.status, predecessors: reached };
                outcomes.push(alone(rest[reached], true, Some(end))?);
            }
        }
        Ok(outcomes)
    }

    /// The leading scripts that may share a process, as far as the solver reads them.
    fn together<'a>(&self, scripts: &[&'a str]) -> Vec<&'a str> {
        if self.is_builtin() || !self.profile().reset_works {
            return Vec::new();
        }
        let mut separable = scripts.iter().take(MAX_BATCH).map_while(|script| script::separable(script));
        let Some(first) = separable.next() else { return Vec::new() };
        let others = separable.take_while(|other| other.options == first.options).map(|other| other.body);
        std::iter::once(first.body).chain(others).collect()
    }

    fn ask_together(&self, scripts: &[&str], purpose: Purpose, limits: &Limits) -> Result<Together, RunError> {
        let mark = unused_mark(scripts);
        let mut text = String::with_capacity(scripts.iter().map(|script| script.len() + 64).sum());
        for (index, script) in scripts.iter().enumerate() {
            text.push_str(script);
            text.push_str(&format!("\n(reset)\n(echo \"{mark}{index}\")\n"));
        }
        let run = self.run(&text, purpose, limits)?;
        let mut rest = run.stdout.as_slice();
        let mut segments = Vec::new();
        while segments.len() < scripts.len()
            && let Some((segment, after)) = split_at_mark(rest, &format!("{mark}{}", segments.len()))
        {
            segments.push(segment);
            rest = after;
        }
        let asked = u32::try_from((segments.len() + 1).min(scripts.len())).unwrap_or(u32::MAX).max(1);
        // Nothing tells which script lines on standard error belong to.
        let quiet = run.stderr.is_empty();
        let outcomes = segments
            .iter()
            .zip(scripts)
            .map(|(segment, script)| {
                let share = Run {
                    stdout: segment.to_vec(),
                    stderr: Vec::new(),
                    status: Status::Exited(0),
                    wall: run.wall / asked,
                    cpu: run.cpu / asked,
                    peak_rss_bytes: run.peak_rss_bytes,
                };
                let outcome = outcome::read(script.as_bytes(), share, self.profile(), self.generic());
                (quiet && is_smooth(&outcome)).then_some(outcome)
            })
            .collect();
        Ok(Together { outcomes, status: run.status })
    }
}

fn is_smooth(outcome: &Outcome) -> bool {
    let answered = |answer: Answer| answer.is_definite() || answer == Answer::Unknown;
    // An option that the solver does not support is no trouble; the lines that errors name are those of the batch,
    // so errors are judged only where the script stands alone.
    let harmless = |error: &SolverError| error.message == UNSUPPORTED && error.voids_from.is_none();
    outcome.errors.iter().all(harmless)
        && outcome.self_checks.is_empty()
        && outcome.crash.is_none()
        && outcome.answers.iter().all(|check| answered(check.answer))
}

/// A word that none of the scripts holds, so that none can print it.
fn unused_mark(scripts: &[&str]) -> String {
    let mut number = 0usize;
    loop {
        let mark = format!("end-of-script-{number}-");
        if !scripts.iter().any(|script| script.contains(&mark)) {
            return mark;
        }
        number += 1;
    }
}

/// What stands before and after the line that holds the mark alone, with or without quotes.
fn split_at_mark<'a>(text: &'a [u8], mark: &str) -> Option<(&'a [u8], &'a [u8])> {
    memchr::memmem::find_iter(text, mark).find_map(|at| {
        let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        let line = text[start..end].trim_ascii();
        let word = line.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\"")).unwrap_or(line);
        (word == mark.as_bytes()).then(|| (&text[..start], &text[end..]))
    })
}
