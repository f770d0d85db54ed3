//! The order of definitions: each after those that it uses, unless they never end.

use super::{OperatorEntry, SortEntry, TheoryError, TheoryPart, base, fail};
use smtlib::sexpr;

/// Returns the sorts, each after those in its encoding.
/// Errors: encodings that contain each other.
pub(super) fn sorts(all: &[SortEntry]) -> Result<Vec<&SortEntry>, TheoryError> {
    let uses = |sort: &SortEntry, name: &str| mentions(&sort.encoding, name);
    sorted(all, |sort| [&sort.name, &sort.encoding], uses)
}

/// Returns the operators, each after those in its meaning.
/// Errors: meanings that contain each other.
pub(super) fn operators(all: &[OperatorEntry]) -> Result<Vec<&OperatorEntry>, TheoryError> {
    let uses = |operator: &OperatorEntry, name: &str| {
        let mut parts = [Some(&operator.meaning), operator.open.as_ref()].into_iter().flatten();
        !mentions(&operator.arguments, name) && parts.any(|part| mentions(part, name))
    };
    sorted(all, |operator| [&operator.name, &operator.meaning], uses)
}

/// Whether a part has a name among its atoms.
fn mentions(part: &TheoryPart, name: &str) -> bool {
    let text = part.get_ref();
    base(name).map_or_else(|| sexpr::atoms(text).any(|atom| sexpr::bare(&text[atom]) == name), |_| text.contains(name))
}

/// Sorts entries of a name and a body by their uses.
fn sorted<'d, T>(
    all: &'d [T],
    parts: impl Fn(&'d T) -> [&'d TheoryPart; 2],
    uses: impl Fn(&T, &str) -> bool,
) -> Result<Vec<&'d T>, TheoryError> {
    let mut left: Vec<&T> = all.iter().collect();
    let mut done = Vec::with_capacity(all.len());
    while !left.is_empty() {
        let used = |entry: &T| left.iter().position(|&other| uses(entry, parts(other)[0].get_ref()));
        if let Some(ready) = left.iter().position(|entry| used(entry).is_none()) {
            done.push(left.remove(ready));
            continue;
        }
        // Each uses another one, so this path returns to an entry.
        let mut path = vec![0];
        while let Some(next) = path.last().and_then(|&at| used(left[at])) {
            path.push(next);
            if let Some(start) = path[..path.len() - 1].iter().position(|&known| known == next) {
                let names: Vec<String> =
                    path[start..].iter().map(|&n| format!("`{}`", parts(left[n])[0].get_ref())).collect();
                let message = format!("this definition never ends: {}", names.join(" -> "));
                return fail(parts(left[next])[1], message, "define one of them without the others");
            }
        }
    }
    Ok(done)
}
