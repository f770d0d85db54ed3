//! Resuming a campaign: its original command line, and the parts of it that must not change.

use super::arguments::{Args, PlaceArgs};
use crate::render::say::quoted;
use ::fuzz::findings;
use ::solver::consent::{Consent, Consents};
use ::solver::install::Fleet;
use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::{Value, json};

/// The option with a theory.
const THEORY_FILE: &str = "--theory-file";

/// A command line without the program's and the subcommand's names.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct SavedCommand {
    #[command(flatten)]
    args: Args,
    /// A global option, which does not concern the campaign.
    #[arg(long, hide = true)]
    color: Option<clap::ColorChoice>,
    /// Likewise.
    #[arg(long, hide = true)]
    config: Option<std::path::PathBuf>,
}

/// Returns the arguments, and `words`: the part of them that `campaign.json` stores for `--resume`.
/// Errors: there is no campaign to resume, or an older Squall began it.
pub fn settle(args: Args, words: &[String]) -> Result<(Args, Value)> {
    let Some(folder) = &args.place.resume else {
        let note = json!({ "arguments": recorded(&args, words), "folder": std::env::current_dir()? });
        return Ok((args, note));
    };
    let shown = folder.display();
    let Some(manifest) = findings::manifest(folder)? else {
        bail!("'{shown}' has no campaign to resume; start one with squall fuzz --solver S --out '{shown}'")
    };
    let note = manifest.get("note").cloned().unwrap_or_default();
    let saved = of_note(&note).with_context(|| format!("'{shown}/campaign.json'"))?;
    let Some(place) = note.get("folder").and_then(Value::as_str) else {
        bail!(
            "'{shown}/campaign.json' does not record the folder that the campaign was started in; repeat its command line instead of --resume"
        )
    };
    let out = std::fs::canonicalize(folder).with_context(|| format!("cannot find the folder '{shown}'"))?;
    // The seeds' paths are relative to the folder that the campaign was started in.
    std::env::set_current_dir(place).with_context(|| {
        format!("cannot enter the folder '{place}', in which the campaign of '{shown}' was started")
    })?;
    check_consent(&saved).with_context(|| {
        let words: Vec<String> =
            list_of_words(&note).iter().map(|word| quoted(word).escape_debug().to_string()).collect();
        format!("'{shown}/campaign.json' resumes squall fuzz {}", words.join(" "))
    })?;
    // A new limit replaces all old ones: a number of mutants that was already reached would end the run at once.
    let end = if args.end.is_any() { args.end } else { saved.end };
    let jobs = args.place.jobs.or(saved.place.jobs);
    let place = PlaceArgs { jobs, metrics: args.place.metrics, resume: None, out, ..saved.place };
    let args = Args { end, place, view: args.view, ..saved };
    Ok((args, note))
}

/// Checks that this user has named the programs that a campaign would start, and its outputs outside of its folder: the
/// folder may come from a stranger.
fn check_consent(saved: &Args) -> Result<()> {
    let fleet = Fleet::of_user()?;
    for spec in saved.tested.solver.iter().chain(&saved.tested.reference) {
        fleet.recorded(spec.clone())?;
    }
    let consents = Consents::of_user();
    let is_new = |(kind, text): &(&'static str, String)| !consents.has(&Consent::command_part(kind, text));
    if let Some((kind, text)) = saved.foreign_words().into_iter().find(is_new) {
        bail!(
            "you did not give its {kind} '{}' on this machine; check it, then repeat the command line with --out instead of --resume",
            text.escape_debug()
        )
    }
    Ok(())
}

/// Records what the user has named on the command line, for `--resume`.
pub fn remember(args: &Args) {
    let mut consents = Consents::of_user();
    for (kind, text) in args.foreign_words() {
        // If it cannot be recorded, the user has to repeat the command line.
        let _ = consents.give(Consent::command_part(kind, &text));
    }
}

fn list_of_words(note: &Value) -> Vec<&str> {
    note.get("arguments").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns a command line as a campaign records it: with the theory itself in place of the file's name, so that no one who resumes
/// the campaign or works for it reads a file that the record names.
pub fn recorded(args: &Args, words: &[String]) -> Vec<String> {
    let Some(theory) = &args.tested.theory_file else { return words.to_vec() };
    let is_name = |n: &usize| *n > 0 && words[n - 1] == THEORY_FILE;
    let word = |n: usize| match &words[n] {
        _ if is_name(&n) => theory.command().to_string(),
        word if word.starts_with(&format!("{THEORY_FILE}=")) => format!("{THEORY_FILE}={}", theory.command()),
        word => word.clone(),
    };
    (0..words.len()).map(word).collect()
}

/// Whether a recorded command line names a theory file.
fn names_theory_file(words: &[&str]) -> bool {
    let separate = words.windows(2).filter(|pair| pair[0] == THEORY_FILE).map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix(THEORY_FILE)?.strip_prefix('='));
    separate.chain(joined).any(|theory| !theory.starts_with('('))
}

/// Parses the command line stored in a note.
/// Errors: the note has no command line, or another program's.
pub fn of_note(note: &Value) -> Result<Args> {
    if note.get("arguments").is_none_or(|words| !words.is_array()) {
        bail!("it has no command line; repeat the one that started the campaign")
    }
    let words = list_of_words(note);
    if names_theory_file(&words) {
        bail!("it names a theory file instead of holding the theory; repeat the command line that started the campaign")
    }
    let saved = SavedCommand::try_parse_from(words).context("its command line is invalid")?;
    Ok(saved.args)
}

/// Returns a command line without the program's and the subcommand's names.
/// Errors: it is not a command line of `squall fuzz`.
pub fn of_words(words: &[String]) -> Result<Args, clap::Error> {
    Ok(SavedCommand::try_parse_from(words)?.args)
}

impl Args {
    /// Returns a file that its mutators would read on this machine, if any.
    #[cfg(feature = "nats")]
    pub fn foreign_file(&self) -> Option<&str> {
        let named =
            self.tested.settings.iter().find(|(name, path)| !path.is_empty() && mutate::mutators::names_a_file(name));
        named.map(|(_, path)| path.as_str())
    }

    /// Returns the programs that are mutators.
    fn commands(&self) -> impl Iterator<Item = &String> {
        let mutators = self.tested.mutator.iter().filter(|list| mutate::exec::may_run_program(list));
        mutators.chain(self.tested.settings.iter().filter(|(name, _)| name == "command").map(|(_, value)| value))
    }

    /// Returns the programs (except solvers), outputs and servers that this command line names, each with its kind.
    fn foreign_words(&self) -> Vec<(&'static str, String)> {
        let folders = self.place.keep_mutants.iter().map(|folder| ("--keep-mutants", folder.display().to_string()));
        let servers = self.place.coordinate.iter().map(|address| ("--coordinate", address.clone()));
        let commands = self.commands().map(|text| ("mutator", text.clone()));
        commands.chain(folders).chain(servers).collect()
    }

    /// Returns a program that this command line names by path, if any.
    #[cfg(feature = "nats")]
    pub fn foreign_command(&self) -> Option<String> {
        use ::solver::spec::SolverSpec;
        let by_path = |spec: &&SolverSpec| {
            !matches!(spec, SolverSpec::Named(named) if named.options.is_empty())
                && !matches!(spec, SolverSpec::Builtin(_))
        };
        let solver = self.tested.solver.iter().chain(&self.tested.reference).find(by_path).map(ToString::to_string);
        solver.or_else(|| self.commands().next().cloned())
    }
}
