//! The checks of a script, each with only the commands that it depends on.

use anyhow::{Context, Result, bail};
use mutate::finite::problem::LIMITS;
use mutate::rng::RandomStream;
use semantics::Stop;
use semantics::truth::{self, CheckTruth, ExhaustLimits, Search, TruthQuery};
use smtlib::sexpr::{atoms, bare};
use smtlib::{Command, Instance, Status, Store};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The most checks of a file that are read.
pub const MAX_CHECKS: usize = 1000;

/// What may be done with a command without a change of meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckPartKind {
    /// An assertion, which may come later in its level.
    Assertion,
    /// A `set-option`.
    Option,
    /// A declaration, a definition, the logic, or an assertion with a name that other commands use.
    Declaration,
    /// An open level, the check itself, or a command that is not understood: nothing moves across it.
    Fence,
}

/// One command of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckPart {
    /// Its text.
    pub text: String,
    /// What may be done with it.
    pub kind: CheckPartKind,
    /// What it is, for people: `assertion 7 (line 12, named a)`.
    pub place: String,
}

/// The commands of a check, in order.
pub type CheckParts = Vec<Arc<CheckPart>>;

/// A check without the earlier checks, closed levels and questions of its script. Levels that are open around it stay.
#[derive(Clone, Debug)]
pub struct StabilityCheck {
    /// Its file and line.
    pub name: String,
    /// What it depends on, then the check itself.
    pub parts: CheckParts,
    /// The right answer, by exhaustion or `:status`.
    pub right: Option<Status>,
}

impl CheckPart {
    /// Whether it is an assertion or option, without which the script still makes sense.
    pub fn is_removable(&self) -> bool {
        matches!(self.kind, CheckPartKind::Assertion | CheckPartKind::Option)
    }
}

impl StabilityCheck {
    /// Reads the checks of a script, at most [`MAX_CHECKS`].
    /// Errors: the file cannot be read, has errors or resets: the message has the place.
    pub fn read(path: &Path) -> Result<Vec<StabilityCheck>> {
        let name = path.display().to_string();
        let text = String::from_utf8(files::named(path)?).with_context(|| format!("{name} is not UTF-8"))?;
        let mut store = Store::new();
        let (text, parsed) = (text.as_str(), smtlib::parse(&mut store, &text));
        if let Some(error) = parsed.errors.first() {
            bail!("{}", error.render(&name, text));
        }
        let mut uses: HashMap<&str, usize> = HashMap::new();
        atoms(text).for_each(|atom| *uses.entry(bare(&text[atom])).or_default() += 1);
        let is_used = |name: &str| uses.get(name).is_none_or(|uses| *uses > 1);
        let labels = parsed.labels.iter().filter(|label| is_used(store.name(label.1)));
        let used: HashSet<usize> = labels.map(|label| label.0).collect();
        let instances = parsed.script.instances();
        let answers: Vec<Option<Status>> =
            instances.iter().take(MAX_CHECKS).map(|instance| right_answer(&mut store, instance)).collect();
        let (mut live, mut levels, mut checks): (CheckParts, Vec<usize>, _) = (Vec::new(), Vec::new(), Vec::new());
        let (mut line, mut read, mut asserted) = (1, 0, 0);
        for (at, (command, span)) in parsed.script.commands.iter().zip(&parsed.spans).enumerate() {
            line += text[read..span.start].matches('\n').count();
            read = span.start;
            let source = &text[span.clone()];
            let part = |kind, place| Arc::new(CheckPart { text: source.to_string(), kind, place });
            let (kind, place) = match command {
                Command::Assert(_, name) => {
                    asserted += 1;
                    let name = name.map(|name| format!(", named {}", store.name(name))).unwrap_or_default();
                    let kind = if used.contains(&at) { CheckPartKind::Declaration } else { CheckPartKind::Assertion };
                    (kind, format!("assertion {asserted} (line {line}{name})"))
                }
                Command::SetOption(key, _) if &**key != ":global-declarations" => {
                    (CheckPartKind::Option, format!("{source} (line {line})"))
                }
                Command::Push(1) => {
                    levels.push(live.len());
                    (CheckPartKind::Fence, String::new())
                }
                Command::Pop(count) => {
                    let opened = levels.len().saturating_sub(*count as usize);
                    let closed = levels.get(opened).map(|mark| live.split_off(*mark)).unwrap_or_default();
                    live.extend(closed.into_iter().filter(|part| part.kind == CheckPartKind::Option));
                    levels.truncate(opened);
                    continue;
                }
                _ if command.is_check() && checks.len() < MAX_CHECKS => {
                    let right = answers.get(checks.len()).copied().flatten();
                    let parts = live.iter().cloned().chain([part(CheckPartKind::Fence, String::new())]).collect();
                    checks.push(StabilityCheck { name: format!("{name}:{line}"), parts, right });
                    continue;
                }
                Command::SetOption(..) | Command::Push(_) | Command::Reset | Command::ResetAssertions => {
                    bail!("{name}:{line}: checks after '{source}' cannot be taken apart");
                }
                Command::SetInfo(..) | Command::GetModel | Command::GetValue(_) | Command::Echo(_) => continue,
                Command::Query(_) => continue,
                other if other.is_check() || *other == Command::Exit => break,
                other if other.is_needless() => continue,
                Command::Opaque(..) => (CheckPartKind::Fence, String::new()),
                _ => (CheckPartKind::Declaration, String::new()),
            };
            live.push(part(kind, place));
        }
        Ok(checks)
    }
}

/// Returns the right answer by exhaustion, limited by steps, or by `:status`, which does not count where a definition is not proven total.
fn right_answer(store: &mut Store, instance: &Instance) -> Option<Status> {
    let limits = ExhaustLimits { evaluations: 1 << 20, steps: u64::MAX, ..LIMITS };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Quick };
    let known = truth::of_instance(store, instance, query).ok().filter(|known| known.certain().is_some());
    match known {
        Some(CheckTruth::Sat(_)) => Some(Status::Sat),
        Some(CheckTruth::Unsat(_)) => Some(Status::Unsat),
        None if truth::unproven(store, &instance.declarations).is_some() => None,
        None => instance.status.filter(|status| *status != Status::Unknown),
    }
}

/// Returns the script of some commands.
pub fn script_of(parts: &[Arc<CheckPart>]) -> String {
    parts.iter().flat_map(|part| [&part.text, "\n"]).collect()
}

/// Shuffles assertions within their levels, after all declarations.
pub fn in_other_order(parts: &[Arc<CheckPart>], rng: &mut RandomStream) -> CheckParts {
    let mut out = Vec::with_capacity(parts.len());
    for level in parts.chunk_by(|a, b| a.kind != CheckPartKind::Fence && b.kind != CheckPartKind::Fence) {
        let (mut moving, staying): (CheckParts, CheckParts) =
            level.iter().cloned().partition(|part| part.kind == CheckPartKind::Assertion);
        rng.shuffle(&mut moving);
        out.extend(staying);
        out.extend(moving);
    }
    out
}
