//! Suggestions of known names for an unknown one.

/// The names nearest to `name` among `known`, as a help text.
pub(crate) fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    // A hint that shares nothing with the name is none.
    let limit = (1 + name.len() / 4).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let best = close.filter(|(d, _)| *d <= limit).min()?;
    Some(format!("did you mean `{}`?", best.1))
}

/// The names nearest to `name` among `known` (at most three), as a help text.
pub(crate) fn nearest_names<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > 40 {
        return None;
    }
    let limit = (1 + name.len() / 3).min(name.len().saturating_sub(1));
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).map(|k| (distance(name, k), k));
    let mut close: Vec<(usize, &str)> = close.filter(|(d, _)| *d <= limit).collect();
    close.sort_unstable();
    close.dedup();
    let names: Vec<String> = close.iter().take(3).map(|(_, k)| format!("`{k}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Levenshtein distance in bytes.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
