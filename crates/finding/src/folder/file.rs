//! The files in a finding's folder, and their contents.

use crate::answer_vector::SavedVector;
use crate::record::{FORMAT, Finding, KnownMatch};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;

/// A file in a finding's folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FindingFile {
    /// The record.
    Record,
    /// The script that was sent.
    Mutant,
    /// The preceding scripts in the same process, each ended by `(reset)`; usually there are none.
    Predecessors,
    /// The first of two scripts whose answers contradict each other; both derive from the reduced or sent script.
    First,
    /// The second of them.
    Second,
    /// Definitions that make every assertion of the script true.
    Witness,
    /// A copy of the seed, if the script is a mutant.
    Seed,
    /// What the solver printed.
    Output,
    /// The reduced script.
    Reduced,
    /// The first of two scripts derived from the reduced one.
    ReducedFirst,
    /// The second of them.
    ReducedSecond,
    /// The witness of the reduced script.
    ReducedWitness,
    /// The scripts that must still precede the reduced one.
    ReducedPredecessors,
    /// The account of the reduction.
    Account,
    /// The vector of answers to the reduced script.
    Vector,
    /// Which versions err.
    Bisection,
    /// What the finding depends on.
    Explanation,
    /// The known cause, if it was found without a reduction.
    Match,
}

/// A file written with a record, and its content.
pub type SentFile<'a> = (FindingFile, &'a [u8]);

impl FindingFile {
    /// The files that are written with a record.
    pub const SENT: [FindingFile; 7] = [
        FindingFile::Mutant,
        FindingFile::Output,
        FindingFile::Witness,
        FindingFile::Predecessors,
        FindingFile::Seed,
        FindingFile::First,
        FindingFile::Second,
    ];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            FindingFile::Record => "finding.json",
            FindingFile::Mutant => "mutant.smt2",
            FindingFile::Predecessors => "predecessors.smt2",
            FindingFile::First => "first.smt2",
            FindingFile::Second => "second.smt2",
            FindingFile::Witness => "witness.smt2",
            FindingFile::Seed => "seed.smt2",
            FindingFile::Output => "output.txt",
            FindingFile::Reduced => "reduced.smt2",
            FindingFile::ReducedFirst => "reduced.first.smt2",
            FindingFile::ReducedSecond => "reduced.second.smt2",
            FindingFile::ReducedWitness => "reduced.witness.smt2",
            FindingFile::ReducedPredecessors => "reduced.predecessors.smt2",
            FindingFile::Account => "reduced.json",
            FindingFile::Vector => "vector.json",
            FindingFile::Bisection => "bisection.json",
            FindingFile::Explanation => "explain.json",
            FindingFile::Match => "matched.json",
        }
    }

    /// Returns a value as this file holds it.
    pub(super) fn json(self, value: &impl Serialize) -> io::Result<String> {
        let text = match self {
            // A text keeps its own line ends.
            FindingFile::Explanation => serde_json::to_string(value),
            _ => serde_json::to_string_pretty(value),
        };
        Ok(text.map_err(io::Error::other)? + "\n")
    }
}

/// A JSON file of a finding's folder.
pub trait FindingPart: Serialize + DeserializeOwned {
    /// The file.
    const FILE: FindingFile;
    /// The latest known version of its layout; `None` without versions.
    const FORMAT: Option<u32> = None;
    /// What to do about a damaged file, as the end of a sentence.
    const HINT: &'static str = "";
}

impl FindingPart for Finding {
    const FILE: FindingFile = FindingFile::Record;
    const FORMAT: Option<u32> = Some(FORMAT);
}

impl FindingPart for SavedVector {
    const FILE: FindingFile = FindingFile::Vector;
}

impl FindingPart for KnownMatch {
    const FILE: FindingFile = FindingFile::Match;
}
