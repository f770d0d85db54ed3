//! Drops the logic, or narrows it to a shorter name.
//!
//! Before: `(set-logic QF_AUFLIRA)`. After: nothing, or `(set-logic QF_LRA)`.

use super::{Group, Pass, View};
use crate::plan::Edit;
use smtlib::Command;

/// The pass.
pub const PASS: Pass = Pass { name: "logic", about: "drops or narrows the logic", group: Group::Single, propose };

/// Logics of SMT-LIB, short names first: what a script says may be more than it needs.
const LOGICS: [&str; 43] = [
    "ALL",
    "UF",
    "BV",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "QF_S",
    "QF_UF",
    "QF_AX",
    "QF_BV",
    "QF_FP",
    "QF_DT",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "UFNRA",
    "AUFNIA",
    "QF_LIA",
    "QF_LRA",
    "QF_NIA",
    "QF_NRA",
    "QF_IDL",
    "QF_RDL",
    "QF_ABV",
    "QF_ALIA",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "QF_ANIA",
    "QF_NIRA",
    "QF_SLIA",
    "QF_UFBV",
    "QF_UFIDL",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_BVFP",
    "QF_AUFBV",
    "QF_ABVFP",
    "QF_AUFLIA",
    "QF_AUFNIA",
];

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let mut edits = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        if let Command::SetLogic(logic) = command {
            edits.push(Edit::Drop(vec![n]));
            let length = view.store.name(*logic).len();
            let shorter = LOGICS.iter().filter(|name| name.len() < length);
            edits
                .extend(shorter.map(|name| Edit::Command(n, vec![Command::SetLogic(view.store.symbols.intern(name))])));
        }
    }
    vec![edits]
}
