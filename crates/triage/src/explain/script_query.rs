//! A script and its options, split into parts that can be left out or added.

use crate::bisection::WrongScript;
use crate::explanation::{AskingPart, PartKind};
use crate::releases::{drawn_words, without_options};
use conform::passes::{PassCommand, PassSyntax};
use finding::folder::FindingFile;
use finding::{Finding, Observation};
use oracle::question::SolverQuestion;
use reduce::query::dialect;
use reduce::subject;
use smtlib::{Command, Script};
use solver::install::{Fleet, InstalledSolver};
use solver::profile::CommandOptions;
use solver::session::{SessionNeeds, Solver};
use solver::spec::{BARE, SolverSpec};
use std::sync::Arc;

/// Placeholder for the preceding scripts.
const BEFORE: &str = FindingFile::Predecessors.name();

/// Tactics are split in the same way as passes.
const TACTICS: PassSyntax = PassSyntax { command: PassCommand::Apply, options: Vec::new() };

/// A script whose options, settings and tactics are split into parts.
pub struct PartedScript<'c> {
    case: &'c WrongScript,
    fleet: &'c Fleet,
    /// Command-line options that may be removed. Those of a program given by its path are excluded, except drawn ones.
    options: Vec<String>,
    /// Options among them that a campaign drew for a program given by its path.
    drawn: Vec<String>,
    /// The parts.
    pub parts: Vec<AskingPart>,
}

/// A script ready to be sent to a solver.
pub struct ScriptQuery {
    /// The solver, with its options.
    pub solver: Solver,
    /// The script in the solver's spelling.
    pub text: String,
    /// How the script is asked.
    pub question: SolverQuestion,
}

impl<'c> PartedScript<'c> {
    /// Splits the script of a finding.
    pub fn new(case: &'c WrongScript, fleet: &'c Fleet, finding: &Finding) -> PartedScript<'c> {
        let options = match &case.spec {
            // Options after a program's path belong to it, except those that the campaign drew.
            SolverSpec::Path(own) if own.options.ends_with(&drawn_words(finding)) => drawn_words(finding),
            SolverSpec::Path(_) => Vec::new(),
            spec => spec.options().to_vec(),
        };
        let drawn = options.clone();
        // Options of the profile are parts like all others: they are used only if kept.
        let mut options = options;
        options.retain(|option| option != BARE);
        options.extend(case.target.added_options().iter().cloned());
        let mut parts: Vec<AskingPart> = options.iter().map(|option| part(PartKind::Option, option)).collect();
        let question = &case.known.fact.question;
        parts.extend(purposes(case).into_iter().map(|(_, words)| part(PartKind::Option, &words)));
        let commands = &case.subject.script.commands;
        for command in commands {
            parts.extend(own_command(command).map(|text| part(PartKind::Command, &text)));
            if let Command::CheckSatUsing(tactic) = command {
                parts.extend(TACTICS.steps(tactic).iter().map(|step| part(PartKind::Tactic, step)));
            }
            if let Command::Push(levels) = command
                && are_never_left(commands)
            {
                parts.push(part(PartKind::Push, &format!("(push {levels})")));
            }
        }
        if !question.earlier.is_empty() {
            parts.push(part(PartKind::Predecessors, BEFORE));
        }
        let mut seen = Vec::new();
        parts.retain(|part| {
            !seen.contains(part) && {
                seen.push(part.clone());
                true
            }
        });
        PartedScript { case, fleet, options, drawn, parts }
    }

    /// Returns what the campaign drew and a reduction left out.
    pub fn left_out(&self, finding: &Finding) -> Vec<AskingPart> {
        let kind = |text: &str| if text.starts_with('(') { PartKind::Command } else { PartKind::Option };
        let drawn = finding.solver.drawn_options.iter().map(|text| part(kind(text), text));
        drawn.filter(|part| !self.parts.contains(part)).collect()
    }

    /// Returns the options of the profile that are left out.
    pub fn not_added(&self) -> Vec<AskingPart> {
        let added = self.case.target.profile().options.added.iter();
        added.filter(|_| self.case.spec.is_bare()).map(|option| part(PartKind::Option, option)).collect()
    }

    /// Builds the script for an installed version of the solver, with some of its parts and one addition.
    pub fn query(&self, version: &InstalledSolver, kept: &[AskingPart], added: Option<&AskingPart>) -> ScriptQuery {
        let has = |kind: PartKind, text: &str| kept.iter().any(|part| part.kind == kind && part.text == text);
        let mut options: Vec<String> =
            self.options.iter().filter(|option| has(PartKind::Option, option)).cloned().collect();
        let mut script = self.script(kept);
        match added {
            Some(AskingPart { kind: PartKind::Option, text }) => {
                options.extend(text.split_whitespace().map(str::to_string));
            }
            Some(AskingPart { kind: PartKind::Command, text }) => {
                let logic = script.commands.iter().position(|command| matches!(command, Command::SetLogic(_)));
                let command = Command::Opaque(text.as_str().into(), smtlib::OpaqueReason::Command);
                script.commands.insert(logic.map_or(0, |at| at + 1), command);
            }
            Some(AskingPart { kind: PartKind::Tactic, text }) => {
                for command in &mut script.commands {
                    if *command == Command::CheckSat {
                        *command = Command::CheckSatUsing(text.as_str().into());
                    }
                }
            }
            _ => {}
        }
        let mut question = self.case.known.fact.question.clone();
        for (purpose, words) in purposes(self.case) {
            if !has(PartKind::Option, &words) {
                question.purpose = without_purpose(question.purpose, purpose);
            }
        }
        if !has(PartKind::Predecessors, BEFORE) {
            question.earlier = Arc::from("");
        }
        let store = &self.case.subject.store;
        let text = subject::text(store, &script, &dialect(version));
        let solver = self.fleet.solver(without_options(version, &self.drawn)).bare().with_options(options);
        ScriptQuery { solver, text, question }
    }

    /// Returns the commands with some of the parts.
    fn script(&self, kept: &[AskingPart]) -> Script {
        let has = |kind: PartKind, text: &str| kept.iter().any(|part| part.kind == kind && part.text == text);
        let commands = &self.case.subject.script.commands;
        let is_kept = |command: &&Command| match command {
            Command::Push(levels) if are_never_left(commands) => has(PartKind::Push, &format!("(push {levels})")),
            command => own_command(command).is_none_or(|text| has(PartKind::Command, &text)),
        };
        let with_tactic = |command: &Command| match command {
            Command::CheckSatUsing(tactic) => {
                let steps: Vec<String> =
                    TACTICS.steps(tactic).into_iter().filter(|step| has(PartKind::Tactic, step)).collect();
                match steps.is_empty() {
                    true => Command::CheckSat,
                    false if steps == TACTICS.steps(tactic) => command.clone(),
                    false => Command::CheckSatUsing(TACTICS.pass_of(&steps).into()),
                }
            }
            command => command.clone(),
        };
        Script { commands: commands.iter().filter(is_kept).map(with_tactic).collect() }
    }

    /// Whether the script uses tactics.
    pub fn has_tactics(&self) -> bool {
        self.parts.iter().any(|part| part.kind == PartKind::Tactic)
    }
}

fn part(kind: PartKind, text: &str) -> AskingPart {
    AskingPart { kind, text: text.to_string() }
}

/// Prints a command that changes a solver setting.
fn own_command(command: &Command) -> Option<String> {
    match command {
        Command::SetOption(key, value) if !changes_output_alone(key) => Some(format!("(set-option {key} {value})")),
        Command::Opaque(text, _) if text.trim_start().starts_with("(set-simplifier") => Some(text.trim().to_string()),
        _ => None,
    }
}

/// Whether an option affects only the output, or is needed by other commands of the script.
fn changes_output_alone(key: &str) -> bool {
    matches!(key, ":print-success" | ":verbosity" | ":diagnostic-output-channel") || key.starts_with(":produce-")
}

/// Whether the levels of a script end with it, so its checks ask the same without them.
fn are_never_left(commands: &[Command]) -> bool {
    !commands.iter().any(|command| matches!(command, Command::Pop(_) | Command::Reset | Command::ResetAssertions))
}

/// Returns the purposes (incremental use, models, validation) that showing the failure does not need, with their options.
fn purposes(case: &WrongScript) -> Vec<(SessionNeeds, String)> {
    let CommandOptions { incremental, models, validate, .. } = &case.target.profile().options;
    let question = &case.known.fact.question;
    let asks_for_values = |command: &Command| matches!(command, Command::GetModel | Command::GetValue(_));
    let shows_by_answers = question.observation == Observation::Answers;
    let is_one_check = case.subject.script.commands.iter().filter(|command| command.is_check()).count() == 1;
    let needs_models = case.subject.script.commands.iter().any(asks_for_values);
    let known = [
        (SessionNeeds::INCREMENTAL, incremental, is_one_check && question.earlier.is_empty()),
        (SessionNeeds::MODELS, models, shows_by_answers && !needs_models),
        (SessionNeeds::VALIDATE, validate, shows_by_answers),
    ];
    let given = known
        .into_iter()
        .filter(|(purpose, words, can_go)| *can_go && !words.is_empty() && question.purpose.contains(*purpose));
    given.map(|(purpose, words, _)| (purpose, words.join(" "))).collect()
}

/// Returns the purposes without the given one.
fn without_purpose(purposes: SessionNeeds, gone: SessionNeeds) -> SessionNeeds {
    use SessionNeeds as Needs;
    let all = [Needs::INCREMENTAL, Needs::MODELS, Needs::CORES, Needs::PROOFS, Needs::VALIDATE];
    let left = all.into_iter().filter(|purpose| *purpose != gone && purposes.contains(*purpose));
    left.fold(Needs::SINGLE, |sum, purpose| sum | purpose)
}
