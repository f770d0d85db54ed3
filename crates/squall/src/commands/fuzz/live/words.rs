//! Numbers, times and names as the live screen writes them.

/// Returns a number with thousands separators.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number in at most five characters.
pub fn compact(n: u64) -> String {
    const STEPS: [(u64, &str); 5] =
        [(1, ""), (1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G"), (1_000_000_000_000, "T")];
    let fits = |(step, _): &&(u64, &str)| n / step < if *step == 1 { 100_000 } else { 10_000 };
    match STEPS.iter().find(fits) {
        Some((step, unit)) => format!("{}{unit}", n / step),
        None => "many".to_string(),
    }
}

/// Returns a time: `0:07`, `12:34`, `3:00:00`, `2d 3h`.
pub fn span(seconds: f64) -> String {
    if !seconds.is_finite() || seconds > 1e9 {
        return "years".to_string();
    }
    let s = seconds.max(0.0).round() as u64;
    match s {
        0..3600 => format!("{}:{:02}", s / 60, s % 60),
        3600..172_800 => format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60),
        _ => format!("{}d {}h", s / 86_400, s / 3600 % 24),
    }
}

/// Returns a share as a bar of `width` characters.
pub fn bar(share: f64, width: usize) -> String {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(width.saturating_sub(full)))
}

/// Returns the end of a seed's path: its folder and name.
pub fn name_of(seed: &str) -> String {
    let path = seed.strip_prefix("embedded:").unwrap_or(seed);
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    match parts.next() {
        Some(folder) if !folder.is_empty() => format!("{folder}/{name}"),
        _ => name.to_string(),
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/words.rs"]
mod tests;
