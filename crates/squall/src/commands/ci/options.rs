//! The campaign's command line within `squall ci` and `squall night`: the reported classes, and the options that these set.

use crate::commands::fuzz;
use crate::render::say::Usage;
use ::finding::BugClass;
use std::fmt;
use std::str::FromStr;

/// The classes whose findings fail the build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailOn(Vec<BugClass>);

impl FailOn {
    /// Whether findings of a class fail the build.
    pub fn holds(&self, class: BugClass) -> bool {
        self.0.contains(&class)
    }
}

impl fmt::Display for FailOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<&str> = self.0.iter().map(|class| class.letter()).collect();
        f.write_str(&letters.join(","))
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, Self::Err> {
        let class = |letter: &str| letter.trim().parse::<BugClass>().map_err(|error| error.to_string());
        let classes: Result<Vec<BugClass>, String> = text.split(',').map(class).collect();
        classes.map(FailOn)
    }
}

/// A command that runs a campaign of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CampaignOwner {
    /// `squall ci`.
    Ci,
    /// `squall night`.
    Night,
}

/// Options of `squall fuzz` that these commands set, with what to write instead: for `squall ci`, and for `squall night`.
const OWN: [(&str, [&str; 2]); 12] = [
    (
        "--solver",
        [
            "--solver of squall ci before '--'; it tests one solver",
            "--solver of squall night before '--'; it tests one solver",
        ],
    ),
    ("--reference", ["--baseline before '--'", "squall fuzz for a campaign with a reference"]),
    ("--for", ["--for of squall ci before '--'", "--for of squall night before '--'"]),
    ("--seed", ["--since-seed before '--'", "--seed of squall night before '--'; each night adds its number"]),
    ("--out", ["--out of squall ci before '--'", "--out of squall night before '--'"]),
    ("--plain", ["nothing: it is set already", "nothing: only new causes are reported"]),
    ("--format", ["--sarif and --junit before '--'", "--format of squall night before '--'"]),
    (
        "--resume",
        ["another --out: squall ci cannot resume a campaign", "nothing: the next night continues in the folder"],
    ),
    ("--shard", ["another --since-seed on each machine", "another --out and --seed on each machine"]),
    ("--coordinate", ["another --since-seed on each machine", "another --out and --seed on each machine"]),
    ("--color", ["--color before '--'"; 2]),
    ("--help", ["squall fuzz --help"; 2]),
];

/// Their short forms.
const SHORT: [(&str, &str); 3] = [("-s", "--solver"), ("-o", "--out"), ("-h", "--help")];

/// Returns the option's name in an argument: `--out` of `--out=x`, `-o` and `-ox`.
fn name(word: &str) -> &str {
    let short = SHORT.iter().find(|(short, _)| !word.starts_with("--") && word.starts_with(short));
    short.map_or_else(|| word.split_once('=').map_or(word, |(name, _)| name), |(_, long)| long)
}

/// Parses the command line of the campaign.
/// Errors: an option after `--` that the command sets itself, or that `squall fuzz` does not have.
pub fn parsed(owner: CampaignOwner, words: &[String], further: &[String]) -> Result<fuzz::Args, Usage> {
    for word in further {
        if let Some((name, instead)) = OWN.iter().find(|(own, _)| *own == name(word)) {
            let (command, instead) = match owner {
                CampaignOwner::Ci => ("ci", instead[0]),
                CampaignOwner::Night => ("night", instead[1]),
            };
            return Err(Usage(format!("after '--': squall {command} sets {name} itself; write {instead}")));
        }
    }
    fuzz::resume::of_words(words).map_err(|error| {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        // The usage that follows is of a command line that the user did not write.
        let text = text.split("\n\nUsage:").next().unwrap_or(text);
        let text = text.split("\n\nFor more information").next().unwrap_or(text);
        Usage(format!("after '--': {text}\n\n'squall fuzz --help' lists the options of a campaign."))
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/options.rs"]
mod tests;
