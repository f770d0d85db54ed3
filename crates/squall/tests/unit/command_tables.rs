//! The tables of subcommands and options are whole.

use super::*;
use std::any::TypeId;
#[cfg(all(feature = "nats", feature = "store"))]
use std::collections::{BTreeMap, BTreeSet};

/// Short options and their long forms. A subcommand with the long form has the short one.
const SHORT: [(char, &[&str]); 5] =
    [('s', &["solver"]), ('o', &["out", "to"]), ('j', &["jobs"]), ('t', &["timeout"]), ('n', &["number", "count"])];

fn check(command: &clap::Command, path: &str) {
    for option in command.get_arguments().filter(|option| !option.is_positional()) {
        let long = option.get_long().unwrap_or_default();
        for (short, longs) in SHORT {
            let is_short = option.get_short() == Some(short);
            assert_eq!(longs.contains(&long), is_short, "{path}: --{long} and -{short}");
        }
    }
    command.get_subcommands().for_each(|sub| check(sub, &format!("{path} {}", sub.get_name())));
}

/// What a subcommand may start and write, according to `commands.toml`.
#[cfg(all(feature = "nats", feature = "store"))]
#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Effects {
    runs: Vec<String>,
    writes: Vec<String>,
    neither: Vec<String>,
    always_runs: String,
    always_writes: String,
}

/// Collects the options and arguments of a command without subcommands, and of those below it.
#[cfg(all(feature = "nats", feature = "store"))]
fn words(command: &clap::Command, path: &str, all: &mut BTreeMap<String, BTreeSet<String>>) {
    let of_all = ["help", "version", "color", "config"];
    let word = |option: &clap::Arg| match option.get_long() {
        Some(long) => long.to_string(),
        None => format!("<{}>", option.get_value_names().unwrap_or_default().join(" ")),
    };
    let known = command.get_arguments().map(word).filter(|word| !of_all.contains(&word.as_str())).collect();
    let below: Vec<&clap::Command> = command.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
    if below.is_empty() {
        all.insert(path.to_string(), known);
    }
    below.into_iter().for_each(|sub| words(sub, format!("{path} {}", sub.get_name()).trim(), all));
}

/// The table of what is started and written lists every option, and SECURITY.md has that table. `SQUALL_BLESS=1` writes it there.
#[cfg(all(feature = "nats", feature = "store"))]
#[test]
fn what_every_option_starts_and_writes_is_known() {
    let table: BTreeMap<String, Effects> =
        toml::from_str(include_str!("../it/hostile/commands.toml")).expect("a table");
    let mut squall = Cli::command();
    squall.build();
    let mut all = BTreeMap::new();
    words(&squall, "", &mut all);
    assert_eq!(table.keys().collect::<Vec<_>>(), all.keys().collect::<Vec<_>>(), "the subcommands of commands.toml");
    for (command, known) in &all {
        let Effects { runs, writes, neither, .. } = &table[command];
        let said: BTreeSet<String> = runs.iter().chain(writes).chain(neither).cloned().collect();
        // A harmless option of a campaign neither starts nor writes anything.
        let is_left = |word: &&String| command != "fuzz" || !commands::fuzz::is_harmless(word);
        let known: BTreeSet<String> = known.iter().filter(is_left).cloned().collect();
        assert_eq!(said, known, "the options of squall {command} in commands.toml");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md");
    testing::check_made_part(path.as_ref(), "commands.toml", &rows(&table));
}

/// Of the options that any `squall.toml` may set, only one takes arbitrary text: names of logics, which are compared with those of seeds.
#[test]
fn what_a_found_file_may_set_is_chosen_from_few() {
    let mut squall = Cli::command();
    let mut fuzz = squall.find_subcommand_mut("fuzz").map(std::mem::take).expect("a subcommand");
    fuzz.build();
    let free = [TypeId::of::<String>(), TypeId::of::<PathBuf>()];
    let is_free = |arg: &&clap::Arg| {
        let parser = arg.get_value_parser();
        parser.possible_values().is_none() && free.iter().any(|free| parser.type_id() == *free)
    };
    let options = fuzz.get_arguments().filter(is_free).filter_map(clap::Arg::get_long);
    let free: Vec<&str> = options.filter(|option| commands::fuzz::is_harmless(option)).collect();
    assert_eq!(free, ["logic"]);
}

/// Returns the table as Markdown.
#[cfg(all(feature = "nats", feature = "store"))]
fn rows(table: &BTreeMap<String, Effects>) -> String {
    let cell = |words: &[String], always: &str| {
        let option = |word: &String| match word.starts_with('<') {
            true => format!("`{}`", word.replace('|', "\\|")),
            false => format!("`--{word}`"),
        };
        let always = (!always.is_empty()).then(|| always.to_string());
        words.iter().map(option).chain(always).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::from("| `squall` | starts | writes |\n|---|---|---|\n");
    let mut harmless = Vec::new();
    for (command, effects) in table {
        let starts = cell(&effects.runs, &effects.always_runs);
        let writes = cell(&effects.writes, &effects.always_writes);
        match starts.is_empty() && writes.is_empty() {
            true => harmless.push(format!("`{command}`")),
            false => text.push_str(&format!("| `{command}` | {starts} | {writes} |\n")),
        }
    }
    text + &format!("\nThese start and write nothing: {}.\n", harmless.join(", "))
}

/// A subcommand in no group would be missing from `--help`, silently.
#[test]
fn every_subcommand_is_in_a_group() {
    let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    for command in Cli::command().get_subcommands() {
        assert!(grouped.contains(&command.get_name()), "{} is not in GROUPS", command.get_name());
    }
}

#[test]
fn a_short_option_means_the_same_everywhere() {
    let mut squall = Cli::command();
    squall.build();
    check(&squall, "squall");
}
