//! Tables as comma-separated values.

/// A cell of CSV (RFC 4180).
pub fn cell(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']);
    if plain { text.to_string() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
