//! Minimizes a list of parts: none of the remaining ones can be left out.

/// Returns a smallest list in which every part is needed, judged by `errs`. `None` if that cannot be decided.
///
/// Tries to leave out all parts first, then one after the other until none can be.
pub fn minimal<T: Clone>(all: &[T], mut errs: impl FnMut(&[T]) -> Option<bool>) -> Option<Vec<T>> {
    if all.is_empty() || errs(&[])? {
        return Some(Vec::new());
    }
    let mut kept = all.to_vec();
    // A single remaining part is needed, since the answer is right without any.
    while kept.len() > 1 {
        let before = kept.len();
        let mut place = 0;
        while place < kept.len() && kept.len() > 1 {
            let mut fewer = kept.clone();
            fewer.remove(place);
            match errs(&fewer)? {
                true => kept = fewer,
                false => place += 1,
            }
        }
        if kept.len() == before {
            break;
        }
    }
    Some(kept)
}

#[cfg(test)]
#[path = "../../tests/unit/minimal.rs"]
mod tests;
