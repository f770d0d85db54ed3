//! Known findings, which are not reported again: the file of `--known` and `--write-known`.

use ::finding::{BugClass, Finding, symptom};
use anyhow::{Context, Result, ensure};
use reduce::signature::ScriptSignature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The version of the file's layout.
const FORMAT: u32 = 1;

/// The known findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownFindings {
    format: u32,
    findings: BTreeSet<KnownFinding>,
}

/// One way to recognise a finding. A finding has several; one match is enough.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KnownFinding {
    /// Its class.
    class: BugClass,
    /// The solver's name, without version and path.
    solver: String,
    /// The property that identifies it.
    by: KnownBy,
    /// The property's value.
    key: String,
}

/// A property that identifies a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KnownBy {
    /// The location of a crash: an assertion, an exception, the top of the stack.
    Crash,
    /// A digest that reduced scripts of the same bug share.
    Skeleton,
    /// SHA-256 of the script that was sent.
    Script,
}

impl KnownFinding {
    /// Whether the entry identifies a single script.
    pub fn is_of_script(&self) -> bool {
        self.by == KnownBy::Script
    }
}

impl Default for KnownFindings {
    fn default() -> KnownFindings {
        KnownFindings { format: FORMAT, findings: BTreeSet::new() }
    }
}

impl KnownFindings {
    /// Reads the file.
    /// Errors: it cannot be read, or has another format.
    pub fn read(path: &Path) -> Result<KnownFindings> {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read the known findings '{shown}'"))?;
        let known: KnownFindings = serde_json::from_str(&text)
            .with_context(|| format!("'{shown}' is not a file of known findings, as written by --write-known"))?;
        ensure!(
            known.format == FORMAT,
            "'{shown}' has the format {}, this program reads {FORMAT}; write it again with --write-known",
            known.format
        );
        Ok(known)
    }

    /// Writes the file atomically.
    /// Errors: it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(self)?);
        files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write '{}'", path.display()))
    }

    /// Whether one of the properties is listed.
    pub fn holds(&self, ways: &[KnownFinding]) -> bool {
        ways.iter().any(|way| self.findings.contains(way))
    }

    /// Adds a finding.
    pub fn add(&mut self, ways: Vec<KnownFinding>) {
        self.findings.extend(ways);
    }
}

/// Returns the identifying properties of a finding of a solver with this name.
pub fn ways(finding: &Finding, solver: &str, reduced: Option<&ScriptSignature>) -> Vec<KnownFinding> {
    let way = |by, key: String| KnownFinding { class: finding.class, solver: solver.to_string(), by, key };
    let mut ways = vec![way(KnownBy::Script, finding.mutant_sha256.clone())];
    if symptom::names_a_place(finding.class, &finding.symptom) {
        ways.push(way(KnownBy::Crash, finding.symptom.clone()));
    } else if let Some(signature) = reduced {
        ways.push(way(KnownBy::Skeleton, signature.to_string()));
    }
    ways
}

#[cfg(test)]
#[path = "../../../tests/unit/known.rs"]
mod tests;
