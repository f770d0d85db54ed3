//! The corpus: seeds, what their labels say, and the corpora that are kept.

pub mod seed;
pub mod stored;

use crate::seed::Seed;
use smtlib::Status;
use std::path::{Component, Path};

/// Returns each check's status according to the file (for a single check, else its folder), and the source in
/// words.
pub fn own_statuses(seed: &Seed) -> (Vec<Option<Status>>, &'static str) {
    let known = |status: Option<Status>| status.filter(|status| *status != Status::Unknown);
    let mut statuses: Vec<Option<Status>> = seed.script.each_instance().map(|i| known(i.status)).collect();
    if let [status @ None] = &mut statuses[..] {
        *status = of_folder(&seed.name);
        return (statuses, "the seed's folder");
    }
    (statuses, "the seed's own :status")
}

/// What the innermost folder named `sat` or `unsat` says.
fn of_folder(name: &str) -> Option<Status> {
    let folders = Path::new(name).parent()?.components().rev();
    let of = |component: Component<'_>| match component.as_os_str().to_str()? {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        _ => None,
    };
    folders.into_iter().find_map(of)
}

#[cfg(test)]
#[path = "../tests/unit/lib.rs"]
mod tests;
