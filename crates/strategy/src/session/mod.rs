//! An SMT-LIB session: executes commands and returns responses, with any engine for the checks (SMT-LIB 2.7, chapter 4).

mod decide;
mod named;
mod options;
mod programs;
mod splitter;
mod values;

pub use decide::{ByStrategy, CheckQuestion, Decide};
pub use named::{NamedStrategyError, with_named};
pub use options::SessionOptions;
pub use splitter::Splitter;

use crate::solve::{SolveAnswer, SolveReport};
use semantics::Model;
use smtlib::extension_commands::{Effect, effect, is_objective};
use smtlib::printer::quote_symbol;
use smtlib::sexpr::{Sexprs, head};
use smtlib::{Command, Instance, Live, Parsed, Scope, Store, Symbol, TermId, parse_commands};
use std::fmt::Write;

/// What follows a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// The next command.
    Continue,
    /// The end: `(exit)`.
    Exit,
}

/// The source text of a command.
#[derive(Clone, Debug, Default)]
pub struct CommandSource<'t> {
    /// Its text; empty where it has none.
    pub text: &'t str,
    /// Its `:named` terms, inner ones too.
    pub labels: Vec<(Symbol, TermId)>,
}

impl<'t> CommandSource<'t> {
    /// Returns the source of the command at this place.
    pub fn of(parsed: &Parsed, place: usize, text: &'t str) -> CommandSource<'t> {
        // They are in the order of their commands.
        let first = parsed.labels.partition_point(|(at, ..)| *at < place);
        let labels = parsed.labels[first..].iter().take_while(|(at, ..)| *at == place);
        CommandSource {
            text: parsed.spans.get(place).and_then(|span| text.get(span.clone())).unwrap_or_default(),
            labels: labels.map(|&(_, name, term)| (name, term)).collect(),
        }
    }
}

/// The last check, while nothing has changed since.
struct LastCheck {
    instance: Instance,
    /// The names of the instance's assertions.
    names: Vec<Option<Symbol>>,
    /// The number of assumptions among the assertions; they come last.
    assumptions: usize,
    report: SolveReport,
    /// The model, completed when first requested.
    model: Option<Model>,
}

/// A session.
///
/// Invariant: every command has exactly one response (none for those that succeed quietly), so a client that counts responses never
/// waits.
pub struct Session<'d> {
    store: Store,
    scope: Scope,
    live: Live,
    names: Vec<Option<Symbol>>,
    /// The `:named` terms of each assertion.
    labels: Vec<Vec<(Symbol, TermId)>>,
    options: SessionOptions,
    decide: &'d mut dyn Decide,
    checked: Option<LastCheck>,
    /// The last answer, which survives changes: `(get-info :reason-unknown)`.
    last: Option<&'static str>,
    reason: Option<String>,
    /// The end of the text read: lines before it, and characters of its last line.
    read: (usize, usize),
    /// The number of checks not answered `sat` or `unsat`.
    pub undecided: u64,
    /// The number of errors reported.
    pub errors: u64,
}

impl<'d> Session<'d> {
    /// Makes a fresh session.
    pub fn new(decide: &'d mut dyn Decide) -> Session<'d> {
        let store = Store::new();
        let scope = Scope::new(&store);
        Session {
            store,
            scope,
            live: Live::default(),
            names: Vec::new(),
            labels: Vec::new(),
            options: SessionOptions::default(),
            decide,
            checked: None,
            last: None,
            reason: None,
            read: (0, 0),
            undecided: 0,
            errors: 0,
        }
    }

    /// Reads and executes a text of whole commands, and appends the responses. Errors have positions in the whole text read.
    pub fn read(&mut self, text: &str, out: &mut String) -> NextStep {
        let parsed = parse_commands(&mut self.store, &mut self.scope, text);
        let (lines, columns) = self.read;
        self.read = match text.rsplit_once('\n') {
            Some((before, last)) => (lines + before.matches('\n').count() + 1, last.chars().count()),
            None => (lines, columns + text.chars().count()),
        };
        for (place, command) in parsed.script.commands.iter().enumerate() {
            if self.execute(command, CommandSource::of(&parsed, place, text), out) == NextStep::Exit {
                return NextStep::Exit;
            }
        }
        for error in &parsed.errors {
            let (line, column) = error.position(text);
            let (line, column) = (lines + line, if line == 1 { columns + column } else { column });
            let help = error.help.as_deref().map_or(String::new(), |help| format!("; {help}"));
            self.error(&format!("line {line} column {column}: {error}{help}"), out);
        }
        NextStep::Continue
    }

    /// Takes over the store into which the commands were read.
    pub fn adopt(&mut self, store: Store) {
        self.scope = Scope::new(&store);
        self.store = store;
    }

    /// Executes one command, whose terms are in this session's store, and appends its response.
    pub fn execute(&mut self, command: &Command, source: CommandSource<'_>, out: &mut String) -> NextStep {
        match command {
            check if check.is_check() => self.check(command, out),
            Command::GetModel => self.with_model(out, |session, out| values::model(session, out)),
            Command::GetValue(terms) => {
                let terms = terms.clone();
                self.with_model(out, |session, out| values::values(session, &terms, source.text, out));
            }
            Command::Echo(text) => {
                out.push('"');
                for c in text.iter().filter_map(|&c| char::from_u32(c)) {
                    out.push(c);
                    if c == '"' {
                        out.push(c);
                    }
                }
                out.push_str("\"\n");
            }
            Command::Exit => {
                self.success(out);
                return NextStep::Exit;
            }
            Command::SetOption(key, value) => {
                // The option applies to its own response already (section 4.1.7).
                match self.options.set(key, value) {
                    Ok(true) => self.success(out),
                    Ok(false) => out.push_str("unsupported\n"),
                    Err(why) => self.error(&why, out),
                }
                self.live.step(command);
            }
            Command::Query(text) => self.query(text, out),
            Command::Erroneous(_) => self.error("this command is marked as an error, and is one", out),
            Command::Extension(name, ..) => {
                self.live.step(command);
                match is_objective(name) {
                    true => self.objective(name, out),
                    false => out.push_str("unsupported\n"),
                }
            }
            Command::Opaque(text, reason) => {
                self.live.step(command);
                match effect(text, *reason) {
                    // The parser has replaced the name by the tactic.
                    Effect::None if head(text) == "declare-tactic" => self.success(out),
                    Effect::None => out.push_str("unsupported\n"),
                    Effect::Objective => self.objective(head(text), out),
                    Effect::Declares | Effect::Constrains | Effect::Unknown => {
                        self.forget();
                        out.push_str("unsupported\n");
                    }
                }
            }
            Command::SetInfo(..) => {
                self.live.step(command);
                self.success(out);
            }
            Command::Reset => {
                // The parser has forgotten the names already.
                self.live.step(command);
                self.names.clear();
                self.labels.clear();
                self.options = SessionOptions::default();
                self.forget();
                self.success(out);
            }
            _ => {
                self.live.step(command);
                self.forget();
                let assertions = self.live.instance().assertions.len();
                self.names.resize(assertions, None);
                self.labels.resize(assertions, Vec::new());
                if let Command::Assert(_, name) = command
                    && let (Some(last), Some(labels)) = (self.names.last_mut(), self.labels.last_mut())
                {
                    (*last, *labels) = (*name, source.labels);
                }
                self.success(out);
            }
        }
        NextStep::Continue
    }

    /// Records that the assertions changed: models and cores are gone, the reason of an unknown stays.
    fn forget(&mut self) {
        self.checked = None;
    }

    fn success(&self, out: &mut String) {
        if self.options.print_success {
            out.push_str("success\n");
        }
    }

    fn objective(&mut self, name: &str, out: &mut String) {
        self.error(
            &format!("{name} is not supported: objectives are no part of a check here; --exhaust finds small ones"),
            out,
        );
    }

    fn error(&mut self, message: &str, out: &mut String) {
        self.errors += 1;
        let _ = writeln!(out, "(error \"{}\")", message.replace('"', "\"\"").replace('\n', " "));
    }

    fn check(&mut self, command: &Command, out: &mut String) {
        let Some(instance) = self.live.step(command) else { return };
        let mut names = self.names.clone();
        names.resize(instance.assertions.len(), None);
        let assumptions = match command {
            Command::CheckSatAssuming(terms) => terms.len(),
            _ => 0,
        };
        let question = CheckQuestion {
            instance: &instance,
            using: match command {
                Command::CheckSatUsing(text) => Some(text),
                _ => None,
            },
            cores: self.options.produce_unsat_cores || self.options.produce_unsat_assumptions,
            time: self.options.timeout,
        };
        let report = match self.decide.decide(&mut self.store, &question) {
            Ok(report) => report,
            Err(why) => {
                self.undecided += 1;
                return self.error(&why, out);
            }
        };
        let word = report.answer.word();
        self.undecided += u64::from(word == "unknown");
        self.last = Some(word);
        self.reason = report.answer.reason().map(str::to_string);
        out.push_str(word);
        out.push('\n');
        self.checked = Some(LastCheck { instance, names, assumptions, report, model: None });
    }

    fn with_model(&mut self, out: &mut String, then: impl FnOnce(&mut Self, &mut String) -> Result<(), String>) {
        match self.of_model(then) {
            Ok(text) => out.push_str(&text),
            Err(why) => self.error(&why, out),
        }
    }

    fn of_model(&mut self, then: impl FnOnce(&mut Self, &mut String) -> Result<(), String>) -> Result<String, String> {
        let nothing = "there is no model: nothing was checked since the assertions changed";
        let checked = self.checked.as_mut().ok_or(nothing)?;
        match &checked.report.answer {
            SolveAnswer::Sat { model: Some(model), .. } => {
                if checked.model.is_none() {
                    checked.model = Some(values::completed(&self.store, &checked.instance, model.clone()));
                }
                let mut text = String::new();
                then(self, &mut text).map(|()| text)
            }
            SolveAnswer::Sat { unchecked, .. } => Err(unchecked.clone().unwrap_or_default()),
            other => Err(format!("there is no model: the last check was answered {}", other.word())),
        }
    }

    fn query(&mut self, text: &str, out: &mut String) {
        let all = Sexprs::read(text);
        let words = all.top().next().map(|list| all.words(list)).unwrap_or_default();
        let (name, argument) = (words.first().copied().unwrap_or(""), words.get(1).copied().unwrap_or(""));
        match name {
            "get-info" if argument == ":reason-unknown" && self.last != Some("unknown") => {
                self.error("the last check was not answered unknown", out);
            }
            "get-info" => self.info(argument, out),
            // The parser has read the variable into the rules.
            "declare-var" => self.success(out),
            "get-option" => match self.options.get(argument) {
                Some(value) => {
                    let _ = writeln!(out, "{value}");
                }
                None => out.push_str("unsupported\n"),
            },
            "get-assignment" if !self.options.produce_assignments => {
                self.error("get-assignment needs (set-option :produce-assignments true) before it", out);
            }
            "get-assignment" => self.with_model(out, |session, out| values::assignment(session, out)),
            "get-assertions" => {
                out.push('(');
                for &t in &self.live.instance().assertions {
                    let _ = write!(out, "\n{}", self.store.term_text(t));
                }
                out.push_str(")\n");
            }
            "get-unsat-core" | "get-unsat-assumptions" | "get-proof" => {
                let Some(LastCheck {
                    report: SolveReport { answer: SolveAnswer::Unsat { core, proof }, .. },
                    instance,
                    names,
                    assumptions,
                    ..
                }) = &self.checked
                else {
                    return self.error("the last check was not answered unsat, or the assertions changed since", out);
                };
                let first_assumption = instance.assertions.len() - assumptions;
                match name {
                    "get-proof" => {
                        let _ = writeln!(out, "{}", proof.expression());
                    }
                    "get-unsat-core" => {
                        let used = core.iter().filter_map(|&n| names.get(n).copied().flatten());
                        let mut words = Vec::new();
                        for symbol in used {
                            let mut word = String::new();
                            quote_symbol(self.store.name(symbol), &mut word);
                            words.push(word);
                        }
                        let _ = writeln!(out, "({})", words.join(" "));
                    }
                    _ => {
                        let used = core.iter().filter(|&&n| n >= first_assumption);
                        let words: Vec<String> = used.map(|&n| self.store.term_text(instance.assertions[n])).collect();
                        let _ = writeln!(out, "({})", words.join(" "));
                    }
                }
            }
            _ => out.push_str("unsupported\n"),
        }
    }

    fn info(&self, key: &str, out: &mut String) {
        let line = match key {
            ":name" => "(:name \"squall\")".to_string(),
            ":version" => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":authors" => "(:authors \"the authors of squall\")".to_string(),
            ":error-behavior" => "(:error-behavior continued-execution)".to_string(),
            ":assertion-stack-levels" => format!("(:assertion-stack-levels {})", self.live.open_levels()),
            ":reason-unknown" => match &self.reason {
                Some(reason) => format!("(:reason-unknown \"{}\")", reason.replace('"', "\"\"").replace('\n', " ")),
                None => "(:reason-unknown incomplete)".to_string(),
            },
            ":all-statistics" => match &self.checked {
                Some(checked) => format!("(:time {:.6})", checked.report.time.as_secs_f64()),
                None => "()".to_string(),
            },
            _ => "unsupported".to_string(),
        };
        out.push_str(&line);
        out.push('\n');
    }

    /// Returns the report of the last check, if nothing has changed since.
    pub fn report(&self) -> Option<&SolveReport> {
        self.checked.as_ref().map(|checked| &checked.report)
    }

    /// Returns the instance last checked, with its report, and the store for another question about it.
    pub fn last_check(&mut self) -> Option<(&mut Store, &Instance, &SolveReport)> {
        self.checked.as_ref().map(|checked| (&mut self.store, &checked.instance, &checked.report))
    }

    /// Returns the model of the last check as `(get-model)` prints it.
    /// Errors: there is no model, or some value has no text.
    pub fn model_text(&mut self) -> Result<String, String> {
        self.of_model(values::model)
    }

    /// Returns the answer to the last check, as one word.
    pub fn last_answer(&self) -> Option<&'static str> {
        self.last
    }
}

/// Returns the terms of a core.
pub fn core_terms(instance: &Instance, core: &[usize]) -> Vec<TermId> {
    core.iter().filter_map(|&n| instance.assertions.get(n).copied()).collect()
}
